import { runCommand } from '../features/operator/command-line.ts';
import { chainFamilies } from './chain-families.ts';
import type { TestDatabase } from './database.ts';

/** What an operator's command prints as JSON; no chain is asked. */
export async function operatorCommand(db: TestDatabase, args: readonly string[]) {
  const context = { database: db.operator, operator: 'jo', families: chainFamilies, gateways: [] };
  return JSON.parse(await runCommand(context, [...args, '--json'], async () => context));
}
