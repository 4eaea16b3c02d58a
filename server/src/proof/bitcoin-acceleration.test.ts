import { formatAmount } from '@causeway/contract/money.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { nilCompany } from '../features/identity/index.ts';
import { exportCsv } from '../features/operator/transactions/export.ts';
import { list as listForOperator } from '../features/operator/transactions/list.ts';
import { askFeeRates } from '../features/rails/bitcoin/fee-rates.ts';
import { spendableOutputs } from '../features/rails/bitcoin/store/outputs.ts';
import { newId } from '../platform/ids.ts';
import { type Member, memberOf } from '../testing/bitcoin/accelerating.ts';
import { strangersAddress } from '../testing/bitcoin/addresses.ts';
import type { BitcoinChain } from '../testing/bitcoin/chain.ts';
import { bitcoin } from '../testing/bitcoin/signer-world.ts';
import { type BitcoinWorld, bitcoinWorld } from '../testing/bitcoin/world.ts';
import { transactions } from '../testing/chain-transfers.ts';
import { asSuperuser } from '../testing/exchange-world.ts';
import { signedInOperator } from '../testing/operators.ts';
import type { SignedCompany } from '../testing/signer-world.ts';

/** A deposit that waits for a block is accelerated by a transaction that spends it (docs/adr/0091), from the member's call to the books. */

const depth = bitcoin.confirmations;
let world: BitcoinWorld;
let chain: BitcoinChain;
let company: SignedCompany;
let member: Member;

beforeAll(async () => {
  world = await bitcoinWorld();
  chain = world.chain;
});
afterAll(() => world.close());

beforeEach(async () => {
  chain.isFull = false;
  chain.leastRate = 0;
  company = await world.company({ isFunded: false });
  member = await memberOf(world, company);
  await world.deposit(company, 100_000n);
  // Blocks take what pays nearly the urgent rate.
  chain.leastRate = 18;
});

const one = (id: string) => world.transaction(company, id);
const balances = () => world.balances(company);
async function spendable(): Promise<bigint[]> {
  const coins = await world.db.worker.withoutCompany((tx) => spendableOutputs(tx, company.id, bitcoin.id));
  return coins.map(({ amountMinor }) => amountMinor);
}
const satoshis = (fee: string) => BigInt(fee.replace('.', ''));

test('a deposit that pays too little is taken into a block with what spends it, and the fee is what leaves', async () => {
  const { depositId } = await member.stuck(60_000n);
  await world.advance(1);
  expect(await one(depositId)).toMatchObject({ stage: 'seen' });
  const { feeRate, items } = await member.quote(depositId);
  expect(feeRate).toBe('1.063');
  expect(items.map(({ level }) => level)).toEqual(['economy', 'normal', 'urgent']);
  const urgent = items.at(-1);
  const feeMinor = satoshis(urgent?.fee ?? '');
  expect(urgent).toMatchObject({ feeRate: expect.stringMatching(/^20\.0/) });
  expect(satoshis(urgent?.worth ?? '')).toBe(60_000n - feeMinor);

  const id = await member.accelerate(depositId);
  expect(await balances()).toMatchObject({ available: 100_000n - feeMinor, outbound: feeMinor, inbound: 60_000n });
  expect(await one(id)).toMatchObject({ type: 'chain_accelerate', quantity: 0n, stage: 'approved' });
  await expect(member.accelerate(depositId)).rejects.toMatchObject({ key: 'accelerationUnavailable' });
  await world.work();
  expect(await one(id)).toMatchObject({ stage: 'broadcast' });
  expect(await world.inputsOf(company, id)).toMatchObject([{ amountMinor: 60_000n }]);
  await world.look();
  // What comes back is no deposit, and no payment spends it before it is final.
  expect(await spendable()).toEqual([100_000n]);
  await world.advance(1);
  expect([await one(id), await one(depositId)]).toMatchObject([{ stage: 'confirming' }, {}]);
  await world.expectBooks();
  await world.advance(depth);
  expect([await one(id), await one(depositId)]).toMatchObject([{ stage: 'completed' }, { stage: 'credited' }]);
  expect(await balances()).toMatchObject({
    available: 160_000n - feeMinor,
    outbound: 0n,
    inbound: 0n,
    fee: 0n,
    deficit: 0n,
  });
  expect(await spendable()).toEqual([100_000n, 60_000n - feeMinor]);
  expect((await transactions(world, company)).filter(({ type }) => type === 'chain_deposit')).toHaveLength(2);
  await world.expectBooks();
});

test('operators see the fee that leaves and the deposit that is spent, in their list and in their export', async () => {
  const { depositId, hash } = await member.stuck(60_000n);
  const id = await member.accelerate(depositId);
  const { outbound: feeMinor = 0n } = await balances();
  const operator = await signedInOperator(world.db, 'viewer');
  const fee = formatAmount(feeMinor, 8);
  const query = { company: company.id, type: 'chain_accelerate' } as const;
  const { items } = await world.db.console.withCompany(nilCompany, (tx) => listForOperator(tx, operator, query));
  expect(items).toMatchObject([{ id, fee, accelerates: { id: depositId, hash, quantity: '0.00060000' } }]);
  const { content } = await exportCsv({ ...operator, database: world.db.console }, query);
  let csv = '';
  for await (const chunk of content) csv += String(chunk);
  const [header = '', row = ''] = csv.split('\r\n');
  const cells = new Map(header.split(',').map((name, place) => [name, row.split(',')[place]]));
  const named = ['Fee', 'Accelerated deposit', 'Hash of the accelerated deposit'].map((name) => cells.get(name));
  expect(named).toEqual([fee, '0.00060000', hash]);
});

test('what its payer takes back ends its acceleration: the fee comes back, and the reason says so', async () => {
  const { depositId, hash } = await member.stuck(60_000n);
  const id = await member.accelerate(depositId);
  await world.work();
  chain.refund(hash, [{ address: strangersAddress('elsewhere'), amountMinor: 60_000n }]);
  await world.look();
  await world.tend();
  expect(await one(id)).toMatchObject({ stage: 'failed', failureReason: 'stage.reason.depositGone' });
  expect(await one(depositId)).toMatchObject({ stage: 'orphaned' });
  expect(await balances()).toMatchObject({ available: 100_000n, outbound: 0n, inbound: 0n });
  await world.advance(depth + 1);
  await world.tend();
  await world.expectBooks();
});

test('a deposit that was gone and is back takes its acceleration with it, which is paid after all', async () => {
  const { depositId, hash } = await member.stuck(60_000n);
  const id = await member.accelerate(depositId);
  await world.work();
  const { outbound: feeMinor = 0n } = await balances();
  chain.drop((await one(id)).hash ?? '');
  chain.isGone = hash;
  await world.look();
  await world.tend();
  expect(await one(id)).toMatchObject({ stage: 'failed' });
  chain.isGone = null;
  await world.look();
  await world.tend();
  await world.tend();
  await world.advance(depth + 1);
  expect(await one(id)).toMatchObject({ stage: 'completed' });
  expect(await balances()).toMatchObject({ available: 160_000n - feeMinor, outbound: 0n, inbound: 0n, deficit: 0n });
  await world.expectBooks();
});

test('a reorganisation takes both away and brings both back', async () => {
  const { depositId } = await member.stuck(60_000n);
  const id = await member.accelerate(depositId);
  await world.work();
  await world.advance(1);
  chain.isFull = true;
  chain.reorganise(1, 'offered');
  await world.follow();
  expect([await one(id), await one(depositId)]).toMatchObject([{ stage: 'broadcast' }, { stage: 'seen' }]);
  await world.expectBooks();
  chain.isFull = false;
  await world.tend();
  await world.advance(depth + 1);
  expect([await one(id), await one(depositId)]).toMatchObject([{ stage: 'completed' }, { stage: 'credited' }]);
  chain.reorganise(depth + 1, 'offered');
  await world.follow();
  await world.expectBooks();
  await world.tend();
  await world.advance(depth + 1);
  expect([await one(id), await one(depositId)]).toMatchObject([{ stage: 'completed' }, { stage: 'credited' }]);
  await world.expectBooks();
});

test('of two members who accelerate one deposit at once, one does', async () => {
  const { depositId } = await member.stuck(60_000n);
  const other = await memberOf(world, company);
  const outcomes = await Promise.allSettled([member.accelerate(depositId), other.accelerate(depositId)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { key: 'accelerationUnavailable' },
  });
  await world.work();
  await world.advance(depth + 1);
  await world.expectBooks();
});

test('a deposit that a block has taken is not accelerated any more; the fee comes back', async () => {
  const { depositId } = await member.stuck(60_000n);
  const id = await member.accelerate(depositId, 'economy');
  chain.leastRate = 0;
  chain.mine();
  await world.follow();
  await world.work();
  expect(await one(id)).toMatchObject({ stage: 'failed', failureReason: 'stage.reason.depositConfirmed' });
  await world.advance(depth);
  expect(await balances()).toMatchObject({ available: 160_000n, outbound: 0n });
  await world.expectBooks();
});

test('an acceleration that waits is sped up by one in its place, for which its member seals the higher fee', async () => {
  const { depositId } = await member.stuck(60_000n);
  const id = await member.accelerate(depositId, 'economy');
  await world.work();
  await world.look();
  await world.advance(1);
  expect(await one(id)).toMatchObject({ stage: 'broadcast' });
  const raised = satoshis(await member.speedUp(id));
  expect(await balances()).toMatchObject({ available: 100_000n - raised, outbound: raised });
  await world.tend();
  await world.advance(depth + 1);
  expect([await one(id), await one(depositId)]).toMatchObject([{ stage: 'completed' }, { stage: 'credited' }]);
  expect(await balances()).toMatchObject({ available: 160_000n - raised, outbound: 0n, fee: 0n, deficit: 0n });
  await world.expectBooks();
});

test('a worker that dies between the record and the nodes sends the same transaction once', async () => {
  const { depositId } = await member.stuck(60_000n);
  const id = await member.accelerate(depositId);
  let signed = 0;
  const dying = {
    sign: async (request: Parameters<typeof world.sign>[0]) => {
      signed += 1;
      await world.sign(request);
      throw new Error('killed');
    },
  };
  await expect(world.work({ signer: dying })).rejects.toThrow('killed');
  expect(signed).toBe(1);
  expect(await one(id)).toMatchObject({ stage: 'signing' });
  await world.tend();
  await world.tend();
  await world.advance(depth + 1);
  expect([await one(id), await one(depositId)]).toMatchObject([{ stage: 'completed' }, { stage: 'credited' }]);
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql`select from chain_send where company_id = company_id() and payment_id = ${id}`.execute(tx),
  );
  expect(rows).toHaveLength(1);
  await world.expectBooks();
});

test('what cannot be accelerated is refused, and nothing is held', async () => {
  const { depositId } = await member.stuck(1_200n);
  await expect(member.accelerate(depositId)).rejects.toMatchObject({ key: 'accelerationTooSmall' });
  const paid = await member.stuck(60_000n, 10_000n);
  await expect(member.quote(paid.depositId)).rejects.toMatchObject({ key: 'accelerationNotNeeded' });
  await expect(member.quote(newId())).rejects.toMatchObject({ key: 'notFound' });
  const poor = await world.company({ isFunded: false });
  const other = await memberOf(world, poor);
  const arrived = await other.stuck(60_000n);
  await expect(other.accelerate(arrived.depositId)).rejects.toMatchObject({
    key: 'insufficientBalance',
    fields: { feeLevel: expect.anything() },
  });
  await world.asSuperuser(`update causeway.bitcoin_fee_rate set asked_at = now() - interval '31 minutes'`);
  const late = await member.stuck(60_000n);
  await expect(member.quote(late.depositId)).rejects.toMatchObject({ key: 'feeRatesStale' });
  await askFeeRates(world.db.worker, chain.gateway, { floor: 1, ceiling: 500, fallback: 10 });
  await world.asSuperuser(`update causeway.wallet set frozen_at = now() where company_id = '${company.id}'`);
  await expect(member.accelerate(late.depositId)).rejects.toMatchObject({ key: 'walletFrozen' });
  expect(await balances()).toMatchObject({ available: 100_000n, outbound: 0n });
});

test('it waits until queued rows of a batch are entered, whose ids are fixed', async () => {
  const { depositId } = await member.stuck(60_000n);
  // Without the run that they are of.
  const asReplica = (statement: string) =>
    asSuperuser(world.db, `set session_replication_role = replica; ${statement}`);
  await asReplica(
    `insert into causeway.payout_batch_queue (company_id, run_id, part, content, seal) values ('${company.id}', '${newId()}', 0, '', '')`,
  );
  let refusals = 0;
  world.db.app.whenQueued(async () => {
    refusals += 1;
    await asReplica(`delete from causeway.payout_batch_queue where company_id = '${company.id}'`);
  });
  const id = await member.accelerate(depositId);
  expect(refusals).toBe(1);
  expect(await one(id)).toMatchObject({ stage: 'approved' });
});
