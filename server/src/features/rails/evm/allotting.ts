import { setTimeout as delay } from 'node:timers/promises';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { gasTankAddress, gasTankOwner, plainGas, type Send } from '../../chains/index.ts';
import type { SendingDependencies } from '../family.ts';
import type { ChainPayment } from '../service/payment.ts';
import { dispatch } from '../service/sending.ts';
import type { LockedSender } from '../store/holds.ts';
import { evmGatewayOf } from './gateway.ts';
import { compareNonce, isCompared } from './nonce-guard.ts';
import { type Allotment, allotTopUp } from './nonces.ts';

/** What every EVM payment needs to be planned, from a company's address or the treasury's: its turn at the address, and the gas tank's advance. */

const busyTries = 20;
const busyPauseMs = 50;

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

type Settled = Exclude<Allotment, { outcome: 'busy' | 'uncompared' }>;

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
