import { type QueueKind, queueKinds } from '@causeway/contract/operator-queue-rules.ts';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/process/log.ts';
import { textsUnder } from '../../../platform/text/texts.ts';
import type { TestCompany } from '../../../testing/company.ts';
import type { TestDatabase } from '../../../testing/database.ts';
import { type QueueWorld, queueWorld } from '../../../testing/queue-world.ts';
import type { Cause } from './cause.ts';
import { linkOf } from './domain.ts';
import { comment, get, handOver, list, reopen, resolve, summarise, take } from './service.ts';
import { sources, sweep, sweepKind } from './sweep.ts';
import { factOrder } from './words.ts';

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

/** Sweeps one kind with these causes. */
async function follow(kind: QueueKind, causes: readonly Cause[]): Promise<void> {
  await db.console.withoutCompany((tx) => sweepKind(tx, { kind, find: async () => [...causes] }));
}

const longAgo = new Date('2026-01-02T03:04:05Z');

function cause(subject: string, more: Partial<Cause> = {}): Cause {
  return { subject, companyId: null, since: longAgo, money: null, facts: { asset: subject, source: 'test' }, ...more };
}

const usdt = (minor: bigint) => ({ asset: 'USDT', decimals: 6, minor });

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
  test('shows its facts in an order of their own, and leads to the transfer that comes first', async () => {
    const transfer = '0190c5a2-7e5b-7cc0-8c3e-0a1b2c3d4e5f';
    const facts = { hash: '0x1234', payee: 'Pearl River', chain: 'ethereum', transfer, waitsFor: 'before' };
    await follow('transferStuck', [cause('a', { facts, companyId: company.id })]);
    const viewer = await operator('viewer');
    const { id } = await onlyItem();
    const shown = await asConsole((tx) => get(tx, viewer, { id }));
    expect(shown.facts.map(({ label }) => label)).toEqual(['Waiting for', 'Transfer', 'Payee', 'Chain', 'Hash']);
    expect(shown.facts.find(({ value }) => value === transfer)?.link).toBe(`/app/payments/${transfer}`);
    expect(shown.nextStep).toContain(transfer);
  });

  test('has a place for every fact that has a label', () => {
    const labelled = [...textsUnder('en-us', 'queue.fact.').keys()];
    expect([...factOrder].sort()).toEqual(labelled.sort());
  });

  test('opens once with its cause, follows its facts, ends with it, and its history says so', async () => {
    await follow('priceStale', [cause('ETH')]);
    await follow('priceStale', [cause('ETH', { facts: { asset: 'ETH', source: 'another' } })]);
    const item = await onlyItem();
    expect(item).toMatchObject({ kind: 'priceStale', urgency: 'urgent', openedAt: longAgo.toISOString(), owner: null });
    expect(item.title).toBe('The price of ETH is out of date');
    const viewer = await operator('viewer');
    const { facts } = await asConsole((tx) => get(tx, viewer, { id: item.id }));
    expect(facts).toContainEqual({ label: 'Source', value: 'another', link: null });
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
      companies: [{ id: company.id, name: 'Far Voyage', open: 2 }],
    });
    await asConsole((tx) => take(tx, support, { id: first?.id ?? '' }));
    expect(await summary()).toMatchObject({ kinds: [{ open: 2, unowned: 1 }], mine: 1 });
    await follow('transferStuck', [cause('a', { money: usdt(2_000_000n), facts, companyId: company.id })]);
    expect(await summary()).toMatchObject({ kinds: [{ open: 1, unowned: 0, usd: '2.00' }], mine: 1 });
    await follow('transferStuck', []);
    expect(await summary()).toEqual({ kinds: [], mine: 0, companies: [] });
  });
});

test('an item of a release whose words are gone is read with a general next step, and keeps no other from being read', async () => {
  await follow('transferStuck', [cause('old', { facts: { waitsFor: 'moonrise' } })]);
  await follow('priceStale', [cause('ETH')]);
  const { items: found } = await items();
  expect(found.map(({ nextStep }) => nextStep)).toContain('Open the item’s page and decide by what it shows.');
  expect(found).toHaveLength(2);
  const viewer = await operator('viewer');
  const id = found.find(({ kind }) => kind === 'transferStuck')?.id ?? '';
  const { facts } = await asConsole((tx) => get(tx, viewer, { id }));
  expect(facts.map(({ value }) => value)).toEqual(['moonrise']);
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
  expect((await items({ owner: 'none' })).total).toBe(23);
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

test('what a person closed is opened again with a reason; what ended with its cause is not', async () => {
  const [support, viewer] = [await operator('support'), await operator('viewer')];
  await superuser.query("insert into failed_job values (11, 'outgoing.send', $1, 25, 'no route', now())", [company.id]);
  await follow('gasTankLow', [cause('tank', { facts: { chain: 'ethereum' } })]);
  await sweep(
    db.console,
    log,
    undefined,
    sources.filter(({ kind }) => kind === 'jobGaveUp'),
  );
  const { items: open } = await items();
  const idOf = (kind: QueueKind) => open.find((item) => item.kind === kind)?.id ?? '';
  const job = idOf('jobGaveUp');
  const again = (id: string) => asConsole((tx) => reopen(tx, support, { id, reason: 'too early' }));
  await expect(again(job)).rejects.toMatchObject({ key: 'queueNotClosed' });
  await asConsole((tx) => resolve(tx, support, { id: job, reason: 'done' }));
  const seen = async (reader: typeof support) => (await asConsole((tx) => get(tx, reader, { id: job }))).canReopen;
  expect([await seen(support), await seen(viewer)]).toEqual([true, false]);
  // Of two at once, one opens it.
  const outcomes = await Promise.allSettled([again(job), again(job)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await seen(support)).toBe(false);
  await sweep(
    db.console,
    log,
    undefined,
    sources.filter(({ kind }) => kind === 'jobGaveUp'),
  );
  expect((await items({ kind: 'jobGaveUp' })).items).toMatchObject([{ id: job, state: 'open' }]);
  expect((await history(job)).at(-1)).toEqual(['reopened', 'A support', null, 'too early']);
  await follow('gasTankLow', []);
  await expect(again(idOf('gasTankLow'))).rejects.toMatchObject({ key: 'queueNotClosed' });
  await expect(again(newId())).rejects.toMatchObject({ key: 'notFound' });
  const { rows } = await superuser.query("select 1 from audit_event where action = 'operator.reopenItem'");
  expect(rows).toHaveLength(1);
  await superuser.query('delete from failed_job');
});

test('every kind of item leads to the page on which it is dealt with', () => {
  const item = { subject: 'x', companyId: company.id };
  const pages = Object.fromEntries(queueKinds.map((kind) => [kind, linkOf(kind, item)]));
  for (const page of Object.values(pages))
    expect(page).toMatch(/^\/app\/[a-z]+(\/[0-9a-zA-Z%-]+){0,2}(\?[a-z]+=[a-z]+)?$/);
  expect(pages).toMatchObject({
    transferStuck: '/app/payments/x',
    priceStale: '/app/health/rates',
    walletFrozen: `/app/companies/${company.id}?tab=freezing`,
    proposalOpen: '/app/confirmations/x',
  });
});

test('open items, their filters and the summary are read by their indexes, however many items there are', async () => {
  await superuser.query(
    `insert into operator_item (id, kind, subject, company_id, facts, opened_at, place, owner_id, state, resolved_at)
     select gen_random_uuid(), case n % 4 when 0 then 'priceStale' else 'jobGaveUp' end, n::text,
       case when n % 50 = 0 then $1::uuid end, '{}', now(), n, null, case when n % 2 = 0 then 'open' else 'resolved' end,
       case when n % 2 = 1 then now() - make_interval(secs => n) end
     from generate_series(1, 20000) as n`,
    [company.id],
  );
  await superuser.query('vacuum analyze operator_item, operator_item_event, operator_account, company');
  const support = await operator('support');
  const queries = [{}, { kind: 'priceStale' }, { owner: 'me' }, { companyId: company.id }] as const;
  const readings = [
    ...queries.map((query) => (tx: Tx) => list(tx, support, query)),
    (tx: Tx) => summarise(tx, support),
  ];
  for (const [place, read] of readings.entries()) {
    const [before, after] = await asConsole(async (tx) => {
      const earlier = await scansOf(tx);
      await read(tx);
      return [earlier, await scansOf(tx)];
    });
    expect({ place, whole: after.whole - before.whole }).toEqual({ place, whole: 0 });
    expect(after.byIndex - before.byIndex).toBeGreaterThan(0);
  }
});

/** How often this connection has read the queue's table so far, whole and by an index; within a transaction it only grows. */
async function scansOf(tx: Tx): Promise<{ whole: number; byIndex: number }> {
  const { rows } = await sql<{ whole: number; byIndex: number }>`
    select coalesce(max(seq_scan), 0) as whole, coalesce(max(idx_scan), 0) as "byIndex"
    from pg_stat_xact_user_tables where relname = 'operator_item'`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error('no statistics');
  return row;
}

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
