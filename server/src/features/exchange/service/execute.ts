import type { Seal } from '../../../platform/crypto/seal.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { findRestoreMode } from '../../../platform/database/restore-mode.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { post } from '../../ledger/index.ts';
import { heldFor, recheckRisk, refuse } from '../../outgoing/index.ts';
import { lockRisk } from '../../risk/index.ts';
import {
  changeStage,
  insertTransactions,
  type LifecycleRow,
  lockTransaction,
  reached,
} from '../../transactions/index.ts';
import { repayDeficit } from '../../wallets/index.ts';
import { isWithin } from '../domain.ts';
import { kindOfSide } from '../kind.ts';
import { exchangeLegs, exchangePostings } from '../posting.ts';
import { sealExchange } from '../seal.ts';
import { type ExchangeRow, insertSeals, readExchange, writeExecution } from '../store/exchanges.ts';
import { holdSides, readSides, type Sides } from '../store/sides.ts';
import { boughtTransaction } from './bought.ts';
import { type Firm, firmAgain } from './desk.ts';
import { keepQuote, paused, priceNow, type Quotation } from './price.ts';
import { priceOf } from './price-of.ts';

/**
 * The last approval: what was held is exchanged at the price of this moment, if that lies within the bound that code and approvals are bound
 * to. Else a limit order waits for its rate, and what is none ends, and its hold is given back. The task is locked, and with it all that ends or cancels the exchange.
 * @throws DomainError quoteUnavailable in restore mode: the task waits
 */
export async function executeApproved(tx: Tx, seal: Seal, id: string): Promise<void> {
  const { quotation, ...approved } = await openApproved(tx, id);
  if ('reason' in quotation) {
    const { limit, isOver } = approved.exchange;
    if (limit !== null && !isOver) await rest(tx, id);
    else await end(tx, approved.payment, quotation.reason);
    return;
  }
  await execute(tx, seal, { ...approved, quotation });
}

/**
 * A limit order: exchanges it where the price of this moment lies within its limit, ends it where it has waited as long as it may or where risk
 * forbids it by now, and leaves it otherwise. Nothing where it no longer waits for its rate.
 */
export async function executeResting(tx: Tx, seal: Seal, id: string): Promise<void> {
  if (await findRestoreMode(tx)) return;
  // Without a lock first: a limit between the middle rate and the company's own is looked at each time.
  const seen = await readExchange(tx, id);
  if (seen && !seen.isOver && !(await priceOf(tx, seen))?.withinBound) return;
  const { quotation, ...resting } = await openApproved(tx, id);
  const { payment, exchange } = resting;
  if (payment.stage !== 'waiting_rate') return;
  if ('reason' in quotation) {
    if (exchange.isOver) await end(tx, payment, quotation.reason);
    return;
  }
  const stop = await recheckRisk(tx, kindOfSide(payment), id);
  if (stop) await end(tx, payment, stop.reason);
  else await execute(tx, seal, { ...resting, quotation });
}

async function rest(tx: Tx, id: string): Promise<void> {
  await changeStage(tx, id, ['waiting_approval'], { stage: 'approved' });
  const isMoved = await changeStage(tx, id, ['approved'], { stage: 'waiting_rate' });
  invariant(isMoved, 'an exchange whose task is pending waits for it');
  await announce(tx, [live('transaction', id)]);
}

/**
 * Takes the locks of an exchange that is approved, in the order of submissions, and prices it by this moment.
 * @throws DomainError quoteUnavailable in restore mode
 */
export async function openApproved(
  tx: Tx,
  id: string,
): Promise<{
  payment: LifecycleRow;
  exchange: ExchangeRow;
  sides: Sides;
  /** Or why it cannot be executed, as the id of a sentence. */
  quotation: Quotation | Firm | { reason: string };
}> {
  if (await findRestoreMode(tx)) throw paused();
  // Before the ledger, as submissions take it: of several exchanges that are decided together, a later one may give its count back.
  await lockRisk(tx, [tx.companyId]);
  const payment = await lockTransaction(tx, id);
  const exchange = await readExchange(tx, id);
  invariant(payment && exchange, 'a task of an exchange has its exchange');
  const wallets = { sellWalletId: exchange.sell.walletId, buyWalletId: exchange.buy.walletId };
  await holdSides(tx, [{ companyId: tx.companyId, ...wallets }]);
  const sides = await readSides(tx, wallets);
  invariant(sides, 'the wallets of an exchange stay');
  return { payment, exchange, sides, quotation: await priceAgain(tx, exchange, sides) };
}

async function end(tx: Tx, payment: LifecycleRow, reason: string): Promise<void> {
  const from = ['waiting_approval', 'waiting_rate'] as const;
  const refundId = await refuse(tx, kindOfSide(payment), payment, from, { stage: 'refused', reason });
  invariant(refundId !== null, 'an exchange that is locked and waits is where it was');
}

/** The price of this moment for what was submitted, or why it cannot be executed, as the id of a sentence. */
async function priceAgain(tx: Tx, exchange: ExchangeRow, sides: Sides): Promise<Quotation | Firm | { reason: string }> {
  if (exchange.otcRequestId !== null) return firmAgain(tx, exchange.quoteId, sides);
  const { fixed, boundMinor, soldMinor, feeMinor, boughtMinor } = exchange;
  if (exchange.isOver) return { reason: 'stage.reason.limitOver' };
  const amountMinor = fixed === 'sell' ? soldMinor + feeMinor : boughtMinor;
  try {
    const quotation = await priceNow(tx, sides, fixed, amountMinor);
    const { transferLimitMinor } = sides.sell;
    if (transferLimitMinor !== null && quotation.priced.soldMinor > transferLimitMinor) {
      return { reason: 'stage.reason.exchangeAboveLimit' };
    }
    const isBound = isWithin(boundMinor, { fixed, ...quotation.priced });
    return isBound ? quotation : { reason: 'stage.reason.rateOutOfBound' };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { reason: error.key === 'quoteUnavailable' ? 'stage.reason.noPrice' : 'stage.reason.exchangeOff' };
  }
}

async function execute(
  tx: Tx,
  seal: Seal,
  given: { payment: LifecycleRow; exchange: ExchangeRow; sides: Sides; quotation: Quotation | Firm },
): Promise<void> {
  const { payment, exchange, sides, quotation } = given;
  const { id, fixed, initiatorId, initiatorName } = exchange;
  const quote =
    'firm' in quotation
      ? quotation.firm
      : await keepQuote(tx, sides, quotation, { memberId: initiatorId, fixed, usedBy: id });
  const boughtId = newId();
  const at = 'at' in quote ? quote.at : quote.createdAt;
  const execution = { ...quote, quoteId: quote.id, boughtTransactionId: boughtId, at };
  const rate = { rate: quote.rate, source: quote.sources.join(','), at: quote.ratedAt };
  await writeExecution(tx, id, execution, rate);
  await changeStage(tx, id, ['waiting_approval'], { stage: 'approved' });
  const isMoved = await changeStage(tx, id, ['approved', 'waiting_rate'], { stage: 'completed' });
  invariant(isMoved, 'an exchange that is locked and waits is where it was');
  const initiator = { id: initiatorId, name: initiatorName };
  await insertTransactions(tx, [boughtTransaction(sides, { ...quote, exchangeId: id, boughtId, initiator })]);
  const heldMinor = await heldFor(tx, id, sides.sell.accounts.outbound);
  await post(tx, {
    id: newId(),
    kind: exchangePostings.execute,
    sourceId: id,
    description: 'exchanged',
    legs: exchangeLegs(sides, quote, heldMinor),
  });
  await repayDeficit(tx, sides.buy.walletId, boughtId);
  // What the rate spares of the hold comes in too.
  if (heldMinor > quote.soldMinor + quote.feeMinor) await repayDeficit(tx, sides.sell.walletId, id);
  const jws = sealExchange(seal, sides, { ...quote, companyId: tx.companyId, exchangeId: id, at });
  await insertSeals(tx, [{ companyId: tx.companyId, exchangeId: id, jws }]);
  await announce(tx, [
    reached(id, 'completed'),
    live('transaction', id),
    live('transaction', boughtId),
    live('balance', payment.walletId),
    live('balance', sides.buy.walletId),
    ...(exchange.otcRequestId === null ? [] : [live('otc', exchange.otcRequestId)]),
  ]);
}
