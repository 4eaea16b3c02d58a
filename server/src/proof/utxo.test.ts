import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findObstruction } from '../features/rails/index.ts';
import { timeline, transactions } from '../testing/chain-transfers.ts';
import type { UtxoChain } from '../testing/utxo/chain.ts';
import { utxoAddressOf } from '../testing/utxo/family.ts';
import { networkFeeMinor } from '../testing/utxo/rail-family.ts';
import { isSigned } from '../testing/utxo/signer-family.ts';
import { river, type UtxoCompany } from '../testing/utxo/signer-world.ts';
import { type UtxoWorld, utxoWorld } from '../testing/utxo/world.ts';

/**
 * A chain that has no accounts, nonces, gas or logs goes over the same outgoing, rail, signer and ledger as an EVM chain: several
 * addresses to a wallet, several inputs and outputs to a payment, a plan of its own form (docs/adr/0054).
 */

const fee = 20_000n;
const depth = river.confirmations;

let world: UtxoWorld;
let chain: UtxoChain;
let company: UtxoCompany;

beforeAll(async () => {
  world = await utxoWorld();
  chain = world.chain;
});
afterAll(() => world.close());

beforeEach(async () => {
  chain.isFull = false;
  company = await world.company({ isFunded: false });
});

const follow = () => world.follow();
const work = () => world.work();
const tend = (stuckAfterMs?: number) => world.tend(stuckAfterMs);
const advance = (blocks: number) => world.advance(blocks);
const funded = (...amounts: bigint[]) => world.deposit(company, ...amounts);
const seen = () => transactions(world, company);
const balances = () => world.balances(company);
const one = (id: string) => world.transaction(company, id);
const held = (address: string) => world.held(address);
const spentBy = (id: string) => world.inputsOf(company, id);
const expectBooks = () => world.expectBooks();

let payees = 0;
function newPayee(): string {
  payees += 1;
  return utxoAddressOf(`payee ${payees}`);
}

test('deposits to several addresses of one wallet are credited at their depth, and taken back when they vanish', async () => {
  const [first = '', second = ''] = company.addresses;
  // Two outputs of one transaction, for one company.
  chain.fund([
    { address: first, amountMinor: 70_000n },
    { address: utxoAddressOf('a stranger'), amountMinor: 5n },
    { address: second, amountMinor: 30_000n },
  ]);
  await advance(1);
  expect(await balances()).toMatchObject({ inbound: 100_000n, available: 0n });
  await advance(depth);
  expect(await balances()).toMatchObject({ inbound: 0n, available: 100_000n });
  expect((await seen()).map(({ type, quantity }) => [type, quantity])).toEqual(
    expect.arrayContaining([
      ['chain_deposit', 70_000n],
      ['chain_deposit', 30_000n],
    ]),
  );
  chain.fund([{ address: second, amountMinor: 9n }]);
  await advance(1);
  chain.reorganise(1, 'lost');
  await follow();
  expect(await balances()).toMatchObject({ inbound: 0n, available: 100_000n });
  await expectBooks();
});

test('a payment spends outputs of several addresses, pays the payee in full, and its change is no deposit', async () => {
  await funded(60_000n, 60_000n, 60_000n);
  const payee = newPayee();
  const id = await world.transfer(company, payee, 100_000n, fee);
  await work();
  expect(await one(id)).toMatchObject({ stage: 'broadcast' });
  const raw = await signedBytes(id);
  const plan = JSON.parse(raw) as { inputs: unknown[]; outputs: [string, string][] };
  expect(plan.inputs).toHaveLength(2);
  expect(plan.outputs).toHaveLength(2);
  expect(isSigned(river.id, raw, await spentBy(id))).toBe(true);
  await advance(1);
  expect(await one(id)).toMatchObject({ stage: 'confirming' });
  await advance(depth);
  expect(await one(id)).toMatchObject({ stage: 'completed', status: 'completed' });
  expect(held(payee)).toBe(100_000n);
  // The company's fee covers what the network took.
  expect(await balances()).toMatchObject({ available: 60_000n, outbound: 0n, fee: fee - networkFeeMinor, deficit: 0n });
  expect((await seen()).filter(({ type }) => type === 'chain_deposit')).toHaveLength(3);
  await expectBooks();
});

test('a payment to another company here is its deposit, while the change is none of the payer’s', async () => {
  const other = await world.company({ isFunded: false });
  const [payee = ''] = other.addresses;
  await funded(60_000n, 60_000n);
  const id = await world.transfer(company, payee, 100_000n, fee);
  await work();
  await advance(depth + 1);
  expect(await one(id)).toMatchObject({ stage: 'completed' });
  expect(await world.balances(other)).toMatchObject({ available: 100_000n, inbound: 0n });
  expect((await transactions(world, other)).map(({ type, quantity }) => [type, quantity])).toEqual([
    ['chain_deposit', 100_000n],
  ]);
  expect((await seen()).filter(({ type }) => type === 'chain_deposit')).toHaveLength(2);
  await expectBooks();
});

test('payments that are prepared at the same time never spend the same output; one waits for the change of another', async () => {
  await funded(60_000n, 60_000n, 90_000n);
  const ids = [
    await world.transfer(company, newPayee(), 30_000n, fee),
    await world.transfer(company, newPayee(), 30_000n, fee),
    await world.transfer(company, newPayee(), 30_000n, fee),
  ];
  await work();
  const inputs = (await Promise.all(ids.map(spentBy))).flat().map(({ hash, index }) => `${hash}:${index}`);
  expect(new Set(inputs).size).toBe(inputs.length);
  // Without nonces, none waits for another one to be sent.
  for (const id of ids) {
    expect(await world.db.app.withCompany(company.id, (tx) => findObstruction(tx, id))).toBeNull();
  }
  for (let rounds = 0; rounds < 2; rounds += 1) {
    await advance(depth + 1);
    await tend();
  }
  await advance(depth + 1);
  for (const id of ids) expect(await one(id)).toMatchObject({ stage: 'completed' });
  await expectBooks();
});

test('what a reorganisation takes away is sent again with the same bytes; after the depth the books are taken back first', async () => {
  await funded(80_000n);
  const payee = newPayee();
  const id = await world.transfer(company, payee, 40_000n, fee);
  await work();
  await advance(1);
  const { hash } = await one(id);
  chain.reorganise(1, 'lost');
  await follow();
  expect(await one(id)).toMatchObject({ stage: 'broadcast', hash });
  await tend();
  await advance(depth + 1);
  expect(await one(id)).toMatchObject({ stage: 'completed', hash });
  await expectBooks();

  chain.reorganise(depth + 1, 'lost');
  await follow();
  expect(await one(id)).toMatchObject({ stage: 'broadcast', status: 'pending' });
  expect(await balances()).toMatchObject({ available: 20_000n, outbound: 60_000n, fee: 0n });
  await tend();
  await advance(depth + 1);
  expect(await one(id)).toMatchObject({ stage: 'completed', hash });
  expect(held(payee)).toBe(40_000n);
  await expectBooks();
});

test('a payment that waits too long is replaced by one that spends the same; the fee comes from the change', async () => {
  await funded(100_000n);
  chain.isFull = true;
  const payee = newPayee();
  const id = await world.transfer(company, payee, 50_000n, fee);
  await work();
  const { hash } = await one(id);
  await tend(0);
  await tend();
  expect(await timeline(world, company, id)).toContain('replaced');
  expect(chain.waiting()).toHaveLength(1);
  expect(chain.waiting()).not.toContain(hash);
  chain.isFull = false;
  await advance(depth + 1);
  expect(await one(id)).toMatchObject({ stage: 'completed' });
  expect(held(payee)).toBe(50_000n);
  expect(await balances()).toMatchObject({ available: 30_000n, fee: fee - 2n * networkFeeMinor });
  await expectBooks();
});

test('a payment whose input another transaction spent for good is never paid; the operator gives its hold back', async () => {
  await funded(100_000n);
  chain.isFull = true;
  const payee = newPayee();
  const id = await world.transfer(company, payee, 50_000n, fee);
  await work();
  const inputs = await spentBy(id);
  for (const hash of chain.waiting()) chain.drop(hash);
  chain.isFull = false;
  chain.offer({ inputs, outputs: [{ address: utxoAddressOf('elsewhere'), amountMinor: 99_000n }] });
  await advance(1);
  await tend();
  expect(await one(id)).toMatchObject({ stage: 'broadcast', status: 'pending' });
  await advance(depth);
  await tend();
  await world.asSuperuser(
    `update causeway.chain_send set release_reason = 'spent elsewhere', release_by = 'operator' where transfer_id = '${id}'`,
  );
  await tend();
  expect(await one(id)).toMatchObject({ stage: 'failed', failureReason: 'stage.reason.superseded' });
  expect(held(payee)).toBe(0n);
  expect(await balances()).toMatchObject({ available: 100_000n, outbound: 0n });
  expect((await seen()).filter(({ type }) => type === 'failed_refund')).toHaveLength(1);
});

/** The signed bytes of a transfer's latest attempt. */
async function signedBytes(id: string): Promise<string> {
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<{ raw: string }>`select raw from chain_send where company_id = company_id() and transfer_id = ${id}
      order by attempt desc limit 1`.execute(tx),
  );
  return rows[0]?.raw ?? '';
}
