import type { RecordReader, RecordStore, RecordTx } from '../record-store.ts';

/** What the sandbox's issuer keeps. Amounts are whole minor units of their currency; times are milliseconds. */

export const CARD_STATES = ['OPEN', 'PAUSED', 'CLOSED', 'PENDING_FULFILLMENT', 'PENDING_ACTIVATION'] as const;
export const CARD_TYPES = [
  'VIRTUAL',
  'PHYSICAL',
  'SINGLE_USE',
  'MERCHANT_LOCKED',
  'UNLOCKED',
  'DIGITAL_WALLET',
] as const;
export const LIMIT_DURATIONS = ['TRANSACTION', 'MONTHLY', 'ANNUALLY', 'FOREVER'] as const;
export const SUBSTATUSES = [
  'LOST',
  'COMPROMISED',
  'DAMAGED',
  'END_USER_REQUEST',
  'ISSUER_REQUEST',
  'NOT_ACTIVE',
  'SUSPICIOUS_ACTIVITY',
  'INTERNAL_REVIEW',
  'EXPIRED',
  'UNDELIVERABLE',
  'OTHER',
] as const;

export type ShippingAddress = {
  first_name: string;
  last_name: string;
  address1: string;
  address2?: string | undefined;
  city: string;
  state: string;
  postal_code: string;
  country: string;
};

export type Card = {
  token: string;
  program: string;
  type: (typeof CARD_TYPES)[number];
  state: (typeof CARD_STATES)[number];
  substatus: (typeof SUBSTATUSES)[number] | null;
  memo: string;
  comment: string;
  spendLimit: number;
  spendLimitDuration: (typeof LIMIT_DURATIONS)[number];
  /** Known to the issuer alone: its API never returns them, its frame shows them. */
  pan: string;
  cvv: string;
  expMonth: string;
  expYear: string;
  createdAt: number;
  replacementFor: string | null;
  shipping: ShippingAddress | null;
  shippingMethod: string | null;
};

export type Merchant = {
  acceptorId: string;
  descriptor: string;
  mcc: string;
  city: string;
  state: string;
  /** ISO 3166-1 alpha-3. */
  country: string;
};

export const EVENT_TYPES = [
  'AUTHORIZATION',
  'AUTHORIZATION_ADVICE',
  'AUTHORIZATION_EXPIRY',
  'AUTHORIZATION_REVERSAL',
  'BALANCE_INQUIRY',
  'CLEARING',
  'CREDIT_AUTHORIZATION',
  'CREDIT_AUTHORIZATION_ADVICE',
  'FINANCIAL_AUTHORIZATION',
  'FINANCIAL_CREDIT_AUTHORIZATION',
  'RETURN',
  'RETURN_REVERSAL',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** A step of a transaction. What credits the cardholder is negative. */
export type Step = {
  token: string;
  type: EventType;
  at: number;
  /** In the billing currency, and in the merchant's. */
  amount: number;
  merchantAmount: number;
  result: string;
  detailedResult: string;
  /** Whether money moves: then there is a settlement amount. */
  isFinancial: boolean;
};

export type Transaction = {
  token: string;
  card: string;
  merchant: Merchant;
  billingCurrency: string;
  merchantCurrency: string;
  /** Billing units for one merchant unit, a plain decimal. */
  rate: string;
  isOnline: boolean;
  isPartialCapable: boolean;
  status: 'DECLINED' | 'EXPIRED' | 'PENDING' | 'SETTLED' | 'VOIDED';
  result: string;
  /** Billing currency: approved in all, still held, and settled. Negative for credits. */
  authorised: number;
  held: number;
  settled: number;
  merchantAuthorised: number;
  merchantSettled: number;
  steps: readonly Step[];
  createdAt: number;
  updatedAt: number;
  expiresAt: number;
  /** What the programme's responder said of each request, newest last. */
  answers: readonly Answer[];
};

export type Answer = { at: number; elapsedMs: number; amount: number; outcome: string; body: string };

export type Message = {
  id: string;
  type: string;
  payload: unknown;
  createdAt: number;
  state: 'due' | 'delivered' | 'lost';
  attempts: number;
  nextAt: number;
  lastStatus: string | null;
};

export type Subscription = {
  token: string;
  url: string;
  description: string;
  isDisabled: boolean;
  eventTypes: readonly string[] | null;
  secret: string;
};

export type Settings = {
  responderUrl: string | null;
  responderSecret: string;
  /** Signs beside the new one until `until`. */
  previousResponderSecret: { secret: string; until: number } | null;
  /** Whether events leave, or wait to be let go. */
  delivery: 'on' | 'held';
};

export type Collections = {
  cards: Card;
  transactions: Transaction;
  messages: Message;
  subscriptions: Subscription;
  /** By key, the token of the card that was made. */
  idempotency: { card: string };
  settings: Settings;
};

export type Tx = RecordTx<Collections>;
export type Reader = RecordReader<Collections>;
export type IssuerStore = RecordStore<Collections>;

/** A refusal in the vendor's form: `{ message, debugging_request_id }` with its HTTP status. */
export class IssuerRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'IssuerRefusal';
    this.status = status;
  }
}

export function settingsOf(read: Reader): Readonly<Settings> {
  const settings = read.get('settings', 'now');
  if (settings === undefined) throw new Error('the issuer has no settings');
  return settings;
}

/** @throws IssuerRefusal 404 */
export function cardAt(read: Reader, token: string): Readonly<Card> {
  const card = read.get('cards', token);
  if (card === undefined) throw new IssuerRefusal(404, 'Could not find card.');
  return card;
}

/** @throws IssuerRefusal 404 */
export function transactionAt(read: Reader, token: string): Readonly<Transaction> {
  const transaction = read.get('transactions', token);
  if (transaction === undefined) throw new IssuerRefusal(404, 'Could not find transaction.');
  return transaction;
}
