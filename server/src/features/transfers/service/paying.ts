import type { Address } from 'viem';
import type { Tx } from '../../../platform/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { coinsByContract, type Fees, findChain } from '../../chains/index.ts';
import { accountsByKind } from '../../ledger/index.ts';
import { type LockedSender, lockSender, setNextNonce } from '../store/holds.ts';
import { nonceAfterJournal } from '../store/journal.ts';
import type { LifecycleRow } from '../store/lifecycle.ts';
import { gasCommitments, insertSend, latestSends, lockSend, type Send, unsignedSend } from '../store/sends.ts';
import { findWalletOf, ownAddress } from '../store/wallets.ts';

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
  | { outcome: 'busy'; other: Send }
  /** The address is held until its transactions are explained; nothing is sent from there. */
  | { outcome: 'held' }
  /** The address has to be compared with the chain before it is given a nonce. */
  | { outcome: 'uncompared'; sender: LockedSender };

/** Whether the chain was asked for the sender's count of transactions lately enough to give it a nonce. */
export type IsCompared = (sender: LockedSender) => boolean;

export interface TransferPayment {
  transferId: string;
  chainId: string;
  fromAddress: string;
  amountMinor: bigint;
  /** The wallet of the chain's own coin, whose gas account says what the tank advanced. */
  nativeWalletId: string;
}

/** The nonce that no payment has: neither by the address's row, nor by what the signer ever signed for it. */
async function freeNonce(tx: Tx, chainId: string, address: string, next: number): Promise<number> {
  return Math.max(next, await nonceAfterJournal(tx, chainId, address));
}

/** What is paid, from which address, and where the gas for it is kept. */
export async function paymentOf(
  tx: Tx,
  transfer: LifecycleRow,
): Promise<{ payment: TransferPayment; contract: Address | null }> {
  const { chainId, coin } = transfer;
  const chain = await findChain(tx, chainId);
  const fromAddress = await ownAddress(tx, chainId);
  invariant(chain && fromAddress !== null, `the company has an address on ${chainId}`);
  const native = await findWalletOf(tx, chainId, chain.nativeCoin);
  invariant(native, `the company has a wallet of ${chain.nativeCoin} on ${chainId}`);
  const contracts = await coinsByContract(tx, chainId);
  const contract = [...contracts].find(([, known]) => known === coin)?.[0];
  invariant(contract !== undefined, `${coin} is a coin of ${chainId}`);
  return {
    payment: {
      transferId: transfer.id,
      chainId,
      fromAddress,
      amountMinor: transfer.quantityMinor,
      nativeWalletId: native.id,
    },
    contract: contract === 'native' ? null : (contract as Address),
  };
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

/** The guard: under the lock under which the nonce is given, so that no hold can come between. */
function refusalOf(sender: LockedSender, isCompared: IsCompared): Allotment | null {
  if (sender.isHeld) return { outcome: 'held' };
  return isCompared(sender) ? null : { outcome: 'uncompared', sender };
}

/** Gives a transfer its nonce, once: another caller finds the same. */
export async function allotTransfer(
  tx: Tx,
  payment: TransferPayment,
  cost: Cost,
  isCompared: IsCompared,
): Promise<Allotment> {
  const sender = await lockSender(tx, payment.chainId, payment.fromAddress);
  const [known] = await latestSends(tx, payment.transferId, 'transfer');
  if (known) return { outcome: 'allotted', send: known };
  const refused = refusalOf(sender, isCompared);
  if (refused) return refused;
  const missingWei = worstCost(cost) - (await spendableGas(tx, payment));
  if (missingWei > 0n) return { outcome: 'short', missingWei };
  const other = await unsignedSend(tx, payment.chainId, payment.fromAddress);
  if (other) return { outcome: 'busy', other };
  const { transferId, chainId, fromAddress, amountMinor } = payment;
  const nonce = await freeNonce(tx, chainId, fromAddress, sender.nextNonce);
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
  isCompared: IsCompared,
): Promise<Allotment> {
  const sender = await lockSender(tx, payment.chainId, tankAddress);
  const onItsWay = (await latestSends(tx, payment.transferId, 'gas')).find(
    (send) => send.finalAt === null && send.minedBlock === null,
  );
  if (onItsWay) return { outcome: 'allotted', send: onItsWay };
  const refused = refusalOf(sender, isCompared);
  if (refused) return refused;
  const other = await unsignedSend(tx, payment.chainId, tankAddress);
  if (other) return { outcome: 'busy', other };
  const nonce = await freeNonce(tx, payment.chainId, tankAddress, sender.nextNonce);
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
  const { isHeld } = await lockSender(tx, stuck.chainId, stuck.fromAddress);
  if (isHeld) return { outcome: 'held' };
  const newer = await lockSend(tx, stuck.paymentId, stuck.attempt + 1);
  if (newer) return { outcome: 'allotted', send: newer };
  const cost = { ...fees, gasLimit: stuck.gasLimit };
  if (payment) {
    const missingWei = worstCost(cost) - worstCost(stuck) - (await spendableGas(tx, payment));
    if (missingWei > 0n) return { outcome: 'short', missingWei };
  }
  return { outcome: 'allotted', send: await insertSend(tx, { ...stuck, ...cost, attempt: stuck.attempt + 1 }) };
}
