import type { Address } from 'viem';
import { asEvm, emptyKind, evmSigningPlanOf, isTankStopped, type Send, type SignRequest } from '../../chains/index.ts';
import type { SendingDependencies } from '../family.ts';
import type { ChainPayment } from '../service/payment.ts';
import { failTransfer } from '../service/refusing.ts';
import type { LockedSender } from '../store/holds.ts';
import { postpone, topUp, untilFree } from './allotting.ts';
import { evmGatewayOf } from './gateway.ts';
import { isCompared } from './nonce-guard.ts';
import { allotTransfer, type Cost } from './nonces.ts';
import { prepareFromTreasury } from './treasury.ts';

/** Plans EVM payments: gas, the advance of the gas tank for it, and the nonce. */

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
  if (allotment.outcome === 'uncovered' && payment.isSweep) {
    await failTransfer(deps, companyId, transferId, 'failed', 'stage.reason.reorganised');
    return null;
  }
  if (allotment.outcome !== 'short') return null;
  // What is begun, and its dearer attempts, keep the rest.
  if (await database.withoutCompany((tx) => isTankStopped(tx, payment.chainId))) return null;
  // Enough for this payment and for raising its fee.
  await topUp(deps, companyId, payment, allotment.missingWei + cost.gasLimit * cost.maxFeePerGas);
  return null;
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
