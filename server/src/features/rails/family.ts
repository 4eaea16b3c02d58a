import type { ProofProblem } from '@causeway/contract/operator-exceptions-rules.ts';
import type { Database, PlatformTx, Tx } from '../../platform/database/database.ts';
import type { Log } from '../../platform/process/log.ts';
import type {
  Block,
  BlockContent,
  BlocksSeen,
  ChainGateway,
  Intent,
  JournalFamily,
  NewSend,
  Receipt,
  Send,
  SignedPayment,
  Signer,
  SignRequest,
} from '../chains/index.ts';
import type { OutgoingKinds } from '../outgoing/index.ts';
import type { LifecycleRow } from '../transactions/index.ts';
import type { ChainPayment } from './service/payment.ts';
import type { LockedSender } from './store/holds.ts';

/** What following a chain needs from outside. */
export interface FollowingDependencies {
  database: Database;
  gateways: ReadonlyMap<string, ChainGateway>;
  familyOf: FamilyOf;
  log: Log;
}

/** What sending needs beside it. */
export interface SendingDependencies extends FollowingDependencies {
  signer: Signer;
  kinds: OutgoingKinds;
}

/** What became of what a payment was to spend (a nonce, its inputs). */
export type SpentBy =
  /** No block has used it. */
  | 'free'
  /** An attempt of the payment is in a block. */
  | 'ours'
  /** Another transaction used it, in a block that may still be reorganised away. */
  | 'other'
  /** Another transaction used it for good; the payment is closed. */
  | 'superseded';

/** Why nothing of a payment can be mined any more: a sentence of its timeline. */
export type EndReason = 'stage.reason.superseded' | 'stage.reason.coinGone';

/** An attempt of ours that a block has. */
export interface MinedSend {
  send: Send;
  block: Pick<Block, 'height' | 'hash'>;
}

/** What a company's part in some blocks changes beside payments and deposits that are known. */
export interface DeparturesOfCompany {
  companyId: string;
  /** Written in the company's transaction. @returns attempts that turned out to be ours */
  write(tx: Tx): Promise<MinedSend[]>;
}

/** What only one family knows of taking over entries of the signer's journal as attempts (docs/adr/0054). */
export interface Adoption<I extends Intent = Intent> {
  readonly journal: JournalFamily<I>;
  /** Moves what a chain's addresses spend next past what was signed, for payments whose transfers are lost too. */
  passSigned(tx: PlatformTx, chainId: string): Promise<void>;
  /** The account under whose lock the payment is planned. */
  accountOf(tx: Tx, entry: I): Promise<string>;
  /** Whether an attempt of a payment is this entry of it. */
  isAttempt(send: Send, entry: I): boolean;
  /** Whether the books were corrected for this payment already. */
  isBooked(tx: Tx, entries: readonly SignedPayment<I>[]): Promise<boolean>;
  /** Which movement of its transaction an entry's payment is, where the transaction makes several; null, or absent, where it makes one. */
  outputOf?(entry: SignedPayment<I>): string | null;
  /** Takes what a payment spends from every other that was never signed; the account is locked. */
  reserve(tx: Tx, entries: readonly SignedPayment<I>[], account: LockedSender): Promise<void>;
  /** The row of an entry that has none. */
  attemptOf(tx: Tx, entry: SignedPayment<I>, account: string): Promise<NewSend>;
}

/** What a transaction on the chain says of a payment. */
export type Proof =
  /** It is the payment, final. `record` makes it one of the payment's attempts, in the company's transaction; the ordinary road settles it. */
  | { outcome: 'paid'; record(tx: Tx): Promise<void> }
  /** It has used, finally, what the payment was to spend, for something else. */
  | { outcome: 'notPaid' }
  | { outcome: 'unproved'; problem: ProofProblem };

/**
 * What only one family of chains knows (docs/adr/0054): how a payment is planned and signed, what it spends, and who pays its
 * network fee. Everything else of the way over a chain is written once, in `service/`.
 */
export interface RailFamily {
  /** Whether deposits show while they wait for a block, and wait again when theirs is reorganised away, until the mempools say otherwise. */
  readonly waits: boolean;
  /**
   * Plans a payment and writes its first attempt, unsigned. Null while something that it needs is on its way, or when the
   * payment has come to nothing and was refused. No transaction is open; repeated until there is an attempt, which is written
   * under `lockUnsent`.
   */
  prepare(deps: SendingDependencies, payment: ChainPayment): Promise<Send | null>;
  /** What the signer is asked for an attempt. */
  signRequest(send: Send): SignRequest;
  /** The attempts of other payments that the same transaction makes (docs/adr/0094); absent where a transaction makes one. */
  sharedWith?(tx: Tx, send: Send): Promise<Send[]>;
  /** What of a transaction's network fee is an attempt's own; absent where a transaction makes one payment. */
  ownFee?(send: Send, networkFeeMinor: bigint): bigint;
  /**
   * Deletes an attempt that was never signed, and gives back what it was to spend; with it those of payments that were to go out with it, which are
   * then made alone. @returns false when it was signed
   */
  takeBack(tx: Tx, send: Send): Promise<boolean>;
  /**
   * Deletes a later attempt that the signer has refused, and gives back what it alone was to spend, if nothing was ever signed with that; absent
   * where all attempts spend the same.
   */
  takeBackLater?(tx: Tx, send: Send): Promise<void>;
  /** Asks the chain what became of what a payment was to spend, and writes down what is final. @throws NoAgreement */
  resolve(deps: SendingDependencies, send: Send): Promise<SpentBy>;
  /** What a transaction proves about a payment whose outcome no one knows; absent where the family has no such proof. @throws NoAgreement */
  prove?(deps: SendingDependencies, send: Send, payment: ChainPayment, hash: string): Promise<Proof>;
  /** Gives a payment that has waited too long for a block another attempt with a higher fee. */
  replace(deps: SendingDependencies, stuck: Send): Promise<void>;
  /**
   * Gives a payment an attempt that pays nothing and spends what it was to spend; absent where the family cannot (docs/adr/0078). Repeated
   * until there is one.
   */
  replaceByEmpty?(deps: SendingDependencies, send: Send): Promise<void>;
  /** Whether a transaction that a block has paid the whole amount to the payee. */
  hasPaid(payment: ChainPayment, receipt: Receipt): boolean;
  /**
   * Gives back what of a fee that its sender chose was not used, before the payment is settled; absent where the fee is flat.
   * @returns the transfer with the fee that is charged
   */
  chargeFee?(tx: Tx, transfer: LifecycleRow, send: Send): Promise<LifecycleRow>;
  /** Frees what other attempts of the payment were to use beside what this one, which is final, has used. */
  onFinal?(tx: Tx, send: Send): Promise<void>;
  /**
   * Frees what a payment was to spend that operators give up, since nothing of it can be mined. The transaction is locked.
   * @returns the reason of its end; null, having changed nothing, where something of it may be mined by what is read by now
   */
  onGivenUp?(tx: Tx, send: Send): Promise<EndReason | null>;
  /** Posts the network fee of a payment that is final, with this kind of posting. */
  postNetworkFee(
    tx: Tx,
    payment: Pick<ChainPayment, 'nativeWalletId'>,
    source: { kind: string; sourceId: string },
    fee: bigint,
  ): Promise<void>;
  /** How attempts that the signer's journal has and a restored database lacks are taken over. */
  readonly adoption: Adoption;
  /** What left our addresses in these blocks and no attempt names. No transaction is open while the nodes are asked. */
  readDepartures(deps: FollowingDependencies, seen: BlocksSeen): Promise<DeparturesOfCompany[]>;
  /** In the transaction in which the cursor moves. */
  onRead(tx: PlatformTx, chainId: string, above: number, contents: readonly BlockContent[]): Promise<void>;
  /** All blocks up to this height have been read. */
  onHead(deps: FollowingDependencies, chainId: string, height: number): Promise<void>;
  /** Sets the gauges of what is held on a chain. */
  count(database: Database, chainId: string): Promise<void>;
  /** Steps of each round of tending, before payments are sent again; each fails by itself. In restore mode they send nothing. */
  lookAfter(deps: SendingDependencies, chainId: string, isRestoring: boolean): readonly TendingStep[];
}

export interface TendingStep {
  /** For the log. */
  what: string;
  run(): Promise<void>;
}

/** The families of chains, by chain. */
export type FamilyOf = (chainId: string) => RailFamily;
