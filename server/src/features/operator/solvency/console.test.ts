import { readFileSync } from 'node:fs';
import * as calls from '@causeway/contract/operator-solvency.ts';
import { downloadReserveProof, getReserveProof, listReserveProofs } from '@causeway/contract/statements.ts';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHealth } from '../../../platform/process/health.ts';
import { owedOf } from '../../../platform/solvency/owed.ts';
import { verifySolvency } from '../../../platform/solvency/verify.ts';
import { credit } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';
import { reportNext } from '../../../testing/solvency-nights.ts';
import { causeLasts } from '../queue/sweep.ts';
import { solvencyCheck } from './health.ts';
import { readBalances } from './store.ts';

/** What the operator and a company see of a report, through their processes. */

let db: TestDatabase;
let company: MainApp;
let operator: OperatorApp;
let one: Tenant;
let other: Tenant;
let viewer: TestOperator;
let support: TestOperator;
let owner: pg.Client;
let day: string;
const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);

beforeAll(async () => {
  db = await testDatabase();
  company = await mainApp(db);
  operator = await operatorApp(db);
  [one, other] = [await company.company(), await company.company()];
  [viewer, support] = [await operator.operator('viewer'), await operator.operator('support')];
  await credit(db, one, 'USDT', 12_500_000n);
  await credit(db, other, 'USDT', 12_500_000n);
  owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
  await owner.query('set session_replication_role = replica; set search_path = causeway');
  // Today's report, made as if its midnight had come: the operator's clock is moved on behind it.
  day = await reportNext(db);
  operator.pass(2 * 86_400_000);
});
afterAll(async () => {
  expect(company.complaints).toEqual([]);
  expect(operator.complaints).toEqual([]);
  await owner.end();
  await Promise.all([company.close(), operator.close()]);
  await db.close();
});

/** A session that the moved clock has not ended. */
const as = (who: TestOperator) => ({ as: who });

test('the operator sees what was owed; without watched chains nothing is held, and the difference says so', async () => {
  const { data } = await operator.ask(calls.getSolvency, { ...as(viewer), query: { day } });
  expect(data).toMatchObject({ day, companies: 2, firstReport: day });
  const usdt = data?.assets.find(({ asset }) => asset === 'USDT');
  expect(usdt).toMatchObject({ owed: '25.000000', held: '0.000000', difference: '-25.000000', timing: '0.000000' });
  // Money at banks has its place, and is compared with nothing yet.
  expect(usdt).toMatchObject({ atBanks: '0.000000', heldAtBanks: null });
  expect(data?.report?.signedAt).not.toBeNull();
  const before = await operator.ask(calls.getSolvency, { ...as(viewer), query: { day: '2020-01-01' } });
  expect(before.data).toMatchObject({ companies: 0, assets: [], report: null });
  const later = await operator.ask(calls.getSolvency, { ...as(viewer), query: { day: '2999-01-01' } });
  expect(later).toMatchObject({ status: 404, key: 'notFound' });
  const series = await operator.ask(calls.listSolvencySeries, { ...as(viewer), query: { asset: 'USDT' } });
  expect(series.data?.items).toEqual([{ day, owed: '25.000000', held: '0.000000', difference: '-25.000000' }]);
});

test('figures lead to their rows', async () => {
  const params = { day, asset: 'USDT' };
  const owed = await operator.ask(calls.listSolvencyOwed, { ...as(viewer), params });
  expect(owed.data?.total).toBe(2);
  expect(owed.data?.items.map(({ id, total }) => [id, total]).sort()).toEqual(
    [one.id, other.id].sort().map((id) => [id, '12.500000']),
  );
  for (const call of [calls.listSolvencyHeld, calls.listSolvencyTiming]) {
    expect((await operator.ask(call, { ...as(viewer), params })).data).toMatchObject({ items: [], total: 0 });
  }
  const unknown = await operator.ask(calls.listSolvencyHeld, { ...as(viewer), params: { day, asset: 'XYZ' } });
  expect(unknown).toMatchObject({ status: 404, key: 'notFound' });
});

test('the full report verifies and its download is in the log; a viewer asks for nothing', async () => {
  const { raw } = await operator.ask(calls.downloadSolvency, { ...as(viewer), params: { day } });
  expect(verifySolvency(raw.body, null)).toMatchObject({ holds: true, company: null });
  expect((await operator.ask(calls.requestSolvency, as(viewer))).status).toBe(403);
  expect((await operator.ask(calls.requestSolvency, as(support))).status).toBe(200);
  expect(await operator.audited()).toEqual(
    expect.arrayContaining(['operator.downloadSolvency', 'operator.requestSolvency']),
  );
  const missing = await operator.ask(calls.downloadSolvency, { ...as(viewer), params: { day: '2020-01-01' } });
  expect(missing).toMatchObject({ status: 404, key: 'notFound' });
});

test('a company finds itself in the report, and nothing of another by name', async () => {
  const list = await company.ask(listReserveProofs, { as: one.admin });
  expect(list.data?.items).toMatchObject([{ day, counted: [{ asset: 'USDT', counted: '12.500000' }] }]);
  const proof = await company.ask(getReserveProof, { as: one.admin, params: { day } });
  expect(proof.data).toMatchObject({ day, companies: 2 });
  const { raw } = await company.ask(downloadReserveProof, { as: one.admin, params: { day } });
  expect(verifySolvency(raw.body, proof.data?.publicKey ?? null)).toMatchObject({
    holds: true,
    company: { id: one.id, counted: [{ asset: 'USDT', minor: 12_500_000n }] },
  });
  expect(raw.body).not.toContain(other.id);
  const theirs = await company.ask(downloadReserveProof, { as: other.admin, params: { day } });
  const files = [raw.body, theirs.raw.body].map((text) => JSON.parse(text) as { leaf: object; path: object });
  expect(verifySolvency(JSON.stringify({ ...files[0], leaf: files[1]?.leaf }), null).holds).toBe(false);
  const { rows } = await owner.query(
    `select detail from audit_event where company_id = '${one.id}' and action = 'statements.downloadProof'`,
  );
  expect(rows).toEqual([{ detail: { day } }]);
  const late = await company.company();
  // Its books were opened after that midnight.
  await owner.query(`update ledger_account set created_at = now() + interval '2 days' where company_id = '${late.id}'`);
  expect(await company.ask(getReserveProof, { as: late.admin, params: { day } })).toMatchObject({ status: 404 });
});

test('less than is owed opens an item of the queue and fails the health check', async () => {
  const item = { kind: 'solvencyDifference', subject: 'USDT' } as const;
  expect(await db.console.withoutCompany((tx) => causeLasts(tx, item))).toBe(true);
  expect(await db.console.withoutCompany((tx) => causeLasts(tx, { ...item, subject: 'ETH' }))).toBe(false);
  const health = createHealth();
  health.register(solvencyCheck(db.worker));
  expect((await health.state()).checks['solvency']).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('less USDT is held than is owed'),
  });
});

test('a report is the same again after later postings; a change of the past shows which company', async () => {
  const check = async () => (await operator.ask(calls.checkSolvency, { ...as(viewer), params: { day } })).data;
  expect(await check()).toMatchObject({ companies: 2, different: [] });
  // Posted after that midnight, also where it is for something that happened before it.
  await credit(db, one, 'USDT', 1_000_000n);
  await owner.query(`update ledger_entry set created_at = now() + interval '2 days'
    where (account_id, sequence) in (select id, version from ledger_account where company_id = '${one.id}' and version > 1)`);
  expect(await check()).toMatchObject({ different: [] });
  await owner.query(`update ledger_entry set balance_after = balance_after - 1 where sequence = 1
    and account_id in (select id from ledger_account where company_id = '${other.id}' and kind = 'available')`);
  expect(await check()).toMatchObject({ different: [{ id: other.id }] });
  await owner.query(`update ledger_entry set balance_after = balance_after + 1 where sequence = 1
    and account_id in (select id from ledger_account where company_id = '${other.id}' and kind = 'available')`);
  const missing = await operator.ask(calls.checkSolvency, { ...as(viewer), params: { day: '2020-01-01' } });
  expect(missing).toMatchObject({ status: 404, key: 'notFound' });
});

test('balances at any instant are what the entries before it make', async () => {
  const busy = await company.company();
  for (let round = 0; round < 150; round += 1) await credit(db, busy, 'USDT', BigInt(round + 1));
  // An entry a minute, so that every instant has its own balance.
  const begin = Date.UTC(2026, 0, 1);
  await owner.query(`update ledger_entry set created_at = timestamptz '2026-01-01Z' + sequence * interval '1 minute'
    where company_id = '${busy.id}'`);
  await owner.query(`update ledger_account set created_at = timestamptz '2026-01-01Z' where company_id = '${busy.id}'`);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: -2, max: 320 }), async (halfMinutes) => {
      const at = new Date(begin + halfMinutes * 30_000);
      const { rows } = await owner.query<{ minor: string }>(`select coalesce(sum(e.amount), 0)::text as minor
        from ledger_entry e join ledger_account a on a.company_id = e.company_id and a.id = e.account_id
        where e.company_id = '${busy.id}' and a.kind in ('available', 'outbound', 'inbound', 'escrow') and e.created_at < '${at.toISOString()}'`);
      const owed = owedOf(await db.console.withoutCompany((tx) => readBalances(tx, at)));
      expect(String(owed.companies.get(busy.id)?.sums.get('USDT') ?? 0n)).toBe(rows[0]?.minor);
    }),
    { numRuns: rounds * 4 },
  );
});

test('the package names the commands that the pages show', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../../../../package.json', import.meta.url), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts).toMatchObject({ 'solvency:verify': 'node server/src/verify-solvency.ts' });
});
