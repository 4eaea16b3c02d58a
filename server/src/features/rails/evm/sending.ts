import { setTimeout as delay } from 'node:timers/promises';
import type { Address } from 'viem';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import {
  asEvm,
  emptyKind,
  evmSigningPlanOf,
  gasTankAddress,
  gasTankOwner,
  isTankStopped,
  plainGas,
  type Send,
  type SignRequest,
} from '../../chains/index.ts';
import type { SendingDependencies } from '../family.ts';
import type { ChainPayment } from '../service/payment.ts';
import { failTransfer } from '../service/refusing.ts';
import { dispatch } from '../service/sending.ts';
import type { LockedSender } from '../store/holds.ts';
import { evmGatewayOf } from './gateway.ts';
import { compareNonce, isCompared } from './nonce-guard.ts';
import { type Allotment, allotTopUp, allotTransfer, type Cost } from './nonces.ts';
import { prepareFromTreasury } from './treasury.ts';

/** Plans EVM payments: gas, the advance of the gas tank for it, and the nonce. */

const busyTries = 20;
const busyPauseMs = 50;

/** Estimates, sees to the gas, gives out the nonce. Null while the gas is on its way, or when the transfer has failed. */
export async function prepare(deps: SendingDependencies, payment: ChainPayment): Promise<Send | null> {
  const { companyId, transferId, contract } = payment;
  if (payment.payer === 'treasury') return prepareFromTreasury(deps, payment);
  const { database } = deps;
  const gateway = evmGatewayOf(deps, payment.chainId);
  const gasLimit = await gateway.estimateGas({
    from: payment.fromAddress as Address,
    to: payment.payeeAccount as Address,
    contract: contract as Address | null,
    amountMinor: payment.amountMinor,
  });
  if (gasLimit === 'reverts') {
    if (payment.isSettlement) return postpone(deps, payment);
    await failTransfer(deps, companyId, transferId, 'failed', 'stage.reason.wouldRevert');
    return null;
  }
  const cost: Cost = { gasLimit, ...(await gateway.fees()) };
  const isNonceKnown = (sender: LockedSender) => isCompared(gateway, sender);
  const allotment = await untilFree(deps, companyId, (tx) => allotTransfer(tx, payment, cost, isNonceKnown));
  if (allotment.outcome === 'allotted') return allotment.send;
  if (allotment.outcome !== 'short') return null;
  // What is begun, and its dearer attempts, keep the rest.
  if (await database.withoutCompany((tx) => isTankStopped(tx, payment.chainId))) return null;
  // Enough for this payment and for raising its fee.
  await topUp(deps, companyId, payment, allotment.missingWei + cost.gasLimit * cost.maxFeePerGas);
  return null;
}

/** Has the gas tank advance the network fee to the company's own address. */
export async function topUp(
  deps: SendingDependencies,
  companyId: string,
  payment: ChainPayment,
  amountWei: bigint,
): Promise<void> {
  const { database } = deps;
  const tank = await database.withoutCompany((tx) => gasTankAddress(tx, payment.chainId, gasTankOwner));
  invariant(tank !== null, `the gas tank has an address on ${payment.chainId}`);
  const gateway = evmGatewayOf(deps, payment.chainId);
  const cost = { gasLimit: plainGas, ...(await gateway.fees()) };
  const isNonceKnown = (sender: LockedSender) => isCompared(gateway, sender);
  const allotment = await untilFree(deps, companyId, (tx) =>
    allotTopUp(tx, payment, tank, amountWei, cost, isNonceKnown),
  );
  if (allotment.outcome === 'allotted') await dispatch(deps, allotment.send);
}

/**
 * A settlement that no node would carry out is not ended: its legs are settled by it alone. It is tried again, and the operator sees that it
 * waits.
 */
export function postpone({ log }: SendingDependencies, { companyId, transferId, chainId }: ChainPayment): null {
  log.error({ companyId, transferId, chain: chainId }, 'a settlement would revert; it is tried again later');
  return null;
}

export type Settled = Exclude<Allotment, { outcome: 'busy' | 'uncompared' }>;

/**
 * Compares the address with the chain where that is due, and waits a moment for another payment of the same address to be
 * signed. One whose worker has died is signed from here, which is harmless if it has not; then this job is tried again
 * later.
 */
export async function untilFree(
  deps: SendingDependencies,
  companyId: string,
  allot: (tx: Tx) => Promise<Allotment>,
): Promise<Settled> {
  let other: Send | null = null;
  for (let left = busyTries; left > 0; left--) {
    const allotment = await deps.database.withCompany(companyId, allot);
    if (allotment.outcome === 'uncompared') {
      await compareNonce(deps, allotment.sender);
      continue;
    }
    if (allotment.outcome !== 'busy') return allotment;
    other = allotment.other;
    if (left > 1) await delay(busyPauseMs);
  }
  if (other) await dispatch(deps, other);
  const allotment = await deps.database.withCompany(companyId, allot);
  if (allotment.outcome !== 'busy' && allotment.outcome !== 'uncompared') return allotment;
  throw new Error('another payment of the same address is still being signed');
}

/** What the signer is asked for an attempt: nonce and fees; content and payee it reads itself. */
export function signRequest(send: Send): SignRequest {
  const { kind, companyId, transferId, paymentId } = send;
  return {
    kind: send.isEmpty ? emptyKind : kind,
    companyId,
    transferId,
    paymentId,
    plan: evmSigningPlanOf(asEvm(send)),
  };
}
