import type {
  LifeType,
  Stage,
  TransactionDirection,
  TransactionStatus,
  TransactionType,
} from './transactions-rules.ts';

/** The life of each type of transaction: what the server allows, and what the web app shows, without a schema library. */

/** Entries of a timeline that leave the transaction where it is: a payment was sent again at a higher fee, or an empty transaction in its place. */
export const timelineNotes: readonly Stage[] = ['replaced', 'emptied'];

/** The stages that end a transaction, and the status that it has then; at every other stage it is pending. */
export const endStatuses = {
  completed: 'completed',
  credited: 'completed',
  refunded: 'completed',
  failed: 'failed',
  cancelled: 'failed',
  refused: 'failed',
  returned: 'failed',
  orphaned: 'failed',
  reversed: 'failed',
} as const satisfies Partial<Record<Stage, TransactionStatus>>;
export type EndStage = keyof typeof endStatuses;

export function statusAt(stage: Stage): TransactionStatus {
  const ends: Partial<Record<Stage, TransactionStatus>> = endStatuses;
  return ends[stage] ?? 'pending';
}

/** What can become of a transaction of one type. */
export interface TransactionLife {
  direction: TransactionDirection;
  /** The stages of one that succeeds, in their order; the last one ends it. */
  road: readonly Stage[];
  /** The stages that end it otherwise. */
  endsEarly: readonly EndStage[];
  /** Its initiator can cancel it up to this stage of the road, and at it; null: never. */
  cancellableUntil: Stage | null;
  /** As which subject it is approved where the company has review on; null: never. */
  approvedAs: 'transfer' | 'payment' | 'exchange' | null;
  /** The type of the transaction beside it when it ends early: its refund; null where nothing was held. */
  refund: 'failed_refund' | null;
  /** The type of the transaction beside one that succeeds: the other side of an exchange. */
  twin: TransactionType | null;
  /**
   * What it pays from where it is not the company's money, held for it: the operator's fees, or what company and platform owe each other by
   * exchanges (docs/adr/0081-…); `own`: nothing, since the coins go to another address of the same wallet (docs/adr/0099-…).
   */
  pays?: 'fees' | 'fx' | 'own';
  /**
   * What leaves is what was bought for it, from the wallet at the bank that it was bought for (docs/adr/0086-…): from its approval on it is held there, and
   * comes back there.
   */
  leaves?: 'bought';
  /** Its notices are given by the feature that writes it. */
  notified?: 'apart';
}

const beforeSending = ['submitted', 'waiting_approval', 'approved'] as const;
const sentByCompany = {
  direction: 'out',
  endsEarly: ['failed', 'cancelled', 'refused'],
  cancellableUntil: 'approved',
} as const;
const sentByPlatform = {
  road: ['submitted', 'approved', 'signing', 'broadcast', 'confirming', 'completed'],
  endsEarly: ['failed', 'refused'],
  cancellableUntil: null,
  approvedAs: null,
  refund: null,
  twin: null,
} as const;

/**
 * The sold side of an exchange: carried out in the transaction that submits it, or that approves it; a limit order, once the rate reaches its limit.
 */
const exchangedByCompany = {
  direction: 'out',
  road: [...beforeSending, 'waiting_rate', 'completed'],
  endsEarly: ['failed', 'cancelled', 'refused'],
  cancellableUntil: 'waiting_rate',
  approvedAs: 'exchange',
  refund: 'failed_refund',
} as const;
/** The bought side of an exchange, written when it is carried out. */
const bought = {
  direction: 'in',
  road: ['credited'],
  endsEarly: [],
  cancellableUntil: null,
  approvedAs: null,
  refund: null,
} as const;

/** The life of each type (docs/adr/0050-a-type-s-life-is-data.md). */
export const transactionLives: Readonly<Record<LifeType, TransactionLife>> = {
  chain_deposit: {
    direction: 'in',
    road: ['seen', 'confirming', 'credited'],
    endsEarly: ['orphaned', 'reversed'],
    cancellableUntil: null,
    approvedAs: null,
    refund: null,
    twin: null,
  },
  chain_withdraw: {
    ...sentByCompany,
    // Reversed: one that was found on the chain and booked, when a reorganisation takes its block away.
    endsEarly: [...sentByCompany.endsEarly, 'reversed'],
    road: [...beforeSending, 'signing', 'broadcast', 'confirming', 'completed'],
    approvedAs: 'transfer',
    refund: 'failed_refund',
    twin: null,
  },
  // Spends the output of a deposit that waits for a block, and pays the miner for both (docs/adr/0091-…): its fee is all that leaves.
  chain_accelerate: { ...sentByPlatform, direction: 'out', endsEarly: ['failed'], refund: 'failed_refund' },
  // From a further address of the company to its account.
  chain_sweep: { ...sentByPlatform, direction: 'out', pays: 'own' },
  fee_withdraw: { ...sentByPlatform, direction: 'out', pays: 'fees' },
  // Towards the company's address, from the treasury; and the other way.
  fx_settlement_in: { ...sentByPlatform, direction: 'in', pays: 'fx' },
  fx_settlement_out: { ...sentByPlatform, direction: 'out', pays: 'fx' },
  crypto_payout: {
    ...sentByCompany,
    endsEarly: [...sentByCompany.endsEarly, 'returned'],
    road: [...beforeSending, 'instructed', 'accepted', 'completed'],
    // From its approval on the coins are sold.
    cancellableUntil: 'waiting_approval',
    leaves: 'bought',
    approvedAs: 'payment',
    refund: 'failed_refund',
    twin: null,
  },
  failed_refund: {
    direction: 'in',
    road: ['refunded'],
    endsEarly: [],
    cancellableUntil: null,
    approvedAs: null,
    refund: null,
    twin: null,
  },
  crypto_exchange_out: { ...exchangedByCompany, twin: 'crypto_exchange_in' },
  crypto_exchange_in: { ...bought, twin: 'crypto_exchange_out' },
  fiat_exchange_out: { ...exchangedByCompany, twin: 'fiat_exchange_in' },
  fiat_exchange_in: { ...bought, twin: 'fiat_exchange_out' },
  fiat_deposit: {
    direction: 'in',
    // Received: the bank has booked it.
    road: ['received', 'credited'],
    endsEarly: ['reversed'],
    cancellableUntil: null,
    approvedAs: null,
    refund: null,
    twin: null,
  },
  fiat_payout: {
    ...sentByCompany,
    // Returned: the payee's bank sent back what had been paid.
    endsEarly: [...sentByCompany.endsEarly, 'returned'],
    road: [...beforeSending, 'instructed', 'accepted', 'completed'],
    approvedAs: 'payment',
    refund: 'failed_refund',
    twin: null,
  },
  // Authorised, and cleared by the issuer (docs/adr/0102-…); one without an authorisation is completed from the beginning.
  card_payment: {
    direction: 'out',
    road: ['held', 'completed'],
    // Released: reversed by the merchant, or expired. A clearing that comes after that completes it all the same.
    endsEarly: ['reversed'],
    cancellableUntil: null,
    approvedAs: null,
    refund: null,
    twin: null,
    notified: 'apart',
  },
  card_refund: {
    direction: 'in',
    road: ['credited'],
    endsEarly: ['reversed'],
    cancellableUntil: null,
    approvedAs: null,
    refund: null,
    twin: null,
    notified: 'apart',
  },
};

/** The stages at which the initiator can cancel a transaction of a type. */
export function cancellableStages(type: LifeType): readonly Stage[] {
  const { road, cancellableUntil } = transactionLives[type];
  return cancellableUntil === null ? [] : road.slice(0, road.indexOf(cancellableUntil) + 1);
}

export function isCancellable(type: LifeType, stage: Stage): boolean {
  return cancellableStages(type).includes(stage);
}
