import type { Body } from '@causeway/contract/call.ts';
import type { exchange } from '@causeway/contract/exchange.ts';
import { defaultLocale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { audit } from '../../../platform/audit/record.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { Seal } from '../../../platform/crypto/seal.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { findRestoreMode } from '../../../platform/database/restore-mode.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import { notify } from '../../notices/index.ts';
import { findPeople, type Person } from '../../organisation/index.ts';
import type { Proofs } from '../../outgoing/index.ts';
import { keepQuote, priceNow } from '../service/price.ts';
import { createExchangeSubject } from '../service/subject.ts';
import { submitting } from '../service/submit.ts';
import { readSides, type Sides } from '../store/sides.ts';
import { findDueStanding, keepTurn, lockDue, type StandingOrderRow, stopOrder } from './store.ts';
import { sentenceId } from './words.ts';

/**
 * Turns of standing orders (docs/adr/0085-…): each is a submission of the member who made the order, under the rules of that moment, proved by the
 * code of the order. It runs in the HTTP process, which seals exchanges; the lock of the order's row, and the turn's own row, let one process take a turn once.
 */

const everyMs = 5000;
const pageSize = 50;
const plannedPage = '/app/wallet/exchange/planned';
/** While there is no price, a turn waits for so long. */
const patienceMs = 60 * 60 * 1000;

export interface StandingTurns {
  database: Database;
  seal: Seal;
  log: Log;
}

export function startStandingTurns(turns: StandingTurns): Loop {
  return startLoop({
    name: 'exchange.standingTurns',
    everyMs,
    log: turns.log,
    alone: { database: turns.database, lock: 'exchange.standingTurns' },
    step: (signal) => takeDueTurns(turns, signal),
  });
}

/** One round over the orders that are due; one that fails keeps no others from their turn, and is tried again in the next round. */
export async function takeDueTurns({ database, seal, log }: StandingTurns, signal?: AbortSignal): Promise<void> {
  const due = await database.withoutCompany((tx) => findDueStanding(tx, pageSize));
  for (const { companyId, id } of due) {
    if (signal?.aborted) return;
    await database
      .withCompany(companyId, (tx) => takeTurn(tx, seal, id))
      .catch((error: unknown) => log.warn({ err: error, companyId, order: id }, 'a turn of a standing order failed'));
  }
}

async function takeTurn(tx: Tx, seal: Seal, id: string): Promise<void> {
  if (await findRestoreMode(tx)) return;
  const order = await lockDue(tx, id);
  if (!order?.nextAt) return;
  const [member] = await findPeople(tx, [order.memberId]);
  if (!member?.permissions.includes('exchange.create')) return stopFor(tx, order, member);
  const { sellWalletId, buyWalletId } = order;
  const sides = await readSides(tx, { sellWalletId, buyWalletId });
  invariant(sides, 'the wallets of an order stay');
  const { sell } = sides;
  const amountMinor = order.rule === 'amount' ? order.amountMinor : sell.availableMinor - order.amountMinor;
  if (order.rule === 'above' && amountMinor <= sell.minimumMinor) {
    await keepTurn(tx, order, { outcome: 'nothing', error: null, blanks: {}, exchangeId: null });
    return announce(tx, [live('standing', id)]);
  }
  try {
    const exchangeId = await submit(tx, seal, { order, member, sides, amountMinor });
    await keepTurn(tx, order, { outcome: 'submitted', error: null, blanks: {}, exchangeId });
    await announce(tx, [live('standing', id)]);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // Prices come back; the turn waits for them.
    const isEarly = systemClock.now().getTime() - order.nextAt.getTime() < patienceMs;
    if (error.key === 'quoteUnavailable' && isEarly) return;
    await refuse(tx, order, sides, error);
  }
}

/** The exchange of one turn at the price of this moment. @returns its id @throws DomainError as a submission by the member */
async function submit(
  tx: Tx,
  seal: Seal,
  { order, member, sides, amountMinor }: { order: StandingOrderRow; member: Person; sides: Sides; amountMinor: bigint },
): Promise<string> {
  const { sell, buy } = sides;
  const quotation = await priceNow(tx, sides, 'sell', amountMinor);
  const quote = await keepQuote(tx, sides, quotation, { memberId: member.id, fixed: 'sell' });
  const least = (quote.boughtMinor * BigInt(10_000 - order.toleranceBasisPoints)) / 10_000n;
  const input: Body<typeof exchange> = {
    id: newId(),
    sellWalletId: order.sellWalletId,
    buyWalletId: order.buyWalletId,
    fixed: 'sell',
    amount: formatAmount(amountMinor, sell.decimals),
    bound: formatAmount(least > 0n ? least : 1n, buy.decimals),
    quoteId: quote.id,
    codeMethod: 'email',
    code: '',
  };
  const item = { context: contextOf(tx, seal, order, member), input, place: 0 };
  invariant(submitting.read, 'a submission reads first');
  const [outcome] = await submitting.work(tx, [item], await submitting.read(tx, [item]));
  invariant(outcome, 'a submission has an outcome');
  if ('refused' in outcome) throw outcome.refused;
  return input.id;
}

/** The member's, proved by the order. */
function contextOf(tx: Tx, seal: Seal, order: StandingOrderRow, member: Person) {
  return {
    session: {
      id: order.id,
      companyId: tx.companyId,
      userId: member.id,
      userName: member.name,
      permissions: [...member.permissions],
    },
    locale: defaultLocale,
    ip: '',
    userAgent: '',
    requestId: '',
    clock: systemClock,
    idempotencyKey: order.id,
    seal,
    subject: createExchangeSubject(seal),
    openProofs: async (): Promise<Proofs> => ({
      prove: () => ({ proof: { method: 'standingOrder', id: order.id }, use: () => undefined }),
      write: () => [],
    }),
  };
}

async function refuse(
  tx: Tx,
  order: StandingOrderRow,
  { sell, buy }: Sides,
  { key, details }: DomainError,
): Promise<void> {
  const { id, memberId } = order;
  const blanks = { ...details };
  await keepTurn(tx, order, { outcome: 'refused', error: key, blanks, exchangeId: null });
  await notify(tx, {
    kind: 'standingRefused',
    sourceId: newId(),
    values: { sold: sell.asset, bought: buy.asset, why: { text: sentenceId(key), values: blanks } },
    link: plannedPage,
    to: [memberId],
  });
  await announce(tx, [live('standing', id)]);
}

/** The member who made it may no longer exchange, and no code of another proves its turns. */
async function stopFor(tx: Tx, order: StandingOrderRow, member: Person | undefined): Promise<void> {
  await stopOrder(tx, order.id, 'memberLeft', null);
  await audit(tx, {
    actor: { kind: 'system', id: 'exchange' },
    action: 'exchange.stopStanding',
    subjectKind: 'standingOrder',
    subjectId: order.id,
  });
  const people = await findPeople(tx);
  await notify(tx, {
    kind: 'standingStopped',
    sourceId: order.id,
    values: { sold: order.sell.asset, bought: order.buy.asset, member: member?.name ?? order.memberName },
    link: plannedPage,
    to: people.filter(({ permissions }) => permissions.includes('exchange.create')).map(({ id }) => id),
  });
  await announce(tx, [live('standing', order.id)]);
}
