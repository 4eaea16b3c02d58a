/**
 * The port to a bank. An adapter opens one connection for each visit, lists what the bank has for us, reads it, and confirms what was
 * taken in. Nothing is confirmed before it is stored: a message that was not confirmed is there again at the next visit.
 */
export interface BankGateway {
  /** The bank's id in the registry. */
  readonly bank: string;
  /** @throws BankConnectionError */
  visit<T>(work: (visit: BankVisit) => Promise<T>): Promise<T>;
}

export interface WaitingMessage {
  name: string;
  bytes: number;
}

export interface BankVisit {
  /** Whole messages that were not confirmed yet, in the order of their names. */
  messages(): Promise<WaitingMessage[]>;
  /** The bytes of one. Fails when it ends before its size, or later. @throws BankConnectionError */
  content(message: WaitingMessage): AsyncIterable<Uint8Array>;
  /** That it was stored, by the name that its confirmed copy gets where the bank keeps one. */
  confirm(message: WaitingMessage): Promise<void>;
}

/**
 * unreachable: no answer in time, or none at all. hostKeyChanged: the server has another key than the pinned one. signInRefused: it does
 * not take our key. folderMissing: a folder that was agreed on is not there. fileTooLarge, brokenOff: of one message. notMoved: it was
 * stored and could not be confirmed.
 */
export type BankConnectionProblem =
  | 'unreachable'
  | 'hostKeyChanged'
  | 'signInRefused'
  | 'folderMissing'
  | 'fileTooLarge'
  | 'brokenOff'
  | 'notMoved';

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
