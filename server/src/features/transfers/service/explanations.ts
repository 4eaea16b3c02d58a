import type { Hex } from 'viem';
import { audit } from '../../../platform/audit.ts';
import type { Database, Tx } from '../../../platform/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { announce, live } from '../../../platform/outbox.ts';
import { lockTaskOf, withdrawTask } from '../../approvals/index.ts';
import { type ChainGateway, findChain, findCursor, gasTankOwner, ownersOf } from '../../chains/index.ts';
import { accountsByKind, findPosting, legsOf, move, post, reversed } from '../../ledger/index.ts';
import { openWalletOf } from '../../wallets/index.ts';
import { changeStage, insertBooked, type LifecycleRow, lockTransaction } from '../store/lifecycle.ts';
import { highestAttempt, insertSend, keepFound, latestSends } from '../store/sends.ts';
import {
  deleteUnexplained,
  explainable,
  lockUnexplained,
  markExplained,
  setObstacle,
  type UnexplainedPayment,
} from '../store/unexplained.ts';
import { findWalletOf } from '../store/wallets.ts';
import { postNetworkFee, seeMined } from './settling.ts';
import { takeFromWallet } from './shortfall.ts';
import type { SendingDependencies } from './surroundings.ts';

/**
 * Carries out what the operator decided of unexplained payments: `match` makes one the payment of a transfer, which is then
 * settled by the ordinary road; `book` corrects the books. The gas tank's need no decision: its money is the operator's,
 * and what reached a company is booked as an advance.
 */

/** Why a decision waits; the operator's list says it in words. */
export type Obstacle = 'notFinal' | 'differs' | 'underWay';

const reason = 'stage.reason.foundOnChain';
const matchable = ['waiting_approval', 'approved', 'signing', 'broadcast', 'confirming'] as const;

export async function carryOutDecisions(deps: SendingDependencies, gateway: ChainGateway): Promise<void> {
  const { database, log } = deps;
  const rows = await database.withoutCompany((tx) => explainable(tx, gateway.chainId, gasTankOwner));
  for (const row of rows) {
    try {
      if (row.companyId !== gasTankOwner && row.decision === 'match') {
        await database.withCompany(row.companyId, (tx) => match(tx, row));
      } else if (await isFinal(deps, gateway, row)) {
        if (row.companyId === gasTankOwner) await bookTank(deps, row);
        else await database.withCompany(row.companyId, (tx) => book(tx, row));
      } else {
        await database.withCompany(row.companyId, (tx) => setObstacle(tx, row.id, 'notFinal' satisfies Obstacle));
      }
    } catch (error) {
      log.warn({ err: error, chain: row.chainId, hash: row.hash }, 'an unexplained payment could not be explained yet');
    }
  }
}

/** Whether the payment lies at the chain's depth, in the block in which it was seen. @throws NoAgreement */
async function isFinal(deps: SendingDependencies, gateway: ChainGateway, row: UnexplainedPayment): Promise<boolean> {
  const { cursor, depth } = await deps.database.withoutCompany(async (tx) => ({
    cursor: await findCursor(tx, row.chainId),
    depth: (await findChain(tx, row.chainId))?.confirmations ?? 0,
  }));
  if (!cursor || cursor.height - row.blockNumber < depth) return false;
  return (await gateway.receipt(row.hash as Hex))?.blockHash === row.blockHash;
}

async function match(tx: Tx, seen: UnexplainedPayment): Promise<void> {
  const { id, transferId } = seen;
  invariant(transferId !== null, 'a match names its transfer');
  // Locks in the one order (docs/adr/0025): the task, the transaction, the rest.
  await lockTaskOf(tx, 'transfer', transferId);
  const transfer = await lockTransaction(tx, transferId);
  const row = await lockUnexplained(tx, id);
  if (row?.state !== 'open' || row.decision !== 'match') return;
  if (!transfer || !isPaymentOf(row, transfer)) return setObstacle(tx, id, 'differs' satisfies Obstacle);
  const { nonce, raw } = row;
  if (nonce === null || raw === null) return setObstacle(tx, id, 'differs' satisfies Obstacle);
  const [latest] = await latestSends(tx, transferId, 'transfer');
  const isSameNonce = latest?.nonce === nonce;
  // Its other transaction may still be mined: then it would be paid twice, and must be seen as what it is.
  if (latest && !isSameNonce && latest.supersededAt === null) {
    return setObstacle(tx, id, 'underWay' satisfies Obstacle);
  }
  if (transfer.stage === 'waiting_approval') await withdrawTask(tx, 'transfer', transferId, { end: 'stopped', reason });
  await changeStage(tx, transferId, ['waiting_approval', 'approved'], { stage: 'signing', reason });
  const found = { ...row, nonce, raw };
  const send =
    latest && isSameNonce
      ? await keepFound(tx, latest, found)
      : await keepFound(
          tx,
          await insertSend(tx, {
            ...found,
            paymentId: transferId,
            attempt: (await highestAttempt(tx, row.chainId, row.fromAddress, nonce, transferId)) + 1,
            kind: 'transfer',
            transferId,
          }),
          found,
        );
  await markExplained(tx, id, 'matched', transferId);
  await seeMined(tx, send, { height: row.blockNumber, hash: row.blockHash });
}

/** Whether the transaction paid, or was to pay, just what the transfer says. */
function isPaymentOf(row: UnexplainedPayment, transfer: LifecycleRow): boolean {
  return (
    transfer.type === 'chain_withdraw' &&
    transfer.status === 'pending' &&
    (matchable as readonly string[]).includes(transfer.stage) &&
    transfer.chainId === row.chainId &&
    transfer.coin === row.coin &&
    transfer.quantityMinor === row.amountMinor &&
    transfer.payeeAccount?.toLowerCase() === row.toAddress?.toLowerCase()
  );
}

/** Takes what left from the company's wallet, with a transaction of its own that the company sees. */
async function book(tx: Tx, seen: UnexplainedPayment): Promise<void> {
  const row = await lockUnexplained(tx, seen.id);
  if (row?.state !== 'open' || row.decision !== 'book') return;
  const { chainId, coin, amountMinor, networkFeeWei } = row;
  const chain = await findChain(tx, chainId);
  invariant(chain, `chain ${chainId} is registered`);
  let transactionId: string | null = null;
  if (coin !== null && row.succeeded && amountMinor > 0n) {
    const walletId = await openWalletOf(tx, chainId, coin);
    transactionId = await freeId(tx, row.transferId);
    await insertBooked(tx, { ...row, coin, walletId, transactionId });
    const { chain: contra } = await accountsByKind(tx, walletId, ['chain']);
    await takeFromWallet(
      tx,
      walletId,
      amountMinor,
      { kind: 'payment.booked', sourceId: row.id, description: 'payment found on the chain' },
      [{ accountId: contra.id, amountMinor }],
      'payment found on the chain',
    );
    await announce(tx, [live('transaction', transactionId), live('balance', walletId)]);
  }
  if (networkFeeWei > 0n) {
    const native = await findWalletOf(tx, chainId, chain.nativeCoin);
    invariant(native, `the company has a wallet of ${chain.nativeCoin} on ${chainId}`);
    await postNetworkFee(tx, { kind: 'gas.spent', sourceId: row.id }, native.id, networkFeeWei);
  }
  await markExplained(tx, row.id, 'booked', transactionId);
}

/** The id of a lost transfer, so that it cannot be submitted again; a new one where it is taken or none is known. */
async function freeId(tx: Tx, wanted: string | null): Promise<string> {
  return wanted !== null && (await lockTransaction(tx, wanted)) === null ? wanted : newId();
}

/** Closes a transaction of the gas tank; what reached a company's address is an advance of network fees. */
async function bookTank(deps: SendingDependencies, row: UnexplainedPayment): Promise<void> {
  const { database, log } = deps;
  const { chainId, toAddress, coin, amountMinor } = row;
  const { chain, owner } = await database.withoutCompany(async (tx) => ({
    chain: await findChain(tx, chainId),
    owner: toAddress === null ? undefined : (await ownersOf(tx, chainId, [toAddress]))[0],
  }));
  const isAdvance = row.succeeded && amountMinor > 0n && coin === chain?.nativeCoin;
  if (chain && isAdvance && owner && owner.companyId !== gasTankOwner) {
    await database.withCompany(owner.companyId, (tx) => postAdvance(tx, row, chain.nativeCoin));
  }
  await database.withCompany(gasTankOwner, async (tx) => {
    const open = await lockUnexplained(tx, row.id);
    if (open?.state !== 'open') return;
    await markExplained(tx, row.id, 'booked', null);
    await audit(tx, {
      actor: { kind: 'system', id: 'transfers' },
      action: 'transfers.closeTankPayment',
      subjectKind: 'payment',
      subjectId: row.id,
      detail: { hash: row.hash, nonce: row.nonce, to: toAddress, coin, amount: amountMinor.toString() },
    });
  });
  log.warn(
    { chain: chainId, hash: row.hash, nonce: row.nonce },
    'a transaction of the gas tank was made outside; closed',
  );
}

async function postAdvance(tx: Tx, row: UnexplainedPayment, nativeCoin: string): Promise<void> {
  if ((await findPosting(tx, row.id, 'gas.advanced')) !== null) return;
  const { chain, gas } = await accountsByKind(tx, await openWalletOf(tx, row.chainId, nativeCoin), ['chain', 'gas']);
  await post(tx, {
    id: newId(),
    kind: 'gas.advanced',
    sourceId: row.id,
    description: 'network fee advanced by the gas tank, found on the chain',
    legs: move(chain.id, gas.id, row.amountMinor),
  });
}

/**
 * Forgets an unexplained payment of the current company whose block is gone. Its correction is taken back; a matched one
 * lives on as the payment of its transfer.
 */
export async function forgetVanished(tx: Tx, seen: UnexplainedPayment): Promise<void> {
  const row = await lockUnexplained(tx, seen.id);
  if (!row || row.blockHash !== seen.blockHash) return;
  if (row.state === 'booked') await undoBooked(tx, row);
  await deleteUnexplained(tx, row.id);
}

async function undoBooked(tx: Tx, row: UnexplainedPayment): Promise<void> {
  for (const kind of ['payment.booked', 'gas.spent']) {
    const postingId = await findPosting(tx, row.id, kind);
    if (postingId === null) continue;
    await post(tx, {
      id: newId(),
      kind: `${kind}.undone`,
      sourceId: row.id,
      description: 'taken back after a reorganisation',
      correctsId: postingId,
      legs: reversed(await legsOf(tx, postingId)),
    });
  }
  if (row.transferId === null) return;
  await changeStage(tx, row.transferId, ['completed'], {
    stage: 'reversed',
    status: 'failed',
    reason: 'stage.reason.reversed',
  });
  await announce(tx, [live('transaction', row.transferId)]);
}

/** Takes the advance back that a vanished transaction of the gas tank had brought; what is spent of it is a shortfall. */
export async function undoTankAdvance(database: Database, row: UnexplainedPayment): Promise<void> {
  const { id, chainId, toAddress, coin, state } = row;
  if (state !== 'booked' || toAddress === null || coin === null) return;
  const [owner] = await database.withoutCompany((tx) => ownersOf(tx, chainId, [toAddress]));
  if (!owner || owner.companyId === gasTankOwner) return;
  await database.withCompany(owner.companyId, async (tx) => {
    const postingId = await findPosting(tx, id, 'gas.advanced');
    if (postingId === null || (await findPosting(tx, id, 'gas.advanced.undone')) !== null) return;
    const walletId = await openWalletOf(tx, chainId, coin);
    const { chain, gas, deficit } = await accountsByKind(tx, walletId, ['chain', 'gas', 'deficit']);
    let left = row.amountMinor;
    if (gas.balanceMinor < left) left = gas.balanceMinor;
    await post(tx, {
      id: newId(),
      kind: 'gas.advanced.undone',
      sourceId: id,
      description: 'taken back after a reorganisation',
      correctsId: postingId,
      legs: [
        { accountId: gas.id, amountMinor: -left },
        { accountId: deficit.id, amountMinor: left - row.amountMinor },
        { accountId: chain.id, amountMinor: row.amountMinor },
      ],
    });
  });
}
