import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type * as calls from '@causeway/contract/operator-otc.ts';
import { Decimal } from 'decimal.js';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { OperatorContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { inverseOf, usualRate } from '../../exchange/index.ts';
import { type DeskRow, findMessages, findMinimumCents, shownMessage, shownRequest } from '../../otc/index.ts';
import { formatUsd, usdValue } from '../../rates/index.ts';
import { hasRoom, midsOf, positionsOf, priceRequest, sidesOf } from './pricing.ts';
import { deskList, findDeskRequest, findMinimumChange } from './store.ts';

/** What the desk reads. */

/** @throws DomainError cursorInvalid */
export async function list(
  tx: Tx,
  { locale }: OperatorContext,
  query: Query<typeof calls.listDeskRequests>,
): Promise<OutputInput<typeof calls.listDeskRequests>> {
  const page = await readPage(tx, deskList, query, undefined);
  const change = await findMinimumChange(tx);
  return {
    ...page,
    items: page.items.map((row) => shown(row, locale)),
    minimum: {
      usd: formatUsd(await findMinimumCents(tx)),
      change: change && { at: change.at.toISOString(), by: change.by, reason: change.reason },
    },
  };
}

function shown(row: DeskRow, locale: Locale): calls.DeskRequest {
  return { ...shownRequest(row, locale), company: { id: row.companyId, name: row.companyName } };
}

/** @throws DomainError notFound */
export async function requestOf(tx: Tx, id: string): Promise<DeskRow> {
  const row = await findDeskRequest(tx, id);
  if (!row) throw new DomainError('notFound');
  return row;
}

/** @throws DomainError notFound */
export async function get(
  tx: Tx,
  { locale }: OperatorContext,
  { id }: { id: string },
): Promise<OutputInput<typeof calls.getDeskRequest>> {
  const row = await requestOf(tx, id);
  const messages = await findMessages(tx, id);
  return {
    ...shown(row, locale),
    messages: messages.map((message) => shownMessage(message, row)),
    ...(await ratesOf(tx, row)),
  };
}

/** The middle rate, and what the company's own spreads make of it; null where a price must not be quoted. */
async function ratesOf(tx: Tx, row: DeskRow): Promise<{ mid: string | null; usual: string | null }> {
  try {
    const mids = await midsOf(tx, row);
    const sides = await sidesOf(tx, row);
    return await usualRate(tx, { companyId: row.companyId, sides, usdCents: row.usdCents, mids });
  } catch (error) {
    if (error instanceof DomainError && error.key === 'quoteUnavailable') return { mid: null, usual: null };
    throw error;
  }
}

/** @throws DomainError notFound, exchangeTooSmall, quoteUnavailable */
export async function price(
  tx: Tx,
  { locale }: OperatorContext,
  { id, rate }: Query<typeof calls.priceDeskRequest> & { id: string },
): Promise<OutputInput<typeof calls.priceDeskRequest>> {
  const request = await requestOf(tx, id);
  const offered = await priceRequest(tx, request, rate);
  const { sides, mids, priced } = offered;
  const { sell, buy } = sides;
  const say = (minor: bigint) => formatAmount(minor, sell.decimals);
  const problem = priced.spreadBasisPoints === null ? 'otcRateAboveMid' : hasRoom(offered) ? null : 'otcBeyondLimit';
  return {
    rate: priced.rate,
    inverseRate: inverseOf(priced.rate),
    total: say(priced.soldMinor + priced.feeMinor),
    fee: say(priced.feeMinor),
    feeBasisPoints: sell.feeBasisPoints,
    bought: formatAmount(priced.boughtMinor, buy.decimals),
    ...spreadOf(offered),
    usd: formatUsd(usdValue(priced.soldMinor, sell.decimals, mids.sell.usd)),
    positions: positionsOf(offered),
    problem: problem && translate(locale, `error.${problem}`),
  };
}

/** Signed, to be read: what the desk quotes is decided in integers (`exchange/domain.ts`). */
function spreadOf({ sides: { sell, buy }, mids, priced }: Awaited<ReturnType<typeof priceRequest>>) {
  const exact = Decimal.clone({ precision: 60 });
  const mid = new exact(mids.sell.usd).div(mids.buy.usd);
  const bought = new exact(priced.boughtMinor.toString()).div(new exact(10).pow(buy.decimals));
  const cost = new exact(priced.soldMinor.toString()).div(new exact(10).pow(sell.decimals)).mul(mid).sub(bought);
  return {
    spreadBasisPoints: mid.sub(priced.rate).div(mid).mul(10_000).toFixed(2),
    spread: cost.toFixed(buy.decimals),
    spreadUsd: cost.mul(mids.buy.usd).toFixed(2),
  };
}
