import type { Database, PlatformTx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { Entry, Statement } from '../messages/model.ts';
import { BankFileError } from '../messages/problem.ts';
import { type BankFilePart, readBankFile } from '../messages/read.ts';
import { ApiMessageError } from './api-entries.ts';
import { type DepositPlace, findDepositPlace } from './deposit-store.ts';
import { entriesOf, readStoredDeposit } from './deposits.ts';
import {
  contentOf,
  lockWaiting,
  markRead,
  markRefused,
  type WaitingToBeRead,
  waitingMessages,
} from './message-store.ts';
import { numberOf } from './moneys.ts';
import { signedMinor } from './signed.ts';
import {
  beginStatement,
  endStatement,
  holdsCurrency,
  insertBalances,
  openCollection,
  type StatementFigures,
} from './statement-store.ts';
import { insertStatuses, type SaidStatus, saidOf } from './status-store.ts';
import { takeInEntries } from './taking-in.ts';
import { isStoredTransfer, readStoredTransfer, transferEntries, transferStatus } from './transfers.ts';

/** Entries are written so many at a time: a file of any length takes little memory. */
const entriesAtOnce = 500;

/** A message that can be read and is not used; `problem` is the id of a sentence. */
class MessageRefused extends Error {
  readonly problem: string;
  readonly blanks: Record<string, string | number>;
  constructor(problem: string, blanks: Record<string, string | number>) {
    super(problem);
    this.problem = problem;
    this.blanks = blanks;
  }
}

/** Reads every message that waits, the oldest first; returns how many. */
export async function readMessages(database: Database, signal?: AbortSignal): Promise<number> {
  const waiting = await database.withoutCompany(waitingMessages);
  for (const id of waiting) {
    if (signal?.aborted) break;
    await readMessage(database, id);
  }
  return waiting.length;
}

/**
 * Reads one message in one transaction: everything that it says is in the tables, or nothing and it is refused with the sentence why. Of
 * two workers one reads it.
 */
async function readMessage(database: Database, id: string): Promise<void> {
  try {
    await database.withoutCompany(async (tx) => {
      const message = await lockWaiting(tx, id);
      if (message) await new Reading(tx, message).run();
    });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    await database.withoutCompany((tx) => markRefused(tx, id, refusal));
  }
}

function refusalOf(error: unknown) {
  if (error instanceof BankFileError) return { problem: `bank.file.${error.problem}`, blanks: error.details };
  return error instanceof MessageRefused || error instanceof ApiMessageError
    ? { problem: error.problem, blanks: error.blanks }
    : null;
}

const nameless = { instruction: null, endToEnd: null, uetr: null, reference: null };

/** The statement that is being read. */
interface Current {
  statement: Statement;
  id: string;
  /** Null until its currency is known. */
  collectionId: string | null;
  asset: string | null;
  /** The figures of the one that was read before under this id: its entries are not taken in again. */
  before: StatementFigures | null;
  waiting: Entry[];
  entries: number;
  totalMinor: bigint;
  isRepeat: boolean;
}

class Reading {
  readonly #tx: PlatformTx;
  readonly #message: WaitingToBeRead;
  #kind: string | null = null;
  #reference: string | null = null;
  #current: Current | null = null;
  #statements = 0;
  #copies = 0;
  /** The order of ours that a report is about, and what it says. */
  #order = '';
  #said: SaidStatus[] = [];
  #saidBefore = 0;

  constructor(tx: PlatformTx, message: WaitingToBeRead) {
    this.#tx = tx;
    this.#message = message;
  }

  async run(): Promise<void> {
    if (this.#message.source === 'api') return this.#runReported();
    for await (const part of readBankFile(contentOf(this.#tx, this.#message.id))) await this.#take(part);
    await this.#writeSaid();
    await markRead(this.#tx, this.#message.id, {
      kind: this.#kind,
      reference: this.#reference,
      isCopy: this.#statements > 0 && this.#copies === this.#statements,
    });
  }

  /** A deposit or a transfer of an HTTP API, as a notification about the account that the bank books it to. */
  async #runReported(): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of contentOf(this.#tx, this.#message.id)) chunks.push(chunk);
    const content = Buffer.concat(chunks).toString('utf8');
    if (isStoredTransfer(content)) {
      const transfer = readStoredTransfer(content);
      const place = await this.#place(transfer.id, transfer.transfer_currency);
      await this.#notify(transfer, place, transferEntries(transfer, place));
      this.#say(transferStatus(transfer, place));
      await this.#writeSaid();
      return this.#markReported('transfer', transfer);
    }
    const stored = readStoredDeposit(content);
    const place = await this.#place(stored.deposit.id, stored.deposit.currency);
    await this.#notify(stored.deposit, place, entriesOf(stored, place));
    return this.#markReported('deposit', stored.deposit);
  }

  async #place(id: string, currency: string): Promise<DepositPlace> {
    const place = await findDepositPlace(this.#tx, this.#message.bank, currency, id);
    if (place === null) throw new MessageRefused('bankIn.refused.currencyNotHeld', { account: id, currency });
    return place;
  }

  async #notify(
    { id, status }: { id: string; status: string },
    { collectingAccount }: DepositPlace,
    entries: readonly Entry[],
  ): Promise<void> {
    const [first] = entries;
    if (!first) return;
    const current = begun(notificationOf(`${id}/${status}`, collectingAccount, first.amount.currency));
    for (const entry of entries) await this.#takeEntry(current, entry);
    await this.#end(current, { balances: [], checks: [] });
  }

  async #markReported(kind: string, { id, status }: { id: string; status: string }): Promise<void> {
    await markRead(this.#tx, this.#message.id, { kind, reference: `${id}/${status}`, isCopy: false });
  }

  async #take(part: BankFilePart): Promise<void> {
    if (part.part === 'message') {
      this.#kind = part.message.kind;
      this.#reference ??= part.message.id;
    } else if (part.part === 'statement') {
      this.#current = begun(part.statement);
    } else if (part.part === 'entry' && this.#current) {
      await this.#takeEntry(this.#current, part.entry);
    } else if (part.part === 'statementEnd' && this.#current) {
      await this.#end(this.#current, part);
      this.#current = null;
    } else if (part.part === 'groupStatus') {
      this.#order = part.status.originalMessage;
      this.#say({ level: 'message', ...nameless, ...saidOf(part.status) });
    } else if (part.part === 'batchStatus') {
      this.#say({ level: 'message', ...nameless, ...saidOf(part.status) });
    } else if (part.part === 'transactionStatus') {
      const { instruction, endToEnd, uetr, accountServicerReference: reference } = part.status;
      this.#say({ level: 'payment', instruction, endToEnd, uetr, reference, ...saidOf(part.status) });
      if (this.#said.length >= entriesAtOnce) await this.#writeSaid();
    }
  }

  /** What has neither a state nor a reason says nothing. */
  #say(said: Omit<SaidStatus, 'originalMessage'>): void {
    if (said.status === null && said.reason === null && said.words === null) return;
    this.#said.push({ originalMessage: this.#order, ...said });
  }

  async #writeSaid(): Promise<void> {
    await insertStatuses(this.#tx, this.#message.id, this.#saidBefore + 1, this.#said);
    this.#saidBefore += this.#said.length;
    this.#said = [];
  }

  async #takeEntry(current: Current, entry: Entry): Promise<void> {
    const collectionId = await this.#collection(current, entry.amount.currency);
    if (entry.state !== 'booked' || entry.amount.minor === 0n) return;
    current.waiting.push(entry);
    if (current.waiting.length >= entriesAtOnce) await this.#flush(current, collectionId);
  }

  /** The account of a statement, from the first currency that is named in it. */
  async #collection(current: Current, currency: string): Promise<string> {
    const number = numberOf(current.statement.account) ?? '';
    if (current.collectionId === null) {
      const found = await openCollection(this.#tx, this.#message.bank, currency, number);
      if (found === null) {
        const isHeld = await holdsCurrency(this.#tx, this.#message.bank, currency);
        const problem = isHeld ? 'bankIn.refused.accountNotOurs' : 'bankIn.refused.currencyNotHeld';
        throw new MessageRefused(problem, { account: number, currency });
      }
      current.collectionId = found;
      current.asset = currency;
      const { kind, id: reference, page, sequence } = current.statement;
      const statement = { id: current.id, messageId: this.#message.id, collectionId: found, kind, reference, sequence };
      current.before = await beginStatement(this.#tx, { ...statement, page: page?.number ?? '' });
    }
    if (current.asset !== currency) {
      throw new MessageRefused('bankIn.refused.currencies', { account: number, currency, other: current.asset ?? '' });
    }
    return current.collectionId;
  }

  async #flush(current: Current, collectionId: string): Promise<void> {
    const { waiting, before, statement, id } = current;
    if (waiting.length === 0) return;
    current.waiting = [];
    current.totalMinor += waiting.reduce(
      (sum, { amount, direction }) => sum + signedMinor(amount.minor, direction),
      0n,
    );
    current.entries += waiting.length;
    if (before) return;
    const source = { kind: statement.kind, statementId: id };
    const from = current.entries - waiting.length + 1;
    const taken = await takeInEntries(this.#tx, { source, collectionId }, waiting, from);
    current.isRepeat &&= taken.isRepeat;
  }

  async #end(
    current: Current,
    end: Pick<Extract<BankFilePart, { part: 'statementEnd' }>, 'balances' | 'checks'>,
  ): Promise<void> {
    const currency = current.statement.account.currency ?? end.balances[0]?.amount.currency;
    // A notification about nothing has neither.
    if (current.collectionId === null && currency === undefined) return;
    const collectionId = current.collectionId ?? (await this.#collection(current, currency ?? ''));
    await this.#flush(current, collectionId);
    const figures = figuresOf(current, end);
    this.#statements += 1;
    if (current.before) {
      this.#copies += 1;
      if (isSame(current.before, figures)) return;
      throw new MessageRefused('bankIn.refused.statementDiffers', { statement: current.statement.id });
    }
    await insertBalances(
      this.#tx,
      current.id,
      end.balances
        .filter(({ amount }) => amount.currency === current.asset)
        .map(({ type, amount, direction, date }) => ({
          type: type.code,
          amountMinor: signedMinor(amount.minor, direction),
          day: date.date,
        })),
    );
    await endStatement(this.#tx, { id: current.id, figures, isRepeat: current.isRepeat });
  }
}

function notificationOf(id: string, number: string, currency: string): Statement {
  const account = { iban: null, number, scheme: null, currency, name: null, proxy: null, owner: null, servicer: null };
  const unsaid = { createdAt: null, from: null, to: null, sequence: null, page: null, copy: null };
  return { kind: 'notification', id, ...unsaid, account };
}

function begun(statement: Statement): Current {
  const start = { collectionId: null, asset: null, before: null, waiting: [], entries: 0, totalMinor: 0n };
  return { statement, id: newId(), isRepeat: true, ...start };
}

const openings = new Set(['OPBD', 'PRCD']);

function figuresOf(
  current: Current,
  { balances, checks }: Pick<Extract<BankFilePart, { part: 'statementEnd' }>, 'balances' | 'checks'>,
): StatementFigures {
  const check = checks.find(({ currency }) => currency === current.asset);
  const own = balances.filter(({ amount }) => amount.currency === current.asset);
  const day = (codes: ReadonlySet<string>) =>
    own
      .filter(({ type }) => codes.has(type.code))
      .map(({ date }) => date.date)
      .sort();
  return {
    openingMinor: check?.opening?.minor ?? null,
    openedOn: day(openings)[0] ?? null,
    closingMinor: check?.closing?.minor ?? null,
    closedOn: day(new Set(['CLBD'])).at(-1) ?? day(new Set(['ITBD'])).at(-1) ?? null,
    totalMinor: current.totalMinor,
    entries: current.entries,
  };
}

function isSame(one: StatementFigures, other: StatementFigures): boolean {
  const names = ['openingMinor', 'openedOn', 'closingMinor', 'closedOn', 'totalMinor', 'entries'] as const;
  return names.every((name) => one[name] === other[name]);
}
