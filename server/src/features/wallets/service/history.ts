import type { OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { getHistory } from '@causeway/contract/wallets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { accountsOf, balancesAt, flowsSince } from '../../ledger/index.ts';
import { findCompanySettings } from '../../organisation/index.ts';
import { findDailyPrices } from '../../rates/index.ts';
import { type Balance, paid, totalValue } from '../domain.ts';
import { type Day, findDays } from '../store/days.ts';
import { readBooks } from './books.ts';
import { figuresOf, type Holding, heldIn, readHoldings, readPrices } from './valuation.ts';

const usualDays = 30;

const countedKinds: ReadonlySet<string> = new Set(['available', 'outbound', 'escrow']);

/** Values the balances of one day, in minor units of the books' currency; null when a price is not known. */
type Valuer = (balances: readonly Balance[]) => bigint | null;

/**
 * The total at the end of the days of a period, and what of its change was paid in, paid out, and made by prices. The last day is the one of
 * now and has the overview's own total; what was paid is valued at the prices of its day, and prices made the rest.
 */
export async function valueHistory(
  tx: Tx,
  { clock }: SignedInContext,
  query: Query<typeof getHistory>,
): Promise<OutputInput<typeof getHistory>> {
  const now = clock.now();
  const { timeZone } = await findCompanySettings(tx);
  const days = await findDays(tx, timeZone, now, Number(query.days ?? usualDays));
  const holdings = await readHoldings(tx);
  const prices = await readPrices(tx);
  const books = await readBooks(tx, prices);
  const write = (minor: bigint) => formatAmount(minor, books.decimals);
  const dailyPrices = await findDailyPrices(
    tx,
    days.slice(0, -1).map(({ date }) => date),
  );
  const daily = new Map(dailyPrices.map(({ asset, day, usd }) => [`${asset} ${day}`, usd]));
  const valuers = days.map(({ date }, index): Valuer => {
    const isNow = index === days.length - 1;
    return (balances) => {
      const cents = totalValue(balances, (asset) => (isNow ? prices.get(asset)?.usd : daily.get(`${asset} ${date}`)));
      return cents === null
        ? null
        : books.convert(cents, isNow ? undefined : (daily.get(`${books.currency} ${date}`) ?? null));
    };
  });

  const accounts = await countedAccounts(tx, holdings);
  const totals = await totalsOf(tx, { days, holdings, accounts, valuers });
  const change = await changeOf(tx, { days, holdings, accounts, valuers, totals });
  return {
    overview: figuresOf(holdings, prices, books, now),
    days: days.map(({ date }, index) => {
      const total = totals[index] ?? null;
      return { date, total: total === null ? null : write(total) };
    }),
    change: change && {
      total: write(change.total),
      paidIn: write(change.paidIn),
      paidOut: write(change.paidOut),
      prices: write(change.total - change.paidIn + change.paidOut),
    },
  };
}

interface Period {
  days: readonly Day[];
  holdings: readonly Holding[];
  /** The wallet of each account that counts in the total. */
  accounts: ReadonlyMap<string, Holding>;
  /** By the day's place. */
  valuers: readonly Valuer[];
}

/** The accounts that count in the total, each with its wallet. */
async function countedAccounts(tx: Tx, holdings: readonly Holding[]): Promise<Map<string, Holding>> {
  const byId = new Map(holdings.map((holding) => [holding.id, holding]));
  const accounts = await accountsOf(tx, [...byId.keys()]);
  return new Map(
    accounts.flatMap(({ id, ownerId, kind }) => {
      const holding = byId.get(ownerId);
      return holding && countedKinds.has(kind) ? [[id, holding] as const] : [];
    }),
  );
}

async function totalsOf(tx: Tx, { days, holdings, accounts, valuers }: Period): Promise<(bigint | null)[]> {
  const past = days.slice(0, -1);
  const found = await balancesAt(
    tx,
    [...accounts.keys()],
    past.map(({ end }) => end),
  );
  const held = new Map<string, bigint>();
  for (const { accountId, at, balanceMinor } of found) {
    const wallet = accounts.get(accountId);
    invariant(wallet, 'a balance is of an account that was asked for');
    const key = `${wallet.id} ${at.getTime()}`;
    held.set(key, (held.get(key) ?? 0n) + balanceMinor);
  }
  const minorAt = (holding: Holding, day: Day, isNow: boolean) =>
    isNow ? heldIn(holding) : (held.get(`${holding.id} ${day.end.getTime()}`) ?? 0n);
  return days.map((day, index) => {
    const isNow = index === past.length;
    const balances = holdings.map((each) => ({
      asset: each.asset,
      decimals: each.decimals,
      minor: minorAt(each, day, isNow),
    }));
    return valuers[index]?.(balances) ?? null;
  });
}

async function changeOf(
  tx: Tx,
  { days, holdings, valuers, totals }: Period & { totals: readonly (bigint | null)[] },
): Promise<{ total: bigint; paidIn: bigint; paidOut: bigint } | null> {
  const opening = totals[0] ?? null;
  const closing = totals.at(-1) ?? null;
  if (opening === null || closing === null) return null;
  // A day begins when the one before it ends; the first of the days is over before the period.
  const begins = days.slice(0, -1).map(({ end }) => end);
  const byId = new Map(holdings.map((holding) => [holding.id, holding]));
  let paidIn = 0n;
  let paidOut = 0n;
  for (const flow of await flowsSince(tx, [...byId.keys()], begins)) {
    const wallet = byId.get(flow.ownerId);
    const valuer = valuers[flow.span + 1];
    invariant(wallet && valuer, 'money moved in a wallet and on a day that were asked for');
    const { inMinor, outMinor } = paid(flow);
    const worthOf = (minor: bigint) => valuer([{ asset: wallet.asset, decimals: wallet.decimals, minor }]);
    const [came, went] = [worthOf(inMinor), worthOf(outMinor)];
    if (came === null || went === null) return null;
    paidIn += came;
    paidOut += went;
  }
  return { total: closing - opening, paidIn, paidOut };
}
