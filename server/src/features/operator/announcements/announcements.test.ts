import { listNotices } from '@causeway/contract/notices.ts';
import * as calls from '@causeway/contract/operator-announcements.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { credit } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';
import { succeed } from '../../../testing/valid-requests.ts';
import { sendDue } from './sending.ts';

/** Announcements from the operator's editor to the notices of companies. */

let db: TestDatabase;
let world: MainApp;
let console: OperatorApp;
let [writer, viewer] = [] as unknown as [TestOperator, TestOperator];
let [one, two] = [] as unknown as [Tenant, Tenant];

beforeAll(async () => {
  db = await testDatabase();
  world = await mainApp(db);
  console = await operatorApp(db);
  [writer, viewer] = [await console.operator('support'), await console.operator('viewer')];
  [one, two] = [await world.company(), await world.company()];
});
afterAll(async () => {
  expect(world.complaints).toEqual([]);
  expect(console.complaints).toEqual([]);
  await console.close();
  await world.close();
  await db.close();
});

const textsOf = (title: string) => ({
  'en-us': { title, body: 'First.\n\nSecond.' },
  'zh-hk': { title: `${title} 港`, body: '內容' },
  'zh-cn': { title: `${title} 陆`, body: '内容' },
});

async function write(title: string, more: object = {}) {
  const body = { id: newId(), texts: textsOf(title), audience: { kind: 'all' }, ...more };
  return console.ask(calls.writeAnnouncement, { as: writer, body });
}

async function titlesOf({ admin }: Tenant): Promise<string[]> {
  const { items } = (await succeed(world, listNotices, { as: admin, query: { type: 'announcement' } })).data;
  return items.map(({ title }) => title);
}

async function shown(id: string) {
  return (await console.ask(calls.listAnnouncements, { as: viewer, query: { id } })).data.items[0];
}

test('one that is sent now reaches every company once, however many workers look', async () => {
  const { data } = await write('Maintenance');
  expect(await titlesOf(one)).toEqual([]);
  await Promise.all(Array.from({ length: 6 }, () => sendDue(db.worker)));
  for (const tenant of [one, two]) expect(await titlesOf(tenant)).toEqual(['Maintenance']);
  expect(await shown(data.id)).toMatchObject({ state: 'sent', writtenBy: writer.name });
  const edit = { ...textsOf('x') };
  const body = { texts: edit, audience: { kind: 'all' }, version: 1 };
  expect((await console.ask(calls.editAnnouncement, { as: writer, params: data, body })).key).toBe(
    'announcementSettled',
  );
  expect((await console.ask(calls.cancelAnnouncement, { as: writer, params: data })).key).toBe('announcementSettled');
});

test('one that a worker was killed over is sent by the next, and then no more', async () => {
  await write('Killed over');
  const owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
  // The last step of sending fails, as when the worker dies before it commits.
  await owner.query(
    `alter table causeway.operator_announcement add constraint killed check (state <> 'sent') not valid`,
  );
  await expect(sendDue(db.worker)).rejects.toThrow();
  expect(await titlesOf(one)).not.toContain('Killed over');
  await owner.query('alter table causeway.operator_announcement drop constraint killed');
  await owner.end();
  await sendDue(db.worker);
  await sendDue(db.worker);
  expect((await titlesOf(one)).filter((title) => title === 'Killed over')).toHaveLength(1);
});

test('one for a company, or for those who hold an asset, is seen and mailed there alone', async () => {
  await write('For one', { audience: { kind: 'company', companyId: one.id } });
  await credit(db, two, 'HKDT', 1n);
  const held = await write('For holders', { audience: { kind: 'asset', asset: 'HKDT' } });
  const unaddressed = await write('For no company', { audience: { kind: 'asset', asset: 'BTC' } });
  await sendDue(db.worker);
  expect(await titlesOf(one)).toContain('For one');
  expect(await titlesOf(one)).not.toContain('For holders');
  expect(await titlesOf(two)).toContain('For holders');
  expect(await titlesOf(two)).not.toContain('For one');
  const { rows } = await db.operator.pool.query<{ id: string }>(
    "select id from announcement where texts -> 'en-us' ->> 'title' = 'For holders'",
  );
  const unmailed = await db.worker.pool.query('select company_id as id from notices_unmailed($1, null, 100)', [
    rows[0]?.id,
  ]);
  expect(unmailed.rows).toEqual([{ id: two.id }]);
  expect(await shown(unaddressed.data.id)).toMatchObject({ state: 'sent', companies: 0 });
  expect(await shown(held.data.id)).toMatchObject({ audience: { kind: 'asset', asset: 'HKDT' } });
});

test('a planned one waits, is edited by who has read it, and cancelled', async () => {
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const { data } = await write('Planned', { sendAt });
  await sendDue(db.worker);
  const edited = { texts: textsOf('Planned better'), audience: { kind: 'all' }, sendAt };
  const edit = (version: number, change: object = {}) =>
    console.ask(calls.editAnnouncement, { as: writer, params: data, body: { ...edited, version, ...change } });
  expect((await edit(1)).status).toBe(200);
  expect((await edit(1)).key).toBe('announcementChanged');
  expect((await edit(2, { sendAt: '2020-01-01T00:00:00.000Z' })).key).toBe('announcementInPast');
  expect(await shown(data.id)).toMatchObject({
    state: 'planned',
    version: 2,
    texts: { 'en-us': { title: 'Planned better' } },
  });
  expect((await console.ask(calls.cancelAnnouncement, { as: writer, params: data })).status).toBe(200);
  expect(await shown(data.id)).toMatchObject({ state: 'cancelled', cancelledBy: writer.name });
  expect((await console.ask(calls.cancelAnnouncement, { as: viewer, params: data })).key).toBe('noPermission');
  const id = newId();
  expect((await write('Same', { id })).status).toBe(200);
  expect((await write('Same', { id })).key).toBe('idTaken');
  expect((await write('x', { audience: { kind: 'asset', asset: 'DOGE' } })).key).toBe('assetUnknown');
  expect((await write('x', { audience: { kind: 'company', companyId: newId() } })).key).toBe('notFound');
  expect(await console.audited()).toEqual(
    expect.arrayContaining([
      'operator.writeAnnouncement',
      'operator.editAnnouncement',
      'operator.cancelAnnouncement',
      'notices.publishAnnouncement',
    ]),
  );
});

test('the process that writes announcements cannot send them', async () => {
  const { data } = await write('Waits');
  const send = db.console.pool.query(`update operator_announcement set state = 'sent' where id = $1`, [data.id]);
  await expect(send).rejects.toThrow();
  const publish = db.console.pool.query(`insert into announcement (id, texts) values ($1, '{}')`, [newId()]);
  await expect(publish).rejects.toMatchObject({ code: '42501' });
});
