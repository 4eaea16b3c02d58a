import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing/database.ts';

/** What the schema as a whole keeps to, so that a new table or function that does not is seen at once. */

let db: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  db = await testDatabase();
  client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
});
afterAll(() => client.end().then(() => db.close()));

async function namesOf(text: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`select q.name from (${text}) as q (name) order by q.name`);
  return rows.map(({ name }) => name);
}

const inSchema = "relnamespace = 'causeway'::regnamespace and relkind in ('r', 'p')";
const hasCompany = `exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id')`;

test('every table with a company is fenced, for its owner too; but for the signer’s journal, the directory, which the look-ups alone read, and what the operator’s console alone reads', async () => {
  const open = `not (c.relrowsecurity and c.relforcerowsecurity and exists (
    select from pg_policy p where p.polrelid = c.oid and p.polname = 'company'))`;
  const unfenced = await namesOf(`select c.relname from pg_class c where ${inSchema} and ${hasCompany} and ${open}
    and c.relname not in ('email_directory', 'signer_journal')`);
  expect(unfenced).toEqual([
    'failed_job',
    'operator_act',
    'operator_document',
    'operator_fee_payment',
    'operator_freeze',
    'operator_item',
    'operator_look',
    'operator_look_session',
    'operator_note',
    'operator_replacement',
    'request_log',
    'waiting_job',
  ]);
  const whose =
    await namesOf(`select distinct p.table_name || ' ' || p.grantee from information_schema.role_column_grants p
    join pg_class c on c.relname = p.table_name and ${inSchema} and c.relowner::regrole::text <> p.grantee
    where p.table_name in ('${unfenced.join("', '")}')`);
  expect(whose).toEqual([
    'failed_job causeway_console',
    'failed_job causeway_worker',
    'operator_act causeway_console',
    'operator_act causeway_signer',
    'operator_act causeway_worker',
    'operator_document causeway_console',
    'operator_fee_payment causeway_console',
    'operator_fee_payment causeway_signer',
    'operator_fee_payment causeway_worker',
    'operator_freeze causeway_console',
    'operator_freeze causeway_operator',
    'operator_item causeway_console',
    'operator_look causeway_console',
    'operator_look_session causeway_console',
    'operator_note causeway_console',
    'operator_replacement causeway_console',
    'operator_replacement causeway_signer',
    'request_log causeway_app',
    'request_log causeway_console',
    'request_log causeway_worker',
    'waiting_job causeway_console',
    'waiting_job causeway_worker',
  ]);
});

test('the company’s fence compares the company on both sides, for reading and for writing', async () => {
  // A `with check (true)` would let a company write rows that belong to another; the name of the policy would not show it.
  const fence = `in ('(company_id = causeway.company_id())',
    '(company_id = ( SELECT causeway.company_id() AS company_id))')`;
  const open = await namesOf(`select tablename from pg_policies
    where schemaname = 'causeway' and policyname = 'company'
    and (permissive = 'PERMISSIVE' and roles = '{public}' and cmd = 'ALL' and qual ${fence} and with_check ${fence}) is not true`);
  expect(open).toEqual([]);
});

test('every other policy is one of these, with these expressions', async () => {
  const others = await namesOf(`select distinct
      concat_ws(' ', policyname, roles::text, cmd, permissive, coalesce(qual, '-'), '/', coalesce(with_check, '-'))
    from pg_policies where schemaname = 'causeway' and policyname <> 'company' and policyname not like 'batch%'`);
  expect(others).toMatchInlineSnapshot(`
    [
      "before_company {causeway_app} ALL PERMISSIVE (company_id = '00000000-0000-0000-0000-000000000000'::uuid) / (company_id = '00000000-0000-0000-0000-000000000000'::uuid)",
      "by_token {causeway_owner} SELECT PERMISSIVE true / -",
      "companies {causeway_app} ALL PERMISSIVE ("left"(bucket, 9) <> 'operator:'::text) / ("left"(bucket, 9) <> 'operator:'::text)",
      "company_reads {causeway_app,causeway_worker} SELECT PERMISSIVE ((NOT addressed) OR (EXISTS ( SELECT
       FROM causeway.announcement_company c
      WHERE ((c.company_id = ( SELECT causeway.company_id() AS company_id)) AND (c.announcement_id = announcement.id))))) / -",
      "console {causeway_console} ALL PERMISSIVE ("left"(bucket, 9) = 'operator:'::text) / ("left"(bucket, 9) = 'operator:'::text)",
      "console_reads {causeway_console} SELECT PERMISSIVE true / -",
      "console_revokes {causeway_console} UPDATE PERMISSIVE (used_at IS NULL) / (used_at IS NULL)",
      "console_withdraws {causeway_console} UPDATE PERMISSIVE true / (withdrawn_at IS NOT NULL)",
      "console_writes {causeway_console} INSERT PERMISSIVE - / ((used_at IS NULL) AND (revoked_at IS NULL))",
      "console_writes {causeway_console} INSERT PERMISSIVE - / (proposal_id IS NOT NULL)",
      "console_writes {causeway_console} INSERT RESTRICTIVE - / ((company_id = '00000000-0000-0000-0000-000000000000'::uuid) AND ((actor_kind)::text = ANY (ARRAY['operator'::text, 'system'::text])))",
      "console_writes {causeway_console} INSERT RESTRICTIVE - / ((company_id = '00000000-0000-0000-0000-000000000000'::uuid) AND (name = ANY (ARRAY['operator.mail'::text, 'operator.actConfirmed'::text, 'operator.jobDecided'::text, 'operator.resendTradeMessage'::text, 'audit.checkpointDue'::text])))",
      "console_writes {causeway_console} INSERT RESTRICTIVE - / (company_id = '00000000-0000-0000-0000-000000000000'::uuid)",
      "counter {causeway_owner} ALL PERMISSIVE true / true",
      "desk {causeway_owner} SELECT PERMISSIVE (otc_request_id IS NOT NULL) / -",
      "desk {causeway_owner} SELECT PERMISSIVE true / -",
      "due {causeway_owner} SELECT PERMISSIVE (next_at IS NOT NULL) / -",
      "expired_alone {causeway_worker} ALL RESTRICTIVE ((expires_at < (now() - '1 day'::interval)) AND ((used_at IS NULL) OR (scenario <> 'transaction'::text))) / -",
      "expired_alone {causeway_worker} ALL RESTRICTIVE (expires_at < (now() - '1 day'::interval)) / -",
      "expired_alone {causeway_worker} ALL RESTRICTIVE (window_ends_at < (now() - '1 day'::interval)) / -",
      "expired_alone {causeway_worker} DELETE RESTRICTIVE (created_at < (now() - '1 day'::interval)) / -",
      "expired_alone {causeway_worker} DELETE RESTRICTIVE (created_at < (now() - '90 days'::interval)) / -",
      "expiry {causeway_worker} DELETE PERMISSIVE ((expires_at < (now() - '1 day'::interval)) AND ((used_at IS NULL) OR (scenario <> 'transaction'::text))) / -",
      "expiry {causeway_worker} DELETE PERMISSIVE (created_at < (now() - '90 days'::interval)) / -",
      "expiry {causeway_worker} DELETE PERMISSIVE (expires_at < (now() - '1 day'::interval)) / -",
      "expiry {causeway_worker} DELETE PERMISSIVE (window_ends_at < (now() - '1 day'::interval)) / -",
      "expiry_seen {causeway_worker} SELECT PERMISSIVE ((expires_at < (now() - '1 day'::interval)) AND ((used_at IS NULL) OR (scenario <> 'transaction'::text))) / -",
      "expiry_seen {causeway_worker} SELECT PERMISSIVE (created_at < (now() - '1 day'::interval)) / -",
      "expiry_seen {causeway_worker} SELECT PERMISSIVE (created_at < (now() - '90 days'::interval)) / -",
      "expiry_seen {causeway_worker} SELECT PERMISSIVE (expires_at < (now() - '1 day'::interval)) / -",
      "expiry_seen {causeway_worker} SELECT PERMISSIVE (window_ends_at < (now() - '1 day'::interval)) / -",
      "frozen_seen {causeway_worker} SELECT PERMISSIVE ((frozen_at IS NOT NULL) AND (causeway.company_id() IS NULL)) / -",
      "guard {causeway_owner} SELECT PERMISSIVE (limit_until IS NOT NULL) / -",
      "guard {causeway_owner} SELECT PERMISSIVE true / -",
      "installation {causeway_app,causeway_batch} SELECT PERMISSIVE (company_id = '00000000-0000-0000-0000-000000000000'::uuid) / -",
      "installation_in_looks {causeway_look} SELECT PERMISSIVE (company_id = '00000000-0000-0000-0000-000000000000'::uuid) / -",
      "look_own {causeway_look} SELECT RESTRICTIVE ((type)::text <> ALL (ARRAY['chain_sweep'::text, 'fee_withdraw'::text, 'fx_settlement_in'::text, 'fx_settlement_out'::text])) / -",
      "lookup {causeway_lookup} ALL PERMISSIVE true / true",
      "lookup {causeway_lookup} SELECT PERMISSIVE true / -",
      "lookup_due {causeway_lookup} SELECT PERMISSIVE (status = 'pending'::text) / -",
      "lookup_frozen {causeway_lookup} SELECT PERMISSIVE (frozen_at IS NOT NULL) / -",
      "lookup_released {causeway_lookup} SELECT PERMISSIVE (EXISTS ( SELECT
       FROM causeway.trade_release r
      WHERE ((r.company_id = transaction.company_id) AND (r.transaction_id = transaction.id)))) / -",
      "lookup_renames {causeway_lookup} UPDATE PERMISSIVE ((company_id = ( SELECT causeway.company_id() AS company_id)) AND (activated_at IS NULL)) / ((company_id = ( SELECT causeway.company_id() AS company_id)) AND (activated_at IS NULL))",
      "lookup_unsent {causeway_lookup} SELECT PERMISSIVE (((status)::text = 'pending'::text) AND (stage = ANY (ARRAY['approved'::text, 'signing'::text]))) / -",
      "members_have_none {causeway_app} INSERT RESTRICTIVE - / (otc_request_id IS NULL)",
      "operator {causeway_operator} ALL PERMISSIVE true / true",
      "operator_reads {causeway_console,causeway_operator} SELECT PERMISSIVE true / -",
      "operator_writes {causeway_operator} INSERT PERMISSIVE - / true",
      "operator_writes {causeway_operator} UPDATE PERMISSIVE true / true",
      "operators_own {causeway_app,causeway_batch} ALL RESTRICTIVE ((type)::text <> ALL (ARRAY['chain_sweep'::text, 'fee_withdraw'::text, 'fx_settlement_in'::text, 'fx_settlement_out'::text])) / ((type)::text <> ALL (ARRAY['chain_sweep'::text, 'fee_withdraw'::text, 'fx_settlement_in'::text, 'fx_settlement_out'::text]))",
      "own_side {causeway_app} INSERT RESTRICTIVE - / ((side = 'company'::text) AND (kind = ANY (ARRAY['asked'::text, 'note'::text, 'countered'::text, 'withdrawn'::text])))",
      "own_side_worker {causeway_worker} INSERT RESTRICTIVE - / ((side = 'system'::text) AND (kind = 'lapsed'::text))",
      "publishes {causeway_operator,causeway_worker} INSERT PERMISSIVE - / true",
      "queued {causeway_owner} SELECT PERMISSIVE (part = 0) / -",
      "relay {causeway_worker} ALL PERMISSIVE true / true",
      "resting {causeway_owner} SELECT PERMISSIVE (stage = 'waiting_rate'::text) / -",
      "sealer {causeway_worker} ALL PERMISSIVE true / true",
      "sealer_reads {causeway_worker} SELECT PERMISSIVE true / -",
      "search {causeway_search} ALL PERMISSIVE true / true",
      "search {causeway_search} SELECT PERMISSIVE true / -",
      "signer {causeway_signer} ALL PERMISSIVE true / true",
      "signer_reads {causeway_signer} SELECT PERMISSIVE (frozen_at IS NOT NULL) / -",
      "signer_reads {causeway_signer} SELECT PERMISSIVE true / -",
      "sweep {causeway_worker} ALL PERMISSIVE true / true",
      "trade_sides {causeway_owner} SELECT PERMISSIVE true / -",
      "unfreezes {causeway_operator,causeway_worker} UPDATE RESTRICTIVE (frozen_at IS NOT NULL) / (frozen_at IS NULL)",
      "unfreezes {causeway_operator,causeway_worker} UPDATE RESTRICTIVE true / (frozen_at IS NULL)",
      "watcher {causeway_worker} ALL PERMISSIVE true / true",
      "watcher {causeway_worker} SELECT PERMISSIVE true / -",
      "worker {causeway_worker} ALL PERMISSIVE true / true",
      "worker_addresses {causeway_worker} INSERT PERMISSIVE - / true",
      "worker_claims {causeway_worker} SELECT PERMISSIVE (delivered_at IS NULL) / -",
      "worker_claims {causeway_worker} SELECT PERMISSIVE (state = 'waiting'::text) / -",
      "worker_leases {causeway_worker} UPDATE PERMISSIVE (delivered_at IS NULL) / (delivered_at IS NULL)",
      "worker_leases {causeway_worker} UPDATE PERMISSIVE (state = 'waiting'::text) / (state = 'waiting'::text)",
      "worker_reads {causeway_worker} SELECT PERMISSIVE (number > 1) / -",
      "worker_reads {causeway_worker} SELECT PERMISSIVE true / -",
      "worker_rejects {causeway_worker} UPDATE RESTRICTIVE (approval = 'waiting'::text) / (approval = 'rejected'::text)",
      "worker_reminds {causeway_worker} SELECT PERMISSIVE ((act_by IS NOT NULL) AND (reminded_for IS DISTINCT FROM act_by)) / -",
      "worker_sweeps {causeway_worker} ALL PERMISSIVE (used_by IS NULL) / false",
      "worker_values {causeway_worker} SELECT PERMISSIVE awaits_rate / -",
      "worker_writes_none {causeway_worker} UPDATE RESTRICTIVE true / false",
    ]
  `);
});

test('a batch reads and writes rows of its companies alone, in the tables that submissions need', async () => {
  const own = "'(company_id = ANY (( SELECT causeway.company_ids() AS company_ids)::uuid[]))'";
  const policies = `select tablename, policyname, roles, cmd, qual, with_check from pg_policies
    where schemaname = 'causeway' and permissive = 'PERMISSIVE'
      and (policyname like 'batch%' or roles && '{causeway_batch, causeway_ledger}')`;
  const open = await namesOf(`select tablename || ' ' || policyname from (${policies}) p
    where (cmd in ('SELECT', 'INSERT', 'UPDATE') and policyname = 'batch_' || lower(cmd) and roles <@ '{causeway_batch, causeway_ledger}'
      and coalesce(qual, ${own}) = ${own} and coalesce(with_check, ${own}) = ${own}) is not true`);
  // The operator's prices for every company.
  expect(open).toEqual(['exchange_terms installation', 'operator_price installation']);
  const admittedAs = (role: string) =>
    namesOf(`select tablename || ' ' || string_agg(lower(cmd), ', ' order by cmd) from (${policies}) p
      where '${role}' = any (roles) group by tablename`);
  expect(await admittedAs('causeway_batch')).toMatchInlineSnapshot(`
    [
      "approval_rule select",
      "approval_rule_version select",
      "approval_setting select",
      "approval_task insert",
      "audit_event insert",
      "audit_unsealed insert",
      "authority_change select",
      "bank_account select",
      "bank_payee select",
      "bank_payee_version select",
      "bitcoin_acceleration select",
      "bitcoin_fee insert",
      "bitcoin_output select",
      "chain_address select",
      "chain_further_address select",
      "code_guard insert, select, update",
      "company select",
      "company_setting select",
      "credential select, update",
      "crypto_payee select",
      "department select",
      "exchange insert",
      "exchange_quote select, update",
      "exchange_seal insert",
      "exchange_terms select, select",
      "file select",
      "idempotency insert, select",
      "ledger_account select",
      "member select",
      "notice insert, select",
      "operator_price select, select",
      "outbox insert",
      "outgoing_attachment insert",
      "outgoing_authorisation insert",
      "payout insert",
      "risk_assessment insert",
      "risk_flow insert, select",
      "risk_list_entry select, update",
      "risk_list_usage insert, select, update",
      "risk_log insert",
      "risk_policy select, update",
      "risk_policy_version select",
      "risk_ruleset select",
      "risk_setting select",
      "risk_usage insert, select, update",
      "role select",
      "transaction insert, select",
      "transaction_category insert, select",
      "transaction_stage insert",
      "transaction_unvalued insert",
      "transfer_rest insert, select",
      "transfer_test insert, select",
      "verification_code insert, select, update",
      "wallet select",
    ]
  `);
  const ofLedger = ['ledger_account select, update', 'ledger_entry insert', 'ledger_posting insert', 'outbox insert'];
  expect(await admittedAs('causeway_ledger')).toEqual(ofLedger);
});

test('only functions write the ledger of a batch, and their role has no right beyond', async () => {
  const rightsOf = (role: string) =>
    namesOf(`select c.relname || ' ' || string_agg(lower(p.privilege), ', ' order by p.privilege)
      from pg_class c, unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) as p (privilege)
      where ${inSchema} and case when p.privilege in ('SELECT', 'INSERT', 'UPDATE')
        then has_any_column_privilege('${role}', c.oid, p.privilege) else has_table_privilege('${role}', c.oid, p.privilege) end
      group by c.relname`);
  expect(await rightsOf('causeway_ledger')).toEqual([
    'ledger_account select, update',
    'ledger_entry insert',
    'ledger_posting insert',
    'outbox insert',
  ]);
  expect((await rightsOf('causeway_batch')).filter((right) => right.startsWith('ledger'))).toEqual([
    'ledger_account select',
  ]);
});

test('the web-facing process sees beyond its company only what comes before there is one', async () => {
  const beyond = await namesOf(`select tablename from pg_policies
    where schemaname = 'causeway' and policyname <> 'company' and permissive = 'PERMISSIVE' and roles && '{causeway_app, public}'`);
  // Of the counters, those that are not the operator's; announcements and prices for every company are the installation's.
  expect(beyond).toEqual([
    'announcement',
    'code_guard',
    'exchange_terms',
    'operator_price',
    'throttle',
    'verification_code',
  ]);
});

test('what has no company is read by the web-facing process, and written by others; but for counters, its own heartbeat and events of banks', async () => {
  const written = await namesOf(`select distinct c.relname from pg_class c where ${inSchema} and not ${hasCompany}
    and (has_any_column_privilege('causeway_app', c.oid, 'insert, update') or has_table_privilege('causeway_app', c.oid, 'delete'))`);
  expect(written).toEqual(['bank_event', 'process_heartbeat', 'throttle']);
});

test('no role that signs in goes around the fences', async () => {
  const bypassing = await namesOf(`select rolname from pg_roles
    where rolname like 'causeway%' and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)`);
  expect(bypassing).toEqual([]);
});

test('a function with its owner’s rights has its search path fixed, temporary tables last, and is not for everybody', async () => {
  const definers = `select proname from pg_proc p where pronamespace = 'causeway'::regnamespace and prosecdef`;
  expect((await namesOf(definers)).length).toBeGreaterThan(10);
  expect(
    await namesOf(`${definers} and not 'search_path=causeway, pg_temp' = any (coalesce(proconfig, '{}'))`),
  ).toEqual([]);
  const called = `prorettype <> 'trigger'::regtype and has_function_privilege('public', p.oid, 'execute')`;
  expect(await namesOf(`${definers} and ${called}`)).toEqual([]);
});

test('what a transfer is authorised and approved by is written by the web-facing process alone, and changed by nobody', async () => {
  const writers = {
    outgoing_authorisation: ['causeway_app', 'causeway_batch'],
    approval_decision: ['causeway_app'],
  };
  for (const [table, roles] of Object.entries(writers)) {
    const writing =
      await namesOf(`select rolname from pg_roles where rolname like 'causeway%' and rolname <> 'causeway_owner'
      and has_any_column_privilege(rolname, 'causeway.${table}', 'insert')`);
    expect(writing).toEqual(roles);
    const changing =
      await namesOf(`select rolname from pg_roles where rolname like 'causeway%' and rolname <> 'causeway_owner'
      and (has_any_column_privilege(rolname, 'causeway.${table}', 'update')
        or has_table_privilege(rolname, 'causeway.${table}', 'delete, truncate'))`);
    expect(changing).toEqual([]);
  }
});

test('nobody but the web-facing process takes on the rights of a batch, and it only by name', async () => {
  const members =
    await namesOf(`select m.member::regrole::text || case when m.inherit_option then ' inherits' else '' end
    from pg_auth_members m where m.roleid = 'causeway_batch'::regrole and m.set_option and m.member <> 'postgres'::regrole`);
  expect(members).toEqual(['causeway_app']);
});

test('evidence is append-only, for the owner of the tables too', async () => {
  // The bits of pg_trigger.tgtype: row 1, before 2, insert 4, delete 8, update 16, truncate 32.
  const beforeAnyChange = 2 + 8 + 16 + 32;
  const guarded = await namesOf(`select c.relname from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'causeway'::regnamespace and t.tgname = 'append_only' and t.tgenabled = 'O'
    and t.tgtype = ${beforeAnyChange}`);
  expect(guarded).toMatchInlineSnapshot(`
    [
      "approval_decision",
      "approval_log",
      "approval_rule_version",
      "audit_checkpoint",
      "audit_event",
      "audit_key",
      "audit_seal",
      "authority_change",
      "bank_explained_share",
      "bank_explanation",
      "bank_registry_change",
      "bitcoin_acceleration",
      "bitcoin_acceleration_seal",
      "card_event",
      "card_request",
      "card_step",
      "exchange_limit",
      "exchange_seal",
      "hedge_fill",
      "ledger_entry",
      "ledger_posting",
      "operator_bank_upload",
      "operator_document",
      "operator_item_event",
      "operator_note",
      "organisation_former",
      "otc_message",
      "otc_minimum",
      "outgoing_authorisation",
      "payment_request_address",
      "payment_request_line",
      "payment_request_option",
      "payment_request_period",
      "payment_request_rate",
      "payout_batch_entry",
      "payout_batch_run",
      "payout_turn",
      "position_entry",
      "risk_alert",
      "risk_assessment",
      "risk_log",
      "risk_policy_version",
      "risk_ruleset",
      "settlement",
      "settlement_leg",
      "signer_journal",
      "solvency_bank",
      "solvency_holding",
      "solvency_leaf",
      "solvency_report",
      "solvency_signature",
      "solvency_timing",
      "standing_order_turn",
      "trade_confirmation",
      "trade_line",
      "trade_release",
      "transaction_stage",
    ]
  `);
});
