import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { attemptsOf, markSuperseded, outpointKey, type Send } from '../../chains/index.ts';
import { lockTransaction, noteStage } from '../../transactions/index.ts';
import type { SendingDependencies, SpentBy } from '../family.ts';
import { judgeAttempts } from './coin-loss.ts';
import { bitcoinGatewayOf } from './gateway.ts';
import { findLosses, type LostOutput } from './losses.ts';
import { outpointsOf, paymentsOf, planOf } from './plan.ts';
import { spendersOf } from './spenders.ts';
import { findDepth, markLost } from './store/lost-coins.ts';

/**
 * Asks the chain what became of the coins that a payment was to spend. A transaction needs all of its own, and one of the signed attempts is
 * enough: a coin that a dearer one added may be spent elsewhere. A coin that no node has prevents an attempt, for good where it can never come
 * back (docs/adr/0093). @throws NoAgreement
 */
export async function resolve(deps: Pick<SendingDependencies, 'database' | 'gateways'>, send: Send): Promise<SpentBy> {
  const { companyId, paymentId, chainId } = send;
  const { database } = deps;
  const gateway = bitcoinGatewayOf(deps, chainId);
  const attempts = await database.withCompany(companyId, (tx) => attemptsOf(tx, paymentId));
  const signed = attempts.filter(({ hash }) => hash !== null);
  const possible = signed.length > 0 ? signed : [send];
  const outpoints = possible.flatMap((attempt) => outpointsOf(planOf(attempt)));
  const spenders = await spendersOf(gateway, outpoints);
  const own = new Set(signed.map(({ hash }) => hash));
  if ([...spenders.values()].some(({ hash }) => own.has(hash))) return 'ours';
  const depth = await database.withoutCompany((tx) => findDepth(tx, chainId));
  const unspent = outpoints.filter((outpoint) => !spenders.has(outpointKey(outpoint)));
  const lost = await findLosses({ database, gateway, depth }, { companyId, paymentId }, unspent);
  const obstaclesOf = (attempt: Send) =>
    outpointsOf(planOf(attempt)).flatMap((outpoint) => {
      const [spender, coin] = [spenders.get(outpointKey(outpoint)), lost.get(outpointKey(outpoint))];
      if (spender) return [{ isForGood: spender.height <= depth.height - depth.confirmations }];
      return coin ? [{ isForGood: coin.loss !== null }] : [];
    });
  const judged = judgeAttempts(possible.map(obstaclesOf));
  if (judged !== 'superseded') return judged;
  await database.withCompany(companyId, (tx) => close(tx, send, [...lost.values()]));
  return 'superseded';
}

/** Closes a payment, with every other that its transaction makes. */
async function close(tx: Tx, send: Send, lost: readonly LostOutput[]): Promise<void> {
  for (const paymentId of [...paymentsOf(send)].sort()) {
    // Those that share a transaction are transfers, each paid under its own id.
    const transferId = paymentId === send.paymentId ? send.transferId : paymentId;
    const transfer = await lockTransaction(tx, transferId);
    await markLost(tx, { paymentId, chainId: send.chainId }, lost);
    if (!(await markSuperseded(tx, paymentId)) || lost.length === 0 || transfer?.status !== 'pending') continue;
    await noteStage(tx, transferId, { stage: transfer.stage, reason: 'stage.reason.coinGone' });
    await announce(tx, [live('transaction', transferId)]);
  }
}
