import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { asTransaction, readTransaction } from '../features/chains/bitcoin/transactions.ts';
import { findReceivingAddress, openAddress, treasuryOwner } from '../features/chains/index.ts';
import { findObstruction } from '../features/rails/index.ts';
import { strangersAddress } from '../testing/bitcoin/addresses.ts';
import type { BitcoinChain } from '../testing/bitcoin/chain.ts';
import { bitcoin } from '../testing/bitcoin/signer-world.ts';
import { type BitcoinWorld, bitcoinWorld } from '../testing/bitcoin/world.ts';
import { timeline, transactions } from '../testing/chain-transfers.ts';
import type { SignedCompany } from '../testing/signer-world.ts';

/**
 * Bitcoin over the same outgoing, rail, signer and ledger as an EVM chain: several addresses to a wallet, several coins to a payment, change
 * to addresses of its own, a fee that was promised, deposits before a block has them (docs/adr/0089). Transactions are the signer's, byte for byte.
 */

const fee = 20_000n;
const depth = bitcoin.confirmations;

let world: BitcoinWorld;
let chain: BitcoinChain;
let company: SignedCompany;

beforeAll(async () => {
  world = await bitcoinWorld();
  chain = world.chain;
});
afterAll(() => world.close());

beforeEach(async () => {
  chain.isFull = false;
  chain.leastRate = 0;
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
  return strangersAddress(`payee ${payees}`);
}

test('deposits to several addresses of one wallet are credited at their depth, and taken back when they vanish', async () => {
  const [first = '', second = ''] = company.addresses;
  // Two outputs of one transaction, for one company.
  chain.fund([
    { address: first, amountMinor: 70_000n },
    { address: strangersAddress('a stranger'), amountMinor: 5n },
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
  const id = await world.promised(company, payee, 100_000n, fee);
  await work();
  expect(await one(id)).toMatchObject({ stage: 'broadcast' });
  const sent = asTransaction(readTransaction(Buffer.from(await signedBytes(id), 'hex')), 'regtest');
  expect(sent.inputs).toHaveLength(2);
  // Each input shows the key of the address whose coin it spends, and may be replaced.
  expect(sent.inputs.map(({ address, sequence }) => [address, sequence])).toEqual(
    (await spentBy(id)).map(({ address }) => [address, 0xfffffffd]),
  );
  expect(sent.outputs.map(({ address, amountMinor }) => [address, amountMinor])).toEqual(
    [
      [payee, 100_000n],
      [expect.not.stringMatching(new RegExp(company.addresses.join('|'))), 180_000n - 100_000n - fee - 60_000n],
    ].slice(0, sent.outputs.length),
  );
  await advance(1);
  expect(await one(id)).toMatchObject({ stage: 'confirming' });
  await advance(depth);
  expect(await one(id)).toMatchObject({ stage: 'completed', status: 'completed' });
  expect(held(payee)).toBe(100_000n);
  // The miner got the fee that was promised, to the satoshi.
  expect(await balances()).toMatchObject({ available: 60_000n, outbound: 0n, fee: 0n, deficit: 0n });
  expect((await seen()).filter(({ type }) => type === 'chain_deposit')).toHaveLength(3);
  await expectBooks();
});

test('a payment to another company here is its deposit, while the change is none of the payer’s', async () => {
  const other = await world.company({ isFunded: false });
  const [payee = ''] = other.addresses;
  await funded(60_000n, 60_000n);
  const id = await world.promised(company, payee, 100_000n, fee);
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
    await world.promised(company, newPayee(), 30_000n, fee),
    await world.promised(company, newPayee(), 30_000n, fee),
    await world.promised(company, newPayee(), 30_000n, fee),
  ];
  await work();
  // Those that go out together have the coins of one transaction.
  const spending = new Map<string, string[]>();
  for (const id of ids) {
    const inputs = (await spentBy(id)).map(({ hash, index }) => `${hash}:${index}`);
    if (inputs.length > 0) spending.set((await one(id)).hash ?? id, inputs);
  }
  const inputs = [...spending.values()].flat();
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
  const id = await world.promised(company, payee, 40_000n, fee);
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

test('a payment that waits is not made dearer because it waits; operators may want it, and its change pays', async () => {
  await funded(100_000n);
  chain.isFull = true;
  const payee = newPayee();
  const id = await world.promised(company, payee, 50_000n, 2_000n);
  await work();
  const { hash } = await one(id);
  await tend(0);
  expect(chain.waiting()).toEqual([hash]);
  await world.asSuperuser(`update causeway.chain_send set hastened_at = now() where transfer_id = '${id}'`);
  await tend();
  await tend();
  expect(await timeline(world, company, id)).toContain('replaced');
  expect(chain.waiting()).toHaveLength(1);
  expect(chain.waiting()).not.toContain(hash);
  chain.isFull = false;
  await advance(depth + 1);
  expect(await one(id)).toMatchObject({ stage: 'completed' });
  expect(held(payee)).toBe(50_000n);
  const { available, fee: kept, deficit } = await balances();
  // The company pays what it was promised; what operators added is short.
  expect([available, kept]).toEqual([48_000n, 0n]);
  expect(deficit).toBeLessThan(0n);
  await expectBooks();
});

test('a member raises the fee of a payment that waits: a dearer one takes its place, and what is held grows by as much', async () => {
  await funded(100_000n);
  chain.leastRate = 15;
  const payee = newPayee();
  const id = await world.promised(company, payee, 50_000n, 1_000n);
  await work();
  await world.look();
  await advance(1);
  expect(await one(id)).toMatchObject({ stage: 'broadcast' });
  const raisedMinor = await raise(id);
  expect(await balances()).toMatchObject({ available: 50_000n - raisedMinor, outbound: 50_000n + raisedMinor });
  // Only once, until the dearer one is out.
  await expect(raise(id)).rejects.toThrow('nothing to raise');
  await tend();
  expect(chain.waiting()).toHaveLength(1);
  await advance(depth + 1);
  expect(await one(id)).toMatchObject({ stage: 'completed' });
  expect(await balances()).toMatchObject({ available: 50_000n - raisedMinor, outbound: 0n, fee: 0n, deficit: 0n });
  await expectBooks();
});

test('when the cheaper attempt is the one that a block takes, what was added to the fee goes back', async () => {
  await funded(100_000n);
  chain.isFull = true;
  const id = await world.promised(company, newPayee(), 50_000n, 2_000n);
  await work();
  await raise(id);
  chain.isFull = false;
  await advance(depth + 1);
  expect(await one(id)).toMatchObject({ stage: 'completed' });
  expect(await balances()).toMatchObject({ available: 48_000n, outbound: 0n, fee: 0n, deficit: 0n });
  await expectBooks();
});

test('a deposit shows before a block has it, with what its payer may still do to it', async () => {
  const [address = ''] = company.addresses;
  const hash = chain.fund([{ address, amountMinor: 30_000n }], { isReplaceable: true, feeMinor: 150n });
  await world.look();
  await world.look();
  expect(await balances()).toMatchObject({ inbound: 30_000n, available: 0n });
  const [deposit] = await seen();
  expect(deposit).toMatchObject({ stage: 'seen', status: 'pending', hash });
  expect(await termsOf(hash)).toEqual({ replaceable: true, feeRate: 1_063, block: null });
  // The next recharge gets another address.
  expect(await receivingAddress()).toBe(company.addresses[1]);
  await advance(1);
  expect(await termsOf(hash)).toMatchObject({ block: await world.chain.gateway.head() });
  await advance(depth);
  expect(await balances()).toMatchObject({ inbound: 0n, available: 30_000n });
  expect(await seen()).toHaveLength(1);
  await expectBooks();
});

test('what its payer replaces, or the nodes drop, is taken back; what then pays is another deposit', async () => {
  const [address = ''] = company.addresses;
  const first = chain.fund([{ address, amountMinor: 30_000n }], { isReplaceable: true });
  await world.look();
  chain.refund(first, [{ address: strangersAddress('elsewhere'), amountMinor: 30_000n }]);
  await world.look();
  expect(await balances()).toMatchObject({ inbound: 0n, available: 0n });
  expect(await seen()).toMatchObject([{ stage: 'orphaned', failureReason: 'stage.reason.leftMempool' }]);
  const second = chain.fund([{ address, amountMinor: 20_000n }], { isReplaceable: true });
  await world.look();
  const third = chain.refund(second, [{ address, amountMinor: 19_000n }]);
  await world.look();
  expect(await balances()).toMatchObject({ inbound: 19_000n });
  await advance(depth + 1);
  expect(await balances()).toMatchObject({ inbound: 0n, available: 19_000n });
  expect((await seen()).find((each) => each.hash === third)).toMatchObject({ stage: 'credited' });
  await expectBooks();
});

test('a deposit whose block is reorganised away waits again, and is the same deposit in its next block', async () => {
  const [address = ''] = company.addresses;
  chain.fund([{ address, amountMinor: 30_000n }]);
  await advance(1);
  chain.isFull = true;
  chain.reorganise(1, 'offered');
  await follow();
  expect(await balances()).toMatchObject({ inbound: 30_000n });
  expect(await seen()).toMatchObject([{ stage: 'seen', status: 'pending' }]);
  chain.isFull = false;
  await advance(depth + 1);
  expect(await seen()).toMatchObject([{ stage: 'credited' }]);
  expect(await balances()).toMatchObject({ inbound: 0n, available: 30_000n });
  await expectBooks();
});

test('what the treasury pays a company is no deposit: it settles an exchange, which the books have', async () => {
  const [address = ''] = company.addresses;
  await world.db.worker.withCompany(treasuryOwner, (tx) => openAddress(tx, bitcoin.id, world.treasury, null));
  chain.fund([{ address: world.treasury, amountMinor: 50_000n }]);
  await advance(depth + 1);
  const [coin] = chain.unspent(world.treasury);
  chain.offer({ inputs: coin ? [coin] : [], outputs: [{ address, amountMinor: 40_000n }] });
  await world.look();
  expect(await seen()).toEqual([]);
  await advance(depth + 1);
  expect(await seen()).toEqual([]);
  expect(await balances()).toMatchObject({ inbound: 0n, available: 0n });
});

test('a payment whose input another transaction spent for good is never paid; the operator gives its hold back', async () => {
  await funded(100_000n);
  chain.isFull = true;
  const payee = newPayee();
  const id = await world.promised(company, payee, 50_000n, fee);
  await work();
  const inputs = await spentBy(id);
  for (const hash of chain.waiting()) chain.drop(hash);
  chain.isFull = false;
  chain.offer({ inputs, outputs: [{ address: strangersAddress('elsewhere'), amountMinor: 99_000n }] });
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

const raise = (id: string) => world.raise(company, id);

async function termsOf(hash: string): Promise<unknown> {
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql`select replaceable, fee_rate as "feeRate", block_number as block from deposit
      where company_id = company_id() and hash = ${hash}`.execute(tx),
  );
  return rows[0];
}

async function receivingAddress(): Promise<string | null> {
  return world.db.app.withCompany(company.id, (tx) => findReceivingAddress(tx, bitcoin.id));
}

/** The signed bytes of a transfer's latest attempt. */
async function signedBytes(id: string): Promise<string> {
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<{ raw: string }>`select raw from chain_send where company_id = company_id() and transfer_id = ${id}
      order by attempt desc limit 1`.execute(tx),
  );
  return rows[0]?.raw ?? '';
}
