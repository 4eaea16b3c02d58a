import { setTimeout as delay } from 'node:timers/promises';
import type { Stage } from '@causeway/contract/transfers.ts';
import { Counter } from 'prom-client';
import type { Address, Hex } from 'viem';
import type { Tx } from '../../../platform/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { registry } from '../../../platform/metrics.ts';
import { announce, live } from '../../../platform/outbox.ts';
import { findRestoreMode } from '../../../platform/restore-mode.ts';
import { gasTankOwner } from '../../chains/index.ts';
import { isHeld, type LockedSender } from '../store/holds.ts';
import { changeStage, type LifecycleRow, lockTransaction, noteStage, placeTransaction } from '../store/lifecycle.ts';
import { readReviewed } from '../store/reviewing.ts';
import { gasTankAddress, keepSigned, latestSends, lockSend, markBroadcast, type Send } from '../store/sends.ts';
import { findWalletOf } from '../store/wallets.ts';
import { adoptSigned } from './adopting.ts';
import { judgeAgain } from './judging.ts';
import { compareNonce, isCompared } from './nonce-guard.ts';
import { type Allotment, allotTopUp, allotTransfer, type Cost, paymentOf, type TransferPayment } from './paying.ts';
import { failTransfer, takeRefusal } from './refusing.ts';
import { stopLocked } from './stopping.ts';
import { gatewayOf, type SendingDependencies } from './surroundings.ts';
import { resolveNonce } from './used-nonces.ts';

/**
 * From approved to broadcast. Every step is recorded before the next begins and does nothing when it has been done, so
 * that the whole may be run again from the start after a crash at any point. No transaction is open while a node or the
 * signer is asked.
 */

/** A transfer that has been handed to signing. */
interface Handed {
  transfer: LifecycleRow;
  payment: TransferPayment;
  contract: Address | null;
  send: Send | null;
}

const unsentStages: readonly Stage[] = ['approved', 'signing'];
const handedStages: readonly Stage[] = [...unsentStages, 'broadcast', 'confirming'];
const topUpGas = 21_000n;
const busyTries = 20;
const busyPauseMs = 50;

const rejectedBroadcasts = new Counter({
  name: 'causeway_broadcasts_rejected_total',
  help: 'Signed transactions that every node refused',
  labelNames: ['chain'],
  registers: [registry],
});

/** Does whatever a transfer's sending still lacks, as far as it can be done now. */
export async function sendTransfer(deps: SendingDependencies, companyId: string, transferId: string): Promise<void> {
  const handed = await deps.database.withCompany(companyId, (tx) => handOver(tx, transferId));
  if (!handed) return;
  const send = handed.send ?? (await prepare(deps, companyId, handed));
  if (send) await dispatch(deps, send);
}

/**
 * Takes the transfer over for signing: from here on it cannot be cancelled; of a cancel and this, one wins. Null when
 * there is nothing to send, while the wallet is frozen, or in restore mode.
 */
async function handOver(tx: Tx, transferId: string): Promise<Handed | null> {
  if (await findRestoreMode(tx)) return null;
  const transfer = await lockTransaction(tx, transferId);
  if (transfer?.type !== 'chain_withdraw' || transfer.status !== 'pending') return null;
  if (unsentStages.includes(transfer.stage) && (await adoptSigned(tx, transfer)) === 'foreign') return null;
  const [send] = await latestSends(tx, transferId, 'transfer');
  if (!send) {
    const wallet = await findWalletOf(tx, transfer.chainId, transfer.coin);
    if (!wallet || wallet.isFrozen) return null;
  }
  if (transfer.stage === 'approved') {
    // What was signed before the database was restored may be on the chain, whatever risk says of it now.
    if (!send && (await isForbidden(tx, transfer))) return null;
    await changeStage(tx, transferId, ['approved'], { stage: 'signing' });
    await announce(tx, [live('transaction', transferId)]);
  } else if (!handedStages.includes(transfer.stage)) {
    return null;
  }
  return { transfer, send: send ?? null, ...(await paymentOf(tx, transfer)) };
}

/** The last look before money moves: what risk forbids by now is refused, and the hold given back. */
async function isForbidden(tx: Tx, transfer: LifecycleRow): Promise<boolean> {
  const reviewed = await readReviewed(tx, transfer.id);
  invariant(reviewed, `transfer ${transfer.id} can be judged`);
  const verdict = await judgeAgain(tx, reviewed, 'handover');
  if (verdict === null || verdict.allowed) return false;
  await stopLocked(tx, transfer);
  return true;
}

/** Estimates, sees to the gas, gives out the nonce. Null while the gas is on its way, or when the transfer has failed. */
async function prepare(deps: SendingDependencies, companyId: string, handed: Handed): Promise<Send | null> {
  const { transfer, payment, contract } = handed;
  const gateway = gatewayOf(deps, payment.chainId);
  invariant(transfer.payeeAccount !== null, `transfer ${transfer.id} has a payee`);
  const gasLimit = await gateway.estimateGas({
    from: payment.fromAddress as Address,
    to: transfer.payeeAccount as Address,
    contract,
    amountMinor: payment.amountMinor,
  });
  if (gasLimit === 'reverts') {
    await failTransfer(deps, companyId, transfer.id, 'failed', 'stage.reason.wouldRevert');
    return null;
  }
  const cost: Cost = { gasLimit, ...(await gateway.fees()) };
  const isNonceKnown = (sender: LockedSender) => isCompared(gateway, sender);
  const allotment = await untilFree(deps, companyId, (tx) => allotTransfer(tx, payment, cost, isNonceKnown));
  if (allotment.outcome === 'allotted') return allotment.send;
  if (allotment.outcome === 'held') return null;
  // Enough for this payment and for raising its fee.
  await topUp(deps, companyId, payment, allotment.missingWei + cost.gasLimit * cost.maxFeePerGas);
  return null;
}

/** Has the gas tank advance the network fee to the company's own address. */
export async function topUp(
  deps: SendingDependencies,
  companyId: string,
  payment: TransferPayment,
  amountWei: bigint,
): Promise<void> {
  const { database } = deps;
  const tank = await database.withoutCompany((tx) => gasTankAddress(tx, payment.chainId, gasTankOwner));
  invariant(tank !== null, `the gas tank has an address on ${payment.chainId}`);
  const gateway = gatewayOf(deps, payment.chainId);
  const cost = { gasLimit: topUpGas, ...(await gateway.fees()) };
  const isNonceKnown = (sender: LockedSender) => isCompared(gateway, sender);
  const allotment = await untilFree(deps, companyId, (tx) =>
    allotTopUp(tx, payment, tank, amountWei, cost, isNonceKnown),
  );
  if (allotment.outcome === 'allotted') await dispatch(deps, allotment.send);
}

type Settled = Exclude<Allotment, { outcome: 'busy' | 'uncompared' }>;

/**
 * Compares the address with the chain where that is due, and waits a moment for another payment of the same address to be
 * signed. One whose worker has died is signed from here, which is harmless if it has not; then this job is tried again
 * later.
 */
async function untilFree(
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

/** Signs what is not signed, and offers it to the nodes: the same bytes however often this runs. Not from a held address. */
export async function dispatch(deps: SendingDependencies, send: Send): Promise<void> {
  if (send.minedBlock !== null || send.finalAt !== null) return;
  if (await deps.database.withoutCompany((tx) => isHeld(tx, send.chainId, send.fromAddress))) return;
  const signed = send.raw === null ? await sign(deps, send) : send;
  if (!signed || signed.raw === null || signed.minedBlock !== null || signed.finalAt !== null) return;
  if (await deps.database.withoutCompany(findRestoreMode)) return;
  const result = await gatewayOf(deps, send.chainId).broadcast(signed.raw as Hex);
  const taken = result.outcome === 'accepted' || result.outcome === 'known';
  if (result.outcome === 'rejected') {
    rejectedBroadcasts.inc({ chain: send.chainId });
    const { kind, transferId, hash } = signed;
    deps.log.error({ kind, transferId, hash, reason: result.reason }, 'every node refuses a signed transaction');
  }
  await deps.database.withCompany(send.companyId, (tx) => recordBroadcast(tx, signed, taken));
  if (result.outcome === 'nonceUsed') await resolveNonce(deps, signed);
}

async function sign(deps: SendingDependencies, send: Send): Promise<Send | null> {
  const { companyId, transferId, paymentId, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = send;
  const pricing = { companyId, transferId, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas };
  const answer = await deps.signer.sign(
    send.kind === 'transfer'
      ? { kind: 'transfer', ...pricing }
      : { kind: 'gas', ...pricing, paymentId, amountWei: send.amountMinor },
  );
  if (answer.signed) return deps.database.withCompany(companyId, (tx) => keepSigned(tx, send, answer));
  await takeRefusal(deps, send, answer.refusal, answer.journaled);
  return null;
}

async function recordBroadcast(tx: Tx, send: Send, taken: boolean): Promise<void> {
  const known = await lockSend(tx, send.paymentId, send.attempt);
  if (!known) return;
  await markBroadcast(tx, send, taken);
  if (!taken || known.firstBroadcastAt !== null || send.kind !== 'transfer' || send.hash === null) return;
  if (send.attempt === 1) {
    await changeStage(tx, send.transferId, ['signing'], { stage: 'broadcast', hash: send.hash });
  } else if (known.minedBlock === null) {
    await noteStage(tx, send.transferId, { stage: 'replaced', hash: send.hash, reason: 'stage.reason.feeBumped' });
    await placeTransaction(tx, send.transferId, send.hash, null);
  }
  await announce(tx, [live('transaction', send.transferId)]);
}
