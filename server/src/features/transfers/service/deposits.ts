import { type Tx, together } from '../../../platform/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { announce, live } from '../../../platform/outbox.ts';
import type { Arrival } from '../../chains/index.ts';
import {
  accountsByKind,
  accountsByOwner,
  findPosting,
  legsOf,
  move,
  type Posting,
  post,
  postBatch,
  reversed,
} from '../../ledger/index.ts';
import { openWalletOf } from '../../wallets/index.ts';
import { transferEvents } from '../events.ts';
import {
  type Deposit,
  depositsElsewhere,
  insertDeposits,
  lockDeposit,
  lockDeposits,
  markCredited,
  moveDeposit,
  type NewDeposit,
  type OutputKey,
  setDepositState,
  writeConfirmations,
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

/** Takes note of outputs; one that is known already is left as it is, or follows into its new block. */
export async function seeDeposits(tx: Tx, chainId: string, seen: readonly SeenArrival[]): Promise<void> {
  if (seen.length === 0) return;
  const locked = await lockDeposits(
    tx,
    chainId,
    seen.map(({ arrival }) => arrival),
  );
  const knownBy = new Map(locked.map((deposit) => [keyOf(deposit), deposit]));
  const fresh: (SeenArrival & { relatedId: string | null })[] = [];
  for (const one of seen) {
    const known = knownBy.get(keyOf(one.arrival));
    if (known && standing.has(known.state)) {
      if (await follow(tx, known, one)) continue;
      // The same transaction had another effect in the new chain.
      await takeBack(tx, known);
    }
    fresh.push({ ...one, relatedId: known?.transactionId ?? null });
  }
  if (fresh.length > 0) await writeFresh(tx, chainId, fresh);
}

const keyOf = ({ hash, output }: OutputKey): string => `${hash}/${output}`;

/** @returns whether it is the same deposit, if perhaps in another block */
async function follow(tx: Tx, known: Deposit, { arrival, coin, block }: SeenArrival): Promise<boolean> {
  if (known.coin !== coin || known.quantityMinor !== arrival.amountMinor) return false;
  if (known.blockHash === block.hash) return true;
  await moveDeposit(tx, known, block);
  await announce(tx, [live('transaction', known.transactionId)]);
  return true;
}

async function writeFresh(
  tx: Tx,
  chainId: string,
  fresh: readonly (SeenArrival & { relatedId: string | null })[],
): Promise<void> {
  const walletOf = new Map<string, string>();
  for (const coin of new Set(fresh.map((one) => one.coin))) walletOf.set(coin, await openWalletOf(tx, chainId, coin));
  const deposits = fresh.map(({ arrival, coin, block, relatedId }): NewDeposit => {
    const walletId = walletOf.get(coin);
    invariant(walletId, `the company has a wallet of ${coin}`);
    const { hash, output, amountMinor, from, to } = arrival;
    const at = { blockNumber: block.height, blockHash: block.hash };
    return { id: newId(), hash, output, walletId, coin, amountMinor, from, to, ...at, relatedId };
  });
  const accounts = await accountsByOwner(tx, [...walletOf.values()], ['chain', 'inbound']);
  await together([
    insertDeposits(tx, chainId, deposits),
    postAll(
      tx,
      deposits.map(({ id, walletId, amountMinor }) => {
        const { chain, inbound } = accounts(walletId);
        const posting = { id: newId(), kind: 'deposit.seen', sourceId: id, description: 'deposit seen on the chain' };
        return { ...posting, legs: move(chain.id, inbound.id, amountMinor) };
      }),
    ),
    tell(
      tx,
      transferEvents.depositSeen,
      deposits.map(({ id, walletId }) => ({ transactionId: id, walletId })),
    ),
  ]);
}

/** Postings of one kind, which no balance can refuse. */
async function postAll(tx: Tx, postings: readonly Posting[]): Promise<void> {
  const outcomes = await postBatch(tx, postings);
  invariant(
    outcomes.length === postings.length && outcomes.every((outcome) => outcome === 'posted'),
    'what a chain brings is posted',
  );
}

/** Makes deposits available that are deep enough; `confirmations` as they stand. */
export async function creditDeposits(
  tx: Tx,
  chainId: string,
  deep: readonly (OutputKey & { blockHash: string; confirmations: number })[],
): Promise<void> {
  const deepBy = new Map(deep.map((one) => [keyOf(one), one]));
  const due = (await lockDeposits(tx, chainId, deep)).flatMap((deposit) => {
    const one = deepBy.get(keyOf(deposit));
    // Another block by now, or taken away: it is judged anew where it stands.
    if (!one || deposit.state !== 'inbound' || deposit.blockHash !== one.blockHash) return [];
    return [{ ...deposit, confirmations: one.confirmations }];
  });
  if (due.length === 0) return;
  const walletIds = [...new Set(due.map(({ walletId }) => walletId))];
  const accounts = await accountsByOwner(tx, walletIds, ['inbound', 'available', 'deficit']);
  await together([
    postAll(
      tx,
      due.map(({ transactionId, walletId, quantityMinor }) => {
        const { inbound, available } = accounts(walletId);
        const posting = {
          id: newId(),
          kind: 'deposit.credited',
          sourceId: transactionId,
          description: 'deposit credited',
        };
        return { ...posting, legs: move(inbound.id, available.id, quantityMinor) };
      }),
    ),
    markCredited(tx, chainId, due),
    tell(tx, transferEvents.depositCredited, due),
  ]);
  for (const { walletId, transactionId } of due) {
    if (accounts(walletId).deficit.balanceMinor < 0n) await repayDeficit(tx, walletId, transactionId);
  }
}

/** Writes how deep deposits lie by now. */
export async function confirmDeposits(
  tx: Tx,
  chainId: string,
  deposits: readonly (OutputKey & { transactionId: string; confirmations: number })[],
): Promise<void> {
  const [only, more] = deposits;
  await together([
    writeConfirmations(tx, chainId, deposits),
    // Of many, the lists are told once.
    announce(tx, [live('transaction', only && !more ? only.transactionId : null)]),
  ]);
}

/** Takes back deposits whose block has given way to another. */
export async function takeBackGone(
  tx: Tx,
  chainId: string,
  gone: readonly (OutputKey & { blockHash: string })[],
): Promise<void> {
  for (const { hash, output, blockHash } of gone) {
    const deposit = await lockDeposit(tx, chainId, hash, output);
    if (deposit?.state === 'inbound' && deposit.blockHash === blockHash) await takeBack(tx, deposit);
  }
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
  await tell(tx, transferEvents.depositOrphaned, [{ transactionId, walletId }]);
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
  await tell(tx, transferEvents.depositReversed, [{ transactionId, walletId }]);
}

async function tell(
  tx: Tx,
  name: string,
  deposits: readonly { transactionId: string; walletId: string }[],
): Promise<void> {
  const walletIds = new Set(deposits.map(({ walletId }) => walletId));
  await announce(tx, [
    ...deposits.flatMap(({ transactionId }) => [
      { name, payload: { transactionId } },
      live('transaction', transactionId),
    ]),
    ...[...walletIds].map((walletId) => live('balance', walletId)),
  ]);
}
