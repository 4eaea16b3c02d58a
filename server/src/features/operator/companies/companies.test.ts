import { systemRoleIds } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import type { OperatorContext } from '../../../platform/session.ts';
import { credit, openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { signedInOperator } from '../../../testing/operators.ts';
import { insertTestTransaction } from '../../../testing/transactions.ts';
import { nilCompany } from '../../identity/index.ts';
import { keepPrices } from '../../rates/index.ts';
import { getActivity } from './activity.ts';
import { getControls } from './controls.ts';
import { addNote, get, invite, list, listInvitations, listNotes, revoke } from './service.ts';

let db: TestDatabase;
let superuser: pg.Client;
let company: TestCompany;
let other: TestCompany;
let support: OperatorContext;

async function named(name: string): Promise<TestCompany> {
  const opened = await openTestCompany(db);
  await db.app.withCompany(opened.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), ${name})`.execute(tx),
  );
  return opened;
}

beforeAll(async () => {
  db = await testDatabase();
  superuser = new pg.Client({ connectionString: db.superuserUrl });
  await superuser.connect();
  await superuser.query('set search_path = causeway');
  company = await named('Far Voyage');
  other = await named('Tai O');
  support = await signedInOperator(db, 'support');
  await superuser.query(
    `insert into member (company_id, id, identifier, email, first_name, last_name, language, role_id)
     values ($1, $2, 'CW-1', 'Wing@Example.com', 'Wing', 'Ho', 'en_US', '00000000-0000-7000-8000-000000000001')`,
    [company.id, newId()],
  );
  await db.worker.withoutCompany((tx) =>
    keepPrices(tx, [{ asset: 'USDT', usd: '1', source: 'test', updatedAt: new Date() }]),
  );
});
afterAll(async () => {
  await superuser.end();
  await db.close();
});

/** As a route does: the role of the operator's process, under the nil company. */
const asConsole = <T>(work: Parameters<typeof db.console.withCompany<T>>[1]) =>
  db.console.withCompany(nilCompany, work);

async function found(keyword?: string): Promise<string[]> {
  const page = await asConsole((tx) => list(tx, support, { keyword }));
  return page.items.map(({ name }) => name);
}

async function audited(action: string): Promise<unknown[]> {
  const { rows } = await superuser.query(
    'select company_id as "companyId", actor_kind as "actorKind", subject_id as "subjectId" from audit_event where action = $1',
    [action],
  );
  return rows;
}

test('companies are found by a part of the name, and by id, email and address in full', async () => {
  expect(await found()).toEqual(['Far Voyage', 'Tai O']);
  expect(await found(' voyage ')).toEqual(['Far Voyage']);
  expect(await found('wing@example.COM')).toEqual(['Far Voyage']);
  expect(await found('wing@example')).toEqual([]);
  expect(await found(other.id.toUpperCase())).toEqual(['Tai O']);
  expect(await found(other.address.toLowerCase())).toEqual(['Tai O']);
  expect(await found("' or true --")).toEqual([]);
});

test('a company shows what it holds, and says where a price is missing', async () => {
  await credit(db, company, 'USDT', 5_000_000n);
  await credit(db, company, 'USDT', 2_000_000n, 'outbound');
  const shown = async () => (await asConsole((tx) => list(tx, support, { keyword: company.id }))).items[0];
  expect(await shown()).toMatchObject({
    usd: '7.00',
    usdIncomplete: false,
    members: 1,
    frozenWallets: 0,
    frozenAt: null,
  });
  await credit(db, company, 'ETH', 1n);
  expect(await shown()).toMatchObject({ usd: '7.00', usdIncomplete: true });
});

test('the file has people, wallets, volume and nothing of another company', async () => {
  await insertTestTransaction(db, company, { valueUsdCents: 1234n });
  await insertTestTransaction(db, other, { valueUsdCents: 99_999n });
  const file = await asConsole((tx) => get(tx, support, { id: company.id }));
  expect(file.people).toMatchObject([
    { name: 'Wing Ho', email: 'Wing@Example.com', role: 'Administrator', disabled: false },
  ]);
  expect(file.wallets.map(({ id }) => id).sort()).toEqual(Object.values(company.wallets).sort());
  expect(file.wallets.find(({ asset }) => asset === 'USDT')).toMatchObject({
    place: 'Ethereum',
    account: company.address,
    available: '5.000000',
    inTransfer: '2.000000',
    usd: '7.00',
    frozenAt: null,
  });
  expect(file.volume).toMatchObject([{ in: '12.34', out: '0.00', count: 1 }]);
  await expect(asConsole((tx) => get(tx, support, { id: newId() }))).rejects.toMatchObject({ key: 'notFound' });
});

test('activity adds up what was completed in the period, by asset, with the fees and their values', async () => {
  const opened = await named('Sai Wan');
  const give = (facts: Parameters<typeof insertTestTransaction>[2]) => insertTestTransaction(db, opened, facts);
  await give({ valueUsdCents: 1000n });
  const withFee = await give({ valueUsdCents: 500n });
  await give({ valueUsdCents: null });
  const old = await give({ valueUsdCents: 7777n });
  const failed = await give({ valueUsdCents: 7777n });
  await superuser.query(`update transaction set fee = quantity / 100, direction = 'out' where id = $1`, [withFee]);
  await superuser.query(`update transaction set created_at = now() - interval '40 days' where id = $1`, [old]);
  await superuser.query(`update transaction set status = 'failed', stage = 'failed' where id = $1`, [failed]);
  // The operator collected its fees: no transaction of the company's.
  await give({ type: 'fee_withdraw', valueUsdCents: 5555n });
  const read = (days?: '30' | '90') => asConsole((tx) => getActivity(tx, support, { id: opened.id, days }));
  const month = await read();
  expect(month.total).toEqual({ count: 3, inUsd: '10.00', outUsd: '5.00', feeUsd: '0.05', unvalued: 1 });
  expect(month.assets).toMatchObject([{ asset: 'USDT', count: 3, fee: '0.050000', in: '10.000000', out: '5.000000' }]);
  expect((await read('90')).total).toMatchObject({ count: 4, inUsd: '87.77' });
  await expect(asConsole((tx) => getActivity(tx, support, { id: newId() }))).rejects.toMatchObject({ key: 'notFound' });
});

test('controls show what the company has set, by name, and nothing of another company', async () => {
  const empty = await asConsole((tx) => getControls(tx, support, { id: other.id }));
  expect(empty).toEqual({
    security: {
      timeZone: 'Asia/Hong_Kong',
      codeRecipient: 'initiator',
      waitingHours: 24,
      forbidOwnApprovers: false,
      approveNewPayees: false,
      changedPayeeDays: 7,
    },
    review: { enabled: false, expiryDays: 7, reminderHours: 24, rules: [] },
    risk: { onlyWhitelisted: false, whitelisted: 0, blacklisted: 0, policies: [] },
  });
  const { rows: people } = await superuser.query('select id from member where company_id = $1', [company.id]);
  const [rule, by] = [newId(), people[0].id];
  await superuser.query('insert into approval_setting (company_id, enabled) values ($1, true)', [company.id]);
  await superuser.query('insert into approval_rule values ($1, $2, 1, 1)', [company.id, rule]);
  const nodes = [
    {
      needed: 1,
      approvers: [
        { kind: 'person', id: by },
        { kind: 'role', id: systemRoleIds.finance },
      ],
    },
  ];
  await superuser.query(
    `insert into approval_rule_version (company_id, rule_id, version, name, lower, upper, nodes, active, created_by, created_by_name)
     values ($1, $2, 1, 'Large', 100000, null, $3, true, $4, 'Wing Ho')`,
    [company.id, rule, JSON.stringify(nodes), by],
  );
  const policy = (name: string, content: object) =>
    superuser.query(
      `insert into risk_policy (company_id, id, name, business, dimension, definition, active, created_by_name, updated_by_name)
       values ($1, $2, $3, 'crypto_withdrawal', $4, $5, true, 'Wing Ho', 'Wing Ho')`,
      [
        company.id,
        newId(),
        name,
        'dimension' in content ? content.dimension : '',
        { name, business: 'crypto_withdrawal', method: 'forbid', result: 'deny', window: 'day', content },
      ],
    );
  await policy('A', { dimension: 'initiator', members: [by] });
  await policy('B', { dimension: 'crypto_quantity', coin: 'ETH', from: '5', to: null });
  await superuser.query(
    `insert into risk_list_entry (company_id, id, kind, payee_type, account, account_key, created_by_name)
     values ($1, $2, 'black', 'crypto_address', '0x1', '0x1', 'Wing Ho')`,
    [company.id, newId()],
  );
  const { review, risk } = await asConsole((tx) => getControls(tx, support, { id: company.id }));
  expect(review).toMatchObject({
    enabled: true,
    rules: [{ name: 'Large', lower: '1000.00', upper: null, submittedBy: null, active: true }],
  });
  expect(review.rules[0]?.steps).toEqual([{ needed: 1, approvers: ['Wing Ho', 'Finance'] }]);
  expect(risk).toMatchObject({ whitelisted: 0, blacklisted: 1 });
  expect(risk.policies).toMatchObject([
    { name: 'A', dimension: 'initiator', listed: ['Wing Ho'], unit: null, from: null },
    { name: 'B', dimension: 'crypto_quantity', listed: null, unit: 'ETH', from: '5', to: null },
  ]);
  expect((await asConsole((tx) => getControls(tx, support, { id: other.id }))).risk.policies).toEqual([]);
});

test('a look is in the operator’s own log once for each operator, company and hour', async () => {
  const before = (await audited('operator.look')).length;
  const [one, two] = [await signedInOperator(db, 'support'), await signedInOperator(db, 'viewer')];
  const look = (who: OperatorContext, id: string) => asConsole((tx) => get(tx, who, { id }));
  await Promise.all([look(one, other.id), look(one, other.id), look(one, other.id)]);
  await look(two, other.id);
  await asConsole((tx) => getControls(tx, two, { id: other.id }));
  await asConsole((tx) => getActivity(tx, two, { id: other.id }));
  const added = (await audited('operator.look')).slice(before);
  expect(added).toEqual(Array(2).fill({ companyId: nilCompany, actorKind: 'operator', subjectId: other.id }));
  await superuser.query("update operator_look set hour = hour - interval '1 hour'");
  await look(one, other.id);
  expect((await audited('operator.look')).slice(before)).toHaveLength(3);
});

test('a company that is frozen is marked in the list, since when', async () => {
  const frozen = await named('Sham Shui Po');
  await superuser.query("update company set frozen_at = '2026-11-01T00:00:00Z' where company_id = $1", [frozen.id]);
  const page = await asConsole((tx) => list(tx, support, { keyword: frozen.id }));
  expect(page.items).toMatchObject([{ name: 'Sham Shui Po', frozenAt: '2026-11-01T00:00:00.000Z' }]);
});

test('notes stay, newest first, and no company’s process can read them', async () => {
  await asConsole((tx) => addNote(tx, support, { id: company.id, text: 'Called about a payment' }));
  await asConsole((tx) => addNote(tx, support, { id: company.id, text: 'Settled' }));
  const { items } = await asConsole((tx) => listNotes(tx, support, { id: company.id }));
  expect(items.map(({ text, by }) => [text, by.name])).toEqual([
    ['Settled', 'A support'],
    ['Called about a payment', 'A support'],
  ]);
  expect((await asConsole((tx) => listNotes(tx, support, { id: other.id }))).total).toBe(0);
  expect(await audited('operator.note')).toHaveLength(2);
  await expect(superuser.query("update operator_note set text = ''")).rejects.toThrow(/append-only/);
  for (const database of [db.app, db.worker, db.operator]) {
    const reading = database.withCompany(company.id, (tx) => sql`select from operator_note`.execute(tx));
    await expect(reading).rejects.toThrow(/permission denied/);
  }
});

test('an invitation shows its code once, is listed by state, and is revoked once', async () => {
  const made = await asConsole((tx) => invite(tx, support, { note: 'Lantau', days: 3 }));
  expect(made.code).toMatch(/^CW-/);
  const listed = () => asConsole((tx) => listInvitations(tx, support, {}));
  expect(JSON.stringify(await listed())).not.toContain(made.code);
  expect((await listed()).items).toMatchObject([{ id: made.id, note: 'Lantau', state: 'open', company: null }]);
  await asConsole((tx) => revoke(tx, support, { id: made.id }));
  await expect(asConsole((tx) => revoke(tx, support, { id: made.id }))).rejects.toMatchObject({ key: 'notFound' });
  expect((await listed()).items).toMatchObject([{ state: 'revoked' }]);
  expect(await audited('identity.createInvitation')).toMatchObject([{ actorKind: 'operator', companyId: nilCompany }]);
  const used = await asConsole((tx) => invite(tx, support, { note: '', days: 1 }));
  await superuser.query('update invitation set used_at = now(), used_by_company_id = $2 where id = $1', [
    used.id,
    other.id,
  ]);
  await expect(asConsole((tx) => revoke(tx, support, { id: used.id }))).rejects.toMatchObject({ key: 'notFound' });
  const ofState = await asConsole((tx) => listInvitations(tx, support, { state: 'used' }));
  expect(ofState.items).toMatchObject([{ id: used.id, company: { name: 'Tai O' } }]);
});

test('the console can neither read the hash of a code, nor use one, nor write about companies elsewhere', async () => {
  for (const statement of [
    'select code_sha256 from invitation',
    'update invitation set used_at = now()',
    'delete from invitation',
    'delete from operator_note',
    "update company set name = 'x'",
    'update member set disabled_at = now()',
    'update wallet set frozen_at = now()',
  ]) {
    await expect(
      asConsole((tx) => sql.raw(statement).execute(tx)),
      statement,
    ).rejects.toThrow(/permission denied/);
  }
});
