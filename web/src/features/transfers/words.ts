import type { Stage, Transaction, TransactionStatus, TransactionType } from '@causeway/contract/transfers.ts';
import type { Tone } from '../../ui/status-dot.tsx';

/** The text of each type: the same word on every screen. */
export const typeTexts: Record<TransactionType, string> = {
  chain_deposit: 'transfers.type.chain_deposit',
  chain_withdraw: 'transfers.type.chain_withdraw',
  crypto_payout: 'transfers.type.crypto_payout',
  failed_refund: 'transfers.type.failed_refund',
  crypto_exchange_out: 'transfers.type.crypto_exchange_out',
  crypto_exchange_in: 'transfers.type.crypto_exchange_in',
  fiat_deposit: 'transfers.type.fiat_deposit',
  fiat_payout: 'transfers.type.fiat_payout',
};

export const statusTexts: Record<TransactionStatus, { text: string; tone: Tone }> = {
  completed: { text: 'transfers.status.completed', tone: 'positive' },
  pending: { text: 'transfers.status.pending', tone: 'pending' },
  failed: { text: 'transfers.status.failed', tone: 'negative' },
};

export const stageTexts: Record<Stage, { text: string; tone: Tone }> = {
  submitted: { text: 'transfers.stage.submitted', tone: 'positive' },
  waiting_approval: { text: 'transfers.stage.waiting_approval', tone: 'pending' },
  approved: { text: 'transfers.stage.approved', tone: 'positive' },
  signing: { text: 'transfers.stage.signing', tone: 'positive' },
  broadcast: { text: 'transfers.stage.broadcast', tone: 'positive' },
  confirming: { text: 'transfers.stage.confirming', tone: 'positive' },
  completed: { text: 'transfers.stage.completed', tone: 'positive' },
  failed: { text: 'transfers.stage.failed', tone: 'negative' },
  cancelled: { text: 'transfers.stage.cancelled', tone: 'negative' },
  refused: { text: 'transfers.stage.refused', tone: 'negative' },
  seen: { text: 'transfers.stage.seen', tone: 'positive' },
  credited: { text: 'transfers.stage.credited', tone: 'positive' },
  orphaned: { text: 'transfers.stage.orphaned', tone: 'negative' },
  reversed: { text: 'transfers.stage.reversed', tone: 'negative' },
  replaced: { text: 'transfers.stage.replaced', tone: 'notice' },
  refunded: { text: 'transfers.stage.refunded', tone: 'positive' },
};

/** The other side of a transaction: who paid what came in, who is paid with what goes out. */
export function counterparty(row: Pick<Transaction, 'direction' | 'payer' | 'payee'>): Transaction['payer'] {
  return row.direction === 'in' ? row.payer : row.payee;
}

/** The quantity with its sign, as a statement shows it. */
export function signedQuantity(row: Pick<Transaction, 'direction' | 'quantity'>): string {
  return row.direction === 'out' ? `-${row.quantity}` : row.quantity;
}
