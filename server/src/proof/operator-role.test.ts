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

/** `isWritable`: neither generated nor an identity, which are refused before rights are looked at. */
interface Column {
  table: string;
  column: string;
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
const own = /^(operator_|exchange_(limit|terms)$|otc_minimum$)/;
/** Written within bounds of its own, which are tried below. */
const bounded = ['audit_event', 'audit_unsealed', 'invitation', 'outbox', 'process_heartbeat', 'throttle'];

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

test('it calls no function that writes with its owner’s rights but those that freeze, note a look and answer for the desk; others read', async () => {
  const { rows } = await owner.query<{ name: string; writes: boolean }>(`
    select proname as name, provolatile = 'v' as writes from pg_proc p where pronamespace = 'causeway'::regnamespace and prosecdef
      and prorettype <> 'trigger'::regtype and has_function_privilege('causeway_console', p.oid, 'execute') order by 1`);
  expect(rows).toEqual([
    { name: 'exchange_exposure', writes: false },
    { name: 'exchange_quote_room', writes: false },
    { name: 'freeze_subject', writes: true },
    { name: 'note_look', writes: true },
    { name: 'otc_desk_quote', writes: true },
    { name: 'otc_desk_reply', writes: true },
    { name: 'otc_room', writes: false },
    ...['outbox_about', 'trade_platform_checked'].map((name) => ({ name, writes: false })),
  ]);
});

test('of the outbox it learns names and times; the log of requests is read by it alone, and written by those that answer', async () => {
  const [id, about] = [newId(), newId()];
  await owner.query(`insert into causeway.outbox (company_id, id, name, payload) values
    ('${companies.someone}', '${id}', 'outgoing.approved', '{"transferId": "${about}", "secret": "x"}'),
    ('${newId()}', '${newId()}', 'outgoing.approved', '{"transferId": "${about}"}')`);
  const { rows } = await db.console.pool.query('select * from outbox_about($1, $2)', [companies.someone, about]);
  expect(rows).toEqual([{ name: 'outgoing.approved', announced_at: expect.any(Date) }]);
  for (const role of ['causeway_app', 'causeway_worker', 'causeway_operator', 'causeway_signer']) {
    expect(await refusal(role, `select * from outbox_about('${companies.someone}', '${about}')`), role).toBe(refused);
    expect(await refusal(role, 'select call from request_log'), role).toBe(refused);
  }
  const request = `insert into request_log (id, at, call, ip, status, duration_ms) values ('${newId()}', now(), 'x', '', 200, 1)`;
  expect(await refusal('causeway_app', request)).toBeNull();
  for (const role of ['causeway_console', 'causeway_worker']) expect(await refusal(role, request), role).toBe(refused);
  for (const statement of ["update request_log set call = ''", 'delete from request_log']) {
    expect(await refusal('causeway_app', statement)).toBe(refused);
    expect(await refusal('causeway_console', statement)).toBe(refused);
  }
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
    // The issuer's tokens of cards and payments are names, which open nothing.
    if (own.test(table) || !secret.test(column) || /^card.*token$/.test(`${table} ${column}`)) continue;
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
      "bank_account.clearing_code",
      "bank_entry.code",
      "bank_message.sha256",
      "bitcoin_acceleration.hash",
      "bitcoin_lost_coin.hash",
      "bitcoin_output.hash",
      "bitcoin_output.block_hash",
      "chain_cursor.hash",
      "chain_send.hash",
      "chain_send.mined_hash",
      "chain_untraced.hash",
      "crypto_payee.code",
      "deposit.hash",
      "deposit.block_hash",
      "file.sha256",
      "member.mobile_country_code",
      "payout_batch.file_hash",
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
  // The worker carries out what was confirmed, sends announcements, notifies of prices and sees thresholds and whether an address is still in the book; it and the signer read payments of fees;
  // the signer reads replacements, and of acts who agreed on them;
  // companies read the prices that hold for them, and from which worth on they ask the desk.
  const read: Record<string, string[]> = {
    causeway_app: ['exchange_terms', 'operator_price', 'otc_minimum'],
    causeway_worker: [
      'exchange_limit',
      'exchange_terms',
      'operator_act',
      'operator_announcement',
      'operator_bank_upload',
      'operator_fee_payment',
      'operator_price',
      'operator_tank_threshold',
      'operator_treasury_address',
    ],
    causeway_signer: ['operator_act', 'operator_fee_payment', 'operator_replacement'],
  };
  for (const role of ['causeway_app', 'causeway_worker', 'causeway_signer']) {
    for (const table of tables) {
      const reads = read[role]?.includes(table) ? [] : [`select from ${table}`];
      for (const statement of [...reads, `insert into ${table} default values`, `delete from ${table}`]) {
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

test('of payments of fees the worker and the signer read the content, and neither writes it', async () => {
  for (const role of ['causeway_worker', 'causeway_signer']) {
    expect(await refusal(role, 'select id, amount, address, jws from operator_fee_payment'), role).toBeNull();
    for (const statement of [
      'insert into operator_fee_payment default values',
      "update operator_fee_payment set address = 'x'",
      "update operator_fee_payment set jws = 'x'",
      'delete from operator_fee_payment',
    ]) {
      expect(await refusal(role, statement), `${role}: ${statement}`).toBe(refused);
    }
  }
  expect(await refusal('causeway_signer', "update operator_fee_payment set refusal = 'x'")).toBe(refused);
  expect(await refusal('causeway_worker', 'select address from operator_treasury_address')).toBe(refused);
  for (const role of ['causeway_app', 'causeway_worker', 'causeway_operator', 'causeway_signer']) {
    expect(await refusal(role, 'update operator_tank_threshold set stop_payments = 0'), role).toBe(refused);
  }
  for (const statement of ["update operator_fee_payment set address = 'x'", 'delete from operator_treasury_address']) {
    expect(await refusal('causeway_console', statement), statement).toBe(refused);
  }
});

test('what the signer believes of an empty transaction is written by the console alone, and changed by no process', async () => {
  expect(await refusal('causeway_signer', 'select proposal_id, jws from operator_replacement')).toBeNull();
  expect(await refusal('causeway_signer', 'select state, proposed_by, confirmed_by from operator_act')).toBeNull();
  expect(await refusal('causeway_signer', 'select reason from operator_act')).toBe(refused);
  for (const role of ['causeway_app', 'causeway_worker', 'causeway_operator', 'causeway_signer']) {
    expect(await refusal(role, 'insert into operator_replacement default values'), role).toBe(refused);
  }
  for (const role of ['causeway_console', 'causeway_worker', 'causeway_operator', 'causeway_signer']) {
    for (const statement of ["update operator_replacement set jws = 'x'", 'delete from operator_replacement']) {
      expect(await refusal(role, statement), `${role}: ${statement}`).toBe(refused);
    }
  }
});

test('a process says of itself that it runs, and changes no other’s row but for the time', async () => {
  const row = `insert into process_heartbeat (id, name, version, host, pid, started_at)
    values ('${newId()}', 'main', '1', 'h', 1, now())`;
  for (const role of ['causeway_app', 'causeway_worker', 'causeway_signer', 'causeway_console']) {
    expect(await refusal(role, row), role).toBeNull();
    expect(await refusal(role, "update process_heartbeat set version = '2'"), role).toBe(refused);
  }
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

test('a price, and what is switched on again, is what two operators agreed on, whatever the process does', async () => {
  const [one, two, proposal] = [newId(), newId(), newId()];
  await owner.query(`insert into causeway.operator_account (id, email, name, role, state, language)
    values ('${one}', 'c@example.com', 'C', 'viewer', 'invited', 'en_US'), ('${two}', 'd@example.com', 'D', 'viewer', 'invited', 'en_US')`);
  const input = { companyId: null, kind: 'spread', asset: 'USDT', chain: null, value: '5', validFrom: null };
  await db.console.pool.query(`insert into operator_proposal (id, kind, subject_kind, subject_id, input, before, reason, proposed_by, expires_at)
    values ('${proposal}', 'price.change', 'price', 'x', '${JSON.stringify(input)}', '{}', 'r', '${one}', now() + interval '7 days')`);
  const price = (columns: string, values: string) =>
    `insert into operator_price (id, company_id, kind, asset_id, valid_from${columns}) values ('${newId()}', '${nil}', 'spread', 'USDT', now()${values})`;
  const agreed = (value: number) => price(', value, proposal_id', `, ${value}, '${proposal}'`);
  expect(await refusal('causeway_console', agreed(5), nil)).toBe('CW001');
  await db.console.pool.query(
    `update operator_proposal set state = 'confirmed', decided_by = '${two}', decided_at = now() where id = '${proposal}'`,
  );
  expect(await refusal('causeway_console', agreed(6), nil)).toBe('CW001');
  expect(await refusal('causeway_console', price(', value', ', 5'), nil)).toMatch(/^(23514|42501)$/);
  expect(await refusal('causeway_console', price(', value, set_by', `, 5, 'x'`), nil)).toBe(refused);
  expect(await refusal('causeway_console', agreed(5), nil)).toBeNull();
  expect(await refusal('causeway_console', 'update operator_price set value = 0', nil)).toBe(refused);
  expect(await refusal('causeway_console', 'update operator_price set valid_until = now()', nil)).toBe(refused);

  const off = newId();
  await owner.query(`insert into causeway.chain (id, family, name, evm_chain_id, confirmations, native_coin, block_time_ms)
    values ('proof', 'evm', 'Proof', 77, 1, 'ETH', 1000)`);
  await db.console.pool.query(
    `insert into operator_switch (id, chain_id, what, off_by, reason) values ('${off}', 'proof', 'chain', '${one}', 'r')`,
  );
  const on = `update operator_switch set on_at = now(), on_proposal = '${proposal}' where id = '${off}'`;
  expect(await refusal('causeway_console', on, nil)).toBe('CW001');
  expect(await refusal('causeway_console', `delete from operator_switch`, nil)).toBe(refused);
  expect(await refusal('causeway_console', `update chain set paused = false`, nil)).toBe(refused);
});

test('a company reads its own prices and those for every company, and no other’s', async () => {
  for (const company of [nil, companies.someone, newId()]) {
    await owner.query(`set search_path = causeway; insert into causeway.operator_price (id, company_id, kind, asset_id, value, valid_from, set_by)
      values ('${newId()}', '${company}', 'spread', 'HKDT', 1, now(), 'test')`);
  }
  const client = await clientOf('causeway_app');
  await client.query(`begin; select set_config('causeway.company_id', '${companies.someone}', true)`);
  const found = await client.query(`select company_id as id from operator_price where asset_id = 'HKDT' order by 1`);
  await client.query('rollback');
  expect(found.rows).toEqual([{ id: nil }, { id: companies.someone }]);
});
