import { currencies } from '@causeway/contract/currencies.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { BaseCurrency } from '@causeway/contract/organisation-rules.ts';
import { periodOf } from '@causeway/contract/statements-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { RequestContext } from '../../../platform/session.ts';
import { nameOfPlace } from '../../banks/index.ts';
import { balancesAt, type FlowSums, sumBetween } from '../../ledger/index.ts';
import { findCompanySettings } from '../../organisation/index.ts';
import { inCurrency, usdValue } from '../../rates/index.ts';
import { findWallets, type WalletRow } from '../../wallets/index.ts';
import type { Balances, Place, Span } from '../domain.ts';
import { findMidnights, findPricesOf, findStatementAccounts, findToday, type StatementAccounts } from '../store.ts';

/** The days of a statement as they are asked for. */
export interface PeriodRequest {
  from?: string | undefined;
  to?: string | undefined;
}

/** A period of a company: what was posted from `opensAt` up to `closesAt`. */
export interface OpenPeriod {
  from: string;
  to: string;
  timeZone: string;
  opensAt: Date;
  closesAt: Date;
  isFinal: boolean;
  /** Whether nothing can be added any more to what was before it. */
  isOpeningFinal: boolean;
}

/** One wallet's part: where it begins and ends in the ledger. Balances and values in minor units. */
export interface WalletSpan {
  wallet: WalletRow;
  placeName: string;
  accounts: StatementAccounts;
  span: Span;
  opening: Balances;
  closing: Balances;
  isNew: boolean;
  /** In the base currency; null where a price is not known. */
  openingValueMinor: bigint | null;
  closingValueMinor: bigint | null;
}

export interface OpenStatements {
  period: OpenPeriod;
  currency: BaseCurrency;
  /** Of the base currency. */
  decimals: number;
  wallets: WalletSpan[];
}

/** A posting bears the time at which it locked its accounts, and is seen when its transaction has ended: well within this. */
const settlingMs = 60_000;

/**
 * Where a period begins and ends in the books of the company's wallets, or of one: the ends are fixed by this, whatever is posted
 * while the statement is read. A wallet that was opened after the period is left out of the company's.
 * @throws DomainError walletNotFound
 */
export async function openStatements(
  tx: Tx,
  { locale, clock }: Pick<RequestContext, 'locale' | 'clock'>,
  request: PeriodRequest,
  walletId: string | null,
): Promise<OpenStatements> {
  const { timeZone, baseCurrency } = await findCompanySettings(tx);
  const now = clock.now();
  const period = await openPeriod(tx, timeZone, request, now);
  const wallets = await findWallets(tx, walletId);
  if (walletId !== null && wallets.length === 0) throw new DomainError('walletNotFound');
  const accounts = await findStatementAccounts(
    tx,
    wallets.map(({ id }) => id),
  );
  const spans = await findSpans(tx, [...accounts.values()], period);
  const { decimals } = currencies[baseCurrency];
  const priced = await openPrices(tx, wallets, { currency: baseCurrency, decimals }, period, now);
  const opened = wallets.flatMap((wallet): WalletSpan[] => {
    const own = accounts.get(wallet.id);
    invariant(own, 'a wallet has its accounts');
    const found = spans.get(own.availableId);
    invariant(found, 'the places of every account were asked for');
    if (walletId === null && own.openedAt >= period.closesAt) return [];
    return [
      {
        wallet,
        placeName: placeOf(wallet, locale),
        accounts: own,
        ...found,
        isNew: own.openedAt >= period.opensAt && own.openedAt < period.closesAt,
        openingValueMinor: priced(wallet, ledgerBalance(found.opening), 'opening'),
        closingValueMinor: priced(wallet, ledgerBalance(found.closing), 'closing'),
      },
    ];
  });
  return { period, currency: baseCurrency, decimals, wallets: opened };
}

export function ledgerBalance({ availableMinor, onHoldMinor }: Balances): bigint {
  return availableMinor + onHoldMinor;
}

/** What came in, went out and was taken as fees. */
export function sumWallet(tx: Tx, { wallet, span }: WalletSpan): Promise<FlowSums> {
  const placeOf = ({ available, onHold }: Place) => ({ available, outbound: onHold });
  return sumBetween(tx, wallet.id, placeOf(span.from), placeOf(span.to));
}

async function openPeriod(tx: Tx, timeZone: string, { from, to }: PeriodRequest, now: Date): Promise<OpenPeriod> {
  const asked = { from: from ?? to, to: to ?? from };
  const days =
    asked.from !== undefined && asked.to !== undefined
      ? { from: asked.from, to: asked.to }
      : periodOf('month', await findToday(tx, timeZone, now));
  const midnights = await findMidnights(tx, timeZone, days);
  const isOver = (instant: Date) => instant.getTime() + settlingMs <= now.getTime();
  const { opensAt, closesAt } = midnights;
  return { ...days, timeZone, ...midnights, isFinal: isOver(closesAt), isOpeningFinal: isOver(opensAt) };
}

/** By available account: all places are read by one statement, so that they are of one moment. */
async function findSpans(tx: Tx, accounts: readonly StatementAccounts[], { opensAt, closesAt }: OpenPeriod) {
  const ids = accounts.flatMap(({ availableId, onHoldId }) => [availableId, onHoldId]);
  const found = await balancesAt(tx, ids, [opensAt, closesAt]);
  const at = new Map(found.map((place) => [`${place.accountId} ${place.at.getTime()}`, place]));
  const place = (accountId: string, instant: Date) => {
    const known = at.get(`${accountId} ${instant.getTime()}`);
    invariant(known, 'every account has a balance at every instant');
    return known;
  };
  return new Map(
    accounts.map(({ availableId, onHoldId }) => {
      const [opens, closes] = [opensAt, closesAt].map((instant) => ({
        available: place(availableId, instant),
        onHold: place(onHoldId, instant),
      }));
      invariant(opens && closes, 'a period has two ends');
      const balances = ({ available, onHold }: typeof opens) => ({
        availableMinor: available.balanceMinor,
        onHoldMinor: onHold.balanceMinor,
      });
      const places = ({ available, onHold }: typeof opens) => ({
        available: available.sequence,
        onHold: onHold.sequence,
      });
      const span = { from: places(opens), to: places(closes) };
      return [availableId, { span, opening: balances(opens), closing: balances(closes) }] as const;
    }),
  );
}

/** Values balances at both ends of the period: by the last prices of the days (UTC) that hold its first and its last moment. */
async function openPrices(
  tx: Tx,
  wallets: readonly WalletRow[],
  books: { currency: BaseCurrency; decimals: number },
  { opensAt, closesAt }: OpenPeriod,
  now: Date,
) {
  const dayBefore = (instant: Date) =>
    new Date(Math.min(instant.getTime(), now.getTime()) - 1).toISOString().slice(0, 10);
  const days = { opening: dayBefore(opensAt), closing: dayBefore(closesAt) };
  const assets = [...new Set([books.currency, ...wallets.map(({ asset }) => asset)])];
  const prices = await findPricesOf(tx, assets, Object.values(days));
  return ({ asset, decimals }: WalletRow, minor: bigint, end: keyof typeof days): bigint | null => {
    if (minor === 0n) return 0n;
    const [price, rate] = [prices.get(`${asset} ${days[end]}`), prices.get(`${books.currency} ${days[end]}`)];
    if (price === undefined || rate === undefined) return null;
    const cents = usdValue(minor, decimals, price);
    return books.currency === 'USD' ? cents : inCurrency(cents, books.decimals, rate);
  };
}

function placeOf({ chain, bank }: WalletRow, locale: Locale): string {
  if (chain !== null) return chain.name;
  invariant(bank, 'a wallet is on a chain or at a bank');
  return nameOfPlace(bank, locale);
}
