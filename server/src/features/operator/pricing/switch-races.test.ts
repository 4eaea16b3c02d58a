import { confirmProposal, getProposal } from '@causeway/contract/operator.ts';
import { proposeSwitchOn, switchOff } from '@causeway/contract/operator-prices.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { testDatabase } from '../../../testing/database.ts';
import { handingOver } from '../../../testing/handing-over.ts';
import { type MainApp, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';
import { insertTestTransaction } from '../../../testing/transactions.ts';
import { nilCompany } from '../../identity/index.ts';
import { insertOff } from './switches-store.ts';

/** A chain, or withdrawals of a coin, switched off at the same time as payments are handed over. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);

let world: MainApp;
let console: OperatorApp;
let tenant: Tenant;
let one: TestOperator;
let two: TestOperator;

beforeAll(async () => {
  const db = await testDatabase();
  world = await mainApp(db);
  console = await operatorApp(db);
  [one, two] = [await console.operator('administrator'), await console.operator('administrator')];
  tenant = await world.company();
});
afterAll(async () => {
  expect([...world.complaints, ...console.complaints]).toEqual([]);
  await console.close();
  await world.close();
  await world.db.close();
});

async function handedOver(ids: readonly string[]): Promise<number> {
  const { rows } = await world.db.worker.withCompany(tenant.id, (tx) =>
    sql`select from transaction where company_id = company_id() and id = any (${[...ids]}::uuid[]) and stage = 'signing'`.execute(
      tx,
    ),
  );
  return rows.length;
}

async function switchOn(id: string): Promise<void> {
  const asked = await console.ask(proposeSwitchOn, { as: one, params: { id }, body: { reason: 'over' } });
  const params = { id: asked.data.proposalId };
  const { digest } = (await console.ask(getProposal, { as: two, params })).data;
  const body = { digest, code: console.code(two.secret) };
  expect((await console.ask(confirmProposal, { as: two, params, body })).status).toBe(200);
}

const off = { what: 'withdrawals', chain: 'ethereum', coin: 'USDT', reason: 'the issuer stopped it' } as const;

test('a switch-off waits for the hand-over under way, whose payment leaves; the next does not', async () => {
  const [first, next] = await Promise.all([1, 2].map(() => insertTestTransaction(world.db, tenant, approved)));
  const { handOver, handed } = handingOver(world.db);
  await handOver(tenant.id, first ?? '');
  let answered = false;
  const switching = await world.db.worker.withCompany(tenant.id, async (tx) => {
    // As a hand-over holds it from its look at the switches until it commits.
    await sql`select pg_advisory_xact_lock_shared(switch_lock('chain:ethereum'))`.execute(tx);
    const asked = console.ask(switchOff, { as: one, body: off }).finally(() => {
      answered = true;
    });
    await waiting();
    expect(answered).toBe(false);
    return { asked };
  });
  const { status, data } = await switching.asked;
  expect(status).toBe(200);
  await handOver(tenant.id, next ?? '');
  expect(handed).toEqual([first]);
  await switchOn(data.id);
  await handOver(tenant.id, next ?? '');
  expect(handed).toEqual([first, next]);
});

test('a hand-over waits for the switch-off under way, and does not leave', async () => {
  const id = await insertTestTransaction(world.db, tenant, approved);
  const { handOver, handed } = handingOver(world.db);
  const switchId = newId();
  const { leaving } = await world.db.console.withCompany(nilCompany, async (tx) => {
    const { what, chain, coin, reason } = off;
    expect(await insertOff(tx, { id: switchId, chain, bank: null, coin, what, by: one.id, reason })).toBe(true);
    const asked = handOver(tenant.id, id);
    await waiting();
    return { leaving: asked };
  });
  await leaving;
  expect(handed).toEqual([]);
  await switchOn(switchId);
  await handOver(tenant.id, id);
  expect(handed).toEqual([id]);
});

test.each([off, { what: 'chain', chain: 'ethereum', reason: 'a fork' } as const])(
  'after $what is off nothing is handed over, and what waited goes on afterwards',
  { timeout: 600_000 },
  async (body) => {
    for (let round = 0; round < rounds; round += 1) {
      const ids = await Promise.all([1, 2, 3].map(() => insertTestTransaction(world.db, tenant, approved)));
      const { handOver, handed } = handingOver(world.db);
      const [switched] = await Promise.all([
        // Everything that was handed over has committed by the time of the answer.
        console.ask(switchOff, { as: one, body }).then(async (answer) => ({ answer, before: await handedOver(ids) })),
        ...ids.map((id) => handOver(tenant.id, id)),
      ]);
      expect(switched.answer.status).toBe(200);
      expect(await handedOver(ids)).toBe(switched.before);
      for (const id of ids) await handOver(tenant.id, id);
      expect(new Set(handed).size).toBe(switched.before);
      await switchOn(switched.answer.data.id);
      for (const id of ids) await handOver(tenant.id, id);
      expect(new Set(handed).size).toBe(3);
    }
  },
);

const approved = {
  type: 'chain_withdraw',
  status: 'pending',
  stage: 'approved',
  payeeName: 'P',
  payeeAccount: 'A',
} as const;

/** Until something waits for an advisory lock of this database. */
async function waiting(): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await world.db.worker.withoutCompany((tx) =>
          sql`select from pg_locks l join pg_database d on d.oid = l.database
            where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`.execute(tx),
        );
        return rows.length;
      },
      { interval: 20, timeout: 20_000 },
    )
    .toBeGreaterThan(0);
}
