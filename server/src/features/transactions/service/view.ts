import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Transaction, TransactionDetail, TransactionValue } from '@causeway/contract/transactions.ts';
import { translate } from '../../../platform/text/texts.ts';
import { nameOfPlace } from '../../banks/index.ts';
import { crossPrice, formatUsd, inCurrency } from '../../rates/index.ts';
import type { RateThen, TransactionRow } from '../store/reading.ts';

/**
 * What it was worth when it was written, as far as prices were known: in US dollars, and in the currency that is the company's base
 * currency now. If that was the base currency then, the value is the one that was kept. If not, it is that of the US dollars by the
 * day's exchange rate (decisions, "Base currency").
 */
export function valuationOf(row: TransactionRow): TransactionValue {
  const { valueUsdCents, price, booksIn } = row;
  return {
    usd: valueUsdCents === null ? null : formatUsd(valueUsdCents),
    price: price && { rate: price.usd, source: price.source, at: instantOf(price.at) },
    base: { currency: booksIn.currency, ...valueInBase(row) },
  };
}

function valueInBase(row: TransactionRow): Omit<TransactionValue['base'], 'currency'> {
  const { valueUsdCents, price, baseCurrency, baseValueMinor, baseRate, booksIn } = row;
  const { currency, decimals, dayRate } = booksIn;
  const said = (minor: bigint, rate: RateThen | null, rateOf: 'moment' | 'day') => ({
    amount: formatAmount(minor, decimals),
    rate: price && rate && joined(price, rate),
    rateOf,
  });
  if (baseCurrency === currency && baseValueMinor !== null) return said(baseValueMinor, baseRate, 'moment');
  if (valueUsdCents === null) return { amount: null, rate: null, rateOf: null };
  if (currency === 'USD') {
    const byDefinition = price && { usd: '1', source: price.source, at: price.at };
    return said(valueUsdCents, byDefinition, 'moment');
  }
  if (dayRate === null) return { amount: null, rate: null, rateOf: null };
  return said(inCurrency(valueUsdCents, decimals, dayRate.usd), dayRate, 'day');
}

/** A coin's price in the base currency: by the prices of both in US dollars, as old as the older of them. */
function joined(price: RateThen, base: RateThen): TransactionValue['base']['rate'] {
  const named = [price.source, base.source].filter((source) => source !== 'definition');
  const [one, other] = [instantOf(price.at), instantOf(base.at)];
  return {
    rate: crossPrice(price.usd, base.usd),
    source: [...new Set(named)].join(', ') || 'definition',
    at: one < other ? one : other,
  };
}

/** PostgreSQL writes instants in JSON with microseconds and an offset. */
function instantOf(text: string): string {
  return new Date(text).toISOString();
}

/** The value as it was kept in the base currency of then, where the company has another now. */
export function recordedValueOf({ baseCurrency, baseDecimals, baseValueMinor, booksIn }: TransactionRow) {
  if (baseCurrency === null || baseDecimals === null || baseValueMinor === null) return null;
  if (baseCurrency === booksIn.currency || baseCurrency === 'USD') return null;
  return { currency: baseCurrency, amount: formatAmount(baseValueMinor, baseDecimals) };
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

/** A deposit that is seen and in no block yet. */
export function waitsForBlock({ status, stage, blockNumber }: TransactionRow): boolean {
  return status === 'pending' && stage === 'seen' && blockNumber === null;
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
    payeeChangedUntil: row.payeeChangedUntil?.toISOString() ?? null,
    exchangeRate: row.rate,
    // The fee comes on top (decisions, "Wallets and chains"): what is sent is what arrives.
    estimatedCredited: row.status === 'failed' ? null : quantity,
    actualCredited: row.status === 'completed' ? quantity : null,
    hash: row.hash,
    confirmations: waitsForBlock(row) ? null : row.confirmations,
    confirmationsNeeded: row.hash === null ? null : row.confirmationsNeeded,
    initiator: row.initiatorName,
    value: valuationOf(row),
    relatedId: row.relatedId,
    invoiceNumber: row.invoiceNumber,
    category: row.category,
  };
}

/** "Travel ·· 4242" */
export function nameOfCard({ name, lastFour }: NonNullable<TransactionDetail['card']>): string {
  return [name, lastFour].filter(Boolean).join(' ·· ');
}

export function isByCard(type: Transaction['type']): boolean {
  return type === 'card_payment' || type === 'card_refund';
}
