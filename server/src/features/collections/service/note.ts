import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { saidIn } from '../store/lines.ts';
import {
  findTouching,
  insertPayment,
  type NewPayment,
  setPaymentSaid,
  setRate,
  setRefundSaid,
  type Touching,
} from '../store/noting.ts';
import { readPayments, readRefunds } from '../store/payments.ts';
import type { RateRow, RequestRow } from '../store/requests.ts';
import { ratesOf } from './rates.ts';
import { type Known, lockKnown } from './reading.ts';
import { keepJudged, writeLine } from './settle.ts';

/**
 * Follows a transaction that is a deposit at a request's address, or a refund of one. It does not matter which announcement came, in which order, or
 * how often: what the transactions say is read each time.
 */
export async function noteTransaction(tx: Tx, transactionId: string, clock: Clock): Promise<void> {
  const touching = await findTouching(tx, transactionId);
  if (touching) await follow(tx, touching.requestId, clock.now(), { ...touching, transactionId });
}

/** Brings a request up to what its transactions, the rates and the clock say. */
export async function follow(
  tx: Tx,
  requestId: string,
  now: Date,
  arrived: (Touching & { transactionId: string }) | null = null,
): Promise<void> {
  const known = await lockKnown(tx, requestId, now);
  invariant(known, `payment request ${requestId} is there`);
  if (arrived?.isDeposit && !arrived.isKnown) await insertPayment(tx, paymentOf(known, arrived));
  await valueLate(tx, known.row);
  const current = await lockKnown(tx, requestId, now);
  invariant(current, `payment request ${requestId} is there`);
  const isMoved = [await saidPayments(tx, current, now), await saidRefunds(tx, current, now)].some(Boolean);
  if (isMoved || differs(current)) await keepJudged(tx, current, now);
}

function differs({ row, judgement }: Known): boolean {
  return row.state !== judgement.state || row.causes.join() !== judgement.causes.join();
}

function paymentOf(
  { row, standing, payments, options, rates }: Known,
  { transactionId, requestId, chainId, coin, createdAt, relatedId }: Touching & { transactionId: string },
): NewPayment {
  // A reorganisation put it into another block: it arrived when it was first seen.
  const before = payments.find(({ id }) => id === relatedId);
  const arrivedAt = before?.arrivedAt ?? createdAt;
  const isAccepted = options.some((each) => each.chainId === chainId && each.coin === coin);
  const rated = before?.rate && before.rateAt ? { rate: before.rate, at: before.rateAt } : null;
  const rate =
    rated ?? (row.pricing === 'currency' && isAccepted ? frozenAt(rates, standing.periods, { arrivedAt, coin }) : null);
  const awaitsRate = row.pricing === 'currency' && isAccepted && rate === null;
  return { transactionId, requestId, arrivedAt, isAccepted, rate, awaitsRate };
}

/** The rate of the period in which a payment arrived; null: it arrived in none. */
function frozenAt(
  rates: readonly RateRow[],
  periods: Known['standing']['periods'],
  { arrivedAt, coin }: { arrivedAt: Date; coin: string },
): { rate: string; at: Date } | null {
  const place = periods.findLastIndex(
    ({ startsAt, expiresAt }) => startsAt <= arrivedAt && (expiresAt === null || arrivedAt < expiresAt),
  );
  if (place < 0) return null;
  const frozen = rates.find((each) => each.coin === coin && each.period === place + 1);
  return frozen ? { rate: frozen.rate, at: frozen.rateAt } : null;
}

/** Values payments outside every period by the rate of now; without one that holds, they are tried again each minute. */
async function valueLate(tx: Tx, { id: requestId, pricing, asset: currency }: RequestRow): Promise<void> {
  if (pricing !== 'currency' || currency === null) return;
  const lacking = (await readPayments(tx, requestId)).filter(({ isAccepted, rate }) => isAccepted && rate === null);
  if (lacking.length === 0) return;
  const rates = await ratesOf(tx, [...new Set(lacking.map(({ coin }) => coin))], [currency]);
  for (const { id, coin } of lacking) {
    const rate = rates.find((each) => each.coin === coin);
    if (rate) await setRate(tx, id, rate);
  }
}

/** @returns whether a payment is in another state than the timeline has said */
async function saidPayments(tx: Tx, known: Known, now: Date): Promise<boolean> {
  const lines = await saidIn(tx, known.row.id);
  let isMoved = false;
  for (const payment of known.payments) {
    const { id, state, said, quantityMinor, coin } = payment;
    if (state === said && lines.has(id)) continue;
    const amount = { minor: quantityMinor, asset: coin };
    // One that was credited before it was looked at was seen all the same.
    const steps = lines.has(id) || state === 'seen' ? [state] : (['seen', state] as const);
    for (const step of steps) await writeLine(tx, known, now, { step, amount, transactionId: id }, payment);
    if (state !== said) await setPaymentSaid(tx, id, state);
    isMoved = true;
  }
  return isMoved;
}

/** @returns whether a refund has ended */
async function saidRefunds(tx: Tx, known: Known, now: Date): Promise<boolean> {
  let isMoved = false;
  for (const { transactionId, status, said, amountMinor, coin } of await readRefunds(tx, known.row.id)) {
    if (status === said) continue;
    const step = status === 'completed' ? 'refunded' : 'refund_failed';
    if (status !== 'pending')
      await writeLine(tx, known, now, { step, amount: { minor: amountMinor, asset: coin }, transactionId });
    await setRefundSaid(tx, transactionId, status);
    isMoved = true;
  }
  return isMoved;
}
