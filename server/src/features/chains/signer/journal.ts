import { ConfigError } from '../../../platform/config/config.ts';
import {
  createLinkedLog,
  headerHash,
  type Link,
  type LinkedLog,
  type LoadedEntry,
  type LogDisk,
  linkOf,
  openLinkedLog,
} from '../../../platform/crypto/linked-log.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { createEntryIndex } from './entry-index.ts';
import { type Intent, type JournalFamilies, legResources, paymentIdsOf } from './family.ts';
import { type LineFields, readLine, writeLine } from './line.ts';

/**
 * The signer's own journal (docs/adr/0041-…): a file outside the database, which is never rolled back with it. An entry is
 * on the disk before its payment is signed. The table `signer_journal` is its copy, entry by entry.
 */

/** An intent of whatever family, with its place. */
export interface JournalEntry extends Link {
  at: Date;
  intent: Intent;
}

/** An entry as its line says it. */
export interface WrittenEntry extends JournalEntry {
  fields: LineFields;
}

export interface Journal {
  /** The hash that the first entry follows. */
  readonly start: string;
  /** The last entry's number and hash; number 0 while there is none. */
  tip(): Link;
  /** Whether the database is known to have taken the last entry. */
  isTipStored(): boolean;
  /** Remembers that the database has taken every entry up to the last. */
  markStored(): void;
  /** Every entry that makes this payment, alone or joined with others. */
  entriesOf(paymentId: string): Intent[];
  /** Every entry of the intent's payments, and of each payment that uses one of its resources. */
  related(intent: Intent): Intent[];
  /** The entry of a number; null when there is none. */
  entry(seq: number): WrittenEntry | null;
  /** How many payments of a family and kind were signed since an instant, at most an hour ago. */
  countSince(family: string, kind: string, since: Date): number;
  /** What the treasury's payments of a coin in a family come to since an instant, at most a day ago, each once. */
  treasuryPaidSince(family: string, coin: string, since: Date): bigint;
  /** @throws LogUnwritable */
  append(intent: Intent, at: Date): WrittenEntry;
  /** Adds an entry that the database has and the file has lost. @throws LogUnwritable, or Error when it is not the next one */
  restore(entry: JournalEntry): void;
  close(): void;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function headerOf(gasTank: string): Record<string, unknown> {
  return { journal: 'causeway-signer', version: 1, gasTank };
}

/** Makes an empty journal for the key store whose gas tank this is. @throws ConfigError when there is one */
export function createJournal(file: string, gasTank: string): void {
  createLinkedLog(file, headerOf(gasTank));
}

/**
 * Opens the journal and reads it whole: some 9 seconds and 45 MB of memory for a million entries (600 MB).
 * @returns null when there is no such file
 * @throws ConfigError when it is damaged, another installation's, held by another process, or has a family that is not served
 */
export function openJournal(file: string, gasTank: string, families: JournalFamilies, io?: LogDisk): Journal | null {
  const index = createEntryIndex();
  const offsets: number[] = [];
  let recent: { family: string; kind: string; paymentId: string; at: number }[] = [];
  let treasury: { family: string; coin: string; paymentId: string; amountMinor: bigint; at: number }[] = [];
  let storedSeq = 0;

  function remember({ seq, offset, fields }: LoadedEntry): void {
    const intent = readLine(families, fields);
    const { family, kind, paymentId, coin, amountMinor } = intent;
    offsets[seq - 1] = offset;
    for (const id of paymentIdsOf(intent)) index.add(id, seq);
    for (const key of resourceKeys(families, intent)) index.add(key, seq);
    const at = Date.parse(String(fields['at']));
    if (at > Date.now() - hourMs) recent.push({ family, kind, paymentId, at });
    if (at > Date.now() - dayMs && families.get(family)?.isFromTreasury(intent) === true) {
      treasury.push({ family, coin, paymentId, amountMinor, at });
    }
  }

  const header = headerOf(gasTank);
  const log = openLinkedLog(
    file,
    header,
    {
      onEntry: remember,
      onNote: (seq) => {
        storedSeq = seq;
      },
    },
    io,
  );
  return log && opened(log);

  function opened(file: LinkedLog): Journal {
    const entry = (seq: number): WrittenEntry | null => {
      const offset = offsets[seq - 1];
      return offset === undefined ? null : entryOf(families, file.readAt(offset));
    };
    const intentsAt = (seqs: readonly number[]) =>
      [...new Set(seqs)].sort((a, b) => a - b).flatMap((seq) => entry(seq)?.intent ?? []);
    const entriesOfAny = (paymentIds: ReadonlySet<string>) =>
      intentsAt([...paymentIds].flatMap((id) => index.candidates(id))).filter((known) =>
        paymentIdsOf(known).some((id) => paymentIds.has(id)),
      );
    return {
      start: headerHash(header),
      tip: () => file.tip(),
      isTipStored: () => storedSeq >= file.tip().seq,
      markStored() {
        if (storedSeq >= file.tip().seq) return;
        storedSeq = file.tip().seq;
        file.note(storedSeq);
      },
      entriesOf: (paymentId) => entriesOfAny(new Set([paymentId])),
      related(intent) {
        const keys = new Set(resourceKeys(families, intent));
        const using = intentsAt([...keys].flatMap((key) => index.candidates(key))).filter((known) =>
          resourceKeys(families, known).some((key) => keys.has(key)),
        );
        return entriesOfAny(new Set([intent, ...using].flatMap(paymentIdsOf)));
      },
      entry,
      countSince(family, kind, since) {
        recent = recent.filter(({ at }) => at > Date.now() - hourMs);
        const counted = recent.filter(
          (known) => known.at > since.getTime() && known.family === family && known.kind === kind,
        );
        return new Set(counted.map(({ paymentId }) => paymentId)).size;
      },
      treasuryPaidSince(family, coin, since) {
        treasury = treasury.filter(({ at }) => at > Date.now() - dayMs);
        const counted = treasury.filter(
          (known) => known.at > since.getTime() && known.family === family && known.coin === coin,
        );
        // The attempts of one payment pay the same, and the chain takes one of them.
        const payments = new Map(counted.map(({ paymentId, amountMinor }) => [paymentId, amountMinor]));
        return [...payments.values()].reduce((sum, amountMinor) => sum + amountMinor, 0n);
      },
      append(intent, at) {
        const added = file.append(fieldsOf(families, intent, at));
        remember(added);
        return entryOf(families, added);
      },
      restore({ seq, hash, at, intent }) {
        const fields = fieldsOf(families, intent, at);
        if (linkOf(file.tip().hash, JSON.stringify({ seq, ...fields })) !== hash || seq !== file.tip().seq + 1) {
          throw new ConfigError(`the database's entry ${seq} does not follow entry ${file.tip().seq} of the journal`);
        }
        remember(file.append(fields));
      },
      close: () => file.close(),
    };
  }
}

/** What an intent uses: on its chain, and the legs over all chains. An index of the file's entries, and no part of them. */
function resourceKeys(families: JournalFamilies, intent: Intent): string[] {
  const resources = families.get(intent.family)?.resourcesOf(intent) ?? [];
  const legs = new Set(legResources(intent));
  return resources.map((resource) => (legs.has(resource) ? resource : `${intent.chainId}/${resource}`));
}

function fieldsOf(families: JournalFamilies, intent: Intent, at: Date): LineFields {
  invariant(resourceKeys(families, intent).length > 0, `payment ${intent.paymentId} uses what nothing else may use`);
  return { at: at.toISOString(), ...writeLine(families, intent) };
}

function entryOf(families: JournalFamilies, { seq, hash, fields }: LoadedEntry): WrittenEntry {
  const { at } = fields;
  invariant(typeof at === 'string', `entry ${seq} of the journal is whole`);
  return { seq, hash, at: new Date(at), intent: readLine(families, fields), fields };
}
