import type { HDKey } from '@scure/bip32';
import type * as z from 'zod';
import type { Refusal } from './refusal.ts';

/**
 * The port to a family of chains in the signer (docs/adr/0056): what of a request, an intent and a journal entry only the family
 * knows. The judgement, the journal and its copy are the same for all. The entry points bind the families they serve.
 */

/** What the signer means to sign, as its journal keeps it. A family adds fields of its own. Amount in minor units. */
export interface Intent {
  family: string;
  companyId: string;
  transferId: string;
  /** The transfer's id, or that of a payment which the transfer needs. */
  paymentId: string;
  /** `transfer` pays the payee of the record, `empty` takes its place and pays nothing; other kinds are the family's and pay the company's own addresses. */
  kind: string;
  chainId: string;
  toAddress: string;
  coin: string;
  amountMinor: bigint;
  /** The legs of exchanges that a settlement pays (`legKey`), in their order: each is paid once, for ever. */
  legs?: readonly string[] | undefined;
  /** The further payments of the same transaction (docs/adr/0094), in the order of its outputs; absent where it makes one. */
  joined?: readonly JoinedPayment[] | undefined;
}

/** A further payment of a transaction: the payee of a record of its own, paid under the record's id. Amount in minor units. */
export interface JoinedPayment {
  transferId: string;
  toAddress: string;
  amountMinor: bigint;
}

/** The payments that an intent makes, or takes the place of, by their ids; the first is the one that names it. */
export function paymentIdsOf({ paymentId, joined = [] }: Pick<Intent, 'paymentId' | 'joined'>): string[] {
  return [paymentId, ...joined.map(({ transferId }) => transferId)];
}

/** The kind that every family has. */
export const transferKind = 'transfer';
/**
 * A transaction that uses what a transfer would have used and pays nothing, so that the chain takes one of the two (docs/adr/0078). It is an
 * attempt of the transfer's payment. A family without it plans no such kind.
 */
export const emptyKind = 'empty';

/**
 * The legs of an intent as resources. An exchange is of no chain, so a leg is used up over all chains, unlike what a chain's own rules allow
 * one transaction alone.
 */
export function legResources({ companyId, legs = [] }: Pick<Intent, 'companyId' | 'legs'>): string[] {
  return legs.map((leg) => `leg/${companyId}/${leg}`);
}

/** The fields that a family adds, as JSON; amounts as decimal digits. */
export type PlanFields = Readonly<Record<string, unknown>>;

/** How entries of a family are written, read and compared. Knows no key: the worker and `signer-journal` read entries too. */
export interface JournalFamily<I extends Intent = Intent> {
  readonly name: string;
  /**
   * Null: an entry has `family` and `plan`. Otherwise the fields of the plan are among the payment's in this order, and the
   * family is not named: the form of version 1, which is part of the hashes of EVM entries.
   */
  readonly flatFields: readonly string[] | null;
  planOf(intent: I): PlanFields;
  /** The intent of a payment and what `planOf` has given, from a line or a row. @throws when it is no such plan */
  withPlan(payment: Intent, plan: PlanFields): I;
  /**
   * What the chain lets one transaction alone use: an account's nonce, an output. Never empty. A resource serves one payment for
   * ever, unless the family spares it, and all entries of a payment have one in common, so that the chain takes at most one of them.
   */
  resourcesOf(intent: I): readonly string[];
  /** Whether another payment may use what not every attempt of a payment uses: it can be made by an attempt without that. */
  readonly spares?: true;
  /**
   * Whether a payment may use what an entry of another used, which has failed by its record (docs/adr/0093): the chain takes one of the two, and
   * their signatures cannot be put together. Absent where a resource serves one payment whatever became of it.
   */
  isFreed?(ended: I, next: I): boolean;
  /** Whether it pays coins of the treasury, of which the signer's configuration bounds what leaves in a day. */
  isFromTreasury(intent: I): boolean;
  /** Whether two entries with the same content may be attempts of one payment. */
  isSamePayment(a: I, b: I): boolean;
  /** Whether two entries of one payment give the same bytes. */
  isSameAttempt(a: I, b: I): boolean;
}

export type JournalFamilies = ReadonlyMap<string, JournalFamily>;

/** An address that the database says is the company's on the chain. */
export interface OwnAddress {
  address: string;
  /** The company's index in the family's tree of keys. */
  derivationIndex: number;
  /** Place among the company's addresses on the chain; 0 is its account. */
  ordinal: number;
}

/** What the signer has read for itself of a payment's coin. */
export interface RecordedCoin {
  chainId: string;
  coin: string;
  /** What the registry says of the chain and the coin. */
  registered: {
    family: string;
    /** EIP-155's number; null where the chain has none. */
    evmChainId: number | null;
    /** The contract or issuer of the coin; null for the chain's own. */
    contract: string | null;
  };
}

/** What the signer has read for itself of a payment. */
export interface PaymentRecord extends RecordedCoin {
  /** From whose address it is paid. */
  payer: 'company' | 'treasury';
  /** Those that the plan names, or the account; of a sweep, both its ends. Each is derived from the signer's seed. */
  addresses: readonly OwnAddress[];
  /** The further address that a sweep is from (docs/adr/0099); absent where the plan, or the account, says it. */
  from?: string | undefined;
}

/** What a transaction pays. Amount in minor units. */
export interface Output {
  address: string;
  coin: string;
  amountMinor: bigint;
}

/** What the journal says to the limits of a family. */
export interface SigningHistory {
  /** The journal has entries of this payment. */
  isKnown: boolean;
  /** How many payments of a kind the family has signed since an instant, at most an hour ago. */
  countSince(kind: string, since: Date): number;
  /** What the treasury's payments of a coin come to since an instant, at most a day ago; minor units, over all chains of the family. */
  treasuryPaidSince(coin: string, since: Date): bigint;
}

export interface SignedBytes {
  raw: string;
  hash: string;
}

/** A family that signs. `P` is what the worker plans, `I` what is signed; the signer gives a family its own alone. */
export interface SignerFamily<P = unknown, I extends Intent = Intent> {
  readonly journal: JournalFamily<I>;
  /** The kinds of requests, and what the worker says of each beside the ids. */
  readonly plans: ReadonlyMap<string, z.ZodType<P>>;
  /** Whether a company pays from its account, to which sweeps bring what reached its further addresses (docs/adr/0099). */
  readonly sweeps?: true;
  /** How many payments of one company a transaction may make; absent where it is one. */
  readonly mostJoined?: number;
  /** The refusal when another payment has used a resource. */
  readonly resourceTaken: Refusal;
  /** Whether the signer's own configuration has this chain in the family. */
  serves(chainId: string): boolean;
  /** Whether the registry describes chain and coin as the signer's own configuration does. */
  isConfigured(record: RecordedCoin): boolean;
  /** The treasury's address by the signer's own seed; null where the family has none. */
  readonly treasury: string | null;
  /** The addresses that a plan names, the company's among them; null where a company pays from its account. */
  addressesIn(plan: P): readonly string[] | null;
  /** Whether the signer's seed gives this address. */
  derives(address: OwnAddress): boolean;
  /**
   * The intent of a plan. Spends from the record's addresses alone, or from an address that is the installation's own.
   * @param payment what the record pays, and the records that are joined with it; a `transfer` keeps it
   * @throws Refused when the plan is not possible with this record
   */
  intentOf(payment: Intent, plan: P, record: PaymentRecord): I;
  /** Everything that the transaction pays, the network fee aside. */
  outputsOf(intent: I): readonly Output[];
  /** Holds the family's limits. @throws Refused */
  limit(intent: I, history: SigningHistory): void;
  /** Whether an entry can be signed with the present configuration. */
  isSignable(intent: I): boolean;
  /** The same bytes each time. */
  sign(intent: I): Promise<SignedBytes>;
}

export type SignerFamilies = ReadonlyMap<string, SignerFamily>;

export function journalFamilies(families: readonly JournalFamily[]): JournalFamilies {
  return new Map(families.map((family) => [family.name, family]));
}

export function signerFamilies(families: readonly SignerFamily[]): SignerFamilies {
  return new Map(families.map((family) => [family.journal.name, family]));
}

/** Gives the key of a path under the seed. */
export type Derive = (path: string) => HDKey;

/** What of a family's keys may be known outside the signer, by name. */
export interface KeyFamily {
  readonly name: string;
  publicKeysOf(derive: Derive): Readonly<Record<string, string>>;
}
