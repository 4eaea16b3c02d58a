import type { OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type * as calls from '@causeway/contract/operator-exchange.ts';
import { nearLimitPercent, profitDays } from '@causeway/contract/operator-exchange-rules.ts';
import { Decimal } from 'decimal.js';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { OperatorContext } from '../../../platform/session.ts';
import { hasText, translate } from '../../../platform/text/texts.ts';
import { findDays, findPositions, type Position, profitByDay } from '../../exchange/index.ts';
import { findDailyPrices, findMids, formatUsd, usdValue } from '../../rates/index.ts';
import { findAssets } from '../pricing/store.ts';
import {
  findFills,
  findHedge,
  findPositionFacts,
  findVenues,
  type HedgeRow,
  hedgeList,
  type PositionFacts,
} from './store.ts';

/** What the operator reads of positions, profit and loss, venues and orders. */

export async function getPosition(
  tx: Tx,
  { clock }: OperatorContext,
): Promise<OutputInput<typeof calls.getExchangePosition>> {
  const now = clock.now();
  const positions = await findPositions(tx);
  const assets = (await findAssets(tx)).map(({ asset }) => asset);
  const facts = await findPositionFacts(
    tx,
    positions.map(({ asset }) => asset),
  );
  const mids = await findMids(tx, assets);
  const prices = new Map(mids.flatMap((mid) => (mid.problem === null ? [[mid.asset, mid.usd] as const] : [])));
  const centsOf = ({ asset, decimals, minor }: Position) => {
    const price = prices.get(asset);
    return price === undefined ? null : usdValue(wholeOf(minor), decimals, price);
  };
  const cents = positions.map(centsOf);
  const total = cents.some((one) => one === null) ? null : cents.reduce((sum: bigint, one) => sum + (one ?? 0n), 0n);
  return {
    positions: positions.map((position, index) => {
      const value = cents[index] ?? null;
      return { ...shownPosition(position, facts.get(position.asset)), usd: value === null ? null : formatUsd(value) };
    }),
    usd: total === null ? null : formatUsd(total),
    days: await readDays(tx, now, prices),
    venues: (await findVenues(tx)).map(({ answeredAt, failingSince, balances, balancesAt, ...venue }) => ({
      ...venue,
      answeredAt: answeredAt?.toISOString() ?? null,
      failingSince: failingSince?.toISOString() ?? null,
      balances: Object.entries(balances)
        .map(([asset, quantity]) => ({ asset, quantity }))
        .sort((a, b) => (a.asset < b.asset ? -1 : 1)),
      balancesAt: balancesAt?.toISOString() ?? null,
    })),
    assets,
  };
}

/** Rounded towards nothing: a venue counts in smaller units than some currencies have. */
function wholeOf(minor: string): bigint {
  return BigInt(new Decimal(minor).truncated().toFixed());
}

function shownPosition(position: Position, facts: PositionFacts | undefined) {
  const { asset, decimals, minor, mostLong, mostShort, hedgeFrom, hedgeTo } = position;
  const units = (value: bigint | null | undefined) =>
    value === null || value === undefined ? null : formatAmount(value, decimals);
  const held = wholeOf(minor);
  const most = held < 0n ? mostShort : mostLong;
  const size = held < 0n ? -held : held;
  return {
    asset,
    decimals,
    quantity: formatAmount(held, decimals),
    mostLong: units(mostLong),
    mostShort: units(mostShort),
    hedgeFrom: units(hedgeFrom),
    hedgeTo: units(hedgeTo),
    take: units(facts?.take),
    give: units(facts?.give),
    near: most !== null && size > 0n && size * 100n >= most * BigInt(nearLimitPercent),
    venue: facts?.venue ?? null,
    orderId: facts?.orderId ?? null,
    change:
      facts?.changedAt == null
        ? null
        : { at: facts.changedAt.toISOString(), by: facts.changedBy ?? '', confirmedBy: facts.confirmedBy },
    proposalId: facts?.proposalId ?? null,
  };
}

/** The last days that have trades before or on them, newest first. */
async function readDays(tx: Tx, now: Date, prices: ReadonlyMap<string, string>) {
  const sums = await findDays(tx);
  const today = now.toISOString().slice(0, 10);
  const all = Array.from({ length: profitDays + 1 }, (_, index) =>
    new Date(now.getTime() - (profitDays - index) * 86_400_000).toISOString().slice(0, 10),
  );
  const first = sums[0]?.day;
  const days = all.slice(1).filter((day) => first !== undefined && day >= first);
  const daily = new Map((await findDailyPrices(tx, all)).map(({ asset, day, usd }) => [`${asset} ${day}`, usd]));
  const priceOf = (asset: string, day: string) => (day === today ? prices.get(asset) : daily.get(`${asset} ${day}`));
  return profitByDay(sums, days, priceOf)
    .map(({ assets: _, ...profit }) => profit)
    .reverse();
}

export async function listHedges(
  tx: Tx,
  { locale }: OperatorContext,
  query: Query<typeof calls.listHedgeOrders>,
): Promise<OutputInput<typeof calls.listHedgeOrders>> {
  const page = await readPage(tx, hedgeList, query, undefined);
  return { ...page, items: page.items.map((row) => shownHedge(row, locale)) };
}

function shownHedge(row: HedgeRow, locale: OperatorContext['locale']): calls.HedgeOrder {
  const { id, venue, asset, counter, side, quantity, filled, limitPrice, averagePrice, state } = row;
  const own = `operator.hedge.reason.${row.reason}`;
  return {
    ...{ id, venue, asset, counter, side, quantity, filled, limitPrice, averagePrice, state },
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    // Ours have a sentence; the venue's words stay what they are.
    reason: row.reason !== null && hasText(locale, own) ? translate(locale, own) : row.reason,
  };
}

/** @throws DomainError notFound */
export async function getHedge(
  tx: Tx,
  { locale }: OperatorContext,
  { id }: { id: string },
): Promise<OutputInput<typeof calls.getHedgeOrder>> {
  const row = await findHedge(tx, id);
  if (!row) throw new DomainError('notFound');
  const at = (time: Date | null) => time?.toISOString() ?? null;
  return {
    ...shownHedge(row, locale),
    venueOrderId: row.venueOrderId,
    position: formatAmount(wholeOf(row.position), row.decimals),
    mid: row.mid,
    sentAt: at(row.sentAt),
    deadlineAt: at(row.deadlineAt),
    openedAt: at(row.openedAt),
    askedAt: at(row.askedAt),
    cancelledAt: at(row.cancelledAt),
    next: translate(locale, `operator.hedge.next.${row.state}`, { id: row.id, venue: row.venue }),
    fills: (await findFills(tx, id)).map((fill) => ({ ...fill, at: fill.at.toISOString() })),
  };
}
