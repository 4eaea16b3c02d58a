import { statusAt } from '@causeway/contract/transactions-lives.ts';
import type { Stage, TransactionType } from '@causeway/contract/transactions-rules.ts';
import type { WebhookEventType } from '@causeway/contract/webhooks-rules.ts';

/** What each type of event looks like, with made-up figures. */

type TradeEventType = Extract<WebhookEventType, `trade.${string}`>;
type OfRequest = Extract<WebhookEventType, `payment_request.${string}`>;
type MoneyEventType = Exclude<WebhookEventType, TradeEventType | OfRequest | 'card.declined'>;

const stageOf: Record<MoneyEventType, Stage> = {
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
  'card.refund_reversed': 'reversed',
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
  'card.refund_reversed': 'cardRefundReversed',
};

const isOfRequest = (type: WebhookEventType): type is OfRequest => type.startsWith('payment_request.');

function kindOf(isDeposit: boolean, isAtBank: boolean): TransactionType {
  if (isDeposit) return 'chain_deposit';
  return isAtBank ? 'fiat_payout' : 'chain_withdraw';
}

export function exampleOf(type: WebhookEventType): string {
  if (type === 'card.declined') return declineExample();
  if (isOfRequest(type)) return requestExample(type);
  return isOfTrade(type) ? tradeExample(type) : moneyExample(type);
}

function declineExample(): string {
  return JSON.stringify({
    type: 'card.declined',
    timestamp: '2026-11-27T02:03:04.567Z',
    data: {
      requestId: '019ac3a4-77c0-7d15-8b1e-4f1f6f0e2a31',
      cardId: '019ac3a1-0c5e-7b02-9a3d-2f9be1d0c6aa',
      card: 'Travel',
      lastFour: '4242',
      holderId: '019ac390-4b1a-7f6c-8d21-7c1b6a5e9f02',
      asset: 'HKD',
      amount: '1280.00',
      reason: 'limitDay',
      merchant: { name: 'Sample Hotel', mcc: '7011', city: 'Hong Kong', country: 'HK' },
      merchantAmount: null,
      merchantCurrency: null,
      online: false,
    },
  });
}

function isOfTrade(type: WebhookEventType): type is TradeEventType {
  return type.startsWith('trade.');
}

function tradeExample(type: TradeEventType): string {
  const isOfPayment = type === 'trade.released' || type === 'trade.release_failed' || type === 'trade.release_paid';
  const isFrozen = isOfPayment || ['trade.updated', 'trade.frozen', 'trade.returned', 'trade.disputed'].includes(type);
  const isOver = type === 'trade.cancelled' || type === 'trade.declined';
  const amounts: Partial<Record<TradeEventType, string>> = {
    'trade.frozen': '1000.000000',
    'trade.released': '400.000000',
    'trade.release_failed': '400.000000',
    'trade.release_paid': '400.000000',
    'trade.returned': '100.000000',
  };
  return JSON.stringify({
    type,
    timestamp: '2026-11-27T02:03:04.567Z',
    data: {
      tradeId: '019ac3a4-55f1-7c11-8a55-2f0b8c1f2e77',
      number: 'TG-2026-0042',
      version: type === 'trade.announced' ? 1 : 3,
      side: 'buyer',
      state: isOver ? 'cancelled' : isFrozen ? 'in_progress' : 'created',
      phase: type === 'trade.disputed' ? 'disputed' : isFrozen ? 'shipped' : 'agreed',
      chain: 'ethereum',
      asset: 'USDT',
      quantity: '1000.000000',
      frozen: isFrozen ? (isOfPayment && type !== 'trade.release_failed' ? '600.000000' : '1000.000000') : '0.000000',
      paid: type === 'trade.release_paid' ? '400.000000' : '0.000000',
      paying: type === 'trade.released' ? '400.000000' : '0.000000',
      refunded: type === 'trade.returned' ? '100.000000' : '0.000000',
      amount: amounts[type] ?? null,
      transactionId: isOfPayment ? '019ac3a4-55f1-7c11-8a55-2f0b8c1f2e10' : null,
      note: '',
      payer: {
        name: 'Harbour Trading',
        address: '1 Queen’s Road, Hong Kong',
        wallet: '0x52908400098527886e0f7030069857d2e4169ee7',
      },
      payee: {
        name: 'Delta Textiles',
        address: '8 Renmin Road, Guangzhou',
        wallet: '0x8617e340b3d01fa5f11f306f4090fd50e238070d',
      },
      billOfLading: isFrozen ? 'MAEU2026112701' : null,
      actor: isOver ? null : isFrozen ? 'platform' : 'buyer',
      actBy: isOver ? null : '2026-12-04T02:03:04.567Z',
    },
  });
}

function moneyExample(type: MoneyEventType): string {
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

const requestStateOf: Record<OfRequest, string> = {
  'payment_request.payment_seen': 'processing',
  'payment_request.settled': 'settled',
  'payment_request.unresolved': 'unresolved',
  'payment_request.expired': 'expired',
  'payment_request.cancelled': 'cancelled',
};
const paidOf: Partial<Record<OfRequest, string>> = {
  'payment_request.settled': '1250.00',
  'payment_request.unresolved': '1000.00',
};

function requestExample(type: OfRequest): string {
  const isSeen = type === 'payment_request.payment_seen';
  const paid = paidOf[type] ?? '0.00';
  const isPaid = isSeen || type === 'payment_request.settled';
  return JSON.stringify({
    type,
    timestamp: '2026-11-27T02:03:04.567Z',
    data: {
      requestId: '019ac3a4-61d2-7b20-9f31-5d0c4b7e9a11',
      kind: 'single',
      title: 'Invoice 0042',
      reference: 'INV-2026-0042',
      state: requestStateOf[type],
      causes: type === 'payment_request.unresolved' ? ['underpaid'] : [],
      asset: 'USD',
      amount: '1250.00',
      paid,
      remaining: isPaid ? '0.00' : paid === '0.00' ? '1250.00' : '250.00',
      payment: isSeen
        ? {
            transactionId: '019ac3a4-55f1-7c11-8a55-2f0b8c1f2e10',
            asset: 'USDT',
            amount: '1250.500000',
            chain: 'ethereum',
            hash: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
            accepted: true,
          }
        : null,
      payerName: 'Sample Trading Ltd',
      dueOn: '2026-11-30',
      expiresAt: '2026-12-01T02:00:00.000Z',
      createdAt: '2026-11-26T02:00:00.000Z',
    },
  });
}
