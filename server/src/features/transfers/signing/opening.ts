import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../../../platform/config.ts';
import type { Database } from '../../../platform/database.ts';
import type { LogDisk } from '../../../platform/linked-log.ts';
import type { Log } from '../../../platform/log.ts';
import { beginRestoreMode } from '../../../platform/restore-mode.ts';
import { countStored, storedAfter } from '../store/journal.ts';
import type { Compared } from './comparing.ts';
import { createJournal, type Journal, openJournal } from './journal.ts';
import type { Judge } from './judge.ts';

/** Opening the signer's journal, making it good again from the database, and comparing the two while the signer runs. */

export interface JournalPlace {
  database: Database;
  file: string;
  /** The gas tank of the key store to which the journal belongs. */
  gasTank: string;
  /** Replaced in tests. */
  disk?: LogDisk;
}

/**
 * Opens the journal; makes an empty one where nothing was ever signed.
 * @throws ConfigError when the file is missing although the database has entries, or when it cannot be used
 */
export async function openSignerJournal({ database, file, gasTank, disk }: JournalPlace): Promise<Journal> {
  const journal = openJournal(file, gasTank, disk);
  if (journal) return journal;
  const stored = await database.withoutCompany(countStored);
  if (stored > 0) {
    throw new ConfigError(
      `The signer's journal ${file} is missing, but the database has ${stored} entries of it: put the file back, or, if it is ` +
        'lost, make it anew from the database with "node server/src/signer-journal.ts rebuild" (docs/OPERATIONS.md, "Backup and restore").',
    );
  }
  createJournal(file, gasTank);
  const made = openJournal(file, gasTank, disk);
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
}: JournalPlace): Promise<{ added: number; entries: number }> {
  let journal = openJournal(file, gasTank);
  if (!journal) {
    createJournal(file, gasTank);
    journal = openJournal(file, gasTank);
  }
  if (!journal) throw new ConfigError(`${file} was made and is not there`);
  try {
    const before = journal.tip().seq;
    await copyFrom(database, journal);
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

async function copyFrom(database: Database, journal: Journal): Promise<void> {
  let last = { seq: journal.tip().seq, id: journal.tip().seq === 0 ? 0 : Number.MAX_SAFE_INTEGER };
  for (;;) {
    const page = await database.withoutCompany((tx) => storedAfter(tx, last, pageSize));
    for (const { id, ...entry } of page) {
      // Entries from before there was a file have no number: they are signed into the file anew, in their order.
      if (entry.seq === 0) journal.append(entry, entry.at);
      else if (entry.seq > journal.tip().seq) journal.restore(entry);
      last = { seq: entry.seq, id };
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
export function startComparing(judge: Judge, log: Log): Comparing {
  const stopping = new AbortController();
  let last: Compared | null = null;
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        const compared = await judge.compare();
        if (compared.finding !== last?.finding && compared.isRestoring)
          log.error(compared, 'restore mode: nothing is signed');
        last = compared;
      } catch (error) {
        log.warn({ err: error }, 'the journal could not be compared with the database; trying again');
      }
      await delay(compareEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    last: () => last,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
