import type { BankId } from './catalogue.ts';

/** The bank's records. They are kept as JSON, so amounts are minor units as decimal text; signed where they are entries. */

export type Account = {
  number: string;
  bank: BankId;
  currency: string;
  /** Statements are written of the customer's accounts; the others are the bank's own. */
  kind: 'customer' | 'clearing' | 'income';
  balance: string;
  /** Reserved for payments that are accepted and not booked. */
  held: string;
  /** Number of the newest statement. */
  statements: number;
  /** Closing balance of the newest day that was closed. */
  closing: string;
};

export type Party = {
  name: string;
  /** IBAN or number. */
  account?: string | undefined;
  /** A phone number, an email address or an FPS identifier in place of the number. */
  proxy?: { type: string; id: string } | undefined;
  bic?: string | undefined;
  clearing?: { system: string; member: string } | undefined;
  town?: string | undefined;
  /** ISO 3166-1. */
  country?: string | undefined;
};

/** One transaction of a booking. */
export type Detail = {
  id: string;
  amount: string;
  counterparty: Party;
  /** The number that the payer wrote: a virtual account of the customer's, or the account itself. */
  paidTo?: string | undefined;
  /** A creditor reference (ISO 11649), in its own field. */
  reference?: string | undefined;
  text?: string | undefined;
  messageId?: string | undefined;
  paymentInformationId?: string | undefined;
  instructionId?: string | undefined;
  endToEndId?: string | undefined;
  uetr?: string | undefined;
  returned?: { code: string; text: string } | undefined;
};

/** How much of a batch each message shows: both, only the notification at booking, neither. */
export const BATCH_DETAILS = ['with', 'notification', 'without'] as const;
export type BatchDetails = (typeof BATCH_DETAILS)[number];

/** An entry of an account and its opposite in another: never changed once made. */
export type Booking = {
  /** The bank's reference (AcctSvcrRef). */
  id: string;
  bank: BankId;
  account: string;
  contra: string;
  currency: string;
  /** Signed: positive came in. */
  amount: string;
  /** Bank transaction code: domain, family, sub-family. */
  code: readonly [string, string, string];
  isReversal: boolean;
  bookedAt: number;
  bookingDate: string;
  valueDate: string;
  text: string;
  details: Detail[];
  /** Of several pay-ins booked as one entry. */
  batch?: BatchDetails;
};

export const PAYMENT_STATES = ['pending', 'accepted', 'settled', 'rejected', 'cancelled', 'returned'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export type Reason = { code: string; text: string };

/** A payment of the customer's to another bank. */
export type Payment = {
  id: string;
  bank: BankId;
  /** The account debited. */
  account: string;
  currency: string;
  amount: string;
  payee: Party;
  reference?: string | undefined;
  text?: string | undefined;
  chargeBearer?: string | undefined;
  messageId: string;
  paymentInformationId?: string | undefined;
  instructionId?: string | undefined;
  endToEndId: string;
  uetr?: string | undefined;
  /** The day on which it is booked unless the bank delays it. */
  executionDate: string;
  state: PaymentState;
  reason?: Reason | undefined;
  receivedAt: number;
  history: { at: number; state: PaymentState; reason?: Reason | undefined }[];
  bookings: string[];
};

export type TransactionStatus = {
  payment?: string;
  instructionId?: string;
  endToEndId: string;
  uetr?: string;
  paymentInformationId: string;
  status: string;
  reason?: Reason;
};

/** What a file to the customer says; its text is made from the records when it is written, the same each time. */
export type FileContent =
  | { kind: 'notification'; bookings: string[] }
  | { kind: 'statement'; statement: string }
  | {
      kind: 'status';
      original: { messageId: string; name: string; createdAt?: string | undefined };
      group?: { status: string; reason?: Reason };
      transactions: TransactionStatus[];
    };

export type Statement = {
  /** Account and day. */
  id: string;
  account: string;
  date: string;
  number: number;
  opening: string;
  closing: string;
  bookings: string[];
};

/** due: to be written next. missed: kept back by the desk. cut: the first half alone was written. */
export type OutgoingFile = {
  name: string;
  at: number;
  state: 'due' | 'sent' | 'missed' | 'cut';
  content: FileContent;
  /** Of the message, for as long as it lives. */
  id: string;
};

/** A file of the customer's that the bank has taken. */
export type ReceivedFile = { id: string; name: string; at: number; bytes: number; messageId: string; outcome: string };

export const PAYOUT_MODES = ['settle', 'accept', 'delay', 'refuse'] as const;
export type PayoutMode = (typeof PAYOUT_MODES)[number];

export type BankSettings = {
  /** What happens to payments that arrive from now on, beyond the rules. */
  payouts: { mode: PayoutMode; reason: string };
  /** The statements of the day that ends next are kept back. */
  skipStatements: boolean;
  webhooks: { url: string; mode: 'on' | 'held' };
};

/** A payee as its own bank knows it: what verification of payee and refusals follow. */
export type KnownPayee = { account: string; name: string; state: 'open' | 'closed' };

export type Collections = {
  accounts: Account;
  bookings: Booking;
  payments: Payment;
  /** Payments by bank and UETR. */
  uetrs: { payment: string };
  statements: Statement;
  files: OutgoingFile;
  received: ReceivedFile;
  payees: KnownPayee;
  /** `next` number by name. */
  counters: { next: number };
  /** One: `now`. */
  clock: { offsetMs: number; closedThrough: string };
  /** One: `now`. */
  settings: BankSettings;
  globalAccounts: GlobalAccount;
  deposits: Deposit;
  beneficiaries: Beneficiary;
  transfers: Transfer;
  webhooks: WebhookEvent;
  /** By request id and path: what a repeated request gets. */
  requests: { path: string; digest: string; id: string };
};

type Json = Record<string, unknown>;

export type GlobalAccount = {
  id: string;
  number: string;
  currency: string;
  country: string;
  nickName: string;
  requestId: string;
  status: 'ACTIVE' | 'CLOSED';
  createdAt: number;
};
export type Deposit = {
  id: string;
  globalAccount: string;
  currency: string;
  amount: string;
  payer: Party;
  reference: string;
  status: 'PENDING' | 'SETTLED' | 'REJECTED' | 'REVERSED';
  createdAt: number;
  settledAt?: number;
  booking?: string;
};
export type Beneficiary = { id: string; request: Json; createdAt: number };
/** What the API says of a payment beyond the payment itself. */
export type Transfer = {
  id: string;
  payment: string;
  request: Json;
  beneficiary: Json;
  status: string;
  failureType?: string | undefined;
  createdAt: number;
  updatedAt: number;
  shortReference: string;
};
export type WebhookEvent = {
  id: string;
  name: string;
  data: Json;
  createdAt: number;
  attempts: number;
  state: 'due' | 'held' | 'delivered' | 'lost';
  nextAt: number;
  lastStatus?: string | undefined;
};
