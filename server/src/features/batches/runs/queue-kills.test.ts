import { submitBatch } from '@causeway/contract/batch-runs.ts';
import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { type Database, openDatabase } from '../../../platform/database/database.ts';
import { isOutage } from '../../../platform/database/outage.ts';
import { newId } from '../../../platform/ids.ts';
import { insertTestBatch, runRequest } from '../../../testing/batches.ts';
import { credit } from '../../../testing/company.ts';
import { expectCompanyBooks, expectLedgerToAgree, walletBalances } from '../../../testing/company-books.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { eachDeath, killRounds, type MortalDatabase, mortalDatabase } from '../../../testing/dying.ts';
import { type MainApp, mainApp, type Request, type Tenant } from '../../../testing/main-app.ts';
import { entered, type Gate, gateAt, keptOf, queuedOnly } from '../../../testing/queueing.ts';
import { succeed } from '../../../testing/succeed.ts';
import { payee } from '../../../testing/valid-requests.ts';

/** The company's process, or its connection, dies at any step of queueing rows and of entering them: another process enters them once, and nothing is lost. */

vi.setConfig({ testTimeout: killRounds * 180_000 });

const rounds = Array.from({ length: killRounds }, (_, index) => index + 1);
const usdt = 1_000_000n;
/** Two rows of 5 and 7, and a fee of 1 each. */
const held = 14n * usdt;

let db: TestDatabase;
let mortal: MortalDatabase;
let world: MainApp;
let survivingDatabase: Database;
let survivor: MainApp;
let gate: Gate;
beforeAll(async () => {
  db = await testDatabase();
  mortal = mortalDatabase(db.app);
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const options = { rowsAtOnce: 0, authorisationKey: { ...(await exportJWK(privateKey)) } };
  world = await mainApp({ ...db, app: mortal }, undefined, options);
  survivingDatabase = openDatabase(db.urlFor('causeway_app'), { poolSize: 4, applicationName: 'survivor' });
  survivor = await mainApp({ ...db, app: survivingDatabase }, undefined, options);
  gate = await gateAt(db, 'payout_batch_entry');
});
afterAll(async () => {
  await expectLedgerToAgree(db);
  await gate.close();
  await survivor.close();
  await survivingDatabase.close();
  await world.close();
  await db.close();
});
afterEach(() => expect([...world.complaints.splice(0), ...survivor.complaints.splice(0)]).toEqual([]));

async function submission(): Promise<{ tenant: Tenant; request: Request }> {
  const tenant = await world.company();
  await credit(db, tenant, 'USDT', 100n * usdt);
  const payeeId = await payee(world, tenant);
  const row = (units: bigint) => ({ walletId: tenant.wallets.USDT, payeeId, amountMinor: units * usdt });
  const { id } = await insertTestBatch(db, tenant, [row(5n), row(7n)]);
  return {
    tenant,
    request: { ...(await runRequest(world, tenant.admin, id)), headers: { 'idempotency-key': newId() } },
  };
}

/** A run whose rows the process could not enter. */
async function queued(): Promise<Tenant> {
  const { tenant, request } = await submission();
  await gate.refuse(tenant.id);
  await succeed(world, submitBatch, request);
  await world.queue.settled();
  await gate.admit(tenant.id);
  expect(world.complaints.splice(0)).toEqual([expect.stringContaining('refused by the test')]);
  return tenant;
}

async function expectEnteredOnce(tenant: Tenant): Promise<void> {
  expect(await keptOf(gate, tenant.id)).toEqual(entered(2));
  expect((await walletBalances(db, tenant.id, tenant.wallets.USDT)).outbound).toBe(held);
  await expectCompanyBooks(db, tenant.id);
}

const nothing = { ...queuedOnly(0), runs: 0, postings: {} };

test.each(rounds)(
  'a process that dies as it accepts a run has not begun, or another enters its rows (round %i)',
  async () => {
    const deaths = await eachDeath(async (transactions, moment) => {
      const { tenant, request } = await submission();
      const life = mortal.doom(transactions, moment);
      const { status } = await world.ask(submitBatch, request);
      await world.queue.settled();
      const { isOver } = life;
      mortal.revive();
      // The second of its transactions enters the rows.
      expect(status).toBe(isOver && transactions === 1 ? 500 : 200);
      if (isOver) expect(world.complaints.splice(0).join('')).toMatch(/Killed/);
      const isBegun = transactions > 1 || moment === 'after commit' || !isOver;
      expect((await keptOf(gate, tenant.id)).runs).toBe(isBegun ? 1 : 0);
      if (isBegun) {
        expect((await walletBalances(db, tenant.id, tenant.wallets.USDT)).outbound).toBe(held);
        await survivor.queue.enter(tenant.id);
        await expectEnteredOnce(tenant);
      } else {
        expect(await keptOf(gate, tenant.id)).toEqual(nothing);
      }
      // The client that had no answer.
      await succeed(world, submitBatch, request);
      await world.queue.settled();
      await expectEnteredOnce(tenant);
      return isOver;
    });
    expect(deaths).toBeGreaterThanOrEqual(3);
  },
);

test.each(rounds)('a process that dies as it enters rows has entered all or none (round %i)', async () => {
  const deaths = await eachDeath(async (transactions, moment) => {
    const tenant = await queued();
    const life = mortal.doom(transactions, moment);
    const end = await world.queue.enter(tenant.id).catch((error: unknown) => String(error));
    const { isOver } = life;
    mortal.revive();
    if (isOver) expect(end).toContain('unavailable');
    if (isOver) expect(world.complaints.splice(0).join()).toContain('Killed');
    expect(await keptOf(gate, tenant.id)).toEqual(isOver && moment === 'before commit' ? queuedOnly(2) : entered(2));
    await survivor.queue.enter(tenant.id);
    await expectEnteredOnce(tenant);
    return isOver;
  });
  expect(deaths).toBe(2);
});

/** Has each connection die that inserts into a table for this company, or deletes from it. @returns brings it to an end */
async function deadly(table: string, { id }: Tenant): Promise<() => Promise<void>> {
  await gate.query(`create function test_die() returns trigger language plpgsql security definer as $$ begin
    if coalesce(new.company_id, old.company_id) = '${id}' then perform pg_terminate_backend(pg_backend_pid()); end if;
    return coalesce(new, old);
  end $$`);
  await gate.query(
    `create trigger test_die before insert or update or delete on ${table} for each row execute function test_die()`,
  );
  return async () => {
    await gate.query(`drop trigger test_die on ${table}`);
    await gate.query('drop function test_die()');
  };
}

/** Whether a line of the log names an outage of the database as its cause. */
function saysOutage(line: string): boolean {
  const { err } = z
    .object({ err: z.object({ message: z.string(), code: z.string().optional() }) })
    .parse(JSON.parse(line));
  return isOutage(Object.assign(new Error(err.message), { code: err.code }));
}

test('a connection that is lost at any statement of entering enters nothing; then another enters all', async () => {
  const tenant = await queued();
  const tables = ['risk_assessment', 'risk_flow', 'risk_usage', 'transaction', 'transaction_stage', 'transaction_text'];
  tables.push('outgoing_authorisation', 'ledger_account', 'ledger_posting', 'ledger_entry', 'outbox', 'audit_event');
  for (const table of [...tables, 'payout_batch_entry', 'payout_batch_queue']) {
    const live = await deadly(table, tenant);
    const end = await world.queue.enter(tenant.id).catch((error: unknown) => String(error));
    await live();
    expect([table, end]).toEqual([table, expect.stringContaining('unavailable')]);
    // PostgreSQL says that it ended the connection, unless the next statement is written first: then the socket says it.
    expect(world.complaints.splice(0).map(saysOutage)).toEqual([true]);
    expect(await keptOf(gate, tenant.id)).toEqual(queuedOnly(2));
    expect((await walletBalances(db, tenant.id, tenant.wallets.USDT)).outbound).toBe(held);
  }
  await survivor.queue.enter(tenant.id);
  await expectEnteredOnce(tenant);
});

test('a connection that is lost at any statement of the submission leaves nothing; the same request then succeeds', async () => {
  const { tenant, request } = await submission();
  for (const table of [
    'payout_batch_run',
    'ledger_posting',
    'outbox',
    'audit_event',
    'payout_batch_queue',
    'idempotency',
  ]) {
    const live = await deadly(table, tenant);
    const { status } = await world.ask(submitBatch, request);
    await live();
    expect([table, status]).toEqual([table, 503]);
    expect(await keptOf(gate, tenant.id)).toEqual(nothing);
    expect((await walletBalances(db, tenant.id, tenant.wallets.USDT)).outbound).toBeUndefined();
  }
  world.complaints.splice(0);
  await succeed(world, submitBatch, request);
  await world.queue.settled();
  await expectEnteredOnce(tenant);
});
