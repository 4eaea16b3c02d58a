import type { OutputInput } from '@causeway/contract/call.ts';
import { currencies } from '@causeway/contract/currencies.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { valuationCurrency } from '@causeway/contract/rates.ts';
import type { getHistory, getOverview, listWallets } from '@causeway/contract/wallets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { type Account, type AccountKind, accountsOf, balancesAt } from '../../ledger/index.ts';
import { findCompanySettings } from '../../organisation/index.ts';
import {
  crossPrice,
  findDailyPrices,
  findPrices,
  formatUsd,
  inCurrency,
  isStale,
  type Price,
  percentOf,
  usdValue,
} from '../../rates/index.ts';
import { endOfDay, lastDays, totalValue } from '../domain.ts';
import { findWallets, type WalletRow } from '../store.ts';
import { describePlace } from './place.ts';

/** A wallet with its figures, in minor units. */
interface Holding extends WalletRow {
  availableMinor: bigint;
  outboundMinor: bigint;
  inboundMinor: bigint;
  deficitMinor: bigint;
}

const historyDays = 30;

/** The wallets with unit price, value and share; total assets are available + outbound (decisions, "Ledger"). */
export async function valueWallets(tx: Tx, { locale }: SignedInContext): Promise<OutputInput<typeof listWallets>> {
  const holdings = await readHoldings(tx);
  const prices = await readPrices(tx);
  const books = await readBooks(tx, prices);
  const valued = holdings.map((holding) => {
    const price = prices.get(holding.asset) ?? null;
    const quantityMinor = holding.availableMinor + holding.outboundMinor;
    const value = price && usdValue(quantityMinor, holding.decimals, price.usd);
    return { holding, price, quantityMinor, value: value ?? (quantityMinor === 0n ? 0n : null) };
  });
  const total = valued.reduce<bigint | null>(
    (sum, { value }) => (sum === null || value === null ? null : sum + value),
    0n,
  );
  const items = valued.map(({ holding, price, quantityMinor, value }) => {
    const inUnits = (minor: bigint) => formatAmount(minor, holding.decimals);
    return {
      id: holding.id,
      asset: holding.asset,
      decimals: holding.decimals,
      place: describePlace(holding, locale),
      quantity: inUnits(quantityMinor),
      available: inUnits(holding.availableMinor),
      outbound: inUnits(holding.outboundMinor),
      inbound: inUnits(holding.inboundMinor),
      deficit: inUnits(holding.deficitMinor),
      unitPrice: price?.usd ?? null,
      priceUpdatedAt: price?.updatedAt.toISOString() ?? null,
      value: value === null ? null : formatUsd(value),
      base: {
        currency: books.currency,
        unitPrice: price && books.rate(price.usd),
        value: value === null ? null : books.amount(value),
      },
      share: value === null || total === null ? null : percentOf(value, total),
      frozen: holding.frozen,
      minimum: inUnits(holding.minimumMinor),
    };
  });
  return { items };
}

/** The company's figures in its base currency; a figure is null while something in it has no price. */
export async function valueCompany(tx: Tx, { clock }: SignedInContext): Promise<OutputInput<typeof getOverview>> {
  const holdings = await readHoldings(tx);
  const prices = await readPrices(tx);
  const books = await readBooks(tx, prices);
  const sum = (figure: (holding: Holding) => bigint): string | null => {
    const total = totalValue(
      holdings.map((holding) => ({ asset: holding.asset, decimals: holding.decimals, minor: figure(holding) })),
      (asset) => prices.get(asset)?.usd,
    );
    return total === null ? null : books.amount(total);
  };
  const used = [...holdings.map(({ asset }) => asset), ...books.pricedBy].flatMap((asset) => prices.get(asset) ?? []);
  const oldest = used.reduce<Price | null>(
    (oldest, price) => (oldest && oldest.updatedAt <= price.updatedAt ? oldest : price),
    null,
  );
  return {
    currency: books.currency,
    total: sum((holding) => holding.availableMinor + holding.outboundMinor),
    available: sum((holding) => holding.availableMinor),
    outbound: sum((holding) => holding.outboundMinor),
    inbound: sum((holding) => holding.inboundMinor),
    pricesUpdatedAt: oldest?.updatedAt.toISOString() ?? null,
    pricesStale: oldest !== null && isStale(oldest, clock.now()),
  };
}

/**
 * The total at the end of each of the last 30 days (UTC) at that day's prices, in the base currency at that day's exchange rate;
 * today's is the one of now.
 */
export async function valueHistory(tx: Tx, { clock }: SignedInContext): Promise<OutputInput<typeof getHistory>> {
  const days = lastDays(clock.now(), historyDays);
  const holdings = await findWallets(tx);
  const walletById = new Map(holdings.map((wallet) => [wallet.id, wallet]));
  const accounts = await accountsOf(tx, [...walletById.keys()]);
  const counted = accounts.filter(({ kind }) => kind === 'available' || kind === 'outbound');
  const walletByAccount = new Map(counted.map((account) => [account.id, walletById.get(account.ownerId)]));
  const balances = await balancesAt(tx, [...walletByAccount.keys()], days.map(endOfDay));
  const priceOf = new Map((await findDailyPrices(tx, days)).map(({ asset, day, usd }) => [`${asset} ${day}`, usd]));
  const books = await readBooks(tx, await readPrices(tx));
  return {
    currency: books.currency,
    days: days.map((date) => {
      const end = endOfDay(date).getTime();
      const total = totalValue(
        balances
          .filter((balance) => balance.at.getTime() === end)
          .map(({ accountId, balanceMinor }) => {
            const wallet = walletByAccount.get(accountId);
            invariant(wallet, 'a balance is of an account that was asked for');
            return { asset: wallet.asset, decimals: wallet.decimals, minor: balanceMinor };
          }),
        (asset) => priceOf.get(`${asset} ${date}`),
      );
      const rate = total === 0n ? '1' : priceOf.get(`${books.currency} ${date}`);
      return { date, total: total === null || rate === undefined ? null : books.amount(total, rate) };
    }),
  };
}

/**
 * The currency in which the company's figures are shown: its base currency, or US dollars as long as no rate of it is known.
 * `amount` writes US cents in it, `rate` a price of something in US dollars.
 */
async function readBooks(tx: Tx, prices: ReadonlyMap<string, Price>) {
  const { baseCurrency } = await findCompanySettings(tx);
  const known = prices.get(baseCurrency);
  const currency = known === undefined ? valuationCurrency : baseCurrency;
  const current = known?.usd ?? '1';
  const { decimals } = currencies[currency];
  return {
    currency,
    /** The assets whose prices its figures depend on, beside those of the wallets. */
    pricedBy: currency === valuationCurrency ? [] : [currency],
    amount: (cents: bigint, usdPerUnit = current) =>
      formatAmount(currency === valuationCurrency ? cents : inCurrency(cents, decimals, usdPerUnit), decimals),
    rate: (usd: string) => (currency === valuationCurrency ? usd : crossPrice(usd, current)),
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
  return new Map((await findPrices(tx)).map((price) => [price.asset, price]));
}
