import type { ApprovalOutcome } from '@causeway/contract/approvals-rules.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import type { TransactionLife } from '@causeway/contract/transactions-lives.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import type { TransactionRow } from '../store/reading.ts';

/** What features to the right know of a transaction; bound in compose.ts. */
export interface TransactionParts {
  /** The approval that it had to pass, in the reader's words; null when none was asked for. */
  approvalOf(
    tx: Tx,
    kind: NonNullable<TransactionLife['approvedAs']>,
    transactionId: string,
    reader: Pick<SignedInContext, 'session' | 'locale'>,
  ): Promise<{
    taskId: string;
    waitingFor: string | null;
    reason: string | null;
    decisions: readonly ApproversDecision[];
  } | null>;
  /** Whether it is a test transfer, and whose rest it is. */
  testOf(tx: Tx, transaction: TransactionRow): Promise<Pick<TransactionDetail, 'test' | 'restOf'>>;
  /** What is known of a payment out of a bank; null: it is none. */
  payoutOf(tx: Tx, transactionId: string, locale: Locale): Promise<TransactionDetail['payout']>;
  /** The row of a batch that it pays; null: it is of none. */
  batchOf(tx: Tx, transactionId: string): Promise<TransactionDetail['batch']>;
  /** The payment request that it pays, or is a refund of; null: it is of none. */
  paymentRequestOf(tx: Tx, transactionId: string): Promise<TransactionDetail['paymentRequest']>;
  /** By their ids, the payment requests that these pay, or are refunds of. */
  paymentRequestsOf(
    tx: Tx,
    transactionIds: readonly string[],
  ): Promise<ReadonlyMap<string, { title: string; reference: string }>>;
  /** By their ids, the rows of batches that these pay. */
  batchesOf(tx: Tx, transactionIds: readonly string[]): Promise<ReadonlyMap<string, { name: string; row: number }>>;
  /** The guaranteed trade whose seller it pays; null: of none. */
  tradeOf(tx: Tx, transactionId: string): Promise<TransactionDetail['trade']>;
  /** By their ids, the numbers of the trades whose sellers these pay. */
  tradesOf(tx: Tx, transactionIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The card that paid it or was refunded; null: none. */
  cardOf(tx: Tx, transactionId: string): Promise<TransactionDetail['card']>;
  /** By their ids, the purchases and refunds by card among these. */
  cardsOf(
    tx: Tx,
    transactionIds: readonly string[],
  ): Promise<ReadonlyMap<string, NonNullable<TransactionDetail['card']>>>;
  /** What is known of an exchange, of either side; null: it is none. */
  exchangeOf(tx: Tx, transactionId: string, locale: Locale): Promise<TransactionDetail['exchanged']>;
  /**
   * By their ids, mid-market rate and spread of those that are a side of an exchange; the rate is for one whole unit of the transaction's own
   * asset.
   */
  pricesOf(
    tx: Tx,
    transactionIds: readonly string[],
  ): Promise<ReadonlyMap<string, { mid: string; spreadBasisPoints: number }>>;
  /** By their ids, what payments out of coins pay and what their bank takes of the currency that was bought. */
  boughtFor(tx: Tx, transactionIds: readonly string[]): Promise<ReadonlyMap<string, { amount: string; fee: string }>>;
  /** The network fee that was chosen for a transfer, and whether this reader can raise it; null where it was no choice. */
  networkFeeOf(
    tx: Tx,
    transaction: TransactionRow,
    reader: Pick<SignedInContext['session'], 'userId' | 'permissions'>,
  ): Promise<TransactionDetail['networkFee']>;
  /** What may still happen to a deposit that waits for a block; null: it is none, or no block is needed to see it. */
  waitingOf(tx: Tx, transactionId: string): Promise<TransactionDetail['waiting']>;
  /** The hashes under which it was sent, the newest first. */
  findHashes(tx: Tx, transactionId: string): Promise<string[]>;
  /** The ids of its files, in the order in which they were given. */
  findAttachmentIds(tx: Tx, transactionId: string): Promise<string[]>;
  /** Why a pending one does not go on although its stage would let it; null when nothing is in its way. */
  findObstruction(tx: Tx, transactionId: string): Promise<Obstruction | null>;
}

/** What its calls ask of other features; bound in compose.ts. */
export interface TransactionPorts extends TransactionParts {
  /** The company's name as its receipts show it. */
  companyName(tx: Tx): Promise<string>;
}

/** What an approver decided, and in whose place if not in their own. */
export interface ApproversDecision {
  name: string;
  outcome: ApprovalOutcome;
  at: Date;
  deputyFor: string | null;
}

/** The id of a sentence, and the transaction that must go before it, if that is the reason. */
export interface Obstruction {
  text: string;
  behind: string | null;
}
