import { listQueue } from '@causeway/contract/operator-queue.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../../platform/process/log.ts';
import { type SettlingWorld, settlingWorld } from '../../../testing/card-settling.ts';
import { present } from '../../../testing/present.ts';
import { reconcileBanks } from '../../rails/index.ts';
import { sweep } from '../queue/sweep.ts';
import { takingBack } from './explanation-kinds.ts';

/** Returns and withdrawals of explained bookings beside what happens meanwhile (docs/adr/0118-…). Cents. */

let world: SettlingWorld;
beforeAll(async () => {
  world = await settlingWorld();
});
afterEach(() => world.verify());
afterAll(() => world.close());

const asSuperuser = async (text: string, values: unknown[] = []) => {
  const client = new pg.Client({ connectionString: world.of.db.superuserUrl });
  await client.connect();
  try {
    await client.query(text, values);
  } finally {
    await client.end();
  }
};
const toBePaidAgain = async () => {
  await sweep(world.of.db.console, createLog('test', 'silent'));
  const as = await world.app.operator('viewer');
  const { items } = (await world.app.ask(listQueue, { as, query: { kind: 'cardSettlementBack' } })).data;
  return items.map(({ amount }) => amount?.quantity);
};

test('what was paid before a return does not pay it again, whenever it was recorded', async () => {
  const { companies, cleared, booked, reversed, settle, withdraw } = world;
  await cleared(companies[0], 3_000n);
  const earlier = await booked(1_000n);
  const late = await booked(500n);
  await settle(earlier);
  const settled = await booked(1_000n);
  await settle(settled);
  await reversed(settled);
  expect(await toBePaidAgain()).toEqual(['10.00']);
  await withdraw(earlier);
  await settle(earlier);
  await settle(late);
  expect(await toBePaidAgain()).toEqual(['10.00']);
  await settle(await booked(1_000n));
  expect(await toBePaidAgain()).toEqual([]);
  await world.clear();
});

test('a return by the bank’s own word that does not fit is held, also where it names a company', async () => {
  const { of, companies, paidFee, booked, reversed, collect, takeBack, withdraw, stateOf } = world;
  const [one] = companies;
  await paidFee(one, 1_000n);
  const id = await booked(1_000n, 'DBIT', { details: [{ e2e: 'TRANSFER-OF-FEES' }] });
  await collect(id);
  const part = await reversed(id, { named: false, part: 100n });
  await takeBack(part, id);
  const { rows } = await of.db.app.withCompany(one.company.id, (tx) =>
    sql<{ number: string }>`select account_number as number from bank_account where company_id = company_id()`.execute(
      tx,
    ),
  );
  const [before] = await world.balances();
  const details = [{ e2e: 'TRANSFER-OF-FEES', to: present(rows[0]).number }];
  const whole = await booked(1_000n, 'CRDT', { reversal: true, details });
  expect([await stateOf(whole), (await world.balances())[0]]).toEqual(['suspense', before]);
  // So is one that names what was explained wrongly.
  await withdraw(part);
  await withdraw(id);
  const again = await booked(1_000n, 'CRDT', { reversal: true, details });
  expect([await stateOf(again), (await world.balances())[0]]).toEqual(['suspense', before]);
  await collect(id);
  await takeBack(again, id);
  await world.clear();
});

test('a wrong return is withdrawn although a card has spent what offsets it, and not once it was settled', async () => {
  const { companies, cleared, refunded, booked, reversed, settle, takeBack, withdraw, owed, proposeWithdrawal } = world;
  const [one, two] = companies;
  await cleared(one, 1_500n);
  await refunded(two, 500n);
  const id = await booked(1_000n);
  await settle(id);
  const back = await reversed(id, { named: false, part: 1_000n });
  await takeBack(back, id);
  await cleared(two, 800n);
  expect((await owed()).slice(0, 2)).toEqual([1_500n, 300n]);
  expect((await world.explanationOf(back)).withdrawal).toBe('possible');
  await withdraw(back);
  expect((await owed()).slice(0, 2)).toEqual([0n, 800n]);
  await takeBack(back, id);
  await settle(await booked(1_800n));
  expect((await proposeWithdrawal(back)).key).toBe('bankExplanationShort');
  await world.clear();
});

test('a credit that waited for more from the bank is looked at again once its record is withdrawn', async () => {
  const { of, companies, cleared, booked, reversed, settle, takeBack, withdraw, stateOf } = world;
  await cleared(companies[0], 1_000n);
  const id = await booked(1_000n);
  await settle(id);
  const back = await reversed(id, { named: false, part: 400n });
  await asSuperuser(`update causeway.bank_money set unmatched = 'payout' where id = '${back}'`);
  await takeBack(back, id);
  await withdraw(back);
  const unmatched = () =>
    of.db.operator.withoutCompany(async (tx) => {
      const { rows } = await sql<{ unmatched: string }>`select unmatched from bank_money where id = ${back}`.execute(
        tx,
      );
      return present(rows[0]).unmatched;
    });
  expect(await unmatched()).toBe('again');
  // The next file has it looked at.
  await booked(1n);
  expect([await unmatched(), await stateOf(back)]).toEqual(['nothing', 'suspense']);
  await world.clear();
});

test('a return is recorded of a booking that more later ones than are listed come before', async () => {
  const { companies, cleared, booked, reversed, settle, proposeBack, explanationOf } = world;
  await cleared(companies[0], 1_000n);
  const id = await booked(1_000n);
  await settle(id);
  const back = await reversed(id, { named: false, part: 400n });
  // Copies of the settlement, later by their ids.
  await asSuperuser(
    `set session_replication_role = replica;
    create temporary table later as
      select m.id as of, ('ffffffff-ffff-7fff-bfff-' || lpad(n::text, 12, '0'))::uuid as id
      from causeway.bank_money m, generate_series(1, 100) n where m.id = '${id}';
    insert into causeway.bank_money
      select (jsonb_populate_record(m, jsonb_build_object('id', l.id))).* from later l join causeway.bank_money m on m.id = l.of;
    insert into causeway.bank_explanation (id, money_id, about, step, amount) select id, id, 'cards', 'explained', 1000 from later`,
  );
  const listed = (await explanationOf(back)).returnable.map(({ money }) => money.id);
  const proposed = await proposeBack(back, id);
  await asSuperuser(
    `set session_replication_role = replica;
    delete from causeway.bank_explanation where money_id::text like 'ffffffff-%';
    delete from causeway.bank_money where id::text like 'ffffffff-%'`,
  );
  expect([listed.length, listed.includes(id)]).toEqual([100, false]);
  expect(proposed.status).toBe(200);
});

test('the verification of banks names a booking that says it is explained and is not, and shares that are missing', async () => {
  const { of, companies, cleared, booked, settle } = world;
  await cleared(companies[0], 1_000n);
  const [without, partly] = [await booked(333n), await booked(1_000n)];
  await settle(partly);
  const found = async (id: string) =>
    (await reconcileBanks(of.db.operator)).findings.filter(({ line }) => line.includes(id));
  await asSuperuser(`update causeway.bank_money set state = 'fees' where id = '${without}'`);
  expect((await found(without)).map(({ kind }) => kind)).toContain('feesNotPosted');
  await asSuperuser(`update causeway.bank_money set state = 'charged' where id = '${without}'`);
  expect(await found(without)).toEqual([]);
  const shares = `causeway.bank_explained_share where explanation_id in (select id from causeway.bank_explanation where money_id = '${partly}')`;
  await asSuperuser(
    `create table public.kept as select * from ${shares}; set session_replication_role = replica; delete from ${shares}`,
  );
  expect((await found(partly)).map(({ line }) => line)).toContainEqual(
    expect.stringContaining('shares come to 0 of 1000'),
  );
  await asSuperuser(`insert into causeway.bank_explained_share select * from public.kept; drop table public.kept`);
  expect(await found(partly)).toEqual([]);
});

test('a decision on a return that an earlier version kept is shown in full', () => {
  const before = {
    state: 'suspense',
    unmatched: 'nothing',
    amountMinor: '1000',
    decimals: 2,
    asset: 'HKD',
    account: '998',
  };
  const names = { bankName: 'Harbour Bank', nameZhHk: null, nameZhCn: null };
  const input = { settlementId: 'x', owedMinor: '0', bookedOn: '2026-11-02', reference: 'ISS-1', remittance: '' };
  const lines = takingBack('cards').changes('en-us', input, { ...before, ...names, settlement: 'cards' });
  expect(lines.at(-1)).toMatchObject({ before: '0.00 HKD', after: '10.00 HKD' });
});
