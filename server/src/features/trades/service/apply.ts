import type { TradeSide } from '@causeway/contract/trades-rules.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { withdrawTask } from '../../approvals/index.ts';
import { type ChainFamilies, familyOf } from '../../chains/index.ts';
import { amountOf } from '../../ledger/index.ts';
import { areMilestonesBeyond, contradictions, newsOf, placeOf, reachedBy, returnedBy } from '../domain.ts';
import { walletOfConfirmation } from '../store/confirmations.ts';
import { endEvent, findWaiting, keepEvent, lockEvents } from '../store/events.ts';
import {
  addLine,
  findPlace,
  findSides,
  insertTrade,
  keepContradiction,
  lockTrade,
  readTrade,
  setState,
  type TradeRow,
  type TradeWritten,
  updateTrade,
} from '../store/trades.ts';
import { giveBack, moved } from './money.ts';
import { readEvent, type TradeData } from './read-event.ts';

export interface Intake {
  database: Database;
  families: ChainFamilies;
  clock: Clock;
}

/** An event of the platform whose signature was verified. */
export interface Arrived {
  messageId: string;
  body: string;
}

const cancelledReason = 'stage.reason.tradeCancelled';

/**
 * Takes an event in for each company that is a side of its trade, each in a transaction of its own. The same event again, or one that arrives
 * late, changes nothing; one that arrives early is kept until those before it are there. So an event that was answered with a failure
 * half-way is safe to repeat.
 * @throws DomainError validationFailed, also where the first event of a trade has milestones beyond its amount; tradeUnknownHere where no company of the
 * installation is a side of it
 */
export async function takeIn({ database, families, clock }: Intake, arrived: Arrived): Promise<void> {
  const data = readEvent(arrived.body);
  const { terms, sides } = await database.withoutCompany(async (tx) => {
    const place = await findPlace(tx, data.network, data.currency);
    if (!place) throw new DomainError('tradeUnknownHere');
    const read = writtenOf(data, place.decimals, (text) => familyOf(families, place).readAddress(text));
    return { terms: read, sides: await findSides(tx, read.chainId, read.payerWallet, read.payeeWallet) };
  });
  // Between addresses of one company nothing is bought.
  const companies = new Map(sides.map(({ companyId, side }) => [companyId, side]));
  const isWithinOne = sides.length > companies.size || terms.payerWallet === terms.payeeWallet;
  if (companies.size === 0 || isWithinOne) throw new DomainError('tradeUnknownHere');
  for (const [companyId, side] of companies) {
    await database.withCompany(companyId, (tx) => takeInFor(tx, { families, clock, side, arrived, terms }));
  }
}

interface Taking {
  families: ChainFamilies;
  clock: Clock;
  side: TradeSide;
  arrived: Arrived;
  terms: TradeWritten;
}

async function takeInFor(tx: Tx, { families, clock, side, arrived, terms }: Taking): Promise<void> {
  const { id: tradeId, version } = terms;
  await lockEvents(tx, tradeId);
  const before = await readTrade(tx, tradeId);
  if (placeOf(version, before?.version ?? 0) === 'old') return;
  if (!(await keepEvent(tx, { tradeId, version, ...arrived }))) return;
  let at = before?.version ?? 0;
  for (
    let body = await findWaiting(tx, tradeId, at + 1);
    body !== null;
    body = await findWaiting(tx, tradeId, at + 1)
  ) {
    at += 1;
    await apply(tx, { families, clock, side }, await reread(tx, families, body));
  }
  await announce(tx, [live('trade', tradeId)]);
}

async function reread(tx: Tx, families: ChainFamilies, body: string): Promise<TradeWritten & { note: string }> {
  const data = readEvent(body);
  const place = await findPlace(tx, data.network, data.currency);
  invariant(place, 'a network and a coin of an event that was kept stay');
  return { ...writtenOf(data, place.decimals, (text) => familyOf(families, place).readAddress(text)), note: data.note };
}

/** One event whose turn it is. */
async function apply(
  tx: Tx,
  { clock, side }: Pick<Taking, 'clock' | 'side' | 'families'>,
  said: TradeWritten & { note: string },
): Promise<void> {
  const { id, version, phase, note } = said;
  const known = await readTrade(tx, id);
  if (!known) {
    // Taken in, it would make a contradiction of every event that follows, also of the one that cancels the trade.
    if (areMilestonesBeyond(said)) throw new DomainError('validationFailed');
    // Nothing can come back of what was never frozen, and to no side more than the amount.
    const isBeyond = said.refundedMinor > (side === 'buyer' ? 0n : said.quantityMinor);
    await insertTrade(tx, side, isBeyond ? { ...said, refundedMinor: 0n } : said);
    await addLine(tx, id, { step: 'announced', phase, note, version });
    await endEvent(tx, id, version, 'applied');
    if (isBeyond) await keepContradiction(tx, id, version, ['refunded'], clock.now());
    if (said.status === 'cancelled' && side === 'buyer')
      await setState(tx, id, { state: 'cancelled', frozenMinor: 0n });
    return;
  }
  // The task before the trade, as its decisions lock them.
  const isCancelled = said.status === 'cancelled';
  if (isCancelled && known.confirmationId !== null) await stopTask(tx, known.confirmationId);
  const trade = await lockTrade(tx, id);
  invariant(trade, 'a trade stays');
  const fields = contradictions(trade, said);
  if (fields.length > 0) {
    const at = clock.now();
    await keepContradiction(tx, id, version, fields, at);
    await addLine(tx, id, { step: 'contradicted', phase, note: fields.join(', '), version });
    await endEvent(tx, id, version, 'contradicted');
    return;
  }
  await updateTrade(tx, said);
  const news = newsOf(trade, said);
  const milestones = reachedBy(trade, said);
  await addLine(tx, id, { step: isCancelled ? 'cancelled' : 'updated', phase, note, version, news, milestones });
  await endEvent(tx, id, version, 'applied');
  if (trade.side === 'buyer') await follow(tx, trade, said);
}

/** What an event does to the buyer's money: it only ever comes back. */
async function follow(tx: Tx, trade: TradeRow, said: TradeWritten): Promise<void> {
  const isCancelled = said.status === 'cancelled';
  const back = returnedBy(trade, said);
  if (isCancelled && trade.state === 'waiting_approval' && trade.confirmationId !== null) {
    // Confirmed after the task was looked for.
    await stopTask(tx, trade.confirmationId);
  }
  const ends = isCancelled && trade.state !== 'declined';
  if (back > 0n || ends) {
    await setState(tx, trade.id, { state: ends ? 'cancelled' : trade.state, frozenMinor: trade.frozenMinor - back });
  }
  if (back === 0n) return;
  invariant(trade.confirmationId, 'what is frozen was confirmed');
  const walletId = await walletOfConfirmation(tx, trade.confirmationId);
  await giveBack(tx, trade, walletId, { step: 'returned', amountMinor: back, version: said.version });
  await announce(tx, moved(trade.id));
}

function stopTask(tx: Tx, confirmationId: string): Promise<boolean> {
  return withdrawTask(tx, 'trade', confirmationId, { end: 'stopped', reason: cancelledReason });
}

/** @throws DomainError amountFormat, amountTooManyDecimals, amountTooLarge, addressInvalid and others of an address */
function writtenOf(data: TradeData, decimals: number, readAddress: (text: string) => string): TradeWritten {
  const { id, version, number, status, phase, network: chainId, currency: asset, buyer, seller } = data;
  const minor = (text: string) => amountOf(text, { asset, decimals });
  const quantityMinor = minor(data.quantity);
  if (quantityMinor === 0n) throw new DomainError('validationFailed');
  return {
    ...{ id, version, number, status, phase, chainId, asset, quantityMinor },
    refundedMinor: minor(data.refunded),
    payerName: buyer.name,
    payerAddress: buyer.address,
    payerWallet: readAddress(buyer.wallet),
    payeeName: seller.name,
    payeeAddress: seller.address,
    payeeWallet: readAddress(seller.wallet),
    billOfLading: data.billOfLading ?? null,
    actBy: data.actBy ? new Date(data.actBy) : null,
    milestones: data.milestones.map(({ amount, ...each }) => ({ ...each, amountMinor: minor(amount) })),
    documents: data.documents,
  };
}
