import { type SystemRole, systemRoleIds } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import type { Mail } from '../../platform/text/mail.ts';
import { openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { insertTestTransaction } from '../../testing/transactions.ts';
import { accountsByKind, move, post } from '../ledger/index.ts';
import { noticeJobs } from '../notices/index.ts';
import { type PayeeAdded, payeeEvents } from '../payees/index.ts';
import { reached } from '../transactions/index.ts';
import { alertJobs, registerAlertsRoutes } from './index.ts';

let db: TestDatabase;
let http: SessionApp;
let company: TestCompany;
let mails: Mail[] = [];

const mailer = { send: async (mail: Mail) => void mails.push(mail), close: () => undefined };
const jobs = [...alertJobs(), ...noticeJobs({ mailer, publicUrl: 'https://console.example' })];
const log = pino({ level: 'silent' });

beforeAll(async () => {
  db = await testDatabase();
  http = await sessionApp(db.app, registerAlertsRoutes);
});
afterAll(async () => {
  await http.close();
  await db.close();
});
beforeEach(async () => {
  mails = [];
  company = await openTestCompany(db);
  await db.app.withCompany(company.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Far Voyage')`.execute(tx),
  );
});

async function member(email: string, role: SystemRole, language = 'en_US'): Promise<Caller> {
  const caller = http.signIn(company.id, role);
  await db.app.withCompany(company.id, (tx) =>
    sql`insert into member (company_id, id, identifier, email, language, role_id)
      values (company_id(), ${caller.session.userId}, ${newId()}, ${email}, ${language}, ${systemRoleIds[role]})`.execute(
      tx,
    ),
  );
  return caller;
}

async function takeOutbox(): Promise<{ name: string; payload: Record<string, unknown> }[]> {
  const { rows } = await db.worker.withCompany(company.id, (tx) =>
    sql<{ name: string; payload: Record<string, unknown> }>`
      delete from outbox where company_id = company_id() returning name, payload`.execute(tx),
  );
  return rows.filter(({ name }) => name !== 'live');
}

/** Does what relay and worker would, each job `times` times, until nothing more is announced. */
async function work(times = 1): Promise<void> {
  for (let due = await takeOutbox(); due.length > 0; due = await takeOutbox()) {
    for (const { name, payload } of due) await happen(name, payload, times);
  }
}

async function happen(name: string, payload: Record<string, unknown>, times = 1): Promise<void> {
  for (const job of jobs.filter(({ on }) => on?.includes(name))) {
    for (let i = 0; i < times; i++) await job.run({ companyId: company.id, database: db.worker, log }, payload);
  }
}

async function notices(): Promise<{ kind: string; link: string; recipients: string[] }[]> {
  const { rows } = await db.app.withCompany(company.id, (tx) =>
    sql<{ kind: string; link: string; recipients: string[] }>`
      select kind, link, recipients from notice where company_id = company_id() order by id`.execute(tx),
  );
  return rows;
}

/** Money that comes into the wallet of USDT, or with a negative amount leaves it. */
async function moveMoney(minor: bigint): Promise<void> {
  await db.app.withCompany(company.id, async (tx) => {
    const { available, chain } = await accountsByKind(tx, company.wallets.USDT, ['available', 'chain']);
    const legs = minor > 0n ? move(chain.id, available.id, minor) : move(available.id, chain.id, -minor);
    await post(tx, { id: newId(), kind: 'test', sourceId: newId(), description: '', legs });
  });
}

async function loseRole(caller: Caller): Promise<void> {
  const roleId = newId();
  await db.app.withCompany(company.id, async (tx) => {
    await sql`insert into role (company_id, id, name, permissions, active)
      values (company_id(), ${roleId}, 'Notices', '{notice.view}', true)`.execute(tx);
    await sql`update member set role_id = ${roleId} where company_id = company_id() and id = ${caller.session.userId}`.execute(
      tx,
    );
  });
}

const walletPath = () => `/web/crypto/wallets/${company.wallets.USDT}/alert` as '/web/crypto/wallets/{id}/alert';

describe('the alert of a low balance', () => {
  test('comes once a crossing to those who chose it, by notice and mail, each in their language', async () => {
    const finance = await member('finance@example.com', 'finance', 'zh_HK');
    const viewer = await member('viewer@example.com', 'viewer');
    await member('other@example.com', 'administrator');
    await finance.put('/web/notice/alerts', { on: { lowBalance: true } });
    await viewer.put('/web/notice/alerts', { on: { lowBalance: true } });
    await moveMoney(2_000_000_000n);
    expect((await finance.put(walletPath(), { below: '1000' })).status).toBe(200);
    await moveMoney(-1_000_000_001n);
    await moveMoney(-5_000_000n);
    await work(2);
    const link = `/app/wallet/${company.wallets.USDT}`;
    expect(await notices()).toEqual([
      { kind: 'alert.lowBalance', link, recipients: [expect.any(String)] },
      { kind: 'alert.lowBalance', link, recipients: [expect.any(String)] },
    ]);
    const subjects = Object.fromEntries(mails.map(({ to, subject }) => [to, subject]));
    expect(subjects).toEqual({
      'finance@example.com': 'Ethereum USDT 錢包餘額低於 1,000.00 USDT',
      'viewer@example.com': 'USDT wallet (Ethereum) below 1,000.00 USDT',
    });
    expect(mails).toHaveLength(2);
    expect(mails.find(({ to }) => to === 'viewer@example.com')?.text).toContain('fell to 999.999999 USDT');
    await moveMoney(1_000_000_000n);
    await work();
    expect(mails).toHaveLength(2);
    await moveMoney(-1_500_000_000n);
    await work();
    expect(mails).toHaveLength(4);
  });

  test('stops for a member whose role no longer shows wallets, and for one who switched it off', async () => {
    const finance = await member('finance@example.com', 'finance');
    const viewer = await member('viewer@example.com', 'viewer');
    await finance.put('/web/notice/alerts', { on: { lowBalance: true } });
    await viewer.put('/web/notice/alerts', { on: { lowBalance: true } });
    await finance.put(walletPath(), { below: '10' });
    await work();
    expect(mails).toHaveLength(2);
    await loseRole(viewer);
    await finance.put('/web/notice/alerts', { on: { lowBalance: false } });
    await moveMoney(20_000_000n);
    await moveMoney(-15_000_000n);
    await work();
    expect(mails).toHaveLength(2);
  });

  test('is set by those who may send money alone, and only above nothing', async () => {
    const viewer = await member('viewer@example.com', 'viewer');
    expect((await viewer.put(walletPath(), { below: '10' })).key).toBe('noPermission');
    const finance = await member('finance@example.com', 'finance');
    expect((await finance.put(walletPath(), { below: '0.000' })).key).toBe('validationFailed');
    expect((await finance.put(walletPath(), { below: '1.0000001' })).key).toBe('amountTooManyDecimals');
    const unknown = `/web/crypto/wallets/${newId()}/alert` as '/web/crypto/wallets/{id}/alert';
    expect((await finance.put(unknown, { below: '1' })).key).toBe('walletNotFound');
  });
});

describe('the alert of a large deposit', () => {
  async function deposit(
    valueUsdCents: bigint | null,
    type: 'chain_deposit' | 'failed_refund' = 'chain_deposit',
  ): Promise<string> {
    const id = await insertTestTransaction(db, company, { type, quantityMinor: 12_500_000_000n, valueUsdCents });
    const { name, payload } = reached(id, 'credited');
    await happen(name, payload, 2);
    await work();
    return id;
  }

  test('follows each member’s own threshold, and a value that is not known counts as large', async () => {
    const high = await member('high@example.com', 'finance');
    const low = await member('low@example.com', 'approver');
    await high.put('/web/notice/alerts', { on: { largeIncoming: true } });
    await low.put('/web/notice/alerts', { on: { largeIncoming: true }, largeIncomingUsd: '500' });
    const id = await deposit(50_000n);
    expect(mails.map(({ to }) => to)).toEqual(['low@example.com']);
    expect(mails[0]?.subject).toBe('Large deposit: 12,500.00 USDT');
    expect(mails[0]?.text).toContain(`https://console.example/app/transaction/${id}`);
    await deposit(49_999n);
    expect(mails).toHaveLength(1);
    await deposit(1_000_000n);
    expect(mails).toHaveLength(3);
    await deposit(null);
    expect(mails.slice(3).map(({ subject }) => subject)).toEqual(
      Array.from({ length: 2 }, () => 'Deposit of unknown value: 12,500.00 USDT'),
    );
  });

  test('does not follow money that comes back, nor a deposit that is not final', async () => {
    const finance = await member('finance@example.com', 'finance');
    await finance.put('/web/notice/alerts', { on: { largeIncoming: true } });
    await deposit(9_000_000n, 'failed_refund');
    const id = await insertTestTransaction(db, company, { valueUsdCents: 9_000_000n });
    const { name, payload } = reached(id, 'seen');
    await happen(name, payload);
    await work();
    expect(mails).toEqual([]);
  });
});

describe('the alert of a new payee', () => {
  const payee: PayeeAdded = {
    id: newId(),
    label: 'Harbour Supplies',
    chain: 'Ethereum',
    coin: 'USDT',
    address: '0x1111111111111111111111111111111111111111',
    addedBy: 'Fiona Lam',
  };

  test('names who added what, once, also when another member chose it between two runs', async () => {
    const admin = await member('admin@example.com', 'administrator');
    await admin.put('/web/notice/alerts', { on: { newPayee: true } });
    await happen(payeeEvents.added, { ...payee });
    const late = await member('late@example.com', 'viewer');
    await late.put('/web/notice/alerts', { on: { newPayee: true } });
    await happen(payeeEvents.added, { ...payee });
    await work();
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ['admin@example.com', 'New payee: Harbour Supplies'],
      ['late@example.com', 'New payee: Harbour Supplies'],
    ]);
    expect(mails[0]?.text).toContain('Fiona Lam');
    expect(mails[0]?.text).toContain(payee.address);
    expect((await notices()).map(({ link }) => link)).toEqual([`/app/payee/${payee.id}`, `/app/payee/${payee.id}`]);
  });
});

describe('choosing', () => {
  test('nothing is chosen at first, and what is not named stays', async () => {
    const finance = await member('finance@example.com', 'finance');
    const { data } = await finance.get('/web/notice/alerts');
    expect(data).toEqual({
      timeZone: 'Asia/Hong_Kong',
      alerts: ['lowBalance', 'largeIncoming', 'newPayee', 'dailyDigest'].map((alert) => ({
        alert,
        on: false,
        allowed: true,
      })),
      largeIncomingUsd: '10000.00',
      digestHour: 9,
      digestAlways: false,
    });
    await finance.put('/web/notice/alerts', { on: { newPayee: true }, largeIncomingUsd: '2500.5' });
    const changed = (await finance.put('/web/notice/alerts', { digestHour: 18, digestAlways: true })).data;
    expect(changed).toMatchObject({ largeIncomingUsd: '2500.50', digestHour: 18, digestAlways: true });
    expect(changed.alerts.filter(({ on }) => on).map(({ alert }) => alert)).toEqual(['newPayee']);
  });

  test('an alert of what the role does not show is refused', async () => {
    const finance = await member('finance@example.com', 'finance');
    Object.assign(finance.session, { permissions: ['notice.view'] });
    expect((await finance.put('/web/notice/alerts', { on: { lowBalance: true } })).key).toBe('noPermission');
    expect((await finance.put('/web/notice/alerts', { on: { lowBalance: false } })).status).toBe(200);
  });

  test.each([
    { digestHour: 24 },
    { digestHour: 1.5 },
    { largeIncomingUsd: '0' },
    { largeIncomingUsd: '1.001' },
    { on: { all: true } },
  ])('%j is refused', async (body) => {
    const finance = await member('finance@example.com', 'finance');
    expect((await finance.put('/web/notice/alerts', body)).key).toBe('validationFailed');
  });
});
