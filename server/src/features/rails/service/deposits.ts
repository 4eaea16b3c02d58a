import type { Stage } from '@causeway/contract/transactions-rules.ts';
import { type Tx, together } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { type Arrival, isPlatformOwner } from '../../chains/index.ts';
import {
  accountsByKind,
  findPosting,
  legsOf,
  move,
  type Posting,
  post,
  postBatch,
  reversed,
} from '../../ledger/index.ts';
import { changeStage, insertTransactions, type NewTransaction, reached } from '../../transactions/index.ts';
import { openWalletOf, repayDeficit, takeFromWallet } from '../../wallets/index.ts';
import {
  type Deposit,
  type DepositTerms,
  type DepositWallet,
  depositsElsewhere,
  depositWallets,
  insertDeposits,
  lockDeposit,
  lockDeposits,
  markCredited,
  moveDeposit,
  type OutputKey,
  setDepositState,
  writeConfirmations,
  writeTerms,
} from '../store/deposits.ts';
import { noteUnswept } from '../sweeps/store.ts';

/**
 * The life of a deposit: seen in a block or, where deposits wait in sight, before it (chain → inbound), credited at the chain's depth
 * (inbound → available), orphaned when a reorganisation or its payer takes it away before, reversed when after. An output counts once, in
 * whichever block it is.
 */

/** What reached the company in one block, or waits for one (`terms` are known only then). */
export interface SeenArrival {
  arrival: Arrival;
  coin: string;
  block: { height: number; hash: string } | null;
  terms?: DepositTerms;
}

/**
 * Whether an arrival is no deposit on a chain whose transactions return what they do not pay: the company's own coins were spent for it, or the
 * platform's, which settle exchanges.
 */
export function isReturned(
  { changeOf = [] }: Pick<Arrival, 'changeOf'>,
  companyId: string,
  owners: ReadonlyMap<string, string>,
): boolean {
  return changeOf.some((address) => {
    const owner = owners.get(address);
    return owner !== undefined && (owner === companyId || isPlatformOwner(owner));
  });
}

const standing = new Set(['inbound', 'credited']);

/** Takes note of outputs; one that is known already is left as it is, or follows into its new block. */
export async function seeDeposits(tx: Tx, chainId: string, seen: readonly SeenArrival[]): Promise<void> {
  if (seen.length === 0) return;
  const coins = [...new Set(seen.map(({ coin }) => coin))];
  const [locked, wallets] = await together([
    lockDeposits(
      tx,
      chainId,
      seen.map(({ arrival }) => arrival),
    ),
    depositWallets(tx, chainId),
  ]);
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
  if (fresh.length > 0) await writeFresh(tx, chainId, fresh, await withMissing(tx, chainId, coins, wallets));
}

const keyOf = ({ hash, output }: OutputKey): string => `${hash}/${output}`;

/** @returns whether it is the same deposit, if perhaps in another block */
async function follow(tx: Tx, known: Deposit, { arrival, coin, block }: SeenArrival): Promise<boolean> {
  if (known.coin !== coin || known.quantityMinor !== arrival.amountMinor) return false;
  // What waits for a block says nothing of one that a block has: the watcher of blocks decides.
  if (block === null || known.blockHash === block.hash) return true;
  await moveDeposit(tx, known, block);
  await announce(tx, [live('transaction', known.transactionId)]);
  return true;
}

/** What arrives for a coin that is switched off belongs to the company all the same. */
async function withMissing(
  tx: Tx,
  chainId: string,
  coins: readonly string[],
  wallets: readonly DepositWallet[],
): Promise<readonly DepositWallet[]> {
  const missing = coins.filter((coin) => !wallets.some((wallet) => wallet.coin === coin));
  if (missing.length === 0) return wallets;
  for (const coin of missing) await openWalletOf(tx, chainId, coin);
  return depositWallets(tx, chainId);
}

async function writeFresh(
  tx: Tx,
  chainId: string,
  fresh: readonly (SeenArrival & { relatedId: string | null })[],
  wallets: readonly DepositWallet[],
): Promise<void> {
  const walletOf = new Map(wallets.map((wallet) => [wallet.coin, wallet]));
  const deposits = fresh.map((one) => {
    const wallet = walletOf.get(one.coin);
    invariant(wallet, `the company has a wallet of ${one.coin}`);
    const { hash, output } = one.arrival;
    return { ...one, ...wallet, transactionId: newId(), hash, output };
  });
  const transactions = deposits.map(({ transactionId, walletId, coin, arrival, block, relatedId }): NewTransaction => {
    const { hash, amountMinor, from, to } = arrival;
    return {
      id: transactionId,
      type: 'chain_deposit',
      walletId,
      coin,
      quantityMinor: amountMinor,
      payerAccount: from,
      payeeAccount: to,
      relatedId,
      chain: { chainId, hash, ...(block && { blockNumber: block.height, blockHash: block.hash }), confirmations: 0 },
      timeline: [{ stage: 'seen', hash }],
    };
  });
  const outputs = deposits.map(
    ({ transactionId, hash, output, arrival: { leastDepth = null }, block, terms = null }) => {
      return {
        leastDepth,
        transactionId,
        hash,
        output,
        blockNumber: block?.height ?? null,
        blockHash: block?.hash ?? null,
        terms,
      };
    },
  );
  await write(tx, [insertTransactions(tx, transactions), insertDeposits(tx, chainId, outputs)], {
    postings: deposits.map(({ transactionId, arrival, accounts }) => ({
      id: newId(),
      kind: 'deposit.seen',
      sourceId: transactionId,
      description: 'deposit seen on the chain',
      legs: move(accounts.chainId, accounts.inboundId, arrival.amountMinor),
    })),
    stage: 'seen',
    deposits,
  });
}

/** From so many postings on, one call for all costs less than one each. */
const batchFrom = 4;

/** Writes what became of deposits: few travel with the commit, many are posted in one call, whose outcome is looked at. */
async function write(
  tx: Tx,
  statements: readonly Promise<unknown>[],
  { postings, stage, deposits }: { postings: readonly Posting[]; stage: Stage; deposits: readonly Told[] },
): Promise<void> {
  if (postings.length < batchFrom) {
    tx.leave([...statements, ...postings.map((posting) => post(tx, posting)), tell(tx, stage, deposits)]);
    return;
  }
  const posting = postBatch(tx, postings);
  await together([...statements, posting, tell(tx, stage, deposits)]);
  const outcomes = await posting;
  invariant(
    outcomes.length === postings.length && outcomes.every((outcome) => outcome === 'posted'),
    'what a chain brings is posted',
  );
}

/** Makes deposits available that are deep enough; `confirmations` as they are now. */
export async function creditDeposits(
  tx: Tx,
  chainId: string,
  deep: readonly (OutputKey & { blockHash: string; confirmations: number })[],
): Promise<void> {
  const deepBy = new Map(deep.map((one) => [keyOf(one), one]));
  const [locked, wallets] = await together([lockDeposits(tx, chainId, deep), depositWallets(tx, chainId)]);
  const walletOf = new Map(wallets.map((wallet) => [wallet.walletId, wallet]));
  const due = locked.flatMap((deposit) => {
    const one = deepBy.get(keyOf(deposit));
    // Another block by now, or taken away: it is judged again where it is.
    if (!one || deposit.state !== 'inbound' || deposit.blockHash !== one.blockHash) return [];
    const wallet = walletOf.get(deposit.walletId);
    invariant(wallet, `wallet ${deposit.walletId} is on ${chainId}`);
    return [{ ...deposit, confirmations: one.confirmations, accounts: wallet.accounts }];
  });
  if (due.length === 0) return;
  const ids = due.map(({ transactionId }) => transactionId);
  await write(tx, [markCredited(tx, chainId, due), noteUnswept(tx, ids)], {
    postings: due.map(({ transactionId, quantityMinor, accounts }) => ({
      id: newId(),
      kind: 'deposit.credited',
      sourceId: transactionId,
      description: 'deposit credited',
      legs: move(accounts.inboundId, accounts.availableId, quantityMinor),
    })),
    stage: 'credited',
    deposits: due,
  });
  for (const { walletId, transactionId, accounts } of due) {
    if (accounts.deficitMinor < 0n) await repayDeficit(tx, walletId, transactionId);
  }
}

/** Writes how deep deposits lie by now. */
export async function confirmDeposits(
  tx: Tx,
  chainId: string,
  deposits: readonly (OutputKey & { transactionId: string; confirmations: number })[],
): Promise<void> {
  const [only, more] = deposits;
  tx.leave([
    writeConfirmations(tx, chainId, deposits),
    // For many, the lists get one event.
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

/**
 * Takes back deposits above the fork that none of the present blocks has. Where deposits wait for blocks in sight (`waits`), one that was not
 * credited waits again, until the mempools say otherwise.
 */
export async function takeBackVanished(
  tx: Tx,
  chainId: string,
  { forkHeight, blockHashes, waits }: { forkHeight: number; blockHashes: readonly string[]; waits: boolean },
): Promise<void> {
  for (const { hash, output } of await depositsElsewhere(tx, chainId, forkHeight, blockHashes)) {
    const deposit = await lockDeposit(tx, chainId, hash, output);
    if (!deposit || !standing.has(deposit.state)) continue;
    if (waits && deposit.state === 'inbound') await waitAgain(tx, deposit);
    else await takeBack(tx, deposit);
  }
}

async function waitAgain(tx: Tx, deposit: Deposit): Promise<void> {
  await moveDeposit(tx, deposit, null);
  await changeStage(tx, deposit.transactionId, ['confirming'], { stage: 'seen', reason: 'stage.reason.reorganised' });
  await announce(tx, [live('transaction', deposit.transactionId)]);
}

/** Shows what waits for a block, before a block has it; one that is known already gets its terms of now. */
export async function seeWaiting(
  tx: Tx,
  chainId: string,
  waiting: readonly (Omit<SeenArrival, 'block'> & { terms: DepositTerms })[],
): Promise<void> {
  await writeTerms(
    tx,
    chainId,
    waiting.map(({ arrival: { hash, output }, terms }) => ({ hash, output, terms })),
  );
  await seeDeposits(
    tx,
    chainId,
    waiting.map((each) => ({ ...each, block: null })),
  );
}

/** Takes back deposits that no node has any more and no block either: their payers replaced them, or the nodes dropped them. */
export async function takeBackWaiting(tx: Tx, chainId: string, gone: readonly OutputKey[]): Promise<void> {
  for (const { hash, output } of gone) {
    const deposit = await lockDeposit(tx, chainId, hash, output);
    if (deposit?.state === 'inbound' && deposit.blockNumber === null) {
      await orphan(tx, deposit, 'stage.reason.leftMempool');
    }
  }
}

async function takeBack(tx: Tx, deposit: Deposit): Promise<void> {
  if (deposit.state === 'inbound') await orphan(tx, deposit);
  else await reverse(tx, deposit);
}

async function orphan(tx: Tx, deposit: Deposit, reason = 'stage.reason.orphaned'): Promise<void> {
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
    reason,
  });
  await tell(tx, 'orphaned', [{ transactionId, walletId }]);
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
    reason: 'stage.reason.reversed',
  });
  await tell(tx, 'reversed', [{ transactionId, walletId }]);
}

interface Told {
  transactionId: string;
  walletId: string;
}

async function tell(tx: Tx, stage: Stage, deposits: readonly Told[]): Promise<void> {
  const walletIds = new Set(deposits.map(({ walletId }) => walletId));
  await announce(tx, [
    ...deposits.flatMap(({ transactionId }) => [reached(transactionId, stage), live('transaction', transactionId)]),
    ...[...walletIds].map((walletId) => live('balance', walletId)),
  ]);
}
