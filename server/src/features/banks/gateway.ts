import type { BankAccountDetails } from './store.ts';

/**
 * The port to a bank. An adapter opens one connection for each visit, lists what the bank has for us, reads it, and confirms what was
 * taken in. Nothing is confirmed before it is stored: a message that was not confirmed is there again at the next visit.
 */
export interface BankGateway {
  /** The bank's id in the registry. */
  readonly bank: string;
  /** How its messages come: files of ISO 20022, or deposits of an HTTP API. */
  readonly source: 'files' | 'api';
  /** @throws BankConnectionError */
  visit<T>(work: (visit: BankVisit) => Promise<T>): Promise<T>;
}

/** The folder of a bank that takes orders as files. No file is read before it has its own name, and then the bank takes it away. */
export interface OrderFolder {
  readonly kind: 'folder';
  /** Whether a file is there under its own name, under an unfinished one, or not at all. @throws BankConnectionError */
  look(name: string): Promise<'whole' | 'unfinished' | 'none'>;
  /** Writes a file under an unfinished name, in place of what is there, and compares its length. @throws BankConnectionError */
  put(name: string, content: Uint8Array): Promise<void>;
  /** Gives an unfinished file its own name. @throws BankConnectionError; the name may have been given all the same */
  finish(name: string): Promise<void>;
}

/** A bank that takes each order over an API, once for each request id. */
export interface TransferDesk {
  readonly kind: 'desk';
  /** Whether the bank has a transfer of this request id; its id is remembered, and the bank is asked about it from then on. @throws BankConnectionError */
  find(requestId: string): Promise<{ id: string } | null>;
  /**
   * Sends an order as it is stored. taken: the bank has a transfer of it. refused: it has none, and says why. notSent: nothing has arrived.
   * @throws BankConnectionError; unless it is notSent, the bank may have carried it out
   */
  order(requestId: string, content: Uint8Array): Promise<OrderOutcome>;
}

export type OrderOutcome =
  | { outcome: 'taken'; id: string }
  | { outcome: 'refused'; reason: string | null; words: string }
  | { outcome: 'notSent'; error: BankConnectionError };

export interface WaitingMessage {
  name: string;
  bytes: number;
}

export interface BankVisit {
  /** Whole messages that were not confirmed yet, in the order of their names. */
  messages(): Promise<WaitingMessage[]>;
  /** The bytes of one. Fails when it ends before its size, or later. @throws BankConnectionError */
  content(message: WaitingMessage): AsyncIterable<Uint8Array>;
  /** How orders are given. */
  orders: OrderFolder | TransferDesk;
  /** That it was stored, by the name that its confirmed copy gets where the bank keeps one. */
  confirm(message: WaitingMessage): Promise<void>;
}

/** What opens accounts for companies at a bank that gives their numbers itself. */
export interface BankAccountOpener {
  readonly bank: string;
  /** Opens the company's account, or finds it again; null: the bank is still opening it. @throws BankConnectionError */
  open(companyId: string, currency: string): Promise<BankAccountDetails | null>;
}

/**
 * unreachable: no answer in time, or none at all. hostKeyChanged: the server has another key than the pinned one. signInRefused: it does
 * not take our key. folderMissing: a folder that was agreed on is not there. fileTooLarge, brokenOff: of one message. notMoved: it was
 * stored and could not be confirmed. notWritten: of an order of ours, which the server refuses, or which is shorter there than here: its disk
 * is full.
 * answerUnusable: of an HTTP API, whose answer is not what was agreed on.
 */
export type BankConnectionProblem =
  | 'unreachable'
  | 'hostKeyChanged'
  | 'signInRefused'
  | 'folderMissing'
  | 'fileTooLarge'
  | 'brokenOff'
  | 'notMoved'
  | 'notWritten'
  | 'answerUnusable';

/** Why a visit did not come to its end. `detail`: the other side's words, or the name of the file. */
export class BankConnectionError extends Error {
  readonly problem: BankConnectionProblem;
  readonly detail: string;

  constructor(problem: BankConnectionProblem, detail: string) {
    super(`${problem}: ${detail}`);
    this.name = 'BankConnectionError';
    this.problem = problem;
    this.detail = detail;
  }
}
