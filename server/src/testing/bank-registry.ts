import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registerBanks } from '../features/banks/index.ts';
import { type BankConfig, readBanks } from '../platform/config/banks.ts';
import type { TestDatabase } from './database.ts';

const file = join(import.meta.dirname, '../../../deploy/banks.json');

/** The one bank of the install kit's example, in Hong Kong, with some of its parts replaced. */
export function exampleBank(changes: Partial<BankConfig> = {}): BankConfig {
  const [bank] = readBanks(file);
  if (!bank) throw new Error('the example lists a bank');
  return { ...bank, ...changes };
}

/** The example's bytes, for tests of what its reader refuses. */
export function exampleText(): string {
  return readFileSync(file, 'utf8');
}

/** Writes banks into a test's database as the migration program does. */
export async function registerTestBanks(
  db: TestDatabase,
  banks: readonly BankConfig[] = [exampleBank()],
): Promise<void> {
  const digest = createHash('sha256').update(JSON.stringify(banks)).digest('hex');
  await registerBanks(db.superuserUrl, banks, digest);
}
