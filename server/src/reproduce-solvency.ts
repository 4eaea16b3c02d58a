import { reproduceReports } from './features/operator/index.ts';
import { configSchemas, readConfig } from './platform/config/config.ts';
import { openDatabase } from './platform/database/database.ts';
import { runCommand } from './platform/process/process.ts';

const usage = 'Usage: npm run solvency:reproduce [-- FROM [TO]]';

/** Computes past reports of solvency again from the ledger of today: one line for each day; exit code 1 when one is different. */
async function main(): Promise<void> {
  const [from = '0001-01-01', to = from === '0001-01-01' ? '9999-12-31' : from, ...others] = process.argv.slice(2);
  if (others.length > 0 || ![from, to].every((day) => /^\d{4}-\d{2}-\d{2}$/.test(day))) throw new Error(usage);
  const config = readConfig(configSchemas.verify, process.env);
  const database = openDatabase(config.DATABASE_OPERATOR_URL, { poolSize: 1, applicationName: 'causeway-verify' });
  try {
    const reports = await database.withoutCompany((tx) => reproduceReports(tx, from, to));
    for (const { day, companies, problems } of reports) {
      process.stdout.write(
        `${day}: ${companies} companies, ${problems.length === 0 ? 'the same' : problems.join('; ')}\n`,
      );
    }
    if (reports.length === 0) process.stdout.write('no reports\n');
    if (reports.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

await runCommand(main);
