import { describeKeystore, openJournal, rebuildJournal } from './features/chains/index.ts';
import { ConfigError, configSchemas, readConfig } from './platform/config/config.ts';
import { openDatabase } from './platform/database/database.ts';
import { runProcess } from './platform/process/process.ts';
import { journaled } from './signer-families.ts';

/**
 * `signer-journal verify` reads the signer's journal, or a copy of it, and prints where it ends. `signer-journal rebuild` adds
 * what only the database has, when the file was lost or an older copy was put back. The signer must not run meanwhile.
 */
await runProcess(async () => {
  const [command] = process.argv.slice(2);
  const config = readConfig(configSchemas.journal, process.env);
  const { gasTank } = describeKeystore(config.KEYSTORE_FILE, config.KEYSTORE_PASSPHRASE);
  const file = config.SIGNER_JOURNAL_FILE;
  if (command === 'verify') {
    const journal = openJournal(file, gasTank, journaled);
    if (!journal) throw new ConfigError(`${file} does not exist`);
    print({ entries: journal.tip().seq, hash: journal.tip().hash });
    journal.close();
    return;
  }
  if (command !== 'rebuild') throw new ConfigError('Usage: signer-journal verify | signer-journal rebuild');
  const database = openDatabase(config.DATABASE_SIGNER_URL, {
    poolSize: 1,
    applicationName: 'causeway-signer-journal',
  });
  try {
    print(await rebuildJournal({ database, file, gasTank, families: journaled }));
  } finally {
    await database.close();
  }
});

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
