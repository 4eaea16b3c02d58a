import { getTransaction, listTransactions, type Transaction } from '@causeway/contract/transactions.ts';
import { TOKENS } from '@causeway/sandbox/tokens.ts';
import { type Address, createPublicClient, http, parseAbiItem, parseUnits } from 'viem';
import { expect } from 'vitest';
import { type Company, walletOf } from './company.ts';
import { type Account, accountsOf, type Note } from './journal.ts';
import { loadCoins } from './load.ts';
import { type Product, until } from './product.ts';

/** The outcome when nothing is pending, judged by the clients' journal and by the chain. */

const settlePatienceMs = 180_000;
const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');

/** Waits until every transfer of the journal has come to its end. */
export async function settle(companies: readonly Company[], notes: readonly Note[]): Promise<void> {
  const accounts = accountsOf(notes);
  for (const company of companies) {
    for (const { wish, isCancelled } of accounts.filter((account) => account.wish.company === company.name)) {
      let stage = '';
      const hasEnded = async (): Promise<boolean> => {
        stage = (await company.insist(getTransaction, { params: { id: wish.id } })).stage;
        return ['completed', 'cancelled', 'failed', 'refused'].includes(stage);
      };
      await until(`transfer ${wish.id} has come to its end`, hasEnded, settlePatienceMs).catch((error: unknown) => {
        throw new Error(`transfer ${wish.id} stands at ${stage}`, { cause: error });
      });
      expect(stage, `transfer ${wish.id}`).toBe(isCancelled ? 'cancelled' : 'completed');
    }
  }
}

/** Every promise of the journal is kept, once, and nothing else has happened. */
export async function expectPromisesKept(
  product: Product,
  companies: readonly Company[],
  notes: readonly Note[],
): Promise<void> {
  const accounts = accountsOf(notes);
  expect(accounts.filter((account) => !account.isAcknowledged)).toEqual([]);
  for (const company of companies) {
    const own = accounts.filter((account) => account.wish.company === company.name);
    await expectListed(company, own);
    await expectBalances(company, own, notes);
    for (const address of new Set(own.map(({ wish }) => wish.address))) {
      await expectPaid(
        product,
        own.filter(({ wish }) => wish.address === address),
      );
    }
  }
}

async function expectListed(company: Company, own: readonly Account[]): Promise<void> {
  const rows = await everyTransaction(company);
  const ids = (type: Transaction['type']): string[] => rows.filter((row) => row.type === type).map((row) => row.id);
  expect(ids('chain_withdraw').sort()).toEqual(own.map(({ wish }) => wish.id).sort());
  expect(ids('failed_refund')).toHaveLength(own.filter(({ isCancelled }) => isCancelled).length);
}

async function everyTransaction(company: Company): Promise<Transaction[]> {
  const rows: Transaction[] = [];
  let cursor: string | null = null;
  do {
    const query: { size: '100'; cursor?: string } = { size: '100', ...(cursor === null ? {} : { cursor }) };
    const page: { items: Transaction[]; next: string | null } = await company.insist(listTransactions, { query });
    rows.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return rows;
}

async function expectBalances(company: Company, own: readonly Account[], notes: readonly Note[]): Promise<void> {
  const areQuiet = async (): Promise<boolean> =>
    (await company.balances()).every((wallet) => Number(wallet.inbound) === 0);
  await until('every deposit is credited', areQuiet, settlePatienceMs);
  const wallets = await company.balances();
  for (const coin of loadCoins) {
    const { available, outbound, deficit, decimals } = walletOf(wallets, coin);
    const minor = (text: string): bigint => parseUnits(text, decimals);
    const received = notes
      .filter((note) => note.kind === 'deposit' && note.company === company.name && note.coin === coin)
      .reduce((sum, note) => sum + (note.kind === 'deposit' ? minor(note.amount) : 0n), 0n);
    const spent = own
      .filter(({ wish, isCancelled }) => wish.coin === coin && !isCancelled)
      .reduce((sum, { wish }) => sum + minor(wish.amount) + minor(wish.fee), 0n);
    expect({ coin, available: minor(available), outbound: minor(outbound), deficit: minor(deficit) }).toEqual({
      coin,
      available: received - spent,
      outbound: 0n,
      deficit: 0n,
    });
  }
}

/** The payee's address, which no one else pays, received exactly these amounts, each in one transfer. */
async function expectPaid(product: Product, own: readonly Account[]): Promise<void> {
  const [first] = own;
  if (first === undefined) return;
  const { coin, address } = first.wish;
  const decimals = coin === 'ETH' ? 18 : 6;
  const expected = own.filter(({ isCancelled }) => !isCancelled).map(({ wish }) => parseUnits(wish.amount, decimals));
  const paid = await paymentsTo(product, coin, address as Address);
  expect(paid.sort(byValue), `${coin} paid to ${address}`).toEqual(expected.sort(byValue));
  const held = await product.desk.balance(coin as (typeof loadCoins)[number], address);
  expect(parseUnits(held, decimals)).toBe(expected.reduce((sum, amount) => sum + amount, 0n));
}

/** What the chain has carried to an address: by the token's own log, and for ether by its transactions. */
async function paymentsTo({ chainUrl }: Product, coin: string, to: Address): Promise<bigint[]> {
  const chain = createPublicClient({ transport: http(chainUrl, { batch: true }) });
  const token = TOKENS.find((candidate) => candidate.coin === coin);
  if (token !== undefined) {
    const logs = await chain.getLogs({ address: token.address, event: transferEvent, args: { to }, fromBlock: 0n });
    return logs.map((log) => log.args.value ?? 0n);
  }
  const height = await chain.getBlockNumber();
  const payments: bigint[] = [];
  for (let blockNumber = 0n; blockNumber <= height; blockNumber += 1n) {
    const { transactions } = await chain.getBlock({ blockNumber, includeTransactions: true });
    for (const sent of transactions) if (sent.to?.toLowerCase() === to.toLowerCase()) payments.push(sent.value);
  }
  return payments;
}

function byValue(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
