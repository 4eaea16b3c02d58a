import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { attemptsOf } from '../features/chains/index.ts';
import { findObstruction } from '../features/rails/index.ts';
import { strangersAddress } from '../testing/bitcoin/addresses.ts';
import type { BitcoinChain } from '../testing/bitcoin/chain.ts';
import { bitcoin } from '../testing/bitcoin/signer-world.ts';
import { type BitcoinWorld, bitcoinWorld } from '../testing/bitcoin/world.ts';
import { transactions } from '../testing/chain-transfers.ts';
import { type ExceptionDesk, exceptionDesk } from '../testing/exception-desk.ts';
import { present } from '../testing/present.ts';
import type { SignedCompany } from '../testing/signer-world.ts';

/**
 * A payment spends a coin that a reorganisation took for good: nothing of it can be mined, two operators give it up, and what it held pays again
 * (docs/adr/0093).
 */

const fee = 2_000n;
const depth = bitcoin.confirmations;
const act = 'payment.abandon';

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
  Object.assign(chain, { isFull: false, reached: null, miner: 0, stopped: null });
  company = await world.company({ isFunded: false });
  payees += 1;
  payee = strangersAddress(`payee of a lost coin ${payees}`);
});

const one = (id: string) => world.transaction(company, id);
const elsewhere = () => strangersAddress('elsewhere');
const obstruction = (id: string) => world.db.app.withCompany(company.id, (tx) => findObstruction(tx, id));

async function agreed(id: string): Promise<void> {
  const proposalId = await desk.agree(act, id);
  await desk.carryOut(proposalId);
  expect(await desk.end(proposalId)).toMatchObject({ state: 'done' });
}

/** A signed payment of 80,000 satoshis out of two deposits, of which a reorganisation takes the first: it waits for a block again, or is lost. */
async function paying(fate: 'offered' | 'lost'): Promise<{ id: string; deposit: string; raw: string }> {
  await world.deposit(company, 40_000n);
  const [, address = ''] = company.addresses;
  const deposit = chain.fund([{ address, amountMinor: 60_000n }]);
  await world.advance(depth + 1);
  chain.isFull = true;
  const id = await world.promised(company, payee, 80_000n, fee);
  await world.work();
  await world.look();
  expect(await world.inputsOf(company, id)).toHaveLength(2);
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<{ raw: string }>`select raw from chain_send where company_id = company_id() and transfer_id = ${id}`.execute(
      tx,
    ),
  );
  const { height } = present(chain.transaction(deposit));
  chain.reorganise((await chain.gateway.head()) - height + 1, fate);
  return { id, deposit, raw: present(rows[0]).raw };
}

/** Blocks, each read, and the worker's rounds between them. */
async function blocks(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    await world.advance(1);
    await world.tend();
  }
}

/** The payer has another transaction in a block in the place of the deposit. */
async function doubleSpent(): Promise<{ id: string; deposit: string; raw: string }> {
  const paid = await paying('offered');
  chain.refund(paid.deposit, [{ address: elsewhere(), amountMinor: 60_000n }]);
  chain.isFull = false;
  await world.follow();
  await world.tend();
  return paid;
}

test('a deposit that its payer spent otherwise: the payment is closed once that is final, given up by two operators, and the rest pays again', async () => {
  const { id } = await doubleSpent();
  expect(await obstruction(id)).toMatchObject({ text: 'transaction.waiting.coinMissing' });
  await blocks(1);
  expect(await desk.propose(act, id)).toMatchObject({ status: 409, key: 'exceptionNotPossible' });
  await blocks(depth);
  expect(await one(id)).toMatchObject({ stage: 'broadcast', status: 'pending' });
  expect(await obstruction(id)).toMatchObject({ text: 'transaction.waiting.coinGone' });
  expect(await reasons(id)).toEqual(['stage.reason.coinGone']);
  expect(await lost(id)).toEqual([{ replaced: true }]);
  expect(await world.balances(company)).toMatchObject({ available: 0n, outbound: 82_000n, deficit: -42_000n });

  await agreed(id);
  expect(await one(id)).toMatchObject({ stage: 'failed', failureReason: 'stage.reason.coinGone' });
  expect(world.held(payee)).toBe(0n);
  expect(await world.balances(company)).toMatchObject({ available: 40_000n, outbound: 0n, deficit: 0n });
  expect((await transactions(world, company)).filter(({ type }) => type === 'failed_refund')).toHaveLength(1);
  await world.expectBooks();

  // The other coin was signed for in the payment that was given up.
  await unfrozen();
  const again = await world.promised(company, payee, 30_000n, fee);
  await world.work();
  await blocks(depth + 2);
  expect(await one(again)).toMatchObject({ stage: 'completed' });
  expect([world.held(payee), (await world.balances(company)).available]).toEqual([30_000n, 8_000n]);
  await world.expectBooks();
});

test('payments of one transaction that lost a coin are closed together; what they were to spend is free once the last of them is given up', async () => {
  await world.deposit(company, 100_000n);
  const [, address = ''] = company.addresses;
  const deposit = chain.fund([{ address, amountMinor: 60_000n }]);
  await world.advance(depth + 1);
  chain.isFull = true;
  const payment = (amountMinor: bigint) => world.promised(company, payee, amountMinor, fee);
  const [first, second] = [await payment(70_000n), await payment(71_000n)];
  await world.tend();
  await world.look();
  expect(await hashes(first)).toEqual(await hashes(second));
  const { height } = present(chain.transaction(deposit));
  chain.reorganise((await chain.gateway.head()) - height + 1, 'offered');
  chain.refund(deposit, [{ address: elsewhere(), amountMinor: 60_000n }]);
  chain.isFull = false;
  await world.follow();
  await world.tend();
  await blocks(depth + 1);
  for (const id of [first, second]) {
    expect(await reasons(id)).toEqual(['stage.reason.coinGone']);
    expect(await obstruction(id)).toMatchObject({ text: 'transaction.waiting.coinGone' });
  }

  await agreed(first);
  expect(await one(first)).toMatchObject({ stage: 'failed' });
  expect(await one(second)).toMatchObject({ stage: 'broadcast' });
  expect(await given()).toBe(1);
  await agreed(second);
  expect(await given()).toBe(0);
  expect(world.held(payee)).toBe(0n);
  expect(await world.balances(company)).toMatchObject({ available: 100_000n, outbound: 0n, deficit: 0n });

  await unfrozen();
  const again = await payment(90_000n);
  await world.work();
  await blocks(depth + 2);
  expect(await one(again)).toMatchObject({ stage: 'completed' });
  expect(world.held(payee)).toBe(90_000n);
  await world.expectBooks();
});

/** How many outputs of the company are kept for a payment. */
async function given(): Promise<number> {
  const { rows } = await world.db.worker.withoutCompany((tx) =>
    sql<{ count: number }>`select count(*)::integer as count from bitcoin_output
      where company_id = ${company.id}::uuid and payment_id is not null`.execute(tx),
  );
  return rows[0]?.count ?? 0;
}

test('change of an attempt that lost to another: what spent it is given up, and paid out of the change of the other', async () => {
  await world.deposit(company, 100_000n);
  const first = await world.promised(company, payee, 50_000n, fee);
  await world.work();
  // The dearer attempt reaches one node alone, and a payment of its change too. The other node's miner takes the first attempt.
  await world.raise(company, first);
  chain.reached = 0;
  await world.tend();
  chain.stopped = 1;
  await world.look();
  const second = await world.promised(company, strangersAddress('second payee'), 20_000n, fee);
  await world.work();
  const [input] = await world.inputsOf(company, second);
  const attempts = await hashes(first);
  expect(attempts).toHaveLength(2);
  expect(input?.hash).toBe(attempts[1]);
  Object.assign(chain, { reached: null, stopped: null, miner: 1 });
  await blocks(1);
  expect(await one(second)).toMatchObject({ stage: 'broadcast', status: 'pending' });
  await blocks(depth);
  expect(await one(first)).toMatchObject({ stage: 'completed' });
  expect(await obstruction(second)).toMatchObject({ text: 'transaction.waiting.coinGone' });
  expect(await lost(second)).toEqual([{ replaced: true }]);
  await agreed(second);
  expect(await one(second)).toMatchObject({ stage: 'failed', failureReason: 'stage.reason.coinGone' });
  expect(await world.balances(company)).toMatchObject({ available: 48_000n, outbound: 0n });
  const again = await world.promised(company, strangersAddress('second payee'), 20_000n, fee);
  await world.work();
  await blocks(depth + 2);
  expect(await one(again)).toMatchObject({ stage: 'completed' });
  await world.expectBooks();
});

test('a deposit that no node has: the payment is closed after the depth, and goes on where the deposit comes back', async () => {
  const { id } = await paying('lost');
  await world.follow();
  await world.tend();
  await blocks(depth - 1);
  expect(await obstruction(id)).toMatchObject({ text: 'transaction.waiting.coinMissing' });
  await blocks(2);
  expect(await obstruction(id)).toMatchObject({ text: 'transaction.waiting.coinGone' });
  expect(await lost(id)).toEqual([{ replaced: false }]);
  // While the operators agree on it.
  const proposalId = await desk.agree(act, id);
  chain.repeatLost();
  await desk.carryOut(proposalId);
  expect(await desk.end(proposalId)).toMatchObject({ state: 'refused' });
  await world.look();
  chain.isFull = false;
  await world.tend();
  expect(await reasons(id)).toEqual(['stage.reason.coinGone', 'stage.reason.coinBack']);
  await blocks(depth + 2);
  expect(await one(id)).toMatchObject({ stage: 'completed' });
  expect(await lost(id)).toEqual([]);
  expect(world.held(payee)).toBe(80_000n);
  expect(await world.balances(company)).toMatchObject({ available: 18_000n, outbound: 0n, deficit: 0n });
  await world.expectBooks();
});

test('a payment that was given up and is mined all the same is paid, and the wallet owes what it spent again', async () => {
  const { id, raw } = await paying('lost');
  await world.follow();
  await world.tend();
  await blocks(depth + 1);
  await agreed(id);
  expect(await one(id)).toMatchObject({ stage: 'failed' });
  // Nothing of it is offered again, nor signed.
  chain.repeatLost();
  chain.isFull = false;
  await world.look();
  await world.tend();
  expect(chain.isWaiting(present((await hashes(id))[0]))).toBe(false);
  expect(await chain.gateway.broadcast(raw)).toMatchObject({ outcome: 'accepted' });
  await blocks(depth + 2);
  expect(await one(id)).toMatchObject({ stage: 'completed' });
  expect(world.held(payee)).toBe(80_000n);
  const { available = 0n, outbound, deficit = 0n } = await world.balances(company);
  expect([available + deficit, outbound]).toEqual([18_000n, 0n]);
  await world.expectBooks();
});

test('the signer signs no other attempt of a payment that was given up', async () => {
  const { id } = await doubleSpent();
  await blocks(depth + 1);
  await agreed(id);
  const [send] = await attemptRows(id);
  const family = world.parts().familyOf(bitcoin.id);
  const answer = await world.sign(family.signRequest(present(send)));
  expect(answer).toMatchObject({ signed: false, refusal: 'ended' });
});

async function lost(id: string): Promise<{ replaced: boolean }[]> {
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<{ replaced: boolean }>`select replaced_by is not null as replaced from bitcoin_lost_coin
      where company_id = company_id() and payment_id = ${id}`.execute(tx),
  );
  return rows;
}

/** Of its timeline, in their order. */
async function reasons(id: string): Promise<string[]> {
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<{ reason: string }>`select reason from transaction_stage
      where company_id = company_id() and transaction_id = ${id} and reason is not null order by at, id`.execute(tx),
  );
  return rows.map(({ reason }) => reason);
}

/** In their order. */
async function hashes(id: string): Promise<string[]> {
  return (await attemptRows(id)).flatMap(({ hash }) => hash ?? []);
}

const attemptRows = (id: string) =>
  world.db.worker.withCompany(company.id, async (tx) => (await attemptsOf(tx, id)).toReversed());

/** The wallet was frozen with the deposit that was taken back. */
async function unfrozen(): Promise<void> {
  await world.asSuperuser(`update causeway.wallet set frozen_at = null where company_id = '${company.id}'`);
}
