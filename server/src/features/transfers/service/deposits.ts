import type { Tx } from '../../../platform/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { announce, live } from '../../../platform/outbox.ts';
import type { Arrival } from '../../chains/index.ts';
import { accountsByKind, findPosting, legsOf, move, post, reversed } from '../../ledger/index.ts';
import { openWalletOf } from '../../wallets/index.ts';
import { transferEvents } from '../events.ts';
import {
  type Deposit,
  depositsElsewhere,
  insertDeposit,
  lockDeposit,
  moveDeposit,
  setConfirmations,
  setDepositState,
} from '../store/deposits.ts';
import { changeStage } from '../store/lifecycle.ts';
import { repayDeficit, takeFromWallet } from './shortfall.ts';

/**
 * The life of a deposit: seen (chain → inbound), credited at the chain's depth (inbound → available), orphaned when a
 * reorganisation takes it away before, reversed when after. An output counts once, in whichever block it stands.
 */

/** What reached the company in one block. */
export interface SeenArrival {
  arrival: Arrival;
  coin: string;
  block: { height: number; hash: string };
}

const standing = new Set(['inbound', 'credited']);

/** Takes note of an output; one that is known already is left as it is, or follows into its new block. */
export async function seeDeposit(tx: Tx, chainId: string, seen: SeenArrival): Promise<void> {
  const { arrival, coin, block } = seen;
  const known = await lockDeposit(tx, chainId, arrival.hash, arrival.output);
  if (known && standing.has(known.state)) {
    if (known.coin === coin && known.quantityMinor === arrival.amountMinor) {
      if (known.blockHash === block.hash) return;
      await moveDeposit(tx, known, block);
      await announce(tx, [live('transaction', known.transactionId)]);
      return;
    }
    // The same transaction had another effect in the new chain.
    await takeBack(tx, known);
  }
  const walletId = await openWalletOf(tx, chainId, coin);
  const id = newId();
  await insertDeposit(tx, {
    id,
    chainId,
    hash: arrival.hash,
    output: arrival.output,
    walletId,
    coin,
    amountMinor: arrival.amountMinor,
    from: arrival.from,
    to: arrival.to,
    blockNumber: block.height,
    blockHash: block.hash,
    relatedId: known?.transactionId ?? null,
  });
  const accounts = await accountsByKind(tx, walletId, ['chain', 'inbound']);
  await post(tx, {
    id: newId(),
    kind: 'deposit.seen',
    sourceId: id,
    description: 'deposit seen on the chain',
    legs: move(accounts.chain.id, accounts.inbound.id, arrival.amountMinor),
  });
  await tell(tx, transferEvents.depositSeen, id, walletId);
}

/** Makes a deposit available once it is deep enough; `confirmations` as they stand. */
export async function creditDeposit(
  tx: Tx,
  chainId: string,
  key: { hash: string; output: string; blockHash: string },
  confirmations: number,
): Promise<void> {
  const deposit = await lockDeposit(tx, chainId, key.hash, key.output);
  if (deposit?.state !== 'inbound' || deposit.blockHash !== key.blockHash) return;
  const { transactionId, walletId, quantityMinor } = deposit;
  const accounts = await accountsByKind(tx, walletId, ['inbound', 'available']);
  await post(tx, {
    id: newId(),
    kind: 'deposit.credited',
    sourceId: transactionId,
    description: 'deposit credited',
    legs: move(accounts.inbound.id, accounts.available.id, quantityMinor),
  });
  await setDepositState(tx, deposit, 'credited');
  await setConfirmations(tx, transactionId, confirmations);
  await changeStage(tx, transactionId, ['seen', 'confirming'], {
    stage: 'credited',
    status: 'completed',
    hash: deposit.hash,
    confirmations,
  });
  await repayDeficit(tx, walletId, transactionId);
  await tell(tx, transferEvents.depositCredited, transactionId, walletId);
}

/** Writes how deep a deposit lies by now. */
export async function confirmDeposit(tx: Tx, transactionId: string, confirmations: number): Promise<void> {
  if (!(await setConfirmations(tx, transactionId, confirmations))) return;
  if (confirmations > 0) await changeStage(tx, transactionId, ['seen'], { stage: 'confirming' });
  await announce(tx, [live('transaction', transactionId)]);
}

/** Takes back what stood above the fork and is in none of the blocks that stand there now. */
export async function takeBackVanished(
  tx: Tx,
  chainId: string,
  forkHeight: number,
  blockHashes: readonly string[],
): Promise<void> {
  for (const { hash, output } of await depositsElsewhere(tx, chainId, forkHeight, blockHashes)) {
    const deposit = await lockDeposit(tx, chainId, hash, output);
    if (deposit && standing.has(deposit.state)) await takeBack(tx, deposit);
  }
}

async function takeBack(tx: Tx, deposit: Deposit): Promise<void> {
  if (deposit.state === 'inbound') await orphan(tx, deposit);
  else await reverse(tx, deposit);
}

async function orphan(tx: Tx, deposit: Deposit): Promise<void> {
  const { transactionId, walletId } = deposit;
  const seenId = await findPosting(tx, transactionId, 'deposit.seen');
  invariant(seenId, `deposit ${transactionId} was posted when seen`);
  await post(tx, {
    id: newId(),
    kind: 'deposit.orphaned',
    sourceId: transactionId,
    description: 'deposit taken away by a reorganisation',
    correctsId: seenId,
    legs: reversed(await legsOf(tx, seenId)),
  });
  await setDepositState(tx, deposit, 'orphaned');
  await changeStage(tx, transactionId, ['seen', 'confirming'], {
    stage: 'orphaned',
    status: 'failed',
    reason: 'stage.reason.orphaned',
  });
  await tell(tx, transferEvents.depositOrphaned, transactionId, walletId);
}

async function reverse(tx: Tx, deposit: Deposit): Promise<void> {
  const { transactionId, walletId, quantityMinor } = deposit;
  const creditedId = await findPosting(tx, transactionId, 'deposit.credited');
  invariant(creditedId, `deposit ${transactionId} was credited`);
  const { chain } = await accountsByKind(tx, walletId, ['chain']);
  await takeFromWallet(
    tx,
    walletId,
    quantityMinor,
    {
      kind: 'deposit.reversed',
      sourceId: transactionId,
      description: 'credited deposit taken back after a reorganisation',
      correctsId: creditedId,
    },
    [{ accountId: chain.id, amountMinor: quantityMinor }],
  );
  await setDepositState(tx, deposit, 'reversed');
  await changeStage(tx, transactionId, ['credited'], {
    stage: 'reversed',
    status: 'failed',
    reason: 'stage.reason.reversed',
  });
  await tell(tx, transferEvents.depositReversed, transactionId, walletId);
}

async function tell(tx: Tx, name: string, transactionId: string, walletId: string): Promise<void> {
  await announce(tx, [
    { name, payload: { transactionId } },
    live('transaction', transactionId),
    live('balance', walletId),
  ]);
}
