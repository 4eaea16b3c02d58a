import { call } from '@causeway/contract/call.ts';
import { pageQuery } from '@causeway/contract/ids.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { newId } from '../ids.ts';
import { contains, defineList, readBatches, readPage, since, until } from './list.ts';

const text = z.optional(z.string());
const listEvents = call({
  name: 'listEvents',
  method: 'GET',
  path: '/test/events',
  summary: 'Events.',
  access: 'audit.view',
  query: z.strictObject({
    ...pageQuery,
    action: text,
    from: text,
    to: text,
    keyword: text,
    sort: z.optional(z.enum(['time', 'action', 'length'])),
    order: z.optional(z.enum(['asc', 'desc'])),
  }),
  output: z.null(),
  errors: ['cursorInvalid'],
});

const at = sql`e.at`;
const events = defineList(listEvents, {
  from: () => sql`audit_event e`,
  where: ({ subject }: { subject: string }) => sql`e.company_id = company_id() and e.subject_kind = ${subject}`,
  filters: {
    action: (action) => sql`e.action = ${action}`,
    from: (instant) => since(at, instant),
    to: (instant) => until(at, instant),
    keyword: (keyword) => contains(sql`e.subject_id`, keyword),
  },
  columns: () => sql<{ id: string; action: string }>`e.id, e.action`,
  orders: {
    time: { by: at, kind: 'time' },
    action: { by: sql`e.action`, kind: 'text' },
    length: { by: sql`length(e.action)`, kind: 'number' },
  },
  first: { sort: 'time', order: 'desc' },
  id: sql`e.id`,
});

let db: TestDatabase;
const companyId = newId();
const scope = { subject: 'sample' };
const count = 25;
beforeAll(async () => {
  db = await testDatabase();
  // Three events at each instant, some with equal actions, so that only the id parts them.
  for (const company of [companyId, newId()]) {
    await db.app.withCompany(company, (tx) =>
      sql`insert into audit_event (company_id, id, at, actor_kind, actor_id, action, subject_kind, subject_id)
        select company_id(), gen_random_uuid(), '2026-01-01T00:00:00.000001Z'::timestamptz + i / 3 * interval '1 microsecond',
          'system', '', repeat('ä', 1 + i % 4), 'sample', 'Subject ' || i from generate_series(0, ${count - 1}::integer) i`.execute(
        tx,
      ),
    );
  }
});
afterAll(() => db.close());

const read = (query: z.output<typeof listEvents.query>) =>
  db.app.withCompany(companyId, (tx) => readPage(tx, events, query, scope));

/** Every row of a list by its pages of ten. */
async function walk(query: z.output<typeof listEvents.query>) {
  const rows: { id: string; action: string }[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await read({ ...query, size: '10', ...(cursor && { cursor }) });
    rows.push(...page.items);
    cursor = page.next;
  }
  return rows;
}

const orders = (['time', 'action', 'length'] as const).flatMap((sort) =>
  (['asc', 'desc'] as const).map((order) => ({ sort, order })),
);

test.each(orders)('pages by $sort $order have every row once, ties included', async (query) => {
  const rows = await walk(query);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(count);
  expect(rows).toHaveLength(count);
  const back = await walk({ ...query, order: query.order === 'asc' ? 'desc' : 'asc' });
  expect(back.reverse()).toEqual(rows);
});

test('filters narrow rows and total alike; a blank keyword narrows nothing', async () => {
  const page = await read({ action: 'ää', size: '10' });
  expect(page).toMatchObject({ total: 6, totalExact: true, next: null });
  expect(page.items.map(({ action }) => action)).toEqual(Array(6).fill('ää'));
  expect(await read({ keyword: ' SUBJECT 7 ' })).toMatchObject({ total: 1 });
  expect(await read({ keyword: '  ' })).toMatchObject({ total: count });
  expect(await read({ keyword: '%' })).toMatchObject({ total: 0 });
});

test('a period includes its first instant and not its end; a year that the database lacks is no error', async () => {
  expect(await read({ from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T00:00:00.001Z' })).toMatchObject({
    total: count,
  });
  expect(await read({ to: '2026-01-01T00:00:00.000Z' })).toMatchObject({ total: 0, items: [] });
  expect(await read({ from: '0000-01-01T00:00:00.000Z' })).toMatchObject({ total: count });
});

test('an order without ties has a cursor of one value', async () => {
  const { id: _, ...rest } = events;
  const numbered = defineList(listEvents, {
    ...rest,
    from: () => sql`(select *, row_number() over (order by at, id) as n from audit_event
      where company_id = company_id()) e`,
    orders: { ...events.orders, time: { by: sql`e.n`, kind: 'number' as const } },
  });
  const page = (cursor?: string) =>
    db.app.withCompany(companyId, (tx) =>
      readPage(tx, numbered, { size: '20', order: 'asc', ...(cursor !== undefined && { cursor }) }, scope),
    );
  const first = await page();
  expect(JSON.parse(Buffer.from(first.next ?? '', 'base64url').toString())).toEqual([20]);
  expect((await page(first.next ?? '')).items).toHaveLength(count - 20);
});

const cursor = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url');

test.each([
  ['no JSON', 'x'],
  ['no list', Buffer.from('{}').toString('base64url')],
  ['a number for a time', cursor(1, newId())],
  ['a time without an id', cursor('2026-01-01T00:00:00.000001Z')],
  ['no id', cursor('2026-01-01T00:00:00.000001Z', 'x')],
  ['one value too many', cursor('2026-01-01T00:00:00.000001Z', newId(), 1)],
])('a cursor that holds %s is refused', async (_, wrong) => {
  await expect(read({ cursor: wrong })).rejects.toThrow(expect.objectContaining({ key: 'cursorInvalid' }));
});

test('a text that the database cannot hold is the value of no row', async () => {
  const wrong = cursor('a\u0000', newId());
  await expect(read({ sort: 'action', cursor: wrong })).rejects.toThrow(
    expect.objectContaining({ key: 'cursorInvalid' }),
  );
});

test('batches have every row once, in order, each batch with what is read beside it', async () => {
  const batches: { ids: string[]; company: string | undefined }[] = [];
  const reading = readBatches(
    db.app,
    companyId,
    events,
    { sort: 'action', order: 'asc' },
    {
      scope: async () => scope,
      size: 10,
      async more(tx, rows) {
        const { rows: own } = await sql<{ id: string }>`select company_id() as id`.execute(tx);
        return { ids: rows.map(({ id }) => id), company: own[0]?.id };
      },
    },
  );
  for await (const batch of reading) batches.push(batch);
  expect(batches.map(({ ids }) => ids.length)).toEqual([10, 10, 5]);
  expect(batches.every(({ company }) => company === companyId)).toBe(true);
  expect(batches.flatMap(({ ids }) => ids)).toEqual((await walk({ sort: 'action', order: 'asc' })).map(({ id }) => id));
});

test('a total that is kept is not counted', async () => {
  const page = await db.app.withCompany(companyId, (tx) => readPage(tx, events, {}, scope, 10_001));
  expect(page).toMatchObject({ total: 10_000, totalExact: false });
});
