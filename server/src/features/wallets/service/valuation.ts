import type { OutputInput } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { getOverview, listWallets } from '@causeway/contract/wallets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { findArriving } from '../../banks/index.ts';
import { sayFreeze } from '../../identity/index.ts';
import { type Account, type AccountKind, accountsOf, watchesOf } from '../../ledger/index.ts';
import { findPrices, formatUsd, isStale, type Price, percentOf, usdValue } from '../../rates/index.ts';
import { totalValue } from '../domain.ts';
import { findWallets, type WalletRow } from '../store.ts';
import { type Books, readBooks } from './books.ts';
import { describePlace } from './place.ts';

/** A wallet with its figures, in minor units. */
export interface Holding extends WalletRow {
  availableMinor: bigint;
  outboundMinor: bigint;
  inboundMinor: bigint;
  escrowMinor: bigint;
  deficitMinor: bigint;
}

/** What of a wallet is the company's, wherever it is in it; what is only seen is not. */
export function heldIn({ availableMinor, outboundMinor, escrowMinor }: Holding): bigint {
  return availableMinor + outboundMinor + escrowMinor;
}

/** The wallets with unit price, value and share; total assets are available + outbound + escrow (decisions, "Ledger"). */
export async function valueWallets(
  tx: Tx,
  { locale }: Pick<SignedInContext, 'locale'>,
): Promise<OutputInput<typeof listWallets>> {
  const holdings = await readHoldings(tx);
  const prices = await readPrices(tx);
  const books = await readBooks(tx, prices);
  const watches = await watchesOf(
    tx,
    holdings.map(({ id }) => id),
    'available',
  );
  const valued = holdings.map((holding) => {
    const price = prices.get(holding.asset) ?? null;
    const quantityMinor = heldIn(holding);
    const value = price && usdValue(quantityMinor, holding.decimals, price.usd);
    return { holding, price, quantityMinor, value: value ?? (quantityMinor === 0n ? 0n : null) };
  });
  const total = valued.reduce<bigint | null>(
    (sum, { value }) => (sum === null || value === null ? null : sum + value),
    0n,
  );
  const items = valued.map(({ holding, price, quantityMinor, value }) => {
    const watched = watches.get(holding.id);
    const inUnits = (minor: bigint) => formatAmount(minor, holding.decimals);
    const inBooks = (cents: bigint | null) => {
      const minor = cents === null ? null : books.convert(cents);
      return minor === null ? null : formatAmount(minor, books.decimals);
    };
    return {
      id: holding.id,
      asset: holding.asset,
      decimals: holding.decimals,
      place: describePlace(holding, locale),
      quantity: inUnits(quantityMinor),
      available: inUnits(holding.availableMinor),
      outbound: inUnits(holding.outboundMinor),
      inbound: inUnits(holding.inboundMinor),
      escrow: inUnits(holding.escrowMinor),
      deficit: inUnits(holding.deficitMinor),
      unitPrice: price?.usd ?? null,
      priceUpdatedAt: price?.updatedAt.toISOString() ?? null,
      value: value === null ? null : formatUsd(value),
      base: {
        currency: books.currency,
        unitPrice: price && books.rate(price.usd),
        value: inBooks(value),
      },
      share: value === null || total === null ? null : percentOf(value, total),
      frozen: holding.frozen,
      withdrawalsPaused: holding.withdrawalsPaused,
      depositsPaused: holding.depositsPaused,
      frozenBy: sayFreeze(holding.freeze, locale),
      minimum: inUnits(holding.minimumMinor),
      alertBelow: watched === undefined ? null : inUnits(watched),
    };
  });
  return { items };
}

/** The company's figures in its base currency; a figure is null while something in it has no price. */
export async function valueCompany(tx: Tx, { clock }: SignedInContext): Promise<OutputInput<typeof getOverview>> {
  const holdings = await readHoldings(tx);
  const prices = await readPrices(tx);
  return figuresOf(holdings, prices, await readBooks(tx, prices), clock.now());
}

/** Each wallet's total and what of it is on its way out or frozen are rounded; what is available is the rest, so that the figures add up. */
export function figuresOf(
  holdings: readonly Holding[],
  prices: ReadonlyMap<string, Price>,
  books: Books,
  now: Date,
): OutputInput<typeof getOverview> {
  const sum = (figure: (holding: Holding) => bigint): bigint | null => {
    const cents = totalValue(
      holdings.map((holding) => ({ asset: holding.asset, decimals: holding.decimals, minor: figure(holding) })),
      (asset) => prices.get(asset)?.usd,
    );
    return cents === null ? null : books.convert(cents);
  };
  const total = sum(heldIn);
  const outbound = sum((holding) => holding.outboundMinor);
  const escrow = sum((holding) => holding.escrowMinor);
  const used = [...holdings.map(({ asset }) => asset), ...books.pricedBy].flatMap((asset) => prices.get(asset) ?? []);
  const oldest = used.reduce<Price | null>(
    (oldest, price) => (oldest && oldest.updatedAt <= price.updatedAt ? oldest : price),
    null,
  );
  const written = (minor: bigint | null) => (minor === null ? null : formatAmount(minor, books.decimals));
  return {
    currency: books.currency,
    total: written(total),
    available: total === null || outbound === null || escrow === null ? null : written(total - outbound - escrow),
    outbound: written(outbound),
    escrow: written(escrow),
    inbound: written(sum((holding) => holding.inboundMinor)),
    pricesUpdatedAt: oldest?.updatedAt.toISOString() ?? null,
    pricesStale: oldest !== null && isStale(oldest, now),
  };
}

export async function readHoldings(tx: Tx): Promise<Holding[]> {
  const wallets = await findWallets(tx);
  const accounts = await accountsOf(
    tx,
    wallets.map((wallet) => wallet.id),
  );
  const arriving = wallets.some(({ bank }) => bank !== null) ? await findArriving(tx) : new Map<string, bigint>();
  const balances = new Map(accounts.map((account) => [keyOf(account.ownerId, account.kind), account.balanceMinor]));
  return wallets.map((wallet) => {
    const balance = (kind: AccountKind) => balances.get(keyOf(wallet.id, kind)) ?? 0n;
    return {
      ...wallet,
      availableMinor: balance('available'),
      outboundMinor: balance('outbound'),
      escrowMinor: balance('escrow'),
      // What a bank has announced is in no posting before it is there.
      inboundMinor: balance('inbound') + (arriving.get(`${wallet.bank?.id}/${wallet.asset}`) ?? 0n),
      // The account holds it as a negative balance; people read how much is missing.
      deficitMinor: -balance('deficit'),
    };
  });
}

function keyOf(ownerId: string, kind: Account['kind']): string {
  return `${ownerId} ${kind}`;
}

export async function readPrices(tx: Tx): Promise<Map<string, Price>> {
  return new Map((await findPrices(tx)).map((price) => [price.asset, price]));
}
