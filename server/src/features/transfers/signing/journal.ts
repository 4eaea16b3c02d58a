import { ConfigError } from '../../../platform/config.ts';
import { invariant } from '../../../platform/domain-error.ts';
import {
  createLinkedLog,
  headerHash,
  type Link,
  type LinkedLog,
  type LoadedEntry,
  type LogDisk,
  linkOf,
  openLinkedLog,
} from '../../../platform/linked-log.ts';
import { createEntryIndex } from './entry-index.ts';
import type { Intent } from './journal-rules.ts';

/**
 * The signer's own journal (docs/adr/0041-…): a file outside the database, which is never rolled back with it. An entry is
 * on the disk before its payment is signed. The table `signer_journal` is its copy, entry by entry.
 */

export interface JournalEntry extends Intent, Link {
  at: Date;
}

export interface Journal {
  /** The last entry's number and hash; number 0 while there is none. */
  tip(): Link;
  /** Whether the database is known to have taken the last entry. */
  isTipStored(): boolean;
  /** Remembers that the database has taken every entry up to the last. */
  markStored(): void;
  entriesOf(paymentId: string): JournalEntry[];
  /** Every entry of this payment, and of this sender and nonce. */
  related(intent: Pick<Intent, 'paymentId' | 'chainId' | 'fromAddress' | 'nonce'>): JournalEntry[];
  /** The entry of a number; null when there is none. */
  entry(seq: number): JournalEntry | null;
  /** How many advances of the gas tank were signed since an instant, at most an hour ago. */
  advancesSince(since: Date): number;
  /** @throws LogUnwritable */
  append(intent: Intent, at: Date): JournalEntry;
  /** Adds an entry that the database has and the file has lost. @throws LogUnwritable, or Error when it is not the next one */
  restore(entry: JournalEntry): void;
  close(): void;
}

const hourMs = 3_600_000;

function headerOf(gasTank: string): Record<string, unknown> {
  return { journal: 'causeway-signer', version: 1, gasTank };
}

/** The hash that the first entry follows. */
export function journalStart(gasTank: string): string {
  return headerHash(headerOf(gasTank));
}

/** Makes an empty journal for the key store whose gas tank this is. @throws ConfigError when there is one */
export function createJournal(file: string, gasTank: string): void {
  createLinkedLog(file, headerOf(gasTank));
}

/**
 * Opens the journal and reads it whole: some 9 seconds and 45 MB of memory for a million entries (600 MB).
 * @returns null when there is no such file
 * @throws ConfigError when it is damaged, another installation's, or held by another process
 */
export function openJournal(file: string, gasTank: string, io?: LogDisk): Journal | null {
  const index = createEntryIndex();
  const offsets: number[] = [];
  let advances: { paymentId: string; at: number }[] = [];
  let storedSeq = 0;

  function remember({ seq, offset, fields }: LoadedEntry): void {
    const { paymentId, kind, at } = fields as { paymentId: string; kind: string; at: string };
    offsets[seq - 1] = offset;
    index.add(paymentId, seq);
    index.add(nonceKey(fields as unknown as Intent), seq);
    const instant = kind === 'gas' ? Date.parse(at) : 0;
    if (instant > Date.now() - hourMs) advances.push({ paymentId, at: instant });
  }

  const log = openLinkedLog(
    file,
    headerOf(gasTank),
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
    const entry = (seq: number): JournalEntry | null => {
      const offset = offsets[seq - 1];
      return offset === undefined ? null : entryOf(file.readAt(offset));
    };
    const entriesAt = (seqs: readonly number[]) =>
      [...new Set(seqs)].sort((a, b) => a - b).flatMap((seq) => entry(seq) ?? []);
    return {
      tip: () => file.tip(),
      isTipStored: () => storedSeq >= file.tip().seq,
      markStored() {
        if (storedSeq >= file.tip().seq) return;
        storedSeq = file.tip().seq;
        file.note(storedSeq);
      },
      entriesOf: (paymentId) => entriesAt(index.candidates(paymentId)).filter((known) => known.paymentId === paymentId),
      related: (intent) =>
        entriesAt([...index.candidates(intent.paymentId), ...index.candidates(nonceKey(intent))]).filter(
          (known) => known.paymentId === intent.paymentId || nonceKey(known) === nonceKey(intent),
        ),
      entry,
      advancesSince(since) {
        advances = advances.filter(({ at }) => at > Date.now() - hourMs);
        return new Set(advances.filter(({ at }) => at > since.getTime()).map(({ paymentId }) => paymentId)).size;
      },
      append(intent, at) {
        const added = file.append(fieldsOf(intent, at));
        remember(added);
        return entryOf(added);
      },
      restore({ seq, hash, at, ...intent }) {
        if (linkOf(file.tip().hash, bodyOf(seq, intent, at)) !== hash || seq !== file.tip().seq + 1) {
          throw new ConfigError(`the database's entry ${seq} does not follow entry ${file.tip().seq} of the journal`);
        }
        remember(file.append(fieldsOf(intent, at)));
      },
      close: () => file.close(),
    };
  }
}

function bodyOf(seq: number, intent: Intent, at: Date): string {
  return JSON.stringify({ seq, ...fieldsOf(intent, at) });
}

function nonceKey({ chainId, fromAddress, nonce }: Pick<Intent, 'chainId' | 'fromAddress' | 'nonce'>): string {
  return `${chainId}/${fromAddress}/${nonce}`;
}

/** Names and order are part of the hash, and never change within a version. */
function fieldsOf(intent: Intent, at: Date): Record<string, unknown> {
  return {
    at: at.toISOString(),
    companyId: intent.companyId,
    transferId: intent.transferId,
    paymentId: intent.paymentId,
    kind: intent.kind,
    chainId: intent.chainId,
    fromAddress: intent.fromAddress,
    derivationIndex: intent.derivationIndex,
    nonce: intent.nonce,
    toAddress: intent.toAddress,
    coin: intent.coin,
    amountMinor: intent.amountMinor.toString(),
    gasLimit: intent.gasLimit.toString(),
    maxFeePerGas: intent.maxFeePerGas.toString(),
    maxPriorityFeePerGas: intent.maxPriorityFeePerGas.toString(),
  };
}

function entryOf({ seq, hash, fields }: LoadedEntry): JournalEntry {
  const { at, amountMinor, gasLimit, maxFeePerGas, maxPriorityFeePerGas, ...rest } = fields as Record<string, string>;
  invariant(at !== undefined && rest['paymentId'] !== undefined, `entry ${seq} of the journal is whole`);
  return {
    ...(rest as unknown as Intent),
    seq,
    hash,
    at: new Date(at),
    amountMinor: BigInt(amountMinor ?? ''),
    gasLimit: BigInt(gasLimit ?? ''),
    maxFeePerGas: BigInt(maxFeePerGas ?? ''),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas ?? ''),
  };
}
