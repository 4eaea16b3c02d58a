import type { Database, PlatformTx } from '../../../platform/database/database.ts';
import { beginRestoreMode, findRestoreMode, type RestoreCause } from '../../../platform/database/restore-mode.ts';
import { lockJournal, saveSignerState, storedTip, storeEntry } from '../store/journal.ts';
import type { SignerFamilies } from './family.ts';
import type { Journal } from './journal.ts';

/**
 * Compares the signer's journal with the database's copy. Entries that the database lacks are brought back to it. Unless it
 * is merely the last entry, whose storing a crash has interrupted, the database was put back to an earlier moment: restore
 * mode begins. The journal itself is never changed here.
 */

export interface Comparison {
  database: Database;
  families: SignerFamilies;
  journal: Journal;
}

export interface Compared {
  agrees: boolean;
  /** Restore mode holds: nothing may be signed. */
  isRestoring: boolean;
  finding: string;
}

/** Whether journal and database end in the same entry, in the transaction in which a payment is judged. */
export async function agreesNow({ journal }: Comparison, tx: PlatformTx): Promise<boolean> {
  const stored = await storedTip(tx, journal.start);
  const tip = journal.tip();
  return stored.seq === tip.seq && stored.hash === tip.hash;
}

/** Compares, brings back what the database lacks, begins restore mode where it must, and writes down what was found. */
export async function compareJournal(comparison: Comparison): Promise<Compared> {
  const { database, journal } = comparison;
  const compared = await database.withoutCompany(async (tx) => {
    await lockJournal(tx);
    const found = await compareIn(comparison, tx);
    if (found.cause !== null) {
      await beginRestoreMode(tx, { cause: found.cause, reason: found.finding, by: 'signer' });
    }
    const mode = await findRestoreMode(tx);
    await saveSignerState(tx, { ...journal.tip(), agrees: found.agrees, finding: found.finding });
    return { agrees: found.agrees, isRestoring: mode !== null, finding: found.finding };
  });
  if (compared.agrees) journal.markStored();
  return compared;
}

interface Found {
  agrees: boolean;
  finding: string;
  /** Why restore mode must begin; null when it need not. */
  cause: RestoreCause | null;
}

async function compareIn(comparison: Comparison, tx: PlatformTx): Promise<Found> {
  const { journal } = comparison;
  const tip = journal.tip();
  const stored = await storedTip(tx, journal.start);
  if (stored.seq > tip.seq) {
    const finding = `the database has ${stored.seq - tip.seq} entries that the signer's journal lacks (it ends at ${tip.seq})`;
    return { agrees: false, finding, cause: 'database_ahead' };
  }
  const common = stored.seq === 0 ? journal.start : journal.entry(stored.seq)?.hash;
  if (common !== stored.hash) {
    const finding = `entry ${stored.seq} of the signer's journal is not the database's: one of them is another installation's or another day's`;
    return { agrees: false, finding, cause: 'journal_differs' };
  }
  if (stored.seq === tip.seq) return { agrees: true, finding: `both end at entry ${tip.seq}`, cause: null };

  const missing = tip.seq - stored.seq;
  for (let seq = stored.seq + 1; seq <= tip.seq; seq += 1) await bringBack(comparison, tx, seq);
  // A crash between the file and the database leaves one entry that was never marked as stored.
  const isUnfinished = missing === 1 && !journal.isTipStored();
  const finding = isUnfinished
    ? `entry ${tip.seq}, whose storing was interrupted, was stored`
    : `the database had lost ${missing} entries of the signer's journal, from ${stored.seq + 1} to ${tip.seq}; they were brought back`;
  return { agrees: true, finding, cause: isUnfinished ? null : 'journal_ahead' };
}

async function bringBack({ journal, families }: Comparison, tx: PlatformTx, seq: number): Promise<void> {
  const entry = journal.entry(seq);
  if (!entry) throw new Error(`entry ${seq} is in the journal`);
  const family = families.get(entry.intent.family);
  const txHash = family?.isSignable(entry.intent) ? (await family.sign(entry.intent)).hash : null;
  await storeEntry(tx, entry, { txHash, imported: true });
}
