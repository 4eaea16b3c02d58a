import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { attemptsOf, reopenPayment, type Send } from '../../chains/index.ts';
import { lockTransaction, noteStage } from '../../transactions/index.ts';
import type { EndReason, SendingDependencies } from '../family.ts';
import { leadOf, outpointsOf, paymentsOf, planOf } from './plan.ts';
import { resolve } from './resolving.ts';
import {
  areGivenUp,
  hasLost,
  isPossible,
  lockGivingUp,
  markJudged,
  noteMissing,
  revivedSends,
} from './store/lost-coins.ts';
import { giveOutputs, releaseOutputs } from './store/outputs.ts';

/**
 * Coins that signed payments spend and that a reorganisation took (docs/adr/0093): a deposit whose payer spent it otherwise, change of an attempt
 * that lost to another.
 */

type Following = Pick<SendingDependencies, 'database' | 'gateways' | 'log'>;

/**
 * Looks at signed payments of which a coin is missing, once for each height of the watcher, and closes those of which nothing can be mined any
 * more. A closed one whose coins are back is followed again, as long as no operator has given it up.
 */
export async function followLostCoins(deps: Following, chainId: string): Promise<void> {
  const { database, log } = deps;
  const { missing, revived } = await database.withoutCompany(async (tx) => ({
    missing: await noteMissing(tx, chainId),
    revived: await revivedSends(tx, chainId),
  }));
  for (const { send, height } of missing) {
    const became = await resolve(deps, send);
    const { companyId, paymentId } = send;
    if (became === 'superseded') log.warn({ chain: chainId, paymentId }, 'a coin of a payment is gone for good');
    await database.withCompany(companyId, (tx) => markJudged(tx, paymentId, height));
  }
  for (const send of revived) {
    const became = await resolve(deps, send);
    if (became !== 'free' && became !== 'ours') continue;
    await database.withCompany(send.companyId, (tx) => revive(tx, send));
    log.info({ chain: chainId, paymentId: send.paymentId }, 'the coins of a payment are back');
  }
}

async function revive(tx: Tx, send: Send): Promise<void> {
  const { companyId, chainId, paymentId, transferId } = send;
  const transfer = await lockTransaction(tx, transferId);
  const attempts = await attemptsOf(tx, paymentId);
  const isClosed = attempts.some(({ supersededAt, minedBlock }) => supersededAt !== null && minedBlock === null);
  if (transfer?.status !== 'pending' || !isClosed) return;
  const coins = attempts.flatMap((attempt) => (attempt.hash === null ? [] : outpointsOf(planOf(attempt))));
  await giveOutputs(tx, { ownerId: companyId, chainId, paymentId: leadOf(send) }, coins);
  await reopenPayment(tx, paymentId);
  await noteStage(tx, transferId, { stage: transfer.stage, reason: 'stage.reason.coinBack' });
  await announce(tx, [live('transaction', transferId)]);
}

/**
 * Frees what a payment that operators give up was to spend: other payments may use it, and its own attempts are then impossible even if the lost
 * coin comes back. Where its transaction makes others too, that is once the last of them is given up.
 * @returns the reason of its end; null where its coins are back by what the watchers have read
 */
export async function giveUp(tx: Tx, send: Send): Promise<EndReason | null> {
  const { paymentId } = send;
  if (await isPossible(tx, paymentId)) return null;
  const others = paymentsOf(send).filter((id) => id !== paymentId);
  // Of two that are given up at once, the second sees the first.
  if (others.length > 0) await lockGivingUp(tx, leadOf(send));
  if (await areGivenUp(tx, others)) await releaseOutputs(tx, leadOf(send));
  return (await hasLost(tx, paymentId)) ? 'stage.reason.coinGone' : 'stage.reason.superseded';
}
