import type { FeeLevel } from '@causeway/contract/transfers-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import {
  attemptsOf,
  dustThreshold,
  feeOf,
  insertSend,
  markReleaseDecided,
  markReleaseDone,
  markSuperseded,
  outpointKey,
  reopenPayment,
  vsizeOf,
} from '../../chains/index.ts';
import { fail } from '../../outgoing/index.ts';
import { lockTransaction } from '../../transactions/index.ts';
import type { SendingDependencies } from '../family.ts';
import type { ChainPayment } from '../service/payment.ts';
import { lockUnsent } from '../service/refusing.ts';
import { lockSender } from '../store/holds.ts';
import { isLacking } from './coin-selection.ts';
import { bitcoinGatewayOf } from './gateway.ts';
import { planFor } from './plan.ts';
import { companyIndexOf, type Planned } from './planned.ts';
import { rateOf, selectable } from './quoting.ts';
import { accelerating } from './replacement.ts';
import {
  type AccelerableDeposit,
  findAcceleration,
  openAccelerations,
  revivedAccelerations,
} from './store/accelerations.ts';
import { type FeeRates, findFeeRates, findPromisedFee } from './store/fees.ts';
import { findChangeAddress, findJournaledUse, giveOutputs, reserveOutputs } from './store/outputs.ts';

/**
 * A deposit that waits for a block is accelerated (docs/adr/0091): its output alone is spent to the company's change, and the miner gets what
 * both transactions lack to the rate. Amounts in satoshis.
 */

export interface AccelerationQuote {
  networkFeeMinor: bigint;
  vsize: number;
  /** What the deposit is worth after it. */
  worthMinor: bigint;
}

/** Null where the deposit pays the level's rate already; `tooSmall`: it does not carry the fee. */
export function quoteAccelerating(
  { parent, output }: Pick<AccelerableDeposit, 'parent' | 'output'>,
  rates: FeeRates,
  level: FeeLevel,
): AccelerationQuote | 'tooSmall' | null {
  if (parent.feeMinor >= feeOf(parent.vsize, BigInt(rates[level]))) return null;
  const coin = selectable({ ...output, isFinal: false });
  const found = accelerating(parent, { coin, changeKind, feeRate: rateOf(rates[level]), coins: [] });
  if (isLacking(found)) return 'tooSmall';
  return { networkFeeMinor: found.feeMinor, vsize: found.vsize, worthMinor: found.changeMinor };
}

const changeKind = 'p2wpkh';

/** Plans the one attempt of an acceleration that was not sent yet; it ends where there is nothing to accelerate any more. */
export async function planAcceleration(tx: Tx, payment: ChainPayment): Promise<Planned> {
  const { companyId, chainId, transferId, fromAddress } = payment;
  if (!(await lockUnsent(tx, transferId))) return 'waits';
  await lockSender(tx, chainId, fromAddress);
  const output = await findAcceleration(tx, transferId);
  if (output === null) return { impossible: 'stage.reason.depositGone' };
  if (output.isInBlock) return { impossible: 'stage.reason.depositConfirmed' };
  const [promised, rates, change] = [
    await findPromisedFee(tx, transferId),
    await findFeeRates(tx, chainId),
    await findChangeAddress(tx, chainId),
  ];
  if (promised === null || rates === null || change === null) return 'waits';
  const feeMinor = promised.networkFeeMinor;
  const vsize = vsizeOf(1, [changeKind]);
  const changeMinor = output.amountMinor - feeMinor;
  const isForwarded = feeMinor >= feeOf(vsize, BigInt(rates.minimum)) && changeMinor >= dustThreshold(changeKind);
  if (!isForwarded) return { impossible: 'stage.reason.networkFeeTooLow' };
  const used = (await findJournaledUse(tx, chainId, [output])).find(({ paymentId }) => paymentId !== transferId);
  if (used) await giveOutputs(tx, { ownerId: companyId, chainId, paymentId: used.paymentId }, [output]);
  const isReserved =
    !used && (await reserveOutputs(tx, { ownerId: companyId, chainId, paymentId: transferId }, [output]));
  if (!isReserved) return { impossible: 'stage.reason.superseded' };
  const send = await insertSend(tx, {
    paymentId: transferId,
    attempt: 1,
    kind: 'transfer',
    transferId,
    chainId,
    fromAddress,
    amountMinor: 0n,
    plan: planFor({
      companyIndex: await companyIndexOf(tx, payment),
      inputs: [output],
      outputs: [{ ...change, amountMinor: changeMinor }],
      feeMinor,
      vsize,
      parent: outpointKey(output),
    }),
  });
  return { send };
}

type FollowDependencies = Pick<SendingDependencies, 'database' | 'gateways' | 'log'>;

/**
 * Ends accelerations whose deposit no node has any more: nothing of them can be mined. One whose deposit is back is offered to the nodes again,
 * since what it has signed spends the deposit for ever; if a block takes it, it is paid after all.
 */
export async function followAccelerations(deps: FollowDependencies, chainId: string): Promise<void> {
  const { database, log } = deps;
  const gateway = bitcoinGatewayOf(deps, chainId);
  const { open, revived } = await database.withoutCompany(async (tx) => ({
    open: await openAccelerations(tx, chainId),
    revived: await revivedAccelerations(tx, chainId),
  }));
  for (const { companyId, paymentId, hash, index } of revived) {
    log.info({ chain: chainId, paymentId }, 'the deposit of an acceleration is back');
    await database.withCompany(companyId, async (tx) => {
      await lockTransaction(tx, paymentId);
      await giveOutputs(tx, { ownerId: companyId, chainId, paymentId }, [{ hash, index }]);
      await reopenPayment(tx, paymentId);
    });
  }
  for (const { companyId, paymentId, hash } of open) {
    if ((await gateway.transaction(hash)) !== null) continue;
    await database.withCompany(companyId, (tx) => end(tx, paymentId));
  }
}

async function end(tx: Tx, paymentId: string): Promise<void> {
  const transfer = await lockTransaction(tx, paymentId);
  const attempts = await attemptsOf(tx, paymentId);
  if (!transfer || attempts.some(({ minedBlock }) => minedBlock !== null)) return;
  if (!(await markSuperseded(tx, paymentId))) return;
  await markReleaseDecided(tx, paymentId, { reason: 'the deposit is gone', by: 'system' });
  await markReleaseDone(tx, paymentId);
  await fail(tx, transfer, { reason: 'stage.reason.depositGone', hash: null });
}
