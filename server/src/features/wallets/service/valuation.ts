import type { OutputInput } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { getHistory, getOverview, listWallets } from '@causeway/contract/wallets.ts';
import type { Tx } from '../../../platform/database.ts';
import { type Account, type AccountKind, accountsOf, balancesAt } from '../../ledger/index.ts';
import { findDailyPrices, findPrices, formatUsd, isStale, type Price, percentOf, usdValue } from '../../rates/index.ts';
import { endOfDay, lastDays, totalValue } from '../domain.ts';
import { findWallets, type WalletRow } from '../store.ts';

/** A wallet with its figures, in minor units. */
interface Holding extends WalletRow {
  availableMinor: bigint;
  outboundMinor: bigint;
  inboundMinor: bigint;
  deficitMinor: bigint;
}

const historyDays = 30;

/** The wallets with unit price, value and share; total assets are available + outbound (specification, section 9). */
export async function valueWallets(tx: Tx): Promise<OutputInput<typeof listWallets>> {
  const holdings = await readHoldings(tx);
  const prices = await readPrices(tx);
  const valued = holdings.map((holding) => {
    const price = prices.get(holding.coin) ?? null;
    const quantityMinor = holding.availableMinor + holding.outboundMinor;
    const value = price && usdValue(quantityMinor, holding.decimals, price.usd);
    return { holding, price, quantityMinor, value: value ?? (quantityMinor === 0n ? 0n : null) };
  });
  const total = valued.reduce<bigint | null>(
    (sum, { value }) => (sum === null || value === null ? null : sum + value),
    0n,
  );
  const items = valued.map(({ holding, price, quantityMinor, value }) => {
    const inCoins = (minor: bigint) => formatAmount(minor, holding.decimals);
    return {
      id: holding.id,
      chain: holding.chainId,
      chainName: holding.chainName,
      coin: holding.coin,
      decimals: holding.decimals,
      address: holding.address,
      quantity: inCoins(quantityMinor),
      available: inCoins(holding.availableMinor),
      outbound: inCoins(holding.outboundMinor),
      inbound: inCoins(holding.inboundMinor),
      deficit: inCoins(holding.deficitMinor),
      unitPrice: price?.usd ?? null,
      priceUpdatedAt: price?.updatedAt.toISOString() ?? null,
      value: value === null ? null : formatUsd(value),
      share: value === null || total === null ? null : percentOf(value, total),
      frozen: holding.frozen,
      minimum: inCoins(holding.minimumMinor),
    };
  });
  return { items };
}

/** The company's figures in dollars; a figure is null while something in it has no price. */
export async function valueCompany(tx: Tx, now: Date): Promise<OutputInput<typeof getOverview>> {
  const holdings = await readHoldings(tx);
  const prices = await readPrices(tx);
  const sum = (figure: (holding: Holding) => bigint): string | null => {
    const decimals = new Map(holdings.map(({ coin, decimals }) => [coin, decimals]));
    const total = totalValue(
      holdings.map((holding) => ({ coin: holding.coin, minor: figure(holding) })),
      (coin, minor) => {
        const price = prices.get(coin);
        return price ? usdValue(minor, decimals.get(coin) ?? 0, price.usd) : null;
      },
    );
    return total === null ? null : formatUsd(total);
  };
  const used = holdings.flatMap(({ coin }) => prices.get(coin) ?? []);
  const oldest = used.reduce<Price | null>(
    (oldest, price) => (oldest && oldest.updatedAt <= price.updatedAt ? oldest : price),
    null,
  );
  return {
    currency: 'USD',
    total: sum((holding) => holding.availableMinor + holding.outboundMinor),
    available: sum((holding) => holding.availableMinor),
    outbound: sum((holding) => holding.outboundMinor),
    inbound: sum((holding) => holding.inboundMinor),
    pricesUpdatedAt: oldest?.updatedAt.toISOString() ?? null,
    pricesStale: oldest !== null && isStale(oldest, now),
  };
}

/** The total at the end of each of the last 30 days (UTC) at that day's prices; today's is the one of now. */
export async function valueHistory(tx: Tx, now: Date): Promise<OutputInput<typeof getHistory>> {
  const days = lastDays(now, historyDays);
  const holdings = await findWallets(tx);
  const walletById = new Map(holdings.map((wallet) => [wallet.id, wallet]));
  const accounts = await accountsOf(tx, [...walletById.keys()]);
  const counted = accounts.filter(({ kind }) => kind === 'available' || kind === 'outbound');
  const walletByAccount = new Map(counted.map((account) => [account.id, walletById.get(account.ownerId)]));
  const balances = await balancesAt(tx, [...walletByAccount.keys()], days.map(endOfDay));
  const priceOf = new Map((await findDailyPrices(tx, days)).map(({ coin, day, usd }) => [`${coin} ${day}`, usd]));
  const decimals = new Map(holdings.map((wallet) => [wallet.coin, wallet.decimals]));
  return {
    currency: 'USD',
    days: days.map((date) => {
      const end = endOfDay(date).getTime();
      const total = totalValue(
        balances
          .filter((balance) => balance.at.getTime() === end)
          .map(({ accountId, balanceMinor }) => ({
            coin: walletByAccount.get(accountId)?.coin ?? '',
            minor: balanceMinor,
          })),
        (coin, minor) => {
          const price = priceOf.get(`${coin} ${date}`);
          return price === undefined ? null : usdValue(minor, decimals.get(coin) ?? 0, price);
        },
      );
      return { date, total: total === null ? null : formatUsd(total) };
    }),
  };
}

async function readHoldings(tx: Tx): Promise<Holding[]> {
  const wallets = await findWallets(tx);
  const accounts = await accountsOf(
    tx,
    wallets.map((wallet) => wallet.id),
  );
  const balances = new Map(accounts.map((account) => [keyOf(account.ownerId, account.kind), account.balanceMinor]));
  return wallets.map((wallet) => {
    const balance = (kind: AccountKind) => balances.get(keyOf(wallet.id, kind)) ?? 0n;
    return {
      ...wallet,
      availableMinor: balance('available'),
      outboundMinor: balance('outbound'),
      inboundMinor: balance('inbound'),
      // The account holds it as a negative balance; people read how much is missing.
      deficitMinor: -balance('deficit'),
    };
  });
}

function keyOf(ownerId: string, kind: Account['kind']): string {
  return `${ownerId} ${kind}`;
}

async function readPrices(tx: Tx): Promise<Map<string, Price>> {
  return new Map((await findPrices(tx)).map((price) => [price.coin, price]));
}
