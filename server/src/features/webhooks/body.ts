import { formatAmount } from '@causeway/contract/money.ts';
import { endStatuses, statusAt } from '@causeway/contract/transactions-lives.ts';
import type { WebhookEventType } from '@causeway/contract/webhooks-rules.ts';
import type { TransactionRow } from '../transactions/index.ts';
import type { ReachedStage } from './store/events.ts';

/**
 * The body of an event, as docs/WEBHOOKS.md describes it: type, time, and the transaction as it was at that stage. Fields are added and never renamed or removed.
 * Amounts are plain decimals in whole units. No text of it is in a language, but for those that people wrote.
 */
export function bodyOf(type: WebhookEventType, row: TransactionRow, { stage, at }: ReachedStage): string {
  const { decimals, chainId, place, counterAsset, counterQuantityMinor, counterDecimals } = row;
  const hasEnded = stage in endStatuses;
  return JSON.stringify({
    type,
    timestamp: at.toISOString(),
    data: {
      transactionId: row.id,
      kind: row.type,
      direction: row.direction,
      status: statusAt(stage),
      stage,
      asset: row.coin,
      amount: formatAmount(row.quantityMinor, decimals),
      fee: formatAmount(row.feeMinor, decimals),
      exchange:
        counterAsset === null || counterQuantityMinor === null || counterDecimals === null
          ? null
          : { asset: counterAsset, amount: formatAmount(counterQuantityMinor, counterDecimals), rate: row.rate },
      walletId: row.walletId,
      chain: chainId,
      bank: chainId === null ? place.name : null,
      payer: { name: row.payerName, account: row.payerAccount },
      payee: { id: row.payeeId, name: row.payeeName, account: row.payeeAccount },
      hash: row.hash,
      blockNumber: row.blockNumber,
      bankReference: row.bankReference,
      endToEndId: row.endToEndId,
      uetr: row.uetr,
      valueDate: row.valueDate,
      invoiceNumber: row.invoiceNumber,
      category: row.category,
      notes: row.notes,
      reason: row.status === 'failed' && hasEnded ? reasonOf(row) : null,
      relatedTransactionId: row.relatedId,
      createdAt: row.createdAt.toISOString(),
      completedAt: hasEnded ? (row.completedAt?.toISOString() ?? null) : null,
    },
  });
}

/** The code of the reason, and the bank's own code and words where a bank gave one. */
function reasonOf({ failureReason, bankReason, bankWords }: TransactionRow) {
  return { code: failureReason?.replace(/^stage\.reason\./, '') ?? null, bankCode: bankReason, bankWords };
}

/** What a test sends: a receiver can tell it by its type and has nothing to book. */
export function testBody(at: Date): string {
  return JSON.stringify({
    type: 'webhook.test',
    timestamp: at.toISOString(),
    data: { message: 'A test event of Causeway: it is about no transaction.' },
  });
}
