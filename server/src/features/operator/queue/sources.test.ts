import { queueKinds } from '@causeway/contract/operator-queue-rules.ts';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/process/log.ts';
import type { TestCompany } from '../../../testing/company.ts';
import type { TestDatabase } from '../../../testing/database.ts';
import { type QueueWorld, queueWorld } from '../../../testing/queue-world.ts';
import { insertTestTransaction } from '../../../testing/transactions.ts';
import { nilCompany } from '../../identity/index.ts';
import { get, resolve } from './service.ts';
import { sources, sweep } from './sweep.ts';

/** What each source finds, in what the product's own tables say. */

let world: QueueWorld;
let db: TestDatabase;
let superuser: pg.Client;
let company: TestCompany;
const log = createLog('test', 'silent');

beforeAll(async () => {
  world = await queueWorld();
  ({ db, superuser, company } = world);
});
afterAll(() => world.close());
beforeEach(() => world.empty());

const operator: QueueWorld['operator'] = (role, state) => world.operator(role, state);
const asConsole: QueueWorld['asConsole'] = (work) => world.asConsole(work);
const items: QueueWorld['items'] = (query, reader) => world.items(query, reader);

test('every kind of item has one, and the role of the console may read all that they ask', async () => {
  expect(sources.map(({ kind }) => kind).sort()).toEqual([...queueKinds].sort());
  await sweep(db.console, log);
  expect((await items()).items).toEqual([]);
});

test('stuck transfers, without those that wait for their company; in three languages', async () => {
  const facts = { type: 'chain_withdraw', status: 'pending' } as const;
  const ids = [
    await insertTestTransaction(db, company, { ...facts, stage: 'signing' }),
    await insertTestTransaction(db, company, { ...facts, stage: 'waiting_approval' }),
  ];
  await superuser.query("update transaction set stage_at = now() - interval '2 hours' where id = any ($1)", [ids]);
  await sweep(db.console, log);
  const viewer = await operator('viewer');
  const { items: open } = await items();
  expect(open).toMatchObject([{ kind: 'transferStuck', link: `/app/payments/${ids[0]}` }]);
  for (const [locale, title, waits] of [
    ['en-us', 'Transfer of 5.00 USDT has not moved', 'the signer, or the gas tank'],
    ['zh-hk', '5.00 USDT 的轉帳停滯不前', '簽署程式或燃料費帳戶'],
    ['zh-cn', '5.00 USDT 的转账停滞不前', '签名程序或 Gas 费账户'],
  ] as const) {
    const item = await asConsole((tx) => get(tx, { ...viewer, locale }, { id: open[0]?.id ?? '' }));
    expect(item.title).toBe(title);
    expect(item.facts.map(({ value }) => value)).toContain(waits);
  }
  await superuser.query("update transaction set status = 'failed', stage = 'failed' where id = any ($1)", [ids]);
  await sweep(db.console, log);
  expect((await items()).items).toEqual([]);
});

test('a payment whose coin a reorganisation removed: while it may come back, and once it is gone for good', async () => {
  const id = await insertTestTransaction(db, company, {
    type: 'chain_withdraw',
    status: 'pending',
    stage: 'broadcast',
  });
  const [lost, other] = ['a'.repeat(64), 'b'.repeat(64)];
  await superuser.query("update transaction set stage_at = now() - interval '2 hours' where id = $1", [id]);
  await superuser.query(
    `insert into bitcoin_lost_coin (company_id, payment_id, chain_id, hash, index, lost_at, lost_block, replaced_by)
     select company_id, id, chain_id, $2, 1, '2026-01-02T03:04:05Z', 7, $3 from transaction where id = $1`,
    [id, lost, other],
  );
  await sweep(db.console, log);
  const viewer = await operator('viewer');
  const { items: open } = await items();
  expect(open).toMatchObject([{ kind: 'transferStuck', link: `/app/payments/${id}` }]);
  const shown = async (locale: 'en-us' | 'zh-hk') =>
    asConsole((tx) => get(tx, { ...viewer, locale }, { id: open[0]?.id ?? '' }));
  const item = await shown('en-us');
  expect(item.nextStep).toBe(
    `Wait until the output ${lost}:1 is back, or gone for good: the transfer can be abandoned then. If that takes long, check the nodes.`,
  );
  expect(item.facts).toEqual(
    expect.arrayContaining([
      { label: 'Removed output', value: `${lost}:1`, link: null },
      { label: 'Missing since', value: '2026-01-02T03:04:05Z', link: null },
      { label: 'Transaction in its place', value: other, link: null },
    ]),
  );
  await superuser.query(
    `insert into chain_send (company_id, payment_id, attempt, kind, transfer_id, chain_id, from_address, amount, plan, hash, raw, final_at, superseded_at)
     select company_id, id, 1, 'transfer', id, chain_id, 'bcrt1', 5, '{}', $2, '00', now(), now() from transaction where id = $1`,
    [id, other],
  );
  await sweep(db.console, log);
  expect((await shown('zh-hk')).nextStep).toContain(`輸出 ${lost}:1 已因鏈上重組永久失效`);
  await superuser.query("update transaction set status = 'failed', stage = 'failed' where id = $1", [id]);
  await sweep(db.console, log);
  expect((await items()).items).toEqual([]);
});

test('a deposit that was taken back, its deficit, and the frozen wallet', async () => {
  const id = await insertTestTransaction(db, company, { status: 'failed', stage: 'reversed' });
  await superuser.query("update ledger_account set balance = -3000000 where owner_id = $1 and kind = 'deficit'", [
    company.wallets.USDT,
  ]);
  await superuser.query("update wallet set frozen_at = now(), frozen_reason = 'court order' where id = $1", [
    company.wallets.USDC,
  ]);
  await sweep(db.console, log);
  const { items: open } = await items();
  expect(open.map(({ kind, amount }) => [kind, amount?.quantity, amount?.asset])).toEqual(
    expect.arrayContaining([
      ['depositReorganised', '5.000000', 'USDT'],
      ['companyDeficit', '3.000000', 'USDT'],
      ['walletFrozen', '0.000000', 'USDC'],
    ]),
  );
  const support = await operator('support');
  const reversed = open.find(({ kind }) => kind === 'depositReorganised')?.id ?? '';
  await asConsole((tx) => resolve(tx, support, { id: reversed, reason: 'company informed' }));
  await sweep(db.console, log);
  expect((await items()).items.map(({ kind }) => kind)).not.toContain('depositReorganised');
  await superuser.query('update wallet set frozen_at = null, frozen_reason = null');
  await superuser.query('update ledger_account set balance = 0 where balance = -3000000');
  await superuser.query("update transaction set stage = 'orphaned' where id = $1", [id]);
});

test('held addresses and unexplained payments, those of the gas tank without a company', async () => {
  await superuser.query(`insert into chain_address (company_id, chain_id, address) values ($1, 'ethereum', '0xtank')`, [
    nilCompany,
  ]);
  await superuser.query(
    `insert into sender_hold (company_id, chain_id, address, reason, chain_nonce, next_nonce)
     values ($1, 'ethereum', '0xtank', 'ahead', 5, 3), ($2, 'ethereum', $3, 'unexplained', 1, 1)`,
    [nilCompany, company.id, company.address],
  );
  await superuser.query(
    `insert into unexplained_payment (company_id, id, chain_id, hash, from_address, output, to_address, coin, amount, network_fee,
       succeeded, gas_limit, max_fee_per_gas, max_priority_fee_per_gas, block_number, block_hash)
     values ($1, $2, 'ethereum', '0x1', $3, 'native', '0x2', 'ETH', 7, 0, true, 0, 0, 0, 1, '0xb')`,
    [company.id, newId(), company.address],
  );
  await sweep(db.console, log);
  const { items: open } = await items();
  expect(open.map(({ kind, company: of }) => [kind, of?.name ?? null])).toEqual(
    expect.arrayContaining([
      ['addressHeld', null],
      ['addressHeld', 'Far Voyage'],
      ['paymentUnexplained', 'Far Voyage'],
    ]),
  );
  expect(open.find(({ company: of }) => of === null)?.nextStep).toContain('the chain counts 5 transactions, we know 3');
  await superuser.query('delete from unexplained_payment');
  await superuser.query('delete from sender_hold');
});

test('what the worker reports: checks that fail for two minutes, each as its kind; silence', async () => {
  await superuser.query(`insert into component_state (name, state, reason, since) values
    ('node:ethereum:2', 'failed', 'no answer', now() - interval '3 minutes'),
    ('node:ethereum:1', 'failed', 'no answer', now() - interval '1 minute'),
    ('watcher:ethereum', 'failed', 'no block', now() - interval '1 hour'),
    ('gas-tank:ethereum', 'failed', '3 payments', now() - interval '1 hour'),
    ('signer', 'failed', 'ENOENT', now() - interval '1 hour'),
    ('mail', 'failed', 'ECONNREFUSED', now() - interval '1 hour'),
    ('prices', 'failed', 'stale', now() - interval '1 hour'),
    ('mids', 'failed', 'unusable', now() - interval '1 hour'),
    ('database', 'ok', null, now() - interval '1 hour')`);
  await superuser.query(`update component_state set said = '{"id": "health.reason.oldBlock", "values": {"seconds": 360}}'
    where name = 'watcher:ethereum'`);
  await sweep(db.console, log);
  const kinds = async () => (await items()).items.map(({ kind }) => kind).sort();
  expect(await kinds()).toEqual(['gasTankLow', 'nodeFailing', 'serviceFailing', 'signerFailing', 'watcherBehind']);
  const behind = (await items()).items.find(({ kind }) => kind === 'watcherBehind');
  const viewer = await operator('viewer');
  for (const [locale, title, facts] of [
    ['en-us', 'No new blocks of Ethereum are being read', ['Reading of Ethereum', 'no block has been read for 360 s']],
    ['zh-hk', '未能讀取 Ethereum 的新區塊', ['讀取 Ethereum 區塊', '已有 360 秒沒有讀取新區塊']],
    ['zh-cn', '未能读取 Ethereum 的新区块', ['读取 Ethereum 区块', '已有 360 秒没有读取新区块']],
  ] as const) {
    const item = await asConsole((tx) => get(tx, { ...viewer, locale }, { id: behind?.id ?? '' }));
    expect(item.title).toBe(title);
    expect(item.facts.map(({ value }) => value)).toEqual(expect.arrayContaining([...facts, 'Ethereum']));
  }
  await superuser.query("update component_state set checked_at = now() - interval '4 minutes'");
  await sweep(db.console, log);
  expect(await kinds()).toContain('workerSilent');
  await superuser.query("delete from component_state where name <> 'relay'");
  await superuser.query('update component_state set checked_at = now()');
});

test('prices for exchange that too few of the sources agree on, for two minutes, and that are meant to be quoted', async () => {
  await superuser.query(
    "insert into rate_source (source, role, due_at) select unnest('{kraken,bitstamp}'::text[]), 'price', now()",
  );
  await superuser.query(`insert into rate_source_price (source, asset_id, bid, ask, at, expires_at)
    select s.source, a.id, 1, 1, now(), now() from rate_source s, unnest('{ETH,USDT}'::text[]) a (id)
    union all select 'kraken', 'HKD', 1, 1, now(), now()`);
  await superuser.query(`insert into rate_mid (asset_id, needed, problem, problem_since, checked_at) values
    ('ETH', 2, 'disagreeing', now() - interval '3 minutes', now()), ('USDT', 2, 'single', now() - interval '1 minute', now()),
    ('HKD', 2, 'single', now() - interval '1 day', now())`);
  await sweep(db.console, log);
  const found = async () => (await items()).items.filter(({ kind }) => kind === 'midUnusable');
  expect(await found()).toMatchObject([{ title: 'ETH cannot be exchanged: no usable price', link: '/app/health' }]);
  expect((await found())[0]?.nextStep).toContain('they disagree about this asset');
  await superuser.query('delete from rate_mid');
  await superuser.query('delete from rate_source');
  await sweep(db.console, log);
  expect(await found()).toEqual([]);
});

test('a worker that never reported is missed ten minutes after the last migration, and no more once it reports', async () => {
  const kinds = async () => (await items()).items.map(({ kind }) => kind);
  const migrated = (minutes: number) =>
    superuser.query(`update causeway_migration.done set at = now() - make_interval(mins => $1)`, [minutes]);
  await superuser.query('delete from component_state');
  await migrated(9);
  await sweep(db.console, log);
  expect(await kinds()).toEqual([]);
  await migrated(11);
  await sweep(db.console, log);
  const { items: open } = await items();
  expect(open).toMatchObject([{ kind: 'workerSilent', link: '/app/health' }]);
  expect(Date.now() - Date.parse(open[0]?.openedAt ?? '')).toBeGreaterThan(10 * 60_000);
  await superuser.query("insert into component_state (name, state) values ('relay', 'ok')");
  await sweep(db.console, log);
  expect(await kinds()).toEqual([]);
});

test('restore mode, an audit log that is not signed, mails and proposals', async () => {
  await superuser.query("insert into restore_mode (cause, reason, begun_by) values ('journal_ahead', 'why', 'signer')");
  await superuser.query(
    "insert into failed_job values (8, 'notices.mail', $1, 25, 'bounced', now()), (9, 'identity.mailCode', $1, 25, null, now())",
    [company.id],
  );
  const proposer = await operator('administrator');
  await superuser.query(
    `insert into operator_proposal (id, kind, subject_kind, subject_id, input, before, reason, proposed_by, expires_at)
     values (gen_random_uuid(), 'staff.role', 'operator', 'x', '{}', '{}', 'why', $1, now() + interval '1 day'),
       (gen_random_uuid(), 'staff.reset', 'operator', 'x', '{}', '{}', 'why', $1, now() - interval '1 day')`,
    [proposer.session.userId],
  );
  await superuser.query(
    `insert into operator_switch (id, chain_id, coin, what, off_at, off_by, reason)
     values (gen_random_uuid(), 'ethereum', 'USDC', 'deposits', now() - interval '25 hours', $1, 'why'),
       (gen_random_uuid(), 'ethereum', 'USDT', 'deposits', now() - interval '23 hours', $1, 'why')`,
    [proposer.session.userId],
  );
  const event = newId();
  await superuser.query(
    `insert into audit_event (company_id, id, actor_kind, actor_id, action, subject_kind, subject_id)
     values ($1, $2, 'system', 'x', 'x', 'x', 'x')`,
    [company.id, event],
  );
  await superuser.query('delete from audit_unsealed');
  await superuser.query(
    `insert into audit_seal (company_id, seq, event_id, hash, sealed_at)
     values ($1, 1, $2, sha256('x'), now() - interval '20 minutes')`,
    [company.id, event],
  );
  await superuser.query(
    `insert into audit_chain (company_id, seq, hash) values ($1, 1, sha256('x'))
     on conflict (company_id) do update set seq = 1, hash = sha256('x')`,
    [company.id],
  );
  await sweep(db.console, log);
  const { items: open } = await items();
  expect(open.map(({ kind }) => kind).sort()).toEqual([
    'auditUnsigned',
    'mailFailed',
    'mailFailed',
    'proposalOpen',
    'restoreOpen',
    'switchedOff',
  ]);
  expect(open.find(({ kind }) => kind === 'switchedOff')).toMatchObject({
    title: 'USDC · Ethereum has been switched off for over a day',
    link: '/app/assets',
  });
  const { rows } = await superuser.query("select id from operator_proposal where kind = 'staff.role'");
  expect(open.find(({ kind }) => kind === 'proposalOpen')?.link).toBe(`/app/confirmations/${rows[0].id}`);
});
