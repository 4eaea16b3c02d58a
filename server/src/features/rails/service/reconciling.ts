import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, PlatformTx } from '../../../platform/database/database.ts';
import { type ChainGateway, coinsByContract, findChain, findCursor, readBalances } from '../../chains/index.ts';
import { treasuryAddress } from '../settlement/store.ts';
import { type UnsettledPayment, unsettledPayments, type WalletBooks, walletBooks } from '../store/reconciling.ts';

/** A wallet whose addresses do not hold what the ledger says; minor units. */
export interface ChainMismatch {
  companyId: string;
  walletId: string;
  chainId: string;
  coin: string;
  addresses: readonly string[];
  expectedMinor: bigint;
  actualMinor: bigint;
}

export interface Reconciliation {
  chainId: string;
  /** The block at whose end both were compared; null when the chain was never watched. */
  height: number | null;
  wallets: number;
  mismatches: ChainMismatch[];
}

/** The chain is another one than the watcher has read; it will follow. */
class Unsteady extends Error {}

/**
 * Reconciles every wallet of a chain with the chain's own balance, at the block up to which the watcher has read:
 * available + outbound not yet sent + inbound + escrow + fees + gas advanced + deficit + fx (decisions, "Wallets and deposits").
 * @throws NoAgreement when the nodes do not agree
 */
export async function reconcileChain(database: Database, gateway: ChainGateway): Promise<Reconciliation> {
  const books = await database.withoutCompany(async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx);
    return readBooks(tx, gateway.chainId);
  });
  return compareBooks(gateway, books);
}

/**
 * The same for the wallets of one company, for a role that reads no other. Its reads are of several moments, so that what moves in between
 * looks like a mismatch: it counts when it is there again.
 */
async function reconcileCompany(database: Database, gateway: ChainGateway, companyId: string): Promise<Reconciliation> {
  const books = await database.withCompany(companyId, (tx) => readBooks(tx, gateway.chainId, companyId));
  return compareBooks(gateway, books);
}

interface Books {
  cursor: Awaited<ReturnType<typeof findCursor>>;
  nativeCoin: string;
  wallets: WalletBooks[];
  payments: UnsettledPayment[];
}

async function readBooks(tx: PlatformTx, chainId: string, companyId?: string): Promise<Books> {
  const cursor = await findCursor(tx, chainId);
  const nativeCoin = (await findChain(tx, chainId))?.nativeCoin ?? '';
  const wallets = await walletBooks(tx, chainId);
  const payments = cursor ? await unsettledPayments(tx, chainId, cursor.height) : [];
  const isOurs = (row: { companyId: string }) => companyId === undefined || row.companyId === companyId;
  return { cursor, nativeCoin, wallets: wallets.filter(isOurs), payments: payments.filter(isOurs) };
}

async function compareBooks(gateway: ChainGateway, books: Books): Promise<Reconciliation> {
  const { chainId } = gateway;
  const { cursor, nativeCoin, wallets } = books;
  if (!cursor) return { chainId, height: null, wallets: wallets.length, mismatches: [] };
  if ((await gateway.block(cursor.height))?.hash !== cursor.hash) {
    throw new Unsteady(`${chainId}: block ${cursor.height} is not the one that was read`);
  }
  const unposted = await effectsOf(gateway, books.payments, nativeCoin);
  const mismatches: ChainMismatch[] = [];
  const asked = wallets.flatMap(({ contract, addresses }) => addresses.map((address) => ({ contract, address })));
  const balances = await readBalances(gateway, asked, cursor.height);
  for (const wallet of wallets) {
    const { companyId, walletId, coin, addresses } = wallet;
    const expectedMinor = kept(wallet) + (unposted.get(`${companyId}/${coin}`) ?? 0n);
    const actualMinor = balances.splice(0, addresses.length).reduce((sum, minor) => sum + minor, 0n);
    if (expectedMinor !== actualMinor) {
      mismatches.push({ companyId, walletId, chainId, coin, addresses, expectedMinor, actualMinor });
    }
  }
  return { chainId, height: cursor.height, wallets: wallets.length, mismatches };
}

/** What the treasury holds at the block that the watcher has read: coins of the platform's, in no ledger. Null where the chain has none. */
export async function treasuryHoldings(
  database: Database,
  gateway: ChainGateway,
): Promise<{ address: string; height: number; coins: { coin: string; minor: bigint }[] } | null> {
  const { chainId } = gateway;
  const { address, cursor, contracts } = await database.withoutCompany(async (tx) => ({
    address: await treasuryAddress(tx, chainId),
    cursor: await findCursor(tx, chainId),
    contracts: await coinsByContract(tx, chainId),
  }));
  if (address === null || cursor === null) return null;
  const coins: { coin: string; minor: bigint }[] = [];
  for (const [contract, coin] of contracts) {
    const minor = await gateway.balance(contract === 'native' ? null : contract, address, cursor.height);
    if (minor > 0n) coins.push({ coin, minor });
  }
  return { address, height: cursor.height, coins };
}

/** A mismatch counts only when it is there again: blocks may be half read at the moment of looking. */
const usualTries = { tries: 6, pauseMs: 1500 };

/** Reconciles a chain until it agrees, a few times; without a result when it could not be compared the last time. */
export function reconcileSteadily(
  database: Database,
  gateway: ChainGateway,
  times = usualTries,
): Promise<{ result: Reconciliation | null; failure: string }> {
  return steadily(() => reconcileChain(database, gateway), times);
}

/** The same for one company. */
export function reconcileCompanySteadily(
  database: Database,
  gateway: ChainGateway,
  companyId: string,
  times = usualTries,
): Promise<{ result: Reconciliation | null; failure: string }> {
  return steadily(() => reconcileCompany(database, gateway, companyId), times);
}

async function steadily(
  reconcile: () => Promise<Reconciliation>,
  { tries, pauseMs }: typeof usualTries,
): Promise<{ result: Reconciliation | null; failure: string }> {
  let result: Reconciliation | null = null;
  let failure = '';
  for (let left = tries; left > 0; left -= 1) {
    try {
      result = await reconcile();
      if (result.mismatches.length === 0) break;
    } catch (error) {
      result = null;
      failure = String(error);
    }
    if (left > 1) await delay(pauseMs);
  }
  return { result, failure };
}

function kept(wallet: WalletBooks): bigint {
  const { availableMinor, outboundMinor, inboundMinor, escrowMinor, feeMinor, gasMinor, deficitMinor, fxMinor } =
    wallet;
  return availableMinor + outboundMinor + inboundMinor + escrowMinor + feeMinor + gasMinor + deficitMinor + fxMinor;
}

/** What payments in blocks, not yet final, have done to their addresses: by company and coin, signed. */
async function effectsOf(
  gateway: ChainGateway,
  payments: readonly UnsettledPayment[],
  nativeCoin: string,
): Promise<Map<string, bigint>> {
  const effects = new Map<string, bigint>();
  const add = (companyId: string, coin: string, minor: bigint) => {
    const key = `${companyId}/${coin}`;
    effects.set(key, (effects.get(key) ?? 0n) + minor);
  };
  for (const { companyId, kind, coin, amountMinor, hash, shareMinor } of payments) {
    const receipt = await gateway.receipt(hash);
    if (!receipt) throw new Unsteady(`${hash} is in no block any more`);
    if (kind === 'arrives') {
      if (receipt.succeeded) add(companyId, coin, amountMinor);
      continue;
    }
    if (receipt.succeeded) add(companyId, coin, -amountMinor);
    add(companyId, nativeCoin, -(shareMinor ?? receipt.networkFeeMinor));
  }
  return effects;
}
