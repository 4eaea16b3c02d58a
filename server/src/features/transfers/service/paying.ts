import type { Tx } from '../../../platform/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { Fees } from '../../chains/index.ts';
import { accountsByKind } from '../../ledger/index.ts';
import {
  gasCommitments,
  insertSend,
  latestSends,
  lockSend,
  lockSender,
  type Send,
  setNextNonce,
  unsignedSend,
} from '../store/sends.ts';

/**
 * Giving out nonces and network fees. Under the lock of the sender's row: one payment at a time has a nonce and no
 * signature, so nonces have no gaps; and what open payments may cost is reserved, so gas is never promised twice.
 */

export interface Cost extends Fees {
  gasLimit: bigint;
}

export type Allotment =
  | { outcome: 'allotted'; send: Send }
  /** So much of the network fee is missing at the address. */
  | { outcome: 'short'; missingWei: bigint }
  /** Another payment of this address is being signed. */
  | { outcome: 'busy'; other: Send };

export interface TransferPayment {
  transferId: string;
  chainId: string;
  fromAddress: string;
  amountMinor: bigint;
  /** The wallet of the chain's own coin, whose gas account says what the tank advanced. */
  nativeWalletId: string;
}

function worstCost(cost: Cost): bigint {
  return cost.gasLimit * cost.maxFeePerGas;
}

/** Wei that the tank advanced to this address and that no open payment may need. */
async function spendableGas(tx: Tx, payment: TransferPayment): Promise<bigint> {
  const { gas } = await accountsByKind(tx, payment.nativeWalletId, ['gas']);
  const { arrivingWei, reservedWei } = await gasCommitments(tx, payment.chainId, payment.fromAddress);
  return gas.balanceMinor + arrivingWei - reservedWei;
}

/** Gives a transfer its nonce, once: another caller finds the same. */
export async function allotTransfer(tx: Tx, payment: TransferPayment, cost: Cost): Promise<Allotment> {
  const nonce = await lockSender(tx, payment.chainId, payment.fromAddress);
  const [known] = await latestSends(tx, payment.transferId, 'transfer');
  if (known) return { outcome: 'allotted', send: known };
  const missingWei = worstCost(cost) - (await spendableGas(tx, payment));
  if (missingWei > 0n) return { outcome: 'short', missingWei };
  const other = await unsignedSend(tx, payment.chainId, payment.fromAddress);
  if (other) return { outcome: 'busy', other };
  const { transferId, chainId, fromAddress, amountMinor } = payment;
  const send = await insertSend(tx, {
    ...cost,
    paymentId: transferId,
    attempt: 1,
    kind: 'transfer',
    transferId,
    chainId,
    fromAddress,
    nonce,
    amountMinor,
  });
  await setNextNonce(tx, chainId, fromAddress, nonce + 1);
  return { outcome: 'allotted', send };
}

/** Gives an advance from the gas tank its nonce; one that is on its way already is answered instead. */
export async function allotTopUp(
  tx: Tx,
  payment: TransferPayment,
  tankAddress: string,
  amountWei: bigint,
  cost: Cost,
): Promise<Allotment> {
  const nonce = await lockSender(tx, payment.chainId, tankAddress);
  const onItsWay = (await latestSends(tx, payment.transferId, 'gas')).find(
    (send) => send.finalAt === null && send.minedBlock === null,
  );
  if (onItsWay) return { outcome: 'allotted', send: onItsWay };
  const other = await unsignedSend(tx, payment.chainId, tankAddress);
  if (other) return { outcome: 'busy', other };
  const send = await insertSend(tx, {
    ...cost,
    paymentId: newId(),
    attempt: 1,
    kind: 'gas',
    transferId: payment.transferId,
    chainId: payment.chainId,
    fromAddress: tankAddress,
    nonce,
    amountMinor: amountWei,
  });
  await setNextNonce(tx, payment.chainId, tankAddress, nonce + 1);
  return { outcome: 'allotted', send };
}

/**
 * Gives a stuck payment another attempt under the same nonce. A transfer's dearer fee must be covered by the address's
 * gas; the tank pays its own.
 */
export async function allotReplacement(
  tx: Tx,
  stuck: Send,
  fees: Fees,
  payment: TransferPayment | null,
): Promise<Allotment> {
  await lockSender(tx, stuck.chainId, stuck.fromAddress);
  const newer = await lockSend(tx, stuck.paymentId, stuck.attempt + 1);
  if (newer) return { outcome: 'allotted', send: newer };
  const cost = { ...fees, gasLimit: stuck.gasLimit };
  if (payment) {
    const missingWei = worstCost(cost) - worstCost(stuck) - (await spendableGas(tx, payment));
    if (missingWei > 0n) return { outcome: 'short', missingWei };
  }
  return { outcome: 'allotted', send: await insertSend(tx, { ...stuck, ...cost, attempt: stuck.attempt + 1 }) };
}
