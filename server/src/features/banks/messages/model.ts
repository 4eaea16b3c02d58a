import type { BankDate, Code, Direction, Money, StatedAmount } from './values.ts';

/**
 * What banks' messages say, whatever their version. Texts are the bank's own; null where it said nothing. Money is exact (minor
 * units and currency) and has a direction beside it: credit came into the account, debit left it.
 * Source of each field: ISO 20022 message definitions camt.053.001.02 to .08, camt.054.001.02 to .08, pain.002.001.03 to .11.
 */

export const bankMessageKinds = ['camt.053', 'camt.054', 'pain.002'] as const;
export type BankMessageKind = (typeof bankMessageKinds)[number];

/** GrpHdr: one for each message. */
export interface BankMessage {
  kind: BankMessageKind;
  /** As in `camt.053.001.08`. */
  name: string;
  id: string;
  createdAt: string;
  /** Page of a message that a bank split. */
  page: { number: string; isLast: boolean | null } | null;
}

export interface AccountId {
  iban: string | null;
  /** The bank's own number where there is no IBAN. */
  number: string | null;
  /** Of which scheme that number is (BBAN, a clearing system's, a bank's own). */
  scheme: Code | null;
  currency: string | null;
  name: string | null;
  /** Another name of the account: a phone number, an email address. */
  proxy: string | null;
}

/** A bank. */
export interface AgentId {
  /** ISO 9362. */
  bic: string | null;
  name: string | null;
  /** ISO 20022's external code of the clearing system, as USABA, and the bank's number there. */
  clearingSystem: Code | null;
  clearingMember: string | null;
}

export interface Party {
  name: string | null;
  country: string | null;
  town: string | null;
  addressLines: string[];
  bic: string | null;
  identifications: { id: string; scheme: Code | null }[];
}

/** Types of balances: OPBD opening booked, CLBD closing booked, PRCD previous closing, ITBD interim, CLAV closing available … */
export interface Balance {
  type: Code;
  subType: Code | null;
  amount: Money;
  direction: Direction;
  date: BankDate;
}

export interface Statement {
  kind: 'statement' | 'notification';
  id: string;
  createdAt: string | null;
  from: string | null;
  to: string | null;
  sequence: string | null;
  page: { number: string; isLast: boolean | null } | null;
  /** COPY, DUPL or CODU: the bank sends it again. */
  copy: string | null;
  account: AccountId & { owner: Party | null; servicer: AgentId | null };
}

/** Booked entries alone are money. `other`: a state of the bank's own. */
export type EntryState = 'booked' | 'pending' | 'information' | 'future' | 'other';

export interface Charge {
  /** It informs: what is booked is the entry's amount. */
  amount: StatedAmount;
  direction: Direction | null;
  /** The entry's amount is already less by it. */
  isIncluded: boolean | null;
  type: Code | null;
  /** DEBT, CRED, SHAR or SLEV. */
  bearer: string | null;
}

export interface Exchange {
  source: string;
  target: string | null;
  unit: string | null;
  /** A plain decimal text: units of one currency for one of the other. */
  rate: string;
  contract: string | null;
}

export interface Amounts {
  /** What the payer ordered. */
  instructed: StatedAmount | null;
  transaction: StatedAmount | null;
  counterValue: StatedAmount | null;
  exchange: Exchange | null;
}

/** A bank's code of what happened: domain, family and sub-family of ISO 20022 (PMNT-RCDT-ESCT), or its own. */
export interface TransactionCode {
  domain: string | null;
  family: string | null;
  subFamily: string | null;
  proprietary: string | null;
}

/** A reference that the creditor gave the debtor. */
export interface CreditorReference {
  type: Code | null;
  issuer: string | null;
  reference: string;
  /** Whose checksum the reference fulfils: ISO 11649 (RF…), the Swiss QR reference, or none that is known. */
  checked: 'iso11649' | 'swissQr' | null;
}

export interface Remittance {
  unstructured: string[];
  structured: CreditorReference[];
  documents: { type: Code | null; number: string; date: string | null }[];
  additional: string[];
}

export interface References {
  message: string | null;
  accountServicer: string | null;
  paymentInformation: string | null;
  instruction: string | null;
  endToEnd: string | null;
  uetr: string | null;
  transaction: string | null;
  mandate: string | null;
  cheque: string | null;
  clearing: string | null;
  /** AcctSvcrTxId, MktInfrstrctrTxId and PrcgId: names that the bank, the clearing and a system between them gave the transaction. */
  accountServicerTransaction: string | null;
  marketInfrastructure: string | null;
  processing: string | null;
  proprietary: { type: string; reference: string }[];
}

export interface ReturnInfo {
  /** External code list "ReturnReason": AC01, AC04, MD07 … */
  reason: Code | null;
  originator: Party | null;
  texts: string[];
}

/** RltdDts: when the payment was accepted, settled between the banks, and made; as the bank wrote them. */
export interface RelatedDates {
  accepted: string | null;
  settled: string | null;
  transaction: string | null;
}

/** One transaction inside an entry; an entry's details are the same money as the entry. */
export interface EntryDetail {
  references: References;
  dates: RelatedDates | null;
  /** Null in a batch whose parts the bank does not value. */
  amount: Money | null;
  direction: Direction | null;
  amounts: Amounts;
  charges: Charge[];
  /** Who gave the order, where it is another than the debtor. */
  initiatingParty: Party | null;
  debtor: Party | null;
  debtorAccount: AccountId | null;
  debtorAgent: AgentId | null;
  ultimateDebtor: Party | null;
  creditor: Party | null;
  creditorAccount: AccountId | null;
  creditorAgent: AgentId | null;
  /** Banks between the two, in their order. */
  intermediaryAgents: AgentId[];
  ultimateCreditor: Party | null;
  purpose: Code | null;
  remittance: Remittance;
  returned: ReturnInfo | null;
  code: TransactionCode | null;
  additional: string | null;
}

export interface Batch {
  message: string | null;
  paymentInformation: string | null;
  count: number | null;
  total: Money | null;
}

export interface Entry {
  /** NtryRef: unique in the statement where it is given. */
  reference: string | null;
  /** AcctSvcrRef: the bank's own name of this booking. */
  accountServicerReference: string | null;
  amount: Money;
  direction: Direction;
  /** RvslInd: it takes back an earlier booking. The direction is that of this entry. */
  isReversal: boolean;
  state: EntryState;
  stateCode: Code;
  bookingDate: BankDate | null;
  valueDate: BankDate | null;
  code: TransactionCode | null;
  amounts: Amounts;
  charges: Charge[];
  batches: Batch[];
  details: EntryDetail[];
  additional: string | null;
}

/** What a status means for us; the bank's own code is beside it. */
export type PaymentState =
  | 'received'
  | 'accepted'
  | 'settled'
  | 'pending'
  | 'partly'
  | 'rejected'
  | 'cancelled'
  | 'other';

export interface StatusReason {
  /** External code list "StatusReason": AC01, AM04, BE04, RC01 … */
  reason: Code | null;
  originator: Party | null;
  texts: string[];
}

/** A status that the bank gave: null where it gave reasons alone. */
export interface Status {
  state: PaymentState | null;
  status: string | null;
  reasons: StatusReason[];
}

/** Of a whole message of ours. */
export interface GroupStatus extends Status {
  originalMessage: string;
  originalName: string;
  originalCreatedAt: string | null;
  count: number | null;
  countsByStatus: { status: string; count: number }[];
}

/** Of one payment information (a batch) of ours. */
export interface BatchStatus extends Status {
  paymentInformation: string;
  count: number | null;
  countsByStatus: { status: string; count: number }[];
}

export interface TransactionStatus extends Status {
  /** The batch that it belongs to; null in versions and banks that name none. */
  paymentInformation: string | null;
  id: string | null;
  instruction: string | null;
  endToEnd: string | null;
  uetr: string | null;
  acceptedAt: string | null;
  accountServicerReference: string | null;
  clearing: string | null;
  amount: StatedAmount | null;
  creditor: Party | null;
  creditorAccount: AccountId | null;
}
