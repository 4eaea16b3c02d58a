import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/** What a client keeps for itself: what it was about to ask, and what it was told. It is what the product is judged by. */
export type Note =
  | { kind: 'deposit'; company: string; coin: string; amount: string }
  | { kind: 'asked'; key: string; transfer: Wish }
  | { kind: 'answered'; key: string; id: string; stage: string }
  | { kind: 'cancel-asked'; key: string; id: string }
  | { kind: 'cancel-answered'; key: string; id: string; stage: string }
  | { kind: 'cancel-refused'; key: string; id: string; reason: string };

export interface Wish {
  id: string;
  company: string;
  walletId: string;
  coin: string;
  payeeId: string;
  address: string;
  amount: string;
  fee: string;
}

export interface Journal {
  note(note: Note): void;
  close(): void;
}

/** Every note is on the disk before the call returns. */
export function openJournal(file: string): Journal {
  const descriptor = openSync(file, 'ax');
  return {
    note(note) {
      writeSync(descriptor, `${JSON.stringify(note)}\n`);
      fsyncSync(descriptor);
    },
    close: () => closeSync(descriptor),
  };
}

export function readJournal(file: string): Note[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): Note => JSON.parse(line));
}

/** What the journal promises: each transfer once, whether it was acknowledged, whether its cancelling was. */
export interface Account {
  wish: Wish;
  isAcknowledged: boolean;
  isCancelled: boolean;
}

/** @throws Error when one transfer was answered in two ways */
export function accountsOf(notes: readonly Note[]): Account[] {
  const accounts = new Map<string, Account>();
  for (const note of notes) {
    if (note.kind === 'deposit') continue;
    if (note.kind === 'asked') {
      accounts.set(note.transfer.id, { wish: note.transfer, isAcknowledged: false, isCancelled: false });
      continue;
    }
    const account = accounts.get(note.id);
    if (account === undefined) throw new Error(`the journal has an answer about ${note.id}, which it never asked for`);
    if (note.kind === 'answered') account.isAcknowledged = true;
    if (note.kind === 'cancel-answered') account.isCancelled = true;
  }
  return [...accounts.values()];
}
