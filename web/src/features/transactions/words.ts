import type { Stage, Transaction, TransactionStatus, TransactionType } from '@causeway/contract/transactions.ts';
import type { Tone } from '../../ui/status-dot.tsx';

/** The text of each type: the same word on every screen. */
export const typeTexts: Record<TransactionType, string> = {
  chain_deposit: 'transactions.type.chain_deposit',
  chain_withdraw: 'transactions.type.chain_withdraw',
  chain_accelerate: 'transactions.type.chain_accelerate',
  crypto_payout: 'transactions.type.crypto_payout',
  failed_refund: 'transactions.type.failed_refund',
  crypto_exchange_out: 'transactions.type.crypto_exchange_out',
  crypto_exchange_in: 'transactions.type.crypto_exchange_in',
  fiat_exchange_out: 'transactions.type.fiat_exchange_out',
  fiat_exchange_in: 'transactions.type.fiat_exchange_in',
  fiat_deposit: 'transactions.type.fiat_deposit',
  fiat_payout: 'transactions.type.fiat_payout',
  card_payment: 'transactions.type.card_payment',
  card_refund: 'transactions.type.card_refund',
};

export const statusTexts: Record<TransactionStatus, { text: string; tone: Tone }> = {
  completed: { text: 'transactions.status.completed', tone: 'positive' },
  pending: { text: 'transactions.status.pending', tone: 'progress' },
  failed: { text: 'transactions.status.failed', tone: 'negative' },
};

export const stageTexts: Record<Stage, { text: string; tone: Tone }> = {
  submitted: { text: 'transactions.stage.submitted', tone: 'positive' },
  waiting_approval: { text: 'transactions.stage.waiting_approval', tone: 'pending' },
  approved: { text: 'transactions.stage.approved', tone: 'positive' },
  waiting_rate: { text: 'transactions.stage.waiting_rate', tone: 'progress' },
  held: { text: 'transactions.stage.held', tone: 'progress' },
  signing: { text: 'transactions.stage.signing', tone: 'positive' },
  broadcast: { text: 'transactions.stage.broadcast', tone: 'positive' },
  instructed: { text: 'transactions.stage.instructed', tone: 'positive' },
  accepted: { text: 'transactions.stage.accepted', tone: 'positive' },
  confirming: { text: 'transactions.stage.confirming', tone: 'positive' },
  completed: { text: 'transactions.stage.completed', tone: 'positive' },
  failed: { text: 'transactions.stage.failed', tone: 'negative' },
  cancelled: { text: 'transactions.stage.cancelled', tone: 'negative' },
  refused: { text: 'transactions.stage.refused', tone: 'negative' },
  seen: { text: 'transactions.stage.seen', tone: 'positive' },
  received: { text: 'transactions.stage.received', tone: 'positive' },
  credited: { text: 'transactions.stage.credited', tone: 'positive' },
  orphaned: { text: 'transactions.stage.orphaned', tone: 'negative' },
  reversed: { text: 'transactions.stage.reversed', tone: 'negative' },
  returned: { text: 'transactions.stage.returned', tone: 'negative' },
  replaced: { text: 'transactions.stage.replaced', tone: 'notice' },
  emptied: { text: 'transactions.stage.emptied', tone: 'notice' },
  refunded: { text: 'transactions.stage.refunded', tone: 'positive' },
};

/** A deposit that is seen and has no confirmations to count waits for a block. */
export function isInNoBlock({ status, stage, confirmations }: StagedRow): boolean {
  return status === 'pending' && stage === 'seen' && confirmations === null;
}

/** What the stage of a transaction is called now. */
export function stageText(row: StagedRow): string {
  return isInNoBlock(row) ? 'transactions.stage.waitingBlock' : stageTexts[row.stage].text;
}

type StagedRow = Pick<Transaction, 'status' | 'stage' | 'confirmations'>;

/**
 * The meaning of a pending transaction, by its stage and, where that has been read, whether something holds it up: amber where it
 * waits for a person. What the chain and the worker do takes its time without one.
 */
export function pendingTone({ stage, heldUp = false }: { stage: Stage; heldUp?: boolean }): 'pending' | 'progress' {
  return heldUp || stage === 'waiting_approval' ? 'pending' : 'progress';
}

/** What a stage that went on is called when it is over. */
export const overTexts: Partial<Record<Stage, Record<'done' | 'cut', string>>> = {
  waiting_approval: { done: 'transactions.over.waiting_approval', cut: 'transactions.over.waiting_approval' },
  waiting_rate: { done: 'transactions.over.waiting_rate', cut: 'transactions.over.waiting_rate' },
  signing: { done: 'transactions.over.signing', cut: 'transactions.cut.signing' },
  confirming: { done: 'transactions.over.confirming', cut: 'transactions.cut.confirming' },
};

/** The other side of a transaction: who paid what came in, who is paid with what goes out. */
export function counterparty(row: Pick<Transaction, 'direction' | 'payer' | 'payee'>): Transaction['payer'] {
  return row.direction === 'in' ? row.payer : row.payee;
}

/** The quantity with its sign, as a statement shows it; of what pays no one, its fee. */
export function signedQuantity(
  row: Pick<Transaction, 'direction' | 'quantity' | 'type'> & Partial<Pick<Transaction, 'fee'>>,
): string {
  if (row.type === 'chain_accelerate' && row.fee !== undefined) return `-${row.fee}`;
  return row.direction === 'out' ? `-${row.quantity}` : row.quantity;
}

const rateDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 8 });

/** A rate for reading: eight significant digits of the twenty that it is kept with. */
export function shortRate(rate: string): string {
  return rateDigits.format(Number(rate));
}

/** What people call a source of prices. */
export function rateSource(source: string): string {
  return source.replaceAll('coingecko', 'CoinGecko');
}
