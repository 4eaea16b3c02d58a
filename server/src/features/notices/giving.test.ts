import type { Locale } from '@causeway/contract/locale.ts';
import {
  deleteNotices,
  deleteReadNotices,
  getNoticePreferences,
  listNotices,
  readAllNotices,
  readNotices,
  setNoticePreferences,
} from '@causeway/contract/notices.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import type { Mail } from '../../platform/text/mail.ts';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { keepTimeZone } from '../../testing/time-zone.ts';
import { type NoticeToGive, noticeJobs, notify, prepareNotice, reviseNotice } from './index.ts';

let world: MainApp;
let tenant: Tenant;
let mails: Mail[] = [];
let mailboxFails = false;
const mailer = {
  async send(mail: Mail) {
    if (mailboxFails) throw new Error('mailbox is full');
    mails.push(mail);
  },
  close: () => undefined,
};
const jobs = noticeJobs({ mailer, publicUrl: 'https://console.example' });
const log = pino({ level: 'silent' });

beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
beforeEach(async () => {
  tenant = await world.company();
  mails = [];
  mailboxFails = false;
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const give = (options: Partial<NoticeToGive> = {}) =>
  world.db.worker.withCompany(tenant.id, (tx) =>
    notify(tx, {
      kind: 'depositCredited',
      sourceId: newId(),
      values: { amount: '5', coin: 'USDT', chain: 'Ethereum' },
      link: '/app/transaction/1',
      ...options,
    }),
  );

async function seenBy(as: Member, locale: Locale = 'en-us'): Promise<{ title: string; body: string }[]> {
  return (await world.ask(listNotices, { as, headers: { 'accept-language': locale } })).data.items;
}

/** Runs what the relay would queue, each event once; returns the events of mails, to run them again. */
async function work(payloads?: { name: string; payload: Record<string, unknown> }[]) {
  const due = payloads ?? (await takeOutbox());
  for (const { name, payload } of due) {
    for (const job of jobs.filter(({ on }) => on?.includes(name))) {
      await job.run({ companyId: tenant.id, database: world.db.worker, log }, payload);
    }
  }
  return due;
}

async function takeOutbox() {
  const { rows } = await world.db.worker.withCompany(tenant.id, (tx) =>
    sql<{ name: string; payload: Record<string, unknown> }>`
      delete from outbox where company_id = company_id() returning name, payload`.execute(tx),
  );
  return rows.filter(({ name }) => name !== 'live');
}

describe('a notice to some', () => {
  test('is seen by them alone, told once to the same people, and again to others', async () => {
    const [finance, viewer] = [await world.member(tenant, 'finance'), await world.member(tenant, 'viewer')];
    const [a, b] = [finance.session.userId, viewer.session.userId];
    const sourceId = newId();
    expect(await give({ sourceId, to: [a] })).toBe(true);
    expect(await give({ sourceId, to: [a, a] })).toBe(false);
    expect(await give({ sourceId, to: [b, a] })).toBe(true);
    expect(await give({ sourceId, to: [a, b] })).toBe(false);
    expect(await give({ to: [] })).toBe(false);
    expect(await give({ sourceId })).toBe(true);
    expect(await give({ sourceId })).toBe(false);
    expect(await seenBy(finance)).toHaveLength(3);
    expect(await seenBy(viewer)).toHaveLength(2);
    expect(await seenBy(tenant.admin)).toHaveLength(1);
  });

  test('cannot be marked or taken away by others', async () => {
    const finance = await world.member(tenant, 'finance');
    await give({ to: [finance.session.userId] });
    const [mine] = (await world.ask(listNotices, { as: finance })).data.items;
    for (const call of [readNotices, deleteNotices]) {
      const query = { ids: mine!.id };
      expect((await world.ask(call, { as: tenant.admin, query })).key, call.name).toBe('notFound');
    }
    await world.ask(readAllNotices, { as: tenant.admin });
    expect((await world.ask(deleteReadNotices, { as: tenant.admin })).data.deleted).toBe(0);
    expect(await seenBy(finance)).toHaveLength(1);
  });
});

describe('a mail', () => {
  test('goes to those it is for, in their language, with facts and a link, and once', async () => {
    const finance = await world.member(tenant, 'finance');
    await world.db.app.withCompany(tenant.id, (tx) =>
      sql`update member set language = 'zh_HK' where company_id = company_id() and id = ${finance.session.userId}`.execute(
        tx,
      ),
    );
    const facts = [{ label: 'receipt.hash', value: '0xabc' }];
    await give({ to: [finance.session.userId], facts });
    const due = await work();
    await work(due);
    expect(mails.map(({ to }) => to)).toEqual([finance.email]);
    expect(mails[0]?.subject).toBe('5 USDT 充值已入帳');
    expect(mails[0]?.text).toContain('0xabc');
    expect(mails[0]?.text).toContain('https://console.example/app/transaction/1');
  });

  test('of a notice to all goes only to those named', async () => {
    const finance = await world.member(tenant, 'finance');
    await give();
    await give({ mailTo: [finance.session.userId] });
    await give({ to: [finance.session.userId], mailTo: [] });
    await work();
    expect(mails.map(({ to }) => to)).toEqual([finance.email]);
  });

  test('that fails is tried again by its job, and is then sent', async () => {
    await give({ to: [tenant.admin.session.userId] });
    mailboxFails = true;
    const due = await takeOutbox();
    await expect(work(due)).rejects.toThrow('full');
    mailboxFails = false;
    await work(due);
    expect(mails).toHaveLength(1);
  });

  test('is not sent to who chose so for its group, nor to who is disabled; security always', async () => {
    const { admin } = tenant;
    const chosen = [
      { group: 'money', mail: false },
      { group: 'risk', mail: false },
    ];
    const answer = await world.ask(setNoticePreferences, { as: admin, body: { groups: chosen } });
    expect(answer.data.email).toBe(admin.email);
    const off = (data: typeof answer.data) =>
      data.groups.flatMap(({ group, mail }: { group: string; mail: boolean }) => (mail ? [] : [group]));
    expect(off(answer.data)).toEqual(['money', 'risk']);
    await world.ask(setNoticePreferences, { as: admin, body: { groups: [{ group: 'risk', mail: true }] } });
    expect(off((await world.ask(getNoticePreferences, { as: admin })).data)).toEqual(['money']);
    const values = { what: { text: 'notice.what.newDevice' }, time: '2026-11-21 10:00 UTC', ip: '10.0.0.1' };
    await give({ to: [admin.session.userId] });
    await give({ to: [admin.session.userId], kind: 'account.newDevice', values });
    await work();
    expect(mails.map(({ subject }) => subject)).toEqual(['New sign-in to your account from a new device']);
    const refused = await world.ask(setNoticePreferences, {
      as: admin,
      body: { groups: [{ group: 'security', mail: false }] },
    });
    expect(refused.key).toBe('noticeMailFixed');
    const gone = await world.member(tenant, 'viewer');
    await give({ to: [gone.session.userId] });
    await world.db.app.withCompany(tenant.id, (tx) =>
      sql`update member set disabled_at = now() where company_id = company_id() and id = ${gone.session.userId}`.execute(
        tx,
      ),
    );
    await work();
    expect(mails).toHaveLength(1);
  });
});

describe('a time in a notice', () => {
  const deadline = (at: string): Partial<NoticeToGive> => ({
    kind: 'tradeDeadline',
    values: { number: 'TG-1', other: 'Delta', deadline: 'set', until: { at } },
    to: [tenant.admin.session.userId],
  });
  const [winter, summer] = ['2026-01-15T04:30:00.000Z', '2026-07-15T04:30:00.000Z'];
  beforeEach(() => keepTimeZone(world.db.app, tenant.id, 'America/New_York'));

  test('is said on the clocks of the company, in each language, also after they were changed', async () => {
    await give(deadline(winter));
    await give(deadline(summer));
    const said = async (locale: Locale) => (await seenBy(tenant.admin, locale)).map(({ body }) => body);
    expect(await said('en-us')).toEqual([
      expect.stringContaining('Jul 15, 2026, 00:30 (GMT-4)'),
      expect.stringContaining('Jan 14, 2026, 23:30 (GMT-5)'),
    ]);
    expect((await said('zh-hk'))[0]).toContain('2026年7月15日 00:30（GMT-4）');
    expect((await said('zh-cn'))[1]).toContain('2026年1月14日 23:30（GMT-5）');
    await keepTimeZone(world.db.app, tenant.id, 'Asia/Hong_Kong');
    expect((await said('zh-hk'))[0]).toContain('2026年7月15日 12:30（GMT+8）');
  });

  test('is in its mail and in the facts of the mail, and is found by its words', async () => {
    const { admin } = tenant;
    await give({ ...deadline(summer), facts: [{ label: 'receipt.id', value: { at: winter } }] });
    await work();
    expect(mails[0]?.text).toContain('Jul 15, 2026, 00:30 (GMT-4)');
    expect(mails[0]?.text).toContain('Jan 14, 2026, 23:30 (GMT-5)');
    const found = async (keyword: string, locale: Locale = 'en-us') =>
      (await world.ask(listNotices, { as: admin, query: { keyword }, headers: { 'accept-language': locale } })).data;
    expect((await found('jul 15, 2026, 00:30')).items).toHaveLength(1);
    expect((await found('7月15日 00:30', 'zh-cn')).items).toHaveLength(1);
    expect((await found('04:30')).items).toEqual([]);
  });

  test('of a notice that is revised is found by its new words', async () => {
    const sourceId = newId();
    await give({ ...deadline(winter), sourceId });
    const { kind = '', values = {} } = deadline(summer);
    await world.db.worker.withCompany(tenant.id, (tx) => reviseNotice(tx, { kind, sourceId, values }));
    const found = await world.ask(listNotices, { as: tenant.admin, query: { keyword: 'jul 15, 2026, 00:30' } });
    expect(found.data.items).toHaveLength(1);
  });

  test('is not prepared where no time zone is known', () => {
    const notice = { kind: '', sourceId: newId(), values: {}, link: null, ...deadline(summer) };
    expect(() => prepareNotice(tenant.id, notice)).toThrow('time zone');
    expect(prepareNotice(tenant.id, { ...notice, timeZone: 'UTC' })?.row.search['en-us']).toContain('04:30 (utc)');
  });
});

test('what happened to an account is told to its owner alone, once, and not mailed a second time', async () => {
  const { admin } = tenant;
  const colleague = await world.member(tenant, 'administrator');
  const event = { userId: admin.session.userId, at: '2026-11-21T10:00:00.000Z', ip: '10.0.0.1', userAgent: '' };
  const happened = ['passwordChanged', 'recoveryCodeUsed', 'passkeyRemoved', 'newDevice', 'somethingNew'];
  const payloads = happened.map((what) => ({ name: 'identity.security', payload: { ...event, what } }));
  await work(payloads);
  await work(payloads);
  expect((await seenBy(admin)).map(({ title }) => title).reverse()).toEqual([
    'Your password was changed',
    'A recovery code was used',
    'A passkey was removed',
    'New sign-in to your account from a new device',
    'The security settings of your account were changed',
  ]);
  expect((await seenBy(admin, 'zh-cn'))[4]?.body).toContain('2026年11月21日 18:00（GMT+8），IP：10.0.0.1');
  expect(await seenBy(colleague)).toEqual([]);
  await work();
  expect(mails).toEqual([]);
});
