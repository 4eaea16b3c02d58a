import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { notify, publishAnnouncement, registerNoticesRoutes } from './index.ts';

const path = '/web/notice';
const nil = '00000000-0000-0000-0000-000000000000';
let db: TestDatabase;
let http: SessionApp;
let companyId: string;
let caller: Caller;

beforeAll(async () => {
  db = await testDatabase();
  http = await sessionApp(db.app, (app) => registerNoticesRoutes(app));
});
afterAll(async () => {
  await http.close();
  await db.close();
});
beforeEach(() => {
  companyId = newId();
  caller = http.signIn(companyId);
});

function tell(amount: string, options: { kind?: string; sourceId?: string; company?: string } = {}) {
  const { kind = 'depositCredited', sourceId = newId(), company = companyId } = options;
  const values = {
    amount,
    coin: 'USDT',
    chain: 'Ethereum',
    needed: 6,
    payee: 'P',
    reason: { text: 'stage.reason.frozen' },
  };
  return db.worker.withCompany(company, (tx) => notify(tx, { kind, sourceId, values, link: '/app/transaction/1' }));
}

const titles = async (query = '', locale = 'en-us') =>
  (await caller.get(`${path}?${query}`, locale)).data.items.map(({ title }) => title);

describe('notices', () => {
  test('are said in the language of whoever reads, newest first, reasons included', async () => {
    await tell('1.5');
    await tell('2.5', { kind: 'transferFailed' });
    const hk = await caller.get(path, 'zh-hk');
    expect(hk.data.items[0]).toMatchObject({
      type: 'system_message',
      title: '轉帳失敗：2.5 USDT 轉往 P',
      body: '2.5 USDT 未能轉給 P：錢包已被凍結。金額及手續費已退回錢包。',
      link: '/app/transaction/1',
      read: false,
    });
    expect(await titles()).toEqual(['Transfer failed: 2.5 USDT to P', 'Deposit of 1.5 USDT credited']);
  });

  test('are given once for a source and kind', async () => {
    const sourceId = newId();
    expect(await tell('1', { sourceId })).toBe(true);
    expect(await tell('1', { sourceId })).toBe(false);
    expect(await tell('1', { sourceId, kind: 'depositSeen' })).toBe(true);
    expect((await caller.get(path)).data.total).toBe(2);
  });

  test('are marked read one by one and all at once, for each person apart', async () => {
    for (const amount of ['1', '2', '3']) await tell(amount);
    const colleague = http.signIn(companyId);
    await tell('4');
    const { data } = await caller.get(path);
    expect(data).toMatchObject({ total: 4, unread: 4 });
    const [first, second] = data.items;
    expect((await caller.put(`${path}?ids=${first!.id},${second!.id}`)).status).toBe(200);
    expect(await titles('read=false')).toHaveLength(2);
    expect(await titles('read=true')).toHaveLength(2);
    expect((await caller.put(`${path}/all`)).status).toBe(200);
    expect((await caller.get(path)).data).toMatchObject({ total: 4, unread: 0 });
    await tell('5');
    expect((await caller.get(path)).data.unread).toBe(1);
    // Who joined later was not told of what came before.
    expect((await colleague.get(path)).data).toMatchObject({ total: 2, unread: 2 });
  });

  test('are paged and searched in the reader’s words', async () => {
    for (let i = 0; i < 12; i++) await tell(`${i}.25`);
    const first = await caller.get(`${path}?size=10`);
    const second = await caller.get(`${path}?size=10&cursor=${first.data.next}`);
    expect([first.data.items.length, second.data.items.length, second.data.next]).toEqual([10, 2, null]);
    expect(await titles('keyword=DEPOSIT%20of%207.25')).toEqual(['Deposit of 7.25 USDT credited']);
    expect(await titles(`keyword=${encodeURIComponent('充值')}`)).toEqual([]);
    expect(await titles(`keyword=${encodeURIComponent('充值')}`, 'zh-cn')).toHaveLength(12);
    expect(await titles('keyword=%25')).toEqual([]);
    expect((await caller.get(`${path}?cursor=zzz`)).key).toBe('cursorInvalid');
    const odd = Buffer.from('["x"]').toString('base64url');
    expect((await caller.get(`${path}?cursor=${odd}`)).key).toBe('cursorInvalid');
  });

  test('are taken away one by one, or all that were read, for each person apart', async () => {
    for (const amount of ['1', '2', '3', '4']) await tell(amount);
    const ids = (await caller.get(path)).data.items.map((item: { id: string }) => item.id);
    const colleague = http.signIn(companyId);
    await tell('5');
    expect((await caller.delete(`${path}?ids=${ids[0]},${ids[1]}`)).status).toBe(200);
    expect((await caller.get(path)).data).toMatchObject({ total: 3, unread: 3 });
    expect(await titles('keyword=of%204')).toEqual([]);
    // What is gone is neither there to be marked nor to be taken away again.
    expect((await caller.delete(`${path}?ids=${ids[0]},${ids[2]}`)).key).toBe('notFound');
    expect((await caller.put(`${path}?ids=${ids[0]}`)).key).toBe('notFound');
    expect((await caller.delete(`${path}?ids=no-id`)).key).toBe('validationFailed');
    await caller.put(`${path}?ids=${ids[2]}`);
    // How many were read is counted whatever the list is filtered by: the button that takes them away goes by it.
    expect((await caller.get(`${path}?read=false`)).data).toMatchObject({ total: 2, readTotal: 1 });
    expect((await caller.get(`${path}?keyword=of%204`)).data).toMatchObject({ total: 0, readTotal: 1 });
    expect((await colleague.get(path)).data).toMatchObject({ readTotal: 0 });
    expect((await caller.delete(`${path}/read`)).data).toEqual({ deleted: 1 });
    expect((await caller.delete(`${path}/read`)).data).toEqual({ deleted: 0 });
    expect(await titles()).toEqual(['Deposit of 5 USDT credited', 'Deposit of 1 USDT credited']);
    await caller.put(`${path}/all`);
    expect((await caller.delete(`${path}/read`)).data).toEqual({ deleted: 2 });
    expect((await caller.get(path)).data).toMatchObject({ total: 0, unread: 0 });
    expect((await colleague.get(path)).data).toMatchObject({ total: 1, unread: 1 });
  });

  test("another company's are not there, nor to be marked", async () => {
    await tell('1');
    const { data } = await caller.get(path);
    const stranger = http.signIn(newId());
    expect((await stranger.get(path)).data).toMatchObject({ items: [], total: 0, unread: 0 });
    const unknown = await stranger.put(`${path}?ids=${newId()}`);
    const foreign = await stranger.put(`${path}?ids=${data.items[0]!.id}`);
    expect([foreign.status, foreign.key]).toEqual([404, unknown.key]);
    expect((await caller.put(`${path}?ids=${data.items[0]!.id}`)).status).toBe(200);
  });
});

test('an announcement reaches every company in its own three texts; only the operator makes one', async () => {
  const texts = {
    'en-us': { title: 'Maintenance', body: 'On <b>Sunday</b> {time}' },
    'zh-hk': { title: '系統維護', body: '星期日' },
    'zh-cn': { title: '系统维护', body: '周日' },
  };
  await tell('1');
  const id = await db.operator.withCompany(nil, (tx) => publishAnnouncement(tx, texts, 'root'));
  await tell('2');
  const { data } = await caller.get(path);
  expect(data.items.map(({ title }) => title)).toEqual([
    'Deposit of 2 USDT credited',
    'Maintenance',
    'Deposit of 1 USDT credited',
  ]);
  expect(data.items[1]).toMatchObject({ id, type: 'announcement', body: 'On <b>Sunday</b> {time}' });
  expect(await titles('type=announcement', 'zh-cn')).toEqual(['系统维护']);
  expect(await titles('type=system_message')).toHaveLength(2);
  expect((await caller.put(`${path}?ids=${id}`)).status).toBe(200);
  expect((await caller.get(`${path}?type=announcement&read=true`)).data.total).toBe(1);
  const attempt = db.app.withCompany(nil, (tx) => publishAnnouncement(tx, texts, 'app'));
  await expect(attempt).rejects.toMatchObject({ code: '42501' });
});
