import type { Call } from '@causeway/contract/call.ts';
import { calls } from '@causeway/contract/calls.ts';
import { listCards } from '@causeway/contract/cards.ts';
import { getUser, logout } from '@causeway/contract/identity.ts';
import { getCompany } from '@causeway/contract/operator-companies.ts';
import { beginLook, lookOwnCalls, notInLooks } from '@causeway/contract/operator-look.ts';
import { getPaymentRequest } from '@causeway/contract/payment-requests.ts';
import { listTransactions } from '@causeway/contract/transactions.ts';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { composeLook } from '../compose-look.ts';
import { registeredCalls } from '../platform/http/route.ts';
import { newId } from '../platform/ids.ts';
import { chainFamilies } from '../testing/chain-families.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { ask, type MainApp, type Member, mainApp, type Request, type Tenant } from '../testing/main-app.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../testing/operator-app.ts';
import { validRequests } from '../testing/valid-requests.ts';

/**
 * A look shows an operator what a company's administrator sees, of that company alone, and changes nothing: every call of the companies
 * is asked through a look.
 */

let db: TestDatabase;
let main: MainApp;
let operator: OperatorApp;
let look: FastifyInstance;
let owner: pg.Client;
let tenant: Tenant;
let other: Tenant;
let support: TestOperator;
const complaints: string[] = [];
/** A look at `tenant`: the token in the place of a member's. */
let looking: Pick<Member, 'token'>;

const reason = 'a call about a missing transfer';

async function begin(at: Pick<Tenant, 'id'> = tenant, as = support) {
  return operator.ask(beginLook, { as, params: { id: at.id }, body: { reason } });
}

async function tokenOf(at: Pick<Tenant, 'id'> = tenant, as = support): Promise<string> {
  const { data } = await begin(at, as);
  return new URL(data?.url ?? '').hash.slice(1);
}

const through = <C extends Call>(call: C, request: Request = {}, { token } = looking) =>
  ask(look, call, { ...request, as: { token } as Member });

beforeAll(async () => {
  db = await testDatabase();
  owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
  await owner.query('set search_path = causeway');
  main = await mainApp(db);
  operator = await operatorApp(db);
  look = await composeLook({
    database: db.console,
    families: chainFamilies,
    log: pino({ level: 'error' }, { write: (line: string) => void complaints.push(line) }),
    url: 'https://look.causeway.example',
    publicUrl: 'https://causeway.example',
    trustedProxies: [],
  });
  await look.ready();
  [tenant, other] = [await main.company('Far Voyage'), await main.company('Tai O')];
  support = await operator.operator('support');
  looking = { token: await tokenOf() };
});
afterAll(async () => {
  expect(main.complaints).toEqual([]);
  expect(operator.complaints).toEqual([]);
  expect(complaints).toEqual([]);
  await look.close();
  await operator.close();
  await main.close();
  await owner.end();
  await db.close();
});

const readings = calls.filter(({ method }) => method === 'GET');
const served = readings.filter(
  ({ name }) => !(name in notInLooks) && !lookOwnCalls.has(name) && name !== 'getServiceStatus',
);

test('every reading call is served or listed with a reason, and nothing else is registered', () => {
  const names = served.map(({ name }) => name);
  expect([...registeredCalls(look)].sort()).toEqual([...names, ...lookOwnCalls, 'getServiceStatus'].sort());
  for (const name of [...Object.keys(notInLooks), ...lookOwnCalls])
    expect(calls.map((call) => call.name)).toContain(name);
  for (const name of Object.keys(notInLooks)) expect(readings.map((call) => call.name)).toContain(name);
});

describe('a look answers as the company’s own process does its administrator', () => {
  /** What differs between readers, or between two moments, by its nature; the status is compared all the same. */
  const ofTheReader: Readonly<Record<string, string>> = {
    getMenuGroups: 'says what the reader may grant',
    listRates: 'the time of the dollar is that of the reading',
    getRateHistory: 'its period ends at the reading',
    listTodo: 'is the member’s own work',
    listNotices: 'is the member’s own notices, beside those for all',
    listSavedFilters: 'is the member’s own',
    listMembers: 'marks the reader',
    listApprovals: 'says what the reader may decide',
    getApproval: 'says what the reader may decide',
    listPendingChanges: 'says what the reader may stop',
    getControlMode: 'is about the permissions that the reader has',
    getTransaction: 'says what the reader may cancel',
    getPaymentRequest: 'says what the reader may decide',
    listCards: 'whether an issuer is connected is known where it is asked',
    getCard: 'says what the reader may do',
    listCardPayments: 'says what the reader may do about receipts',
    getCardPayment: 'says what the reader may do about receipts',
    countMissingCardReceipts: 'counts those of the member’s own cards',
    listWallets: 'has the member’s own alert',
    getTrade: 'says what a confirmation of the member would meet',
    listRecharges: 'says what the reader may withdraw',
    getRecharge: 'says what the reader may withdraw',
    listAudit: 'what was asked before is in it',
    listAuditFilters: 'what was asked before is in it',
  };

  test.each(served.map((call) => [call.name, call] as const))('%s', { timeout: 60_000 }, async (name, call) => {
    const request = (await validRequests[name]?.(main, tenant)) ?? {};
    const own = await main.ask(call as Call, { as: tenant.admin, ...request });
    const seen = await through(call as Call, request);
    expect([name, seen.status, seen.key]).toEqual([name, own.status, own.key]);
    if (!(name in ofTheReader)) expect(seen.raw.body).toBe(own.raw.body);
  });
});

test('every call that is no reading is refused', async () => {
  const changes = calls.filter(({ name, method }) => method !== 'GET' && !lookOwnCalls.has(name));
  expect(changes.length).toBeGreaterThan(60);
  for (const call of changes) {
    const path = call.path.replaceAll(/\{\w+\}/g, newId());
    const answer = await look.inject({
      method: call.method,
      url: path,
      headers: {
        authorization: `Bearer ${looking.token}`,
        'idempotency-key': newId(),
        'content-type': 'application/json',
      },
      payload: '{}',
    });
    expect([call.name, answer.statusCode, answer.json().key]).toEqual([call.name, 403, 'lookReadOnly']);
  }
  for (const name of Object.keys(notInLooks)) {
    const call = readings.find((one) => one.name === name);
    const path = call?.path.replaceAll(/\{\w+\}/g, newId()) ?? '';
    const answer = await look.inject({
      method: 'GET',
      url: path,
      headers: { authorization: `Bearer ${looking.token}` },
    });
    expect([name, answer.json().key]).toEqual([name, 'lookNotServed']);
  }
});

describe('the role', () => {
  test('sees no row of another company in any table, and no secret', async () => {
    // Both companies have rows of every kind.
    for (const { name } of served) {
      for (const one of [tenant, other]) await validRequests[name]?.(main, one);
    }
    const { rows: tables } = await owner.query<{ name: string }>(`
      select c.relname as name from pg_class c where c.relnamespace = 'causeway'::regnamespace and c.relkind in ('r', 'p')
        and has_any_column_privilege('causeway_look', c.oid, 'select')
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped)`);
    expect(tables.length).toBeGreaterThan(25);
    let seen = 0;
    for (const { name } of tables) {
      const { rows } = await db.console.withCompany(
        tenant.id,
        (tx) => sql<{ companyId: string }>`select distinct company_id as "companyId" from ${sql.id(name)}`.execute(tx),
        { asLook: true, readOnly: true },
      );
      expect([name, rows.filter(({ companyId }) => companyId !== tenant.id)]).toEqual([name, []]);
      seen += rows.length;
    }
    expect(seen).toBeGreaterThan(10);
    // Without the role the same statements would have seen the other company.
    const { rows: all } = await db.console.withCompany(tenant.id, (tx) =>
      sql<{ companyId: string }>`select distinct company_id as "companyId" from member`.execute(tx),
    );
    expect(all.length).toBeGreaterThan(1);
    for (const table of [
      'session',
      'sign_in_ticket',
      'trusted_browser',
      'recovery_code',
      'verification_code',
      'outbox',
      'idempotency',
      'operator_account',
      'operator_session',
      'operator_note',
      'operator_freeze',
      'invitation',
    ]) {
      await expect(
        db.console.withCompany(tenant.id, (tx) => sql`select from ${sql.id(table)}`.execute(tx), { asLook: true }),
        table,
      ).rejects.toThrow(/permission denied/);
    }
    await expect(
      db.console.withCompany(tenant.id, (tx) => sql`select token_sha256 from activation_token`.execute(tx), {
        asLook: true,
      }),
    ).rejects.toThrow(/permission denied/);
  });

  test('writes nothing, whether the transaction is READ ONLY or not', async () => {
    const { rows } = await owner.query<{ name: string; grant: string }>(`
      select table_name as name, privilege_type as grant from information_schema.role_column_grants
      where grantee = 'causeway_look' and privilege_type <> 'SELECT'`);
    expect(rows).toEqual([]);
    // What lets it see less, and of what lets it see more the prices for every company, which companies read as well.
    const policies = await owner.query(
      `select policyname from pg_policies where 'causeway_look' = any (roles) and permissive = 'PERMISSIVE'`,
    );
    expect(policies.rows).toEqual([{ policyname: 'installation_in_looks' }]);
  });

  test('reads every table of companies that their own process reads, but for the ones with secrets', async () => {
    const { rows } = await owner.query<{ name: string }>(`
      select c.relname as name from pg_class c where c.relnamespace = 'causeway'::regnamespace and c.relkind in ('r', 'p')
        and has_table_privilege('causeway_app', c.oid, 'select') and not has_any_column_privilege('causeway_look', c.oid, 'select')
      order by 1`);
    expect(rows.map(({ name }) => name)).toMatchInlineSnapshot(`
      [
        "code_guard",
        "credential",
        "idempotency",
        "known_browser",
        "outbox",
        "passkey",
        "passkey_challenge",
        "recovery_code",
        "session",
        "sign_in_ticket",
        "throttle",
        "trusted_browser",
        "verification_code",
      ]
    `);
  });
});

describe('a look', () => {
  test('shows the link of a payment request that the company gives to its payer, not one to the look itself', async () => {
    const request = (await validRequests['getPaymentRequest']?.(main, tenant)) ?? {};
    const { data: own } = await main.ask(getPaymentRequest, { as: tenant.admin, ...request });
    const { data: seen } = await through(getPaymentRequest, request);
    expect(own?.link).toBe(`https://causeway.example/pay/${own?.token}`);
    expect(seen?.link).toBe(own?.link);
  });

  test('says who looks, at what, and until when', async () => {
    const { data } = await through(getUser);
    expect(data).toMatchObject({
      companyName: 'Far Voyage',
      role: 'Operator, read-only',
      look: { until: expect.any(String) },
    });
    expect((await main.ask(getUser, { as: tenant.admin })).data?.look).toBeNull();
  });

  test('is of one company, and its token opens nothing else', async () => {
    expect((await main.ask(getUser, { as: looking as Member })).key).toBe('sessionEnded');
    expect((await operator.ask(getCompany, { as: looking, params: { id: tenant.id } })).key).toBe('sessionEnded');
    for (const { token } of [support, tenant.admin])
      expect((await through(getUser, {}, { token })).key).toBe('sessionEnded');
  });

  test('is begun by who may, with a reason, where the installation serves it', async () => {
    expect((await begin(tenant, await operator.operator('treasury'))).key).toBe('noPermission');
    expect((await begin({ id: newId() })).key).toBe('notFound');
    const without = await operator.ask(beginLook, { as: support, params: { id: tenant.id }, body: { reason: ' ' } });
    expect(without.key).toBe('validationFailed');
    const none = await operatorApp(db, { lookUrl: '' });
    const request = { as: support, params: { id: tenant.id }, body: { reason } };
    expect((await none.ask(beginLook, request)).key).toBe('lookUnavailable');
    await none.close();
  });

  test('is in the operator’s log each time, and once an hour in the company’s', async () => {
    const own = await main.company('Lantau');
    await begin(own);
    await begin(own);
    await begin(own, await operator.operator('compliance'));
    const { rows } = await owner.query(
      `select actor_kind as kind, detail from audit_event where company_id = $1 and action = 'operator.lookAs'`,
      [own.id],
    );
    // The hour may have turned between the two.
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(rows.length).toBeLessThanOrEqual(3);
    expect(JSON.stringify(rows)).not.toContain(reason);
    const logged = await owner.query(
      `select from audit_event where company_id = '00000000-0000-0000-0000-000000000000' and action = 'operator.lookAs' and subject_id = $1`,
      [own.id],
    );
    expect(logged.rows).toHaveLength(3);
  });

  test.each([
    ['by its reader', async (token: string) => void (await through(logout, {}, { token }))],
    ['after half an hour', async () => void (await owner.query('update operator_look_session set expires_at = now()'))],
    [
      'with the operator’s session',
      async () =>
        void (await owner.query('update operator_session set ended_at = now() where operator_id = $1', [support.id])),
    ],
    [
      'with the role',
      async () => void (await owner.query(`update operator_account set role = 'viewer' where id = $1`, [support.id])),
    ],
  ] as const)('ends %s', async (_how, end) => {
    support = await operator.operator('support');
    const token = await tokenOf();
    expect((await through(listTransactions, {}, { token })).status).toBe(200);
    await end(token);
    expect((await through(listTransactions, {}, { token })).key).toBe('sessionEnded');
  });

  test('knows by the workers’ checks whether an issuer of cards is connected', async () => {
    support = await operator.operator('support');
    const token = await tokenOf();
    const isConnected = async () => (await through(listCards, {}, { token })).data;
    expect(await isConnected()).toMatchObject({ connected: false });
    await owner.query(
      `insert into component_state (name, state, since, checked_at) values ('card-issuer', 'ok', now(), now())`,
    );
    expect(await isConnected()).toMatchObject({ connected: true });
    await owner.query(`update component_state set checked_at = now() - interval '1 hour' where name = 'card-issuer'`);
    expect(await isConnected()).toMatchObject({ connected: false });
  });

  test('begins at a page of its own that takes no script but its own', async () => {
    const page = await look.inject({ url: '/look', headers: { 'accept-language': 'zh-HK' } });
    expect(page.body).toContain('查看已結束');
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'sha256-/);
    expect((await main.app.inject({ url: '/look' })).statusCode).toBe(404);
  });
});
