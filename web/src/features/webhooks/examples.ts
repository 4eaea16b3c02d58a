import { statusAt } from '@causeway/contract/transactions-lives.ts';
import type { Stage, TransactionType } from '@causeway/contract/transactions-rules.ts';
import type { WebhookEventType } from '@causeway/contract/webhooks-rules.ts';

/** What each type of event looks like, with made-up figures. */

const stageOf: Record<WebhookEventType, Stage> = {
  'deposit.detected': 'seen',
  'deposit.credited': 'credited',
  'deposit.orphaned': 'orphaned',
  'deposit.reversed': 'reversed',
  'transaction.submitted': 'submitted',
  'transaction.approved': 'approved',
  'transaction.rejected': 'refused',
  'transaction.completed': 'completed',
  'transaction.failed': 'failed',
  'transaction.cancelled': 'cancelled',
  'transaction.returned': 'returned',
  'transaction.reversed': 'reversed',
  'card.held': 'held',
  'card.paid': 'completed',
  'card.released': 'reversed',
  'card.refunded': 'credited',
  'card.refundReversed': 'reversed',
};
const reasons: Partial<Record<WebhookEventType, string>> = {
  'deposit.orphaned': 'orphaned',
  'deposit.reversed': 'reversed',
  'transaction.rejected': 'rejected',
  'transaction.failed': 'reverted',
  'transaction.cancelled': 'cancelled',
  'transaction.returned': 'returned',
  'transaction.reversed': 'reversed',
  'card.released': 'cardReleased',
  'card.refundReversed': 'cardRefundReversed',
};

function kindOf(isDeposit: boolean, isAtBank: boolean): TransactionType {
  if (isDeposit) return 'chain_deposit';
  return isAtBank ? 'fiat_payout' : 'chain_withdraw';
}

export function exampleOf(type: WebhookEventType): string {
  const isCard = type.startsWith('card.');
  const isRefund = type.startsWith('card.refund');
  const isDeposit = type.startsWith('deposit.') || isRefund;
  const isAtBank = type === 'transaction.returned' || isCard;
  const stage = stageOf[type];
  const kind = isCard ? (isRefund ? 'card_refund' : 'card_payment') : kindOf(isDeposit, isAtBank);
  const status = statusAt(stage);
  const isOver = status !== 'pending';
  const isSent = isDeposit || stage === 'completed' || stage === 'reversed';
  const reason = reasons[type];
  return JSON.stringify({
    type,
    timestamp: '2026-11-27T02:03:04.567Z',
    data: {
      transactionId: '019ac3a4-55f1-7c11-8a55-2f0b8c1f2e10',
      kind,
      direction: isDeposit ? 'in' : 'out',
      status,
      stage,
      asset: isAtBank ? 'HKD' : 'USDT',
      amount: isAtBank ? '12500.00' : '1250.500000',
      fee: isCard ? '0.00' : isDeposit ? '0.000000' : isAtBank ? '15.00' : '1.000000',
      exchange: null,
      walletId: '019ac39f-0d2e-7a3b-9c41-6a1f5f0b7d22',
      chain: isAtBank ? null : 'ethereum',
      bank: isAtBank ? 'Harbour Bank' : null,
      payer: {
        name: isRefund ? 'Sample Hotel' : null,
        account: isDeposit && !isRefund ? '0x52908400098527886e0f7030069857d2e4169ee7' : null,
      },
      payee: isCard
        ? { id: null, name: isRefund ? null : 'Sample Hotel', account: null }
        : isDeposit
          ? { id: null, name: null, account: '0x8617e340b3d01fa5f11f306f4090fd50e238070d' }
          : {
              id: '019ac3a0-7b1c-7f09-8e6d-0b9a3c5d4e33',
              name: 'Sample Trading Ltd',
              account: isAtBank ? '024-123456-001' : '0x8617e340b3d01fa5f11f306f4090fd50e238070d',
            },
      hash: isSent && !isAtBank ? '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060' : null,
      blockNumber: isSent && !isAtBank && stage !== 'orphaned' ? 21_345_678 : null,
      bankReference: isAtBank && !isCard ? 'HB2026112700042' : null,
      endToEndId: null,
      uetr: null,
      valueDate: null,
      invoiceNumber: isDeposit ? null : 'INV-2026-0042',
      category: null,
      notes: '',
      reason:
        reason === undefined ? null : { code: reason, bankCode: isAtBank && !isCard ? 'AC04' : null, bankWords: null },
      relatedTransactionId: null,
      createdAt: '2026-11-27T02:01:00.000Z',
      completedAt: isOver ? '2026-11-27T02:03:04.567Z' : null,
    },
  });
}
