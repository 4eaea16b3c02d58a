import { getExceptionActs } from '@causeway/contract/operator-exceptions.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { asTransaction, readTransaction } from '../features/chains/bitcoin/transactions.ts';
import { strangersAddress } from '../testing/bitcoin/addresses.ts';
import type { BitcoinChain } from '../testing/bitcoin/chain.ts';
import { bitcoin } from '../testing/bitcoin/signer-world.ts';
import { type BitcoinWorld, bitcoinWorld } from '../testing/bitcoin/world.ts';
import { timeline, transactions } from '../testing/chain-transfers.ts';
import { type ExceptionDesk, exceptionDesk } from '../testing/exception-desk.ts';
import { present } from '../testing/present.ts';
import type { SignedCompany } from '../testing/signer-world.ts';

/**
 * Two operators have an empty transaction take the place of a Bitcoin payment: it spends the payment's coins to the company's own change, and the
 * books follow whichever of the two a block has (docs/adr/0078).
 */

const fee = 2_000n;
const depth = bitcoin.confirmations;
const act = 'payment.replaceEmpty';

let world: BitcoinWorld;
let chain: BitcoinChain;
let desk: ExceptionDesk;
let company: SignedCompany;
let payee: string;
let payees = 0;

beforeAll(async () => {
  world = await bitcoinWorld();
  chain = world.chain;
  desk = await exceptionDesk(world);
});
afterAll(async () => {
  expect(desk.app.complaints).toEqual([]);
  await desk.close();
  await world.close();
});
beforeEach(async () => {
  chain.isFull = false;
  company = await world.company({ isFunded: false });
  payees += 1;
  payee = strangersAddress(`payee of an empty transaction ${payees}`);
});

/** A payment of 50,000 of the company's 100,000 satoshis that nodes have and no block takes. */
async function waiting(): Promise<string> {
  await world.deposit(company, 60_000n, 40_000n);
  chain.isFull = true;
  const id = await world.promised(company, payee, 50_000n, fee);
  await world.work();
  await world.look();
  return id;
}

async function agreed(id: string): Promise<void> {
  const proposalId = await desk.agree(act, id);
  await desk.carryOut(proposalId);
  expect(await desk.end(proposalId)).toMatchObject({ state: 'done' });
}

interface Attempt {
  hash: string;
  raw: string;
  isEmpty: boolean;
}

/** In their order. */
async function attempts(id: string): Promise<Attempt[]> {
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<Attempt>`select hash, raw, is_empty as "isEmpty" from chain_send
      where company_id = company_id() and transfer_id = ${id} order by attempt`.execute(tx),
  );
  return rows;
}

const one = (id: string) => world.transaction(company, id);
const refunds = async () => (await transactions(world, company)).filter(({ type }) => type === 'failed_refund');
const choice = async (id: string, name: string) => {
  const { data } = await desk.app.ask(getExceptionActs, { as: desk.one, query: { subject: 'transaction', id } });
  return present(data.acts.find((each) => each.act === name));
};

/** What the company has at all of its addresses, by the blocks. */
async function onChain(): Promise<bigint> {
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<{ address: string }>`select address from chain_own_address where company_id = company_id()`.execute(tx),
  );
  return rows.reduce((sum, { address }) => sum + world.held(address), 0n);
}

/** The payment has failed, all of it is back, once, and the chain has less by the network fee alone, which is ours. */
async function expectGivenBack(id: string): Promise<void> {
  expect(await one(id)).toMatchObject({ stage: 'failed', failureReason: 'stage.reason.replacedByEmpty' });
  expect(await refunds()).toHaveLength(1);
  expect(world.held(payee)).toBe(0n);
  const { available, outbound, inbound, fee: earned, deficit } = await world.balances(company);
  expect([available, outbound, inbound, earned]).toEqual([100_000n, 0n, 0n, 0n]);
  expect(deficit).toBeLessThan(-fee);
  expect(await onChain()).toBe(100_000n + present(deficit));
  await world.expectBooks();
}

async function expectPaid(id: string): Promise<void> {
  expect(await one(id)).toMatchObject({ stage: 'completed', status: 'completed' });
  expect(world.held(payee)).toBe(50_000n);
  expect(await world.balances(company)).toMatchObject({ available: 48_000n, outbound: 0n, fee: 0n, deficit: 0n });
  await world.expectBooks();
}

test('the empty transaction spends the payment’s coins to the company’s change; once it is final, the payment fails and all is back', async () => {
  const id = await waiting();
  const { changes } = await choice(id, act);
  const [input] = await world.inputsOf(company, id);
  expect(changes[0]).toMatchObject({
    label: expect.stringContaining(`${input?.hash}:${input?.index}`),
    before: `0.0005 BTC to ${payee}`,
    after: expect.stringContaining('change address'),
  });
  await agreed(id);
  await world.tend();
  const [paying, empty, ...more] = await attempts(id);
  expect(more).toEqual([]);
  expect(chain.waiting()).toEqual([empty?.hash]);
  const read = (raw = '') => asTransaction(readTransaction(Buffer.from(raw, 'hex')), 'regtest');
  const [first, second] = [read(paying?.raw), read(empty?.raw)];
  expect(second.inputs.map(({ hash, index }) => `${hash}:${index}`)).toEqual(
    first.inputs.map(({ hash, index }) => `${hash}:${index}`),
  );
  expect(second.outputs).toHaveLength(1);
  expect(second.outputs[0]?.address).toBe(first.outputs[1]?.address);
  chain.isFull = false;
  await world.advance(1);
  // Nothing is given back before it is final.
  expect(await one(id)).toMatchObject({ status: 'pending', stage: 'broadcast' });
  expect(await refunds()).toEqual([]);
  await world.advance(depth);
  await expectGivenBack(id);
  expect(await timeline(world, company, id)).toContain('emptied');
  expect(await choice(id, act)).toMatchObject({ why: 'This has already ended.' });
});

test('the payment completes where a block takes it before the empty one reaches a node', async () => {
  const id = await waiting();
  await agreed(id);
  chain.isFull = false;
  // The block is made before the worker’s round.
  chain.mine();
  await world.tend();
  expect(await attempts(id)).toHaveLength(1);
  await world.advance(depth + 1);
  await expectPaid(id);
});

test('a payment that loses its block to the empty one fails; where that loses its own to the payment, it completes after all', async () => {
  const id = await waiting();
  await agreed(id);
  await world.tend();
  const [paying, empty] = await attempts(id);
  for (const hash of chain.waiting()) chain.drop(hash);
  chain.isFull = false;
  await chain.gateway.broadcast(present(paying).raw);
  await world.advance(1);
  expect(await one(id)).toMatchObject({ stage: 'confirming' });
  chain.reorganise(1, 'lost');
  await chain.gateway.broadcast(present(empty).raw);
  await world.advance(1);
  expect(await one(id)).toMatchObject({ stage: 'broadcast', status: 'pending' });
  await world.advance(depth);
  await expectGivenBack(id);
  // Deeper than the chain's depth: the books are taken back first.
  chain.reorganise(depth + 2, 'lost');
  await chain.gateway.broadcast(present(paying).raw);
  await world.advance(depth + 2);
  expect(await one(id)).toMatchObject({ stage: 'completed' });
  expect(world.held(payee)).toBe(50_000n);
  await world.expectBooks();
});

test('a final empty transaction that a deep reorganisation takes is offered again, and gives back once', async () => {
  const id = await waiting();
  await agreed(id);
  await world.tend();
  chain.isFull = false;
  await world.advance(depth + 1);
  await expectGivenBack(id);
  chain.reorganise(depth + 2, 'lost');
  await world.follow();
  await world.tend();
  await world.advance(depth + 2);
  await expectGivenBack(id);
});

test('an empty transaction that waits is sped up by a dearer empty one to the same address', async () => {
  const id = await waiting();
  const before = await choice(id, 'payment.speedUp');
  expect(before.changes.map(({ before: from }) => from)).toEqual(['1', expect.stringContaining('sat/vB')]);
  await agreed(id);
  await world.tend();
  const proposalId = await desk.agree('payment.speedUp', id);
  await desk.carryOut(proposalId);
  await world.tend();
  const [, first, dearer] = await attempts(id);
  expect([first?.isEmpty, dearer?.isEmpty]).toEqual([true, true]);
  expect(chain.waiting()).toEqual([dearer?.hash]);
  chain.isFull = false;
  await world.advance(depth + 1);
  await expectGivenBack(id);
});

test('a payment whose change another payment spends is not replaced before that one', async () => {
  await world.deposit(company, 100_000n);
  chain.isFull = true;
  const id = await world.promised(company, payee, 50_000n, fee);
  await world.work();
  await world.look();
  const spending = await world.promised(company, strangersAddress('the payee of a child'), 20_000n, fee);
  await world.work();
  expect((await one(spending)).stage).toBe('broadcast');
  for (const name of [act, 'payment.speedUp']) expect((await choice(id, name)).why).toContain('spends the change');
  expect(await desk.propose(act, id)).toMatchObject({ key: 'exceptionNotPossible' });
  // That one can be replaced, and then this one.
  await agreed(spending);
  await world.tend();
  expect(chain.waiting()).toHaveLength(2);
  chain.isFull = false;
  await world.advance(depth + 1);
  expect(await one(id)).toMatchObject({ stage: 'completed' });
  expect(await one(spending)).toMatchObject({ failureReason: 'stage.reason.replacedByEmpty' });
  await world.expectBooks();
});
