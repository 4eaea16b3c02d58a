import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Transaction, TransactionDetail } from '@causeway/contract/transactions.ts';
import { translate } from '../../../platform/text/texts.ts';
import { nameOfPlace } from '../../banks/index.ts';
import type { TransactionRow } from '../store/reading.ts';

/** What it was worth in US dollars and in the company's base currency when it was written, as far as prices were known. */
export function valuationOf(row: TransactionRow): TransactionDetail['value'] {
  const { valueUsdCents, baseCurrency, baseDecimals, baseValueMinor } = row;
  const base = baseCurrency !== null && baseDecimals !== null && baseValueMinor !== null;
  return {
    usd: valueUsdCents === null ? null : formatAmount(valueUsdCents, 2),
    base: base ? { currency: baseCurrency, amount: formatAmount(baseValueMinor, baseDecimals) } : null,
  };
}

/** What it was exchanged for, and by which rate and quote; null where nothing was. */
export function exchangeOf(row: TransactionRow): TransactionDetail['exchange'] {
  const { counterAsset, counterDecimals, counterQuantityMinor, rate, rateSource, rateAt, quoteId } = row;
  if (counterAsset === null || counterDecimals === null || counterQuantityMinor === null) return null;
  return {
    asset: counterAsset,
    quantity: formatAmount(counterQuantityMinor, counterDecimals),
    rate,
    rateSource,
    rateAt: rateAt?.toISOString() ?? null,
    quoteId,
  };
}

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
    placeName: nameOfPlace(row.place, locale),
    walletId: row.walletId,
    quantity,
    direction: row.direction,
    fee: formatAmount(row.feeMinor, row.decimals),
    description: row.description || translate(locale, `transaction.type.${row.type}`),
    payer: { name: row.payerName, account: row.payerAccount },
    payee: { name: row.payeeName, account: row.payeeAccount },
    payeeId: row.payeeId,
    exchangeRate: row.rate,
    // The fee comes on top (decisions, "Wallets and chains"): what is sent is what arrives.
    estimatedCredited: row.status === 'failed' ? null : quantity,
    actualCredited: row.status === 'completed' ? quantity : null,
    hash: row.hash,
    confirmations: row.confirmations,
    confirmationsNeeded: row.hash === null ? null : row.confirmationsNeeded,
    initiator: row.initiatorName,
    relatedId: row.relatedId,
    invoiceNumber: row.invoiceNumber,
    category: row.category,
  };
}
