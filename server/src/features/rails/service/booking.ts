import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { findChain, findFinalHeight, ownersOf, treasuryOwner } from '../../chains/index.ts';
import { accountsByKind, move, post } from '../../ledger/index.ts';
import { takeBack } from '../../outgoing/index.ts';
import { changeStage, insertTransactions, lockTransaction, type NewTransaction } from '../../transactions/index.ts';
import { findWalletOf, openWalletOf, takeFromWallet } from '../../wallets/index.ts';
import type { RailFamily, SendingDependencies } from '../family.ts';
import {
  deleteUnexplained,
  explainable,
  lockUnexplained,
  markExplained,
  setObstacle,
  type UnexplainedPayment,
} from '../store/unexplained.ts';
import { chargeGas } from '../sweeps/store.ts';
import { gatewayOf } from './gateway.ts';

/** Corrects a company's books for what left its addresses by transactions that no payment of ours is. */

/** Why a decision waits; the operator's list says it in words. */
export type Obstacle = 'notFinal' | 'differs' | 'underWay';

/** Carries out what the operator decided of unexplained payments of a chain; one that fails is tried again later. */
export async function explainEach(
  { database, log }: SendingDependencies,
  chainId: string,
  carryOut: (row: UnexplainedPayment) => Promise<void>,
): Promise<void> {
  for (const row of await database.withoutCompany((tx) => explainable(tx, chainId))) {
    await carryOut(row).catch((error: unknown) =>
      log.warn({ err: error, chain: chainId, hash: row.hash }, 'an unexplained payment could not be explained yet'),
    );
  }
}

/** Books a payment that the operator decided to book, once it is final. */
export async function bookFinal(deps: SendingDependencies, row: UnexplainedPayment): Promise<void> {
  const isDeep = await isFinal(deps, row);
  await deps.database.withCompany(row.companyId, (tx) =>
    isDeep ? book(tx, deps.familyOf(row.chainId), row) : setObstacle(tx, row.id, 'notFinal' satisfies Obstacle),
  );
}

/** Whether the payment lies at the chain's depth, in the block in which it was seen. @throws NoAgreement */
export async function isFinal(deps: SendingDependencies, row: UnexplainedPayment): Promise<boolean> {
  const finalHeight = await deps.database.withoutCompany((tx) => findFinalHeight(tx, row.chainId));
  if (finalHeight === null || row.blockNumber > finalHeight) return false;
  return (await gatewayOf(deps, row.chainId).receipt(row.hash))?.blockHash === row.blockHash;
}

/** Takes what left from the company's wallet, with a transaction of its own that the company sees. */
async function book(tx: Tx, family: RailFamily, seen: UnexplainedPayment): Promise<void> {
  const row = await lockUnexplained(tx, seen.id);
  if (row?.state !== 'open' || row.decision !== 'book') return;
  const { chainId, coin, amountMinor, networkFeeMinor } = row;
  const chain = await findChain(tx, chainId);
  invariant(chain, `chain ${chainId} is registered`);
  let transactionId: string | null = null;
  const receiver = await receiverOf(tx, row);
  // What goes to another address of the company leaves no wallet, and costs its network fee.
  if (coin !== null && row.succeeded && amountMinor > 0n && receiver !== tx.companyId) {
    const walletId = await openWalletOf(tx, chainId, coin);
    if (receiver === treasuryOwner) await postSettled(tx, row, walletId);
    else transactionId = await takeFound(tx, row, { walletId, coin });
  }
  if (networkFeeMinor > 0n) {
    const native = await findWalletOf(tx, chainId, chain.nativeCoin);
    invariant(native, `the company has a wallet of ${chain.nativeCoin} on ${chainId}`);
    await family.postNetworkFee(
      tx,
      { nativeWalletId: native.id },
      { kind: 'gas.spent', sourceId: row.id },
      networkFeeMinor,
    );
    await chargeGas(tx, chainId, row.fromAddress, networkFeeMinor);
  }
  await markExplained(tx, row.id, 'booked', transactionId);
}

async function takeFound(
  tx: Tx,
  row: UnexplainedPayment,
  { walletId, coin }: { walletId: string; coin: string },
): Promise<string> {
  const { amountMinor } = row;
  const transactionId = await freeId(tx, row.transferId);
  await insertTransactions(tx, [bookedAs(row, { id: transactionId, walletId, coin })]);
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
  return transactionId;
}

/** Whose address it was sent to, if it is one of ours. */
async function receiverOf(tx: Tx, { chainId, toAddress }: UnexplainedPayment): Promise<string | undefined> {
  return toAddress === null ? undefined : (await ownersOf(tx, chainId, [toAddress]))[0]?.companyId;
}

/** What reached the treasury is a settlement that the database has lost: the platform owes the company so much more, or is owed so much less. */
async function postSettled(tx: Tx, row: UnexplainedPayment, walletId: string): Promise<void> {
  const { chain, fx } = await accountsByKind(tx, walletId, ['chain', 'fx']);
  await post(tx, {
    id: newId(),
    kind: 'payment.booked',
    sourceId: row.id,
    description: 'settlement found on the chain',
    legs: move(fx.id, chain.id, row.amountMinor),
  });
  await announce(tx, [live('balance', walletId)]);
}

/** A payment that was found on the chain, as a completed transaction of the company with the operator's reason. */
function bookedAs(row: UnexplainedPayment, as: { id: string; walletId: string; coin: string }): NewTransaction {
  const { chainId, hash, blockNumber, blockHash } = row;
  return {
    ...as,
    type: 'chain_withdraw',
    quantityMinor: row.amountMinor,
    payerAccount: row.fromAddress,
    payeeAccount: row.toAddress,
    description: row.reason ?? '',
    chain: { chainId, hash, blockNumber, blockHash },
    timeline: [{ stage: 'completed', hash, reason: 'stage.reason.booked' }],
  };
}

/** The id of a lost transfer, so that it cannot be submitted again; a new one where it is taken or none is known. */
async function freeId(tx: Tx, wanted: string | null): Promise<string> {
  return wanted !== null && (await lockTransaction(tx, wanted)) === null ? wanted : newId();
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
  await chargeGas(tx, row.chainId, row.fromAddress, -row.networkFeeMinor);
  for (const kind of ['payment.booked', 'gas.spent']) await takeBack(tx, row.id, kind);
  if (row.transferId === null) return;
  await changeStage(tx, row.transferId, ['completed'], {
    stage: 'reversed',
    reason: 'stage.reason.reversed',
  });
  await announce(tx, [live('transaction', row.transferId)]);
}
