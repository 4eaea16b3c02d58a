import { type QueueKind, queueKinds } from '@causeway/contract/operator-queue-rules.ts';
import type { OperatorRole } from '@causeway/contract/operator-rules.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/process/log.ts';
import type { OperatorContext } from '../../../platform/session.ts';
import { textsUnder } from '../../../platform/text/texts.ts';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { signedInOperator } from '../../../testing/operators.ts';
import { insertTestTransaction } from '../../../testing/transactions.ts';
import { nilCompany } from '../../identity/index.ts';
import { keepPrices } from '../../rates/index.ts';
import type { Cause } from './cause.ts';
import { comment, get, handOver, list, resolve, summarise, take } from './service.ts';
import { sources, sweep, sweepKind } from './sweep.ts';

let db: TestDatabase;
let superuser: pg.Client;
let company: TestCompany;
const log = createLog('test', 'silent');

beforeAll(async () => {
  db = await testDatabase();
  superuser = new pg.Client({ connectionString: db.superuserUrl });
  await superuser.connect();
  await superuser.query('set search_path = causeway');
  company = await openTestCompany(db);
  await db.app.withCompany(company.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Far Voyage')`.execute(tx),
  );
  await db.worker.withoutCompany((tx) =>
    keepPrices(tx, [{ asset: 'USDT', usd: '1', source: 'test', updatedAt: new Date() }]),
  );
});
afterAll(async () => {
  await superuser.end();
  await db.close();
});
beforeEach(async () => {
  await superuser.query(`alter table operator_item_event disable trigger append_only;
    truncate operator_item, operator_item_event, operator_item_count;
    alter table operator_item_event enable trigger append_only`);
});

const operator = (role: OperatorRole, state?: 'disabled') => signedInOperator(db, role, state);

/** As the role of the operator's process, under the nil company, as a route does. */
const asConsole = <T>(work: Parameters<typeof db.console.withCompany<T>>[1]) =>
  db.console.withCompany(nilCompany, work);

/** Sweeps one kind with these causes. */
async function follow(kind: QueueKind, causes: readonly Cause[]): Promise<void> {
  await db.console.withoutCompany((tx) => sweepKind(tx, { kind, find: async () => [...causes] }));
}

const longAgo = new Date('2026-01-02T03:04:05Z');

function cause(subject: string, more: Partial<Cause> = {}): Cause {
  return { subject, companyId: null, since: longAgo, money: null, facts: { asset: subject, source: 'test' }, ...more };
}

const usdt = (minor: bigint) => ({ asset: 'USDT', decimals: 6, minor });

async function items(query: Parameters<typeof list>[2] = {}, context?: OperatorContext) {
  const reader = context ?? (await operator('viewer'));
  return asConsole((tx) => list(tx, reader, query));
}

async function onlyItem() {
  const { items: found } = await items();
  expect(found).toHaveLength(1);
  const [item] = found;
  if (!item) throw new Error('no item');
  return item;
}

async function history(id: string) {
  const viewer = await operator('viewer');
  const { history: events } = await asConsole((tx) => get(tx, viewer, { id }));
  return events.map(({ act, by, to, text }) => [act, by?.name ?? null, to?.name ?? null, text]);
}

describe('an item', () => {
  test('opens once with its cause, follows its facts, ends with it, and its history says so', async () => {
    await follow('priceStale', [cause('ETH')]);
    await follow('priceStale', [cause('ETH', { facts: { asset: 'ETH', source: 'another' } })]);
    const item = await onlyItem();
    expect(item).toMatchObject({ kind: 'priceStale', urgency: 'urgent', openedAt: longAgo.toISOString(), owner: null });
    expect(item.title).toBe('The price of ETH is out of date');
    const viewer = await operator('viewer');
    const { facts } = await asConsole((tx) => get(tx, viewer, { id: item.id }));
    expect(facts).toContainEqual({ label: 'Source', value: 'another' });
    await follow('priceStale', []);
    expect((await items()).items).toEqual([]);
    expect((await items({ state: 'resolved' })).items).toMatchObject([{ id: item.id, state: 'resolved' }]);
    expect(await history(item.id)).toEqual([
      ['opened', null, null, null],
      ['resolved', null, null, null],
    ]);
  });

  test('goes on where its cause comes back within the hour; later another is opened', async () => {
    await follow('priceStale', [cause('ETH')]);
    const { id } = await onlyItem();
    await follow('priceStale', []);
    await follow('priceStale', [cause('ETH')]);
    expect((await onlyItem()).id).toBe(id);
    expect((await history(id)).map(([act]) => act)).toEqual(['opened', 'resolved', 'reopened']);
    await follow('priceStale', []);
    await superuser.query("update operator_item set resolved_at = resolved_at - interval '61 minutes'");
    await follow('priceStale', [cause('ETH')]);
    expect((await onlyItem()).id).not.toBe(id);
  });

  test('is of its kind alone: the end of one kind leaves the others', async () => {
    await follow('priceStale', [cause('ETH')]);
    await follow('nodeFailing', []);
    await onlyItem();
  });

  test('two sweeps at once open no twin', async () => {
    await Promise.all([1, 2, 3, 4].map(() => follow('priceStale', [cause('ETH'), cause('USDC')])));
    expect((await items()).total).toBe(2);
    const { rows } = await superuser.query('select count(*)::int as n from operator_item_event');
    expect(rows).toEqual([{ n: 2 }]);
  });

  test('keeps its value while its amount stays; the summary counts what is valued', async () => {
    const money = usdt(1_500_000n);
    const facts = { waitsFor: 'signer', chain: 'ethereum' };
    await follow('transferStuck', [
      cause('a', { money, facts, companyId: company.id }),
      cause('b', { facts, companyId: company.id }),
    ]);
    const support = await operator('support');
    const first = (await items({}, support)).items[0];
    expect(first).toMatchObject({ company: { name: 'Far Voyage' }, amount: { quantity: '1.500000', usd: '1.50' } });
    expect(first?.nextStep).toBe('Check that the signer is running.');
    const summary = () => asConsole((tx) => summarise(tx, support));
    expect(await summary()).toEqual({
      kinds: [
        { kind: 'transferStuck', urgency: 'urgent', open: 2, unowned: 2, oldestAt: longAgo.toISOString(), usd: '1.50' },
      ],
      mine: 0,
    });
    await asConsole((tx) => take(tx, support, { id: first?.id ?? '' }));
    expect(await summary()).toMatchObject({ kinds: [{ open: 2, unowned: 1 }], mine: 1 });
    await follow('transferStuck', [cause('a', { money: usdt(2_000_000n), facts, companyId: company.id })]);
    expect(await summary()).toMatchObject({ kinds: [{ open: 1, unowned: 0, usd: '2.00' }], mine: 1 });
    await follow('transferStuck', []);
    expect(await summary()).toEqual({ kinds: [], mine: 0 });
  });
});

test('the list has the most urgent first, then the oldest; pages lead on; filters narrow', async () => {
  const at = (day: number) => new Date(Date.UTC(2026, 0, day));
  await follow('mailFailed', [cause('1', { since: at(1), facts: { job: 'notices.mail' } })]);
  await follow('gasTankLow', [cause('x', { since: at(2), facts: { chain: 'ethereum' } })]);
  const stale = Array.from({ length: 21 }, (_, i) => cause(`A${String(i).padStart(2, '0')}`, { since: at(28 - i) }));
  await follow('priceStale', stale);
  const pageOne = await items();
  expect(pageOne).toMatchObject({ total: 23, totalExact: true });
  expect(pageOne.items[0]?.title).toContain('A20');
  const pageTwo = await items({ cursor: pageOne.next ?? '' });
  expect(pageTwo.items.map(({ kind }) => kind)).toEqual(['priceStale', 'gasTankLow', 'mailFailed']);
  expect(pageTwo.next).toBeNull();
  expect((await items({ kind: 'gasTankLow' })).total).toBe(1);
  expect((await items({ keyword: 'a07' })).total).toBe(1);
  expect((await items({ owner: 'me' })).total).toBe(0);
  expect((await items({ owner: 'nobody' })).total).toBe(23);
  await expect(items({ state: 'resolved', cursor: pageOne.next ?? '' })).rejects.toMatchObject({
    key: 'cursorInvalid',
  });
});

describe('work on an item', () => {
  test('of two that take at once one wins; the other hears who has it', async () => {
    await follow('priceStale', [cause('ETH')]);
    const { id } = await onlyItem();
    const people = await Promise.all([operator('support'), operator('treasury'), operator('compliance')]);
    const outcomes = await Promise.allSettled(people.map((one) => asConsole((tx) => take(tx, one, { id }))));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toMatchObject([{ key: 'queueTaken' }, { key: 'queueTaken' }]);
    const winner = people[outcomes.findIndex(({ status }) => status === 'fulfilled')];
    expect(refused[0].details).toEqual({ name: winner?.session.userName });
    expect((await onlyItem()).owner?.id).toBe(winner?.session.userId);
  });

  test('is handed over to those alone who may work on it, and given back', async () => {
    await follow('priceStale', [cause('ETH')]);
    const { id } = await onlyItem();
    const [support, treasury] = [await operator('support'), await operator('treasury')];
    for (const other of [await operator('viewer'), await operator('treasury', 'disabled')]) {
      const to = other.session.userId;
      const refused = asConsole((tx) => handOver(tx, support, { id, to }));
      await expect(refused).rejects.toMatchObject({ key: 'operatorUnsuitable' });
    }
    await expect(asConsole((tx) => handOver(tx, support, { id, to: newId() }))).rejects.toMatchObject({
      key: 'operatorUnsuitable',
    });
    await asConsole((tx) => handOver(tx, support, { id, to: treasury.session.userId, comment: ' yours ' }));
    expect((await onlyItem()).owner?.name).toBe('A treasury');
    await asConsole((tx) => comment(tx, treasury, { id, text: 'On it' }));
    await asConsole((tx) => handOver(tx, treasury, { id, to: null }));
    expect(await onlyItem()).toMatchObject({ owner: null, comments: 1 });
    expect(await history(id)).toEqual([
      ['opened', null, null, null],
      ['handedOver', 'A support', 'A treasury', 'yours'],
      ['commented', 'A treasury', null, 'On it'],
      ['released', 'A treasury', null, null],
    ]);
  });

  test('an item that ends with its cause cannot be closed before, one that is judged can, once, and stays closed', async () => {
    const support = await operator('support');
    await superuser.query("insert into failed_job values (7, 'outgoing.send', $1, 25, 'no route', now())", [
      company.id,
    ]);
    await superuser.query("update rate set updated_at = now() - interval '1 day' where asset_id = 'USDT'");
    await sweep(db.console, log);
    const { items: open } = await items();
    expect(open.map(({ kind }) => kind).sort()).toEqual(['jobGaveUp', 'priceStale']);
    const idOf = (kind: QueueKind) => open.find((item) => item.kind === kind)?.id ?? '';
    const close = (kind: QueueKind) => asConsole((tx) => resolve(tx, support, { id: idOf(kind), reason: 'done' }));
    await expect(close('priceStale')).rejects.toMatchObject({ key: 'queueCauseLasts' });
    await close('jobGaveUp');
    await expect(close('jobGaveUp')).rejects.toMatchObject({ key: 'queueResolved' });
    await expect(asConsole((tx) => take(tx, support, { id: idOf('jobGaveUp') }))).rejects.toMatchObject({
      key: 'queueResolved',
    });
    await sweep(db.console, log);
    expect((await items()).items.map(({ kind }) => kind)).toEqual(['priceStale']);
    expect(await history(idOf('jobGaveUp'))).toContainEqual(['resolved', 'A support', null, 'done']);
    const { rows } = await superuser.query(
      "select actor_kind, detail ->> 'reason' as reason from audit_event where action = 'operator.resolveItem'",
    );
    expect(rows).toEqual([{ actor_kind: 'operator', reason: 'done' }]);
    await superuser.query('delete from failed_job');
    await superuser.query("update rate set updated_at = now() where asset_id = 'USDT'");
  });
});

describe('sources', () => {
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
    expect(open).toMatchObject([{ kind: 'transferStuck', link: `/app/transactions/${ids[0]}` }]);
    for (const [locale, title, waits] of [
      ['en-us', 'Transfer of 5.000000 USDT has not moved', 'the signer, or the gas tank'],
      ['zh-hk', '5.000000 USDT 的轉帳停滯不前', '簽署程式或燃料費帳戶'],
      ['zh-cn', '5.000000 USDT 的转账停滞不前', '签名程序或 Gas 费账户'],
    ] as const) {
      const item = await asConsole((tx) => get(tx, { ...viewer, locale }, { id: open[0]?.id ?? '' }));
      expect(item.title).toBe(title);
      expect(item.facts.map(({ value }) => value)).toContain(waits);
    }
    await superuser.query("update transaction set status = 'failed', stage = 'failed' where id = any ($1)", [ids]);
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
    await superuser.query(
      `insert into chain_address (company_id, chain_id, address) values ($1, 'ethereum', '0xtank')`,
      [nilCompany],
    );
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
    expect(open.find(({ company: of }) => of === null)?.nextStep).toContain(
      'the chain counts 5 transactions, we know 3',
    );
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
      ('relay', 'ok', null, now() - interval '1 hour')`);
    await sweep(db.console, log);
    const kinds = async () => (await items()).items.map(({ kind }) => kind).sort();
    expect(await kinds()).toEqual(['gasTankLow', 'nodeFailing', 'serviceFailing', 'signerFailing', 'watcherBehind']);
    await superuser.query("update component_state set checked_at = now() - interval '4 minutes'");
    await sweep(db.console, log);
    expect(await kinds()).toContain('workerSilent');
    await superuser.query('delete from component_state');
  });

  test('restore mode, an audit log that is not signed, mails and proposals', async () => {
    await superuser.query(
      "insert into restore_mode (cause, reason, begun_by) values ('journal_ahead', 'why', 'signer')",
    );
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
    expect((await items()).items.map(({ kind }) => kind).sort()).toEqual([
      'auditUnsigned',
      'mailFailed',
      'mailFailed',
      'proposalOpen',
      'restoreOpen',
    ]);
  });
});

test('there is a next step for whatever a stuck transfer waits for, save its own approvers', () => {
  const waits = [...textsUnder('en-us', 'transfer.waitsFor.').keys()].filter((reason) => reason !== 'approvers');
  expect([...textsUnder('en-us', 'queue.next.transferStuck.').keys()].sort()).toEqual(waits.sort());
  for (const kind of queueKinds) expect(textsUnder('zh-hk', `queue.next.${kind}`).size).toBeGreaterThan(0);
});

test('no other role has a right to the queue, and the console none to what the worker reports or to the counts', async () => {
  for (const database of [db.app, db.worker, db.operator]) {
    for (const table of ['operator_item', 'operator_item_event', 'operator_item_count']) {
      const reading = database.withoutCompany((tx) => sql`select from ${sql.table(table)}`.execute(tx));
      await expect(reading).rejects.toThrow(/permission denied/);
    }
  }
  await follow('priceStale', [cause('ETH')]);
  for (const write of [
    "insert into component_state (name, state) values ('x', 'ok')",
    "insert into failed_job values (1, 'x', null, 1, null, now())",
    'update operator_item_count set open = 0',
    'delete from operator_item',
    "update operator_item set kind = 'x'",
    "update operator_item_event set text = 'x'",
    'delete from operator_item_event',
    'update wallet set frozen_at = now()',
  ]) {
    await expect(
      db.console.withoutCompany((tx) => sql.raw(write).execute(tx)),
      write,
    ).rejects.toThrow(/permission denied/);
  }
  await expect(superuser.query("update operator_item_event set text = 'x'")).rejects.toThrow(/append-only/);
});
