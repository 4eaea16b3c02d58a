import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { ExchangeDetail } from '@causeway/contract/transactions.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { nameOfPlace } from '../../banks/index.ts';
import { inverseOf } from '../domain.ts';
import { type ExchangeRow, readExchange, readPrices } from '../store/exchanges.ts';

/** What is known of the exchange that a transaction is one side of; null: of none. */
export async function exchangeOf(tx: Tx, transactionId: string, locale: Locale): Promise<ExchangeDetail | null> {
  const exchange = await readExchange(tx, transactionId);
  return exchange && detailOf(exchange, locale);
}

/**
 * What mid-market rate and spread these transactions were exchanged by, of those that are a side of an exchange; the rate, as that of the
 * transaction, for one whole unit of its own asset.
 */
export async function pricesOf(
  tx: Tx,
  transactionIds: readonly string[],
): Promise<ReadonlyMap<string, { mid: string; spreadBasisPoints: number }>> {
  const prices = await readPrices(tx, transactionIds);
  return new Map(
    prices.map(({ id, isSold, mid, spreadBasisPoints }) => [
      id,
      { mid: isSold ? mid : inverseOf(mid), spreadBasisPoints },
    ]),
  );
}

function detailOf(exchange: ExchangeRow, locale: Locale): ExchangeDetail {
  const { sell, buy, fixed, boundMinor, rate, executedSoldMinor, executedFeeMinor, executedBoughtMinor } = exchange;
  const amounts = (soldMinor: bigint, feeMinor: bigint, boughtMinor: bigint) => ({
    sold: formatAmount(soldMinor, sell.decimals),
    fee: formatAmount(feeMinor, sell.decimals),
    bought: formatAmount(boughtMinor, buy.decimals),
  });
  const sideOf = ({ walletId, asset, decimals, place }: ExchangeRow['sell']) => ({
    walletId,
    asset,
    decimals,
    placeName: nameOfPlace(place, locale),
  });
  return {
    soldId: exchange.id,
    // What is bought for a payment leaves under the same transaction.
    boughtId: exchange.boughtTransactionId === exchange.id ? null : exchange.boughtTransactionId,
    fixed,
    sell: sideOf(sell),
    buy: sideOf(buy),
    estimated: amounts(exchange.soldMinor, exchange.feeMinor, exchange.boughtMinor),
    actual:
      executedSoldMinor === null || executedFeeMinor === null || executedBoughtMinor === null
        ? null
        : amounts(executedSoldMinor, executedFeeMinor, executedBoughtMinor),
    bound: formatAmount(boundMinor, fixed === 'sell' ? buy.decimals : sell.decimals),
    limit: exchange.limit && { rate: exchange.limit.rate, until: exchange.limit.until.toISOString() },
    rate,
    inverseRate: inverseOf(rate),
    mid: exchange.mid,
    spreadBasisPoints: exchange.spreadBasisPoints,
    feeBasisPoints: exchange.feeBasisPoints,
    sources: exchange.sources,
    otcRequestId: exchange.otcRequestId,
    ratedAt: exchange.ratedAt.toISOString(),
    executedAt: exchange.executedAt?.toISOString() ?? null,
  };
}
