import type { Address, Hex } from 'viem';
import { audit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import { announce, live } from '../../../platform/outbox.ts';
import { type ChainGateway, findChain, findCursor } from '../../chains/index.ts';
import { transferEvents } from '../events.ts';
import { lockTransaction } from '../store/lifecycle.ts';
import {
  attemptsOf,
  isReadBlock,
  latestSends,
  markReleaseDone,
  markSuperseded,
  releasable,
  type Send,
} from '../store/sends.ts';
import { release } from './release.ts';
import { seeMined } from './settling.ts';
import { repayDeficit } from './shortfall.ts';
import { gatewayOf, type SendingDependencies } from './surroundings.ts';

/**
 * Payments whose nonce the chain has used. Either one of their own attempts is in a block that was read before its row
 * was there, or another transaction took the nonce: then, once that is final, nothing of the payment can be mined.
 */

export type NonceUse =
  /** No block has used the nonce. */
  | 'free'
  /** An attempt of the payment is in a block. */
  | 'ours'
  /** Another transaction used it, in a block that may still be reorganised away. */
  | 'other'
  /** Another transaction used it for good; the payment is closed. */
  | 'superseded';

/** Asks the chain for every attempt of a payment by its hash, and for its nonce. @throws NoAgreement */
export async function resolveNonce(deps: SendingDependencies, send: Send): Promise<NonceUse> {
  const gateway = gatewayOf(deps, send.chainId);
  if (await findMined(deps, gateway, send)) return 'ours';
  if ((await gateway.minedNonce(send.fromAddress as Address, await gateway.head())) <= send.nonce) return 'free';
  const finalHeight = await finalHeightOf(deps, send.chainId);
  if (finalHeight === null) return 'other';
  if ((await gateway.minedNonce(send.fromAddress as Address, finalHeight)) <= send.nonce) return 'other';
  // Counted after the receipts were asked for: a block between the two could have been ours.
  if (await findMined(deps, gateway, send)) return 'ours';
  const isClosed = await deps.database.withCompany(send.companyId, (tx) => supersede(tx, send));
  const { kind, transferId, chainId, nonce } = send;
  if (isClosed)
    deps.log.error({ kind, transferId, chain: chainId, nonce }, 'another transaction used a payment’s nonce');
  return 'superseded';
}

/** Takes note of the attempt that a block has; the watcher read that block before the attempt had its row. */
export async function findMined(deps: SendingDependencies, gateway: ChainGateway, send: Send): Promise<boolean> {
  const { companyId, paymentId, chainId } = send;
  const attempts = await deps.database.withCompany(companyId, (tx) => attemptsOf(tx, paymentId));
  for (const attempt of attempts) {
    if (attempt.hash === null) continue;
    const receipt = await gateway.receipt(attempt.hash as Hex);
    if (!receipt) continue;
    const block = { height: receipt.height, hash: receipt.blockHash };
    // A block that is still to be read is the watcher's.
    const isRead = await deps.database.withoutCompany((tx) => isReadBlock(tx, chainId, block));
    if (isRead && attempt.minedBlock === null) {
      await deps.database.withCompany(companyId, (tx) => seeMined(tx, attempt, block));
    }
    return true;
  }
  return false;
}

/** The height up to which no reorganisation is expected; null while the chain is shorter. */
async function finalHeightOf(deps: SendingDependencies, chainId: string): Promise<number | null> {
  const { cursor, depth } = await deps.database.withoutCompany(async (tx) => ({
    cursor: await findCursor(tx, chainId),
    depth: (await findChain(tx, chainId))?.confirmations ?? 0,
  }));
  return cursor && cursor.height >= depth ? cursor.height - depth : null;
}

/** An advance never happened, and its transfer asks for another; a transfer waits for the operator. */
async function supersede(tx: Tx, send: Send): Promise<boolean> {
  const transfer = await lockTransaction(tx, send.transferId);
  if (!transfer || !(await markSuperseded(tx, send.paymentId))) return false;
  await audit(tx, {
    actor: { kind: 'system', id: 'transfers' },
    action: 'transfers.supersede',
    subjectKind: 'transaction',
    subjectId: send.transferId,
    detail: { kind: send.kind, nonce: send.nonce, address: send.fromAddress },
  });
  await announce(tx, [
    live('transaction', send.transferId),
    ...(send.kind === 'gas' ? [{ name: transferEvents.gasArrived, payload: { transactionId: send.transferId } }] : []),
  ]);
  return true;
}

/** Gives back the holds of superseded transfers that the operator has released. */
export async function releaseSuperseded(deps: SendingDependencies, chainId: string): Promise<void> {
  const { database } = deps;
  for (const { companyId, transferId } of await database.withoutCompany((tx) => releasable(tx, chainId))) {
    await database.withCompany(companyId, (tx) => giveBack(tx, transferId));
  }
}

async function giveBack(tx: Tx, transferId: string): Promise<void> {
  const transfer = await lockTransaction(tx, transferId);
  const [latest] = await latestSends(tx, transferId, 'transfer');
  await markReleaseDone(tx, transferId);
  if (transfer?.status !== 'pending' || !latest || latest.supersededAt === null) return;
  const refundId = await release(tx, transfer, ['signing', 'broadcast', 'confirming'], {
    stage: 'failed',
    reason: 'stage.reason.superseded',
  });
  if (refundId !== null) await repayDeficit(tx, transfer.walletId, refundId);
}
