import { userInfo } from 'node:os';
import {
  RefusedError,
  refusalText,
  runCommand,
  runFileCommand,
  UsageError,
  usage,
} from './features/operator/command-line.ts';
import { readChains } from './platform/config/chains.ts';
import { configSchemas, readConfig } from './platform/config/config.ts';
import { openDatabase } from './platform/database/database.ts';
import { DomainError } from './platform/domain-error.ts';
import { runProcess } from './platform/process/process.ts';

/** The operator's command line; its actor in the audit trail is the operating system's user. */
await runProcess(async () => {
  const args = process.argv.slice(2);
  if (args.length === 0 || args.includes('--help')) {
    process.stdout.write(usage);
    return;
  }
  try {
    process.stdout.write((await runFileCommand(args)) ?? (await runWithDatabase(args)));
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n\n${usage}`);
      process.exitCode = 2;
    } else if (error instanceof RefusedError) {
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 1;
    } else if (error instanceof DomainError) {
      process.stderr.write(`${refusalText(error)}\n`);
      process.exitCode = 1;
    } else throw error;
  }
});

async function runWithDatabase(args: readonly string[]): Promise<string> {
  const config = readConfig(configSchemas.operator, process.env);
  const database = openDatabase(config.DATABASE_OPERATOR_URL, { poolSize: 2, applicationName: 'causeway-operator' });
  const context = { database, operator: userInfo().username, consoleUrl: config.OPERATOR_URL };
  const configured = readChains(config.CHAINS_FILE);
  try {
    return await runCommand(context, args, async () => {
      const { chainFamiliesOf } = await import('./chain-families.ts');
      const { createGateway } = await import('./features/chains/index.ts');
      return { families: chainFamiliesOf(configured), gateways: configured.map(createGateway) };
    });
  } finally {
    await database.close();
  }
}
