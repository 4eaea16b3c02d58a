import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Transaction } from '@causeway/contract/transfers.ts';
import { translate } from '../../../platform/texts.ts';
import type { TransactionRow } from '../store/reading.ts';

/** A transaction as the contract shows it. */
export function asTransaction(row: TransactionRow, locale: Locale): Transaction {
  const quantity = formatAmount(row.quantityMinor, row.decimals);
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    stage: row.stage,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
    coin: row.coin,
    decimals: row.decimals,
    chain: row.chainId,
    chainName: row.chainName,
    walletId: row.walletId,
    quantity,
    direction: row.direction,
    fee: formatAmount(row.feeMinor, row.decimals),
    description: row.description || translate(locale, `transaction.type.${row.type}`),
    payer: { name: row.payerName, account: row.payerAccount },
    payee: { name: row.payeeName, account: row.payeeAccount },
    payeeId: row.payeeId,
    exchangeRate: null,
    // The fee comes on top (decisions, "Wallets and chains"): what is sent is what arrives.
    estimatedCredited: row.status === 'failed' ? null : quantity,
    actualCredited: row.status === 'completed' ? quantity : null,
    hash: row.hash,
    confirmations: row.confirmations,
    confirmationsNeeded: row.hash === null ? null : row.confirmationsNeeded,
    initiator: row.initiatorName,
    relatedId: row.relatedId,
  };
}
