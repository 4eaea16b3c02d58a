import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join, resolve } from 'node:path';
import { confirmProposal, getProposal } from '@causeway/contract/operator.ts';
import { listFeePayments, proposeFeeWithdrawal, proposeTreasuryAddress } from '@causeway/contract/operator-treasury.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import {
  approvedTransfer,
  finishTransfer,
  newPayee,
  registeredCompany,
  sendsOf,
} from '../../../testing/chain-transfers.ts';
import { balances, type ChainWorld, type Company, chainId, chainWorld, depth } from '../../../testing/chain-world.ts';
import type { DoomedWorker } from '../../../testing/doomed-worker.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';
import { isProof } from '../../../testing/proof.ts';

/**
 * A collection of fees while the worker's process is killed (SIGKILL) at its first step, the next one at its second, and so on, until one comes to
 * the end. Journal, chain and ledger agree, and each payment is made once. `npm run proof` kills at each step, before and after it.
 */

const stride = isProof ? 1 : 6;

vi.setConfig({ testTimeout: isProof ? 900_000 : 240_000, hookTimeout: 120_000 });

let world: ChainWorld;
let app: OperatorApp;
let first: TestOperator;
let second: TestOperator;
const usdt = { chainId, coin: 'USDT' };
const reason = 'Month-end collection';

beforeAll(async () => {
  // A machine that does much else makes its nodes slow, which is not what is tried here.
  world = await chainWorld({ rpcTimeoutMs: 15_000 });
  app = await operatorApp(world.db);
  [first, second] = [await app.operator('treasury'), await app.operator('treasury')];
});
afterAll(async () => {
  expect(app.complaints).toEqual([]);
  await app.close();
  await world.close();
});

const script = resolve(import.meta.dirname, '../../../testing/doomed-worker.ts');

/** @returns whether it was killed; fails where it ended of anything else */
async function work(step: number, moment: DoomedWorker['moment']): Promise<boolean> {
  const given: DoomedWorker = {
    databaseUrl: world.db.urlFor('causeway_worker'),
    signerSocket: join(dirname(world.journalFile), 'signer.sock'),
    chain: world.config,
    step,
    moment,
  };
  const child = spawn(process.execPath, [script, JSON.stringify(given)], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`the worker ended with ${code ?? signal}: ${said}`);
  return signal === 'SIGKILL';
}

async function confirm(id: string): Promise<void> {
  const { digest } = (await app.ask(getProposal, { as: second, params: { id } })).data;
  const body = { digest, code: app.code(second.secret) };
  expect((await app.ask(confirmProposal, { as: second, params: { id }, body })).status).toBe(200);
}

/** A company that has paid a fee of one USDT. */
async function payingCompany(): Promise<Company> {
  const company = await registeredCompany(world);
  const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 5_000_000n, payee: newPayee() });
  await world.work();
  await finishTransfer(world, company, id);
  return company;
}

async function agreedCollection(): Promise<{ proposalId: string; address: string }> {
  const [id, address] = [newId(), newPayee()];
  const body = { id, chainId, address, again: address, label: 'Cold wallet', reason };
  await confirm((await app.ask(proposeTreasuryAddress, { as: first, body })).data.proposalId);
  const asked = await app.ask(proposeFeeWithdrawal, {
    as: first,
    params: usdt,
    body: { addressId: id, minimum: '0', reason },
  });
  const { proposalId } = asked.data;
  await confirm(proposalId);
  return { proposalId, address };
}

const payments = async (proposalId: string) =>
  (await app.ask(listFeePayments, { as: first, query: { proposalId } })).data.items;

/** Blocks until the collection has ended: each payment was made once, of the whole fee, and nothing else was. */
async function expectCollected(
  { proposalId, address }: { proposalId: string; address: string },
  companies: readonly Company[],
): Promise<void> {
  for (let left = 6 * depth; left > 0; left -= 1) {
    if ((await payments(proposalId)).every(({ state }) => state === 'completed')) break;
    await world.advance(1);
    await world.tend();
  }
  const made = await payments(proposalId);
  expect(made.map(({ state, quantity }) => [state, quantity])).toEqual(companies.map(() => ['completed', '1.000000']));
  expect(await world.chain.treasury.balance('USDT', address as `0x${string}`)).toBe(String(companies.length));
  for (const { id } of made) {
    const nonces = (await sendsOf(world, id)).filter(({ kind }) => kind === 'transfer').map(({ nonce }) => nonce);
    expect(new Set(nonces).size).toBe(1);
  }
  for (const company of companies) expect(await balances(world, company, 'USDT')).not.toHaveProperty('fee');
  expect(await world.compare()).toMatchObject({ agrees: true });
  await expectBooksToAgree(world);
}

test.runIf(isProof)(
  'workers killed one after the other, each further on than the one before: every payment is made once, and all books agree',
  async () => {
    const companies = [await payingCompany(), await payingCompany()];
    const collection = await agreedCollection();
    let kills = 0;
    for (let step = 1; await work(step, 'after'); step += stride) {
      kills += 1;
      await expectBooksToAgree(world);
    }
    // Else the steps are no longer what is counted, and nothing is shown.
    expect(kills).toBeGreaterThan(1);
    await expectCollected(collection, companies);
  },
);

describe.runIf(isProof)('killed once', () => {
  test.each(['before', 'after'] as const)('%s each of its steps, in a collection of its own', async (moment) => {
    let step = 0;
    for (let isKilled = true; isKilled; ) {
      step += 1;
      const company = await payingCompany();
      const collection = await agreedCollection();
      isKilled = await work(step, moment);
      await expectBooksToAgree(world);
      // Another worker takes up what the killed one has left.
      if (isKilled) expect(await work(Number.MAX_SAFE_INTEGER, moment)).toBe(false);
      await expectCollected(collection, [company]);
    }
    expect(step).toBeGreaterThan(8);
  });
});
