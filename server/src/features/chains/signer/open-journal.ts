import { ConfigError } from '../../../platform/config/config.ts';
import type { LogDisk } from '../../../platform/crypto/linked-log.ts';
import type { Database } from '../../../platform/database/database.ts';
import { beginRestoreMode } from '../../../platform/database/restore-mode.ts';
import { startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import { countStored, storedAfter } from '../store/journal.ts';
import type { Compared } from './compare.ts';
import type { JournalFamilies } from './family.ts';
import { createJournal, type Journal, openJournal } from './journal.ts';
import { readLine } from './line.ts';

/** Opening the signer's journal, making it good again from the database, and comparing the two while the signer runs. */

export interface JournalPlace {
  database: Database;
  file: string;
  /** The gas tank of the key store to which the journal belongs. */
  gasTank: string;
  /** The families of its entries. */
  families: JournalFamilies;
  /** Replaced in tests. */
  disk?: LogDisk;
}

/**
 * Opens the journal; makes an empty one where nothing was ever signed.
 * @throws ConfigError when the file is missing although the database has entries, or when it cannot be used
 */
export async function openSignerJournal({ database, file, gasTank, families, disk }: JournalPlace): Promise<Journal> {
  const journal = openJournal(file, gasTank, families, disk);
  if (journal) return journal;
  const stored = await database.withoutCompany(countStored);
  if (stored > 0) {
    throw new ConfigError(
      `The signer's journal ${file} is missing, but the database has ${stored} entries of it: put the file back, or, if it is ` +
        'lost, make it anew from the database with "node server/src/signer-journal.ts rebuild" (docs/OPERATIONS.md, "Backup and restore").',
    );
  }
  createJournal(file, gasTank);
  const made = openJournal(file, gasTank, families, disk);
  if (!made) throw new ConfigError(`${file} was made and is not there`);
  return made;
}

const pageSize = 1000;

/**
 * Adds to the journal what only the database has: all of it when the file was lost, its end when an older copy was put back.
 * What was signed and is in neither remains unknown, so restore mode begins.
 * @returns how many entries were added, and how many the journal has now
 * @throws ConfigError when the database's entries do not follow the journal's
 */
export async function rebuildJournal({
  database,
  file,
  gasTank,
  families,
}: JournalPlace): Promise<{ added: number; entries: number }> {
  let journal = openJournal(file, gasTank, families);
  if (!journal) {
    createJournal(file, gasTank);
    journal = openJournal(file, gasTank, families);
  }
  if (!journal) throw new ConfigError(`${file} was made and is not there`);
  try {
    const before = journal.tip().seq;
    await copyFrom(database, families, journal);
    const added = journal.tip().seq - before;
    if (added > 0) {
      const reason = `the signer's journal lacked ${added} entries, which were taken from the database`;
      await database.withoutCompany((tx) =>
        beginRestoreMode(tx, { cause: 'journal_rebuilt', reason, by: 'signer-journal' }),
      );
    }
    return { added, entries: journal.tip().seq };
  } finally {
    journal.close();
  }
}

async function copyFrom(database: Database, families: JournalFamilies, journal: Journal): Promise<void> {
  let last = { seq: journal.tip().seq, id: journal.tip().seq === 0 ? 0 : Number.MAX_SAFE_INTEGER };
  for (;;) {
    const page = await database.withoutCompany((tx) => storedAfter(tx, last, pageSize));
    for (const { id, seq, hash, at, fields } of page) {
      const intent = readLine(families, fields);
      // Entries from before there was a file have no number: they are added to it in their order.
      if (seq === 0) journal.append(intent, at);
      else if (seq > journal.tip().seq) journal.restore({ seq, hash, at, intent });
      last = { seq, id };
    }
    if (page.length < pageSize) return;
  }
}

const compareEveryMs = 5000;

export interface Comparing {
  /** What was found last; null before the first comparison. */
  last(): Compared | null;
  stop(): Promise<void>;
}

/** Compares journal and database at once and every five seconds until stopped. */
export function startComparing(compare: () => Promise<Compared>, log: Log): Comparing {
  let last: Compared | null = null;
  const loop = startLoop({
    name: 'chains.compareJournal',
    everyMs: compareEveryMs,
    log,
    async step() {
      const compared = await compare();
      if (compared.finding !== last?.finding && compared.isRestoring)
        log.error(compared, 'restore mode: nothing is signed');
      last = compared;
    },
  });
  return { last: () => last, stop: () => loop.stop() };
}
