import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';

/**
 * The database role of the operator's console can do its own work and no more, tried statement by statement; and the roles of the
 * companies' processes have nothing to do with the operator's tables.
 */

let db: TestDatabase;
let owner: pg.Client;
const nil = '00000000-0000-0000-0000-000000000000';
const companies = { someone: newId() };

beforeAll(async () => {
  db = await testDatabase();
  owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
});
afterAll(async () => {
  await Promise.all([owner, ...clients.values()].map((client) => client.end()));
  await db.close();
});

interface Column {
  table: string;
  column: string;
  /** Neither generated nor an identity, which are refused before rights are looked at. */
  isWritable: boolean;
}

async function columns(): Promise<Column[]> {
  const { rows } = await owner.query<Column>(`
    select c.relname as table, a.attname as column, a.attgenerated = '' and a.attidentity = '' as "isWritable" from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'causeway'::regnamespace and c.relkind in ('r', 'p') order by 1, a.attnum`);
  return rows;
}

const clients = new Map<string, pg.Client>();

async function clientOf(role: string): Promise<pg.Client> {
  const known = clients.get(role);
  if (known) return known;
  const client = new pg.Client({ connectionString: db.urlFor(role) });
  clients.set(role, client);
  await client.connect();
  return client;
}

/** PostgreSQL's refusal; null where the statement ran. Nothing stays. */
async function refusal(role: string, statement: string, setting?: string): Promise<string | null> {
  const client = await clientOf(role);
  await client.query('begin');
  try {
    if (setting !== undefined) await client.query(`select set_config('causeway.company_id', $1, true)`, [setting]);
    await client.query(statement);
    return null;
  } catch (error) {
    return error instanceof pg.DatabaseError ? (error.code ?? '') : String(error);
  } finally {
    await client.query('rollback');
  }
}

/** insufficient_privilege, of a missing grant and of row-level security alike. */
const refused = '42501';
const own = /^operator_/;
/** Written within bounds of its own, which are tried below. */
const bounded = ['audit_event', 'audit_unsealed', 'invitation', 'outbox', 'throttle'];

test('it writes no table of companies', async () => {
  const tables = Map.groupBy(await columns(), ({ table }) => table);
  expect(tables.size).toBeGreaterThan(50);
  const written: string[] = [];
  for (const [table, its] of tables) {
    if (own.test(table) || bounded.includes(table)) continue;
    const column = its.find(({ isWritable }) => isWritable)?.column;
    const statements = [
      `insert into ${table} default values`,
      `update ${table} set ${column} = ${column}`,
      `delete from ${table}`,
      `truncate ${table}`,
    ];
    for (const statement of statements) {
      if ((await refusal('causeway_console', statement, companies.someone)) !== refused) written.push(statement);
    }
  }
  expect(written).toEqual([]);
});

test('it calls no function that writes with its owner’s rights', async () => {
  const { rows } = await owner.query<{ name: string }>(`
    select proname as name from pg_proc p where pronamespace = 'causeway'::regnamespace and prosecdef
      and prorettype <> 'trigger'::regtype and has_function_privilege('causeway_console', p.oid, 'execute')`);
  expect(rows).toEqual([]);
});

test('what it writes of what is there already is the operator’s own', async () => {
  const event = (company: string, actor: string) => `insert into audit_event
    (company_id, id, actor_kind, actor_id, action, subject_kind, subject_id)
    values ('${company}', '${newId()}', '${actor}', 'x', 'staff.signIn', 'operator', 'x')`;
  const outbox = (company: string, name: string) =>
    `insert into outbox (company_id, id, name, payload) values ('${company}', '${newId()}', '${name}', '{}')`;
  const allowed = [event(nil, 'operator'), event(nil, 'system'), outbox(nil, 'operator.mail')];
  for (const statement of allowed) expect(await refusal('causeway_console', statement, nil), statement).toBeNull();
  const someone = companies.someone;
  const others: [statement: string, setting: string][] = [
    [event(nil, 'user'), nil],
    [event(someone, 'operator'), someone],
    [event(someone, 'operator'), nil],
    [outbox(nil, 'outgoing.approved'), nil],
    [outbox(someone, 'operator.mail'), someone],
    [`insert into audit_unsealed (company_id, event_id) values ('${someone}', '${newId()}')`, someone],
    ["insert into throttle (bucket, events, window_ends_at) values ('login:account:x', 1, now())", nil],
  ];
  for (const [statement, setting] of others) {
    expect(await refusal('causeway_console', statement, setting), statement).toBe(refused);
  }
  for (const table of ['audit_event', 'audit_unsealed', 'outbox']) {
    expect(await refusal('causeway_console', `delete from ${table}`)).toBe(refused);
  }
  expect(await refusal('causeway_console', 'select payload from outbox')).toBe(refused);
});

test('of invitations it makes and revokes open ones, and reads no hash', async () => {
  const make = (
    columns: string,
    values: string,
  ) => `insert into invitation (id, code_sha256, label, expires_at${columns})
    values ('${newId()}', sha256('${newId()}'), 'x', now()${values})`;
  await owner.query(`set search_path = causeway; ${make(', used_at', ', now()')}`);
  expect(await refusal('causeway_console', make('', ''), nil)).toBeNull();
  expect(await refusal('causeway_console', 'update invitation set revoked_at = now()', nil)).toBeNull();
  for (const statement of [
    make(', used_at', ', now()'),
    make(', used_by_company_id', `, '${companies.someone}'`),
    'update invitation set expires_at = now()',
    'update invitation set code_sha256 = code_sha256',
    'delete from invitation',
    'select code_sha256 from invitation',
  ]) {
    expect(await refusal('causeway_console', statement, nil), statement).toBe(refused);
  }
  const client = await clientOf('causeway_console');
  await client.query('begin');
  const { rowCount } = await client.query('update invitation set revoked_at = now() where used_at is not null');
  await client.query('rollback');
  expect(rowCount).toBe(0);
});

test('it neither sees nor clears the counters of companies, and companies not its own', async () => {
  await owner.query(`insert into causeway.throttle (bucket, events, window_ends_at)
    values ('login:account:a', 3, now() + interval '1 hour'), ('operator:login:account:a', 3, now() + interval '1 hour')`);
  const seen = async (role: string) => {
    const client = await clientOf(role);
    await client.query('begin');
    const { rows } = await client.query<{ bucket: string }>('delete from throttle returning bucket');
    await client.query('rollback');
    return rows.map(({ bucket }) => bucket);
  };
  expect(await seen('causeway_console')).toEqual(['operator:login:account:a']);
  expect(await seen('causeway_app')).toEqual(['login:account:a']);
});

test('it reads no secret of members', async () => {
  const secret = /hash|sha256|secret|token|mac$|code$|sealed|public_key|credential/;
  const readable: string[] = [];
  for (const { table, column } of await columns()) {
    if (own.test(table) || !secret.test(column)) continue;
    if ((await refusal('causeway_console', `select ${column} from ${table}`)) !== refused)
      readable.push(`${table}.${column}`);
  }
  expect(readable).toMatchInlineSnapshot(`
    [
      "audit_chain.hash",
      "audit_checkpoint.hash",
      "audit_key.public_key",
      "audit_seal.hash",
      "audit_seal.sealed_at",
      "bank.clearing_code",
      "bank_account.branch_code",
      "chain_cursor.hash",
      "chain_send.hash",
      "chain_send.mined_hash",
      "chain_untraced.hash",
      "crypto_payee.code",
      "deposit.hash",
      "deposit.block_hash",
      "file.sha256",
      "member.mobile_country_code",
      "signer_journal.entry_hash",
      "signer_journal.tx_hash",
      "signer_state.journal_hash",
      "transaction_chain.hash",
      "transaction_chain.block_hash",
      "transaction_stage.hash",
      "unexplained_payment.hash",
      "unexplained_payment.block_hash",
    ]
  `);
  for (const table of ['credential', 'session', 'sign_in_ticket', 'passkey', 'recovery_code', 'verification_code']) {
    expect(await refusal('causeway_console', `select from ${table}`), table).toBe(refused);
  }
  expect(await refusal('causeway_console', 'select code_sha256 from invitation')).toBe(refused);
});

test('it reads companies’ rows across companies', async () => {
  await owner.query(`insert into causeway.company (company_id, name) values ('${companies.someone}', 'Far Voyage')`);
  const { rows } = await db.console.pool.query('select name from company');
  expect(rows).toEqual([{ name: 'Far Voyage' }]);
});

test('the companies’ processes and the signer have no right to the operator’s tables', async () => {
  const tables = [...new Set((await columns()).map(({ table }) => table))].filter((table) => own.test(table));
  expect(tables.length).toBeGreaterThan(6);
  for (const role of ['causeway_app', 'causeway_worker', 'causeway_signer']) {
    for (const table of tables) {
      for (const statement of [`select from ${table}`, `insert into ${table} default values`, `delete from ${table}`]) {
        expect(await refusal(role, statement), `${role}: ${statement}`).toBe(refused);
      }
    }
  }
  for (const column of ['password_hash', 'totp_secret']) {
    expect(await refusal('causeway_operator', `select ${column} from operator_account`)).toBe(refused);
    expect(await refusal('causeway_operator', `update operator_account set ${column} = null`)).toBe(refused);
  }
  expect(await refusal('causeway_operator', 'select token_sha256 from operator_session')).toBe(refused);
});

test('a proposal is decided once, by another than its proposer, whatever the process does', async () => {
  const [one, two, id] = [newId(), newId(), newId()];
  await owner.query(`insert into causeway.operator_account (id, email, name, role, state, language)
    values ('${one}', 'a@example.com', 'A', 'viewer', 'invited', 'en_US'), ('${two}', 'b@example.com', 'B', 'viewer', 'invited', 'en_US')`);
  await db.console.pool.query(`insert into operator_proposal (id, kind, subject_kind, subject_id, input, before, reason, proposed_by, expires_at)
    values ('${id}', 'staff.role', 'operator', 'x', '{}', '{}', 'r', '${one}', now() + interval '7 days')`);
  const decide = (by: string) =>
    `update operator_proposal set state = 'confirmed', decided_by = '${by}', decided_at = now() where id = '${id}'`;
  expect(await refusal('causeway_console', decide(one))).toBe('23514');
  expect(
    await refusal('causeway_console', "update operator_proposal set state = 'confirmed', decided_at = now()"),
  ).toBe('23514');
  expect(await refusal('causeway_console', `update operator_proposal set input = '{"role":"administrator"}'`)).toBe(
    refused,
  );
  await db.console.pool.query(decide(two));
  expect(
    await refusal(
      'causeway_console',
      `update operator_proposal set state = 'open', decided_by = null, decided_at = null`,
    ),
  ).toBe('CW001');
});
