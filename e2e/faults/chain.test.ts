import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { getTransaction, listTransactions } from '@causeway/contract/transactions.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import type { FaucetCoin } from '@causeway/sandbox/tokens.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isProof } from './chance.ts';
import { type Company, feeOf, openCompany, type Payee, savePayee, walletOf } from './company.ts';
import { askForCode } from './load.ts';
import { type Product, startProduct, until } from './product.ts';

/** What a chain and its nodes can do to the product, through its real processes: the balance is right in the end. */

/** The sandbox's depth: a deposit with so many blocks on top is final. */
const depth = 6;
const patienceMs = 60_000;
let product: Product;
let company: Company;

beforeAll(async () => {
  product = await startProduct('chain');
  company = await openCompany(product, 'chain');
  await mineBySelf(false);
}, 180_000);

afterAll(() => product.stop(), 60_000);

const pay = (coin: FaucetCoin, amount: string): Promise<void> =>
  product.desk.faucet(coin, company.wallet('USDT').place.address, amount);
const mine = (blocks: number): Promise<unknown> => product.desk.call('mine', { blocks });
const mineBySelf = (auto: boolean, blockIntervalMs = 200): Promise<unknown> =>
  product.desk.call('mining', { auto, depth, blockIntervalMs });
/** Slow enough to come between a transfer's first block and its depth. */
const slowlyMs = 2000;
const reorganise = (blocks: number, keepTransactions: boolean): Promise<unknown> =>
  product.desk.call('reorg', { depth: blocks, keepTransactions });
const setNode = (node: number, mode: string, delayMs?: number): Promise<unknown> =>
  product.desk.call(`nodes/${node}`, { mode, ...(delayMs === undefined ? {} : { delayMs }) });

async function expectWallet(coin: string, expected: { available: number; inbound: number }): Promise<void> {
  let seen = {};
  const isSo = async (): Promise<boolean> => {
    seen = await standing(coin);
    return JSON.stringify(seen) === JSON.stringify(expected);
  };
  const said = `${coin} stands at ${JSON.stringify(expected)}`;
  await until(said, isSo, patienceMs).catch((error: unknown) => {
    throw new Error(`${coin} stands at ${JSON.stringify(seen)}, not at ${JSON.stringify(expected)}`, { cause: error });
  });
}

async function standing(coin: string): Promise<{ available: number; inbound: number }> {
  const { available, inbound } = walletOf(await company.balances(), coin);
  return { available: Number(available), inbound: Number(inbound) };
}

/** The stages of a coin's deposits, the newest first. */
async function deposits(coin: string): Promise<string[]> {
  const { items } = await company.insist(listTransactions, { query: { type: 'chain_deposit', coin } });
  return items.map(({ stage }) => stage);
}

/** Until the worker has found twice that its nodes do not agree, for this reason. */
async function expectNoAgreement(reason: string): Promise<void> {
  const count = async (): Promise<number> => {
    const metrics = await (await fetch(`${product.workerUrl}/metrics`)).text();
    const line = new RegExp(`^causeway_chain_unagreed_total\\{chain="ethereum",reason="${reason}"\\} (\\d+)$`, 'm');
    return Number(line.exec(metrics)?.[1] ?? 0);
  };
  const before = await count();
  await until(`the nodes are found in ${reason}`, async () => (await count()) >= before + 2, patienceMs);
}

async function send(coin: string, amount: string): Promise<{ id: string; payee: Payee }> {
  const payee = await savePayee(company, coin);
  const content = { id: randomUUID(), walletId: company.wallet(coin).id, payeeId: payee.id, amount };
  const code = await askForCode(product, company, { ...content, address: payee.address });
  const body = { ...content, attachmentIds: [], fee: await feeOf(company, coin), codeMethod: 'email' as const, code };
  await company.insist(transferOut, { body, idempotencyKey: randomUUID() });
  return { id: content.id, payee };
}

/** How many blocks have to go to take the newest transaction with them. */
async function blocksSinceLastTransaction(): Promise<number> {
  const chain = Object(await product.desk.call('chain'));
  return Number(chain.height) - Number(chain.lastTransactionHeight) + 1;
}

async function stageOf(id: string): Promise<string> {
  return (await company.insist(getTransaction, { params: { id } })).stage;
}

async function untilStage(id: string, stage: string): Promise<void> {
  await until(`the transfer is ${stage}`, async () => (await stageOf(id)) === stage, patienceMs);
}

test('a token that only calls itself USDT is ignored', async () => {
  await pay('FAKE', '1000');
  await pay('USDT', '100');
  await mine(1);
  await expectWallet('USDT', { available: 0, inbound: 100 });
  await mine(depth);
  await expectWallet('USDT', { available: 100, inbound: 0 });
  expect(await deposits('USDT')).toEqual(['credited']);
});

test('a reorganisation before the credit moves a deposit, or takes it away', async () => {
  await pay('USDC', '100');
  await mine(2);
  await expectWallet('USDC', { available: 0, inbound: 100 });
  await reorganise(2, true);
  await mine(depth);
  await expectWallet('USDC', { available: 100, inbound: 0 });
  expect(await deposits('USDC')).toEqual(['credited']);

  await pay('USDC', '50');
  await mine(2);
  await expectWallet('USDC', { available: 100, inbound: 50 });
  await reorganise(2, false);
  await expectWallet('USDC', { available: 100, inbound: 0 });
  expect(await deposits('USDC')).toEqual(['orphaned', 'credited']);
  await pay('USDC', '30');
  await mine(1 + depth);
  await expectWallet('USDC', { available: 130, inbound: 0 });
});

test('a reorganisation after the credit takes it back, also when the worker is killed over it', async () => {
  await pay('HKDT', '500');
  await mine(1 + depth);
  await expectWallet('HKDT', { available: 500, inbound: 0 });
  await reorganise(1 + depth, false);
  await product.kill('worker');
  await expectWallet('HKDT', { available: 0, inbound: 0 });
  expect(await deposits('HKDT')).toEqual(['reversed']);
});

/** Each reason once, each node once; the rest is for the proof. */
const usual = [
  { node: 0, mode: 'down', reason: 'silence' },
  { node: 1, mode: 'lying', reason: 'disagreement' },
];
const further = [
  { node: 0, mode: 'lying', reason: 'disagreement' },
  { node: 1, mode: 'slow', reason: 'silence' },
];

test.each(isProof ? [...usual, ...further] : usual)(
  'while node $node is $mode nothing is credited, and afterwards what is true',
  async ({ node, mode, reason }) => {
    const before = await standing('USDT');
    await setNode(node, mode);
    try {
      await pay('USDT', '7');
      await mine(1 + depth);
      await expectNoAgreement(reason);
      expect(await standing('USDT')).toEqual(before);
    } finally {
      await setNode(node, 'ok');
    }
    await expectWallet('USDT', { available: before.available + 7, inbound: 0 });
  },
);

test('a transfer whose block vanishes is offered again and arrives once', async () => {
  await mineBySelf(true, slowlyMs);
  const { id, payee } = await send('USDT', '20');
  await untilStage(id, 'confirming');
  await mineBySelf(false);
  await reorganise(await blocksSinceLastTransaction(), false);
  await untilStage(id, 'broadcast');
  await mineBySelf(true);
  await untilStage(id, 'completed');
  expect(await product.desk.balance('USDT', payee.address)).toBe('20');
});

test('on one node’s word no transfer has failed', async () => {
  await mineBySelf(true, slowlyMs);
  const { id, payee } = await send('USDT', '21');
  await untilStage(id, 'confirming');
  await setNode(1, 'lying');
  try {
    await expectNoAgreement('disagreement');
    expect(await stageOf(id)).toBe('confirming');
  } finally {
    await setNode(1, 'ok');
  }
  await mineBySelf(true);
  await untilStage(id, 'completed');
  expect(await product.desk.balance('USDT', payee.address)).toBe('21');
});

// With nodes that take a second for each answer, these moments fall into the estimate, the fees, and the broadcast: its
// bytes then reach the nodes when no process is left to note it.
test.each(isProof ? [500, 1500, 2500] : [1500])('a worker killed %i ms into the sending pays once', async (afterMs) => {
  const slowMs = 1000;
  await Promise.all([setNode(0, 'slow', slowMs), setNode(1, 'slow', slowMs)]);
  let sent: Awaited<ReturnType<typeof send>>;
  try {
    sent = await send('USDT', '11');
    await untilStage(sent.id, 'signing');
    await delay(afterMs);
    await product.kill('worker');
  } finally {
    await Promise.all([setNode(0, 'ok'), setNode(1, 'ok')]);
  }
  await untilStage(sent.id, 'completed');
  expect(await product.desk.balance('USDT', sent.payee.address)).toBe('11');
});

test('in the end ledger and chain agree', async () => {
  expect(await product.run('verify-ledger')).toMatch(/, 0 mismatches$/m);
  expect(await product.run('verify-chain')).toMatch(/, 0 mismatches$/m);
});
