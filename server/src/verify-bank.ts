import { reconcileBanks, sayDifference } from './features/rails/index.ts';
import { configSchemas, readConfig } from './platform/config/config.ts';
import { openDatabase } from './platform/database/database.ts';
import { runCommand } from './platform/process/process.ts';

/** Reconciles the books with the banks' statements: one line for each difference, exit code 1 when there is any. */
async function main(): Promise<void> {
  const config = readConfig(configSchemas.verify, process.env);
  const database = openDatabase(config.DATABASE_OPERATOR_URL, { poolSize: 1, applicationName: 'causeway-verify' });
  try {
    const { comparisons, findings } = await reconcileBanks(database);
    const differences = comparisons.flatMap((comparison) => sayDifference(comparison) ?? []);
    for (const line of [...differences, ...findings.map(({ line }) => line)]) process.stdout.write(`${line}\n`);
    for (const { bank, asset, entries, statedMinor, differenceMinor } of comparisons) {
      process.stdout.write(
        `${bank} ${asset}: ${entries} entries, balance ${statedMinor}, difference ${differenceMinor}\n`,
      );
    }
    process.stdout.write(`${comparisons.length} currencies at banks, ${findings.length} findings\n`);
    if (differences.length + findings.length > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

await runCommand(main);
