import { listNotices } from '@causeway/contract/notices.ts';
import type { RiskReason } from '@causeway/contract/risk-rules.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { credit } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { enact, forbidding, riskSubject } from '../../../testing/risk.ts';
import { transferContent, transferRequest } from '../../../testing/valid-requests.ts';
import { windowsAt } from '../domain.ts';
import { riskJobs } from '../index.ts';
import { insertAssessments } from '../store/assessments.ts';
import { maxMailsAnHour } from './alert.ts';

let world: MainApp;
let tenant: Tenant;
let clerk: Member;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
  clerk = await world.member(tenant, 'finance');
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

interface Event {
  name: string;
  payload: Record<string, unknown>;
}

/** The company's events of this name, taken from the outbox as the relay does. */
async function take(name: string): Promise<Event[]> {
  const { rows } = await world.db.worker.withCompany(tenant.id, (tx) =>
    sql<Event>`delete from outbox where company_id = company_id() and name = ${name} returning name, payload`.execute(
      tx,
    ),
  );
  return rows;
}

async function run(events: readonly Event[]): Promise<void> {
  const context = { companyId: tenant.id, database: world.db.worker, log: pino({ level: 'silent' }) };
  for (const { name, payload } of events) {
    for (const job of riskJobs()) if (job.on?.includes(name)) await job.run(context, payload);
  }
}

async function seenBy(as: Member) {
  return (await world.ask(listNotices, { as })).data.items;
}

/** Whom mails are due to, once for each mail. */
async function mailed(): Promise<unknown[]> {
  return (await take('notices.mailDue')).map(({ payload }) => payload['userId']);
}

const minute = 60_000;

interface Try {
  /** Milliseconds since the first. */
  after?: number;
  account?: string;
  reason?: RiskReason;
  late?: boolean;
  usd?: number;
}

const start = Date.UTC(2026, 10, 23, 8);
const account = '0x52908400098527886E0F7030069857D2E4169EE7';

/** As a judgement that stops writes it; returns its event. */
async function stop({ after = 0, late = false, reason = 'notWhitelisted', ...given }: Try = {}): Promise<Event> {
  const id = newId();
  const { accountKey: _, ...subject } = riskSubject({ account, initiatorId: clerk.session.userId, ...given });
  const assessment = {
    companyId: tenant.id,
    id,
    atMicros: (start + after) * 1000,
    moment: late ? ('handover' as const) : ('submission' as const),
    inputs: {
      subject,
      affiliation: null,
      windows: windowsAt('2026-11-23', [], null),
      blackEntryId: null,
      whiteEntry: null,
      onlyWhitelisted: true,
    },
    judgement: { allowed: false, reason, subjectId: null, subjectName: subject.account },
    rulesetVersion: 0,
  };
  await world.db.app.withCompany(tenant.id, (tx) => insertAssessments(tx, [assessment]));
  return { name: 'risk.stopped', payload: { assessmentId: id } };
}

test('a refused transfer is a notice and a mail to those who run the policies, and a hundred tries are one', async () => {
  await credit(world.db, tenant, 'USDT', 1_000_000_000n);
  await enact(world.db, tenant.id, forbidding({ dimension: 'coin', coins: ['USDT'] }, { name: 'No tether' }));
  const content = await transferContent(world, tenant);
  const refused = async () => {
    const request = await transferRequest(world, tenant, { ...content, id: newId() }, clerk);
    expect((await world.ask(transferOut, request)).key).toBe('riskRefused');
  };
  await refused();
  const [first, ...more] = await take('risk.stopped');
  expect(more).toEqual([]);
  await run(first ? [first] : []);
  expect(await mailed()).toEqual([tenant.admin.session.userId]);

  await refused();
  await refused();
  const later = await take('risk.stopped');
  expect(later).toHaveLength(2);
  await run([...later, ...later, ...(first ? [first] : [])]);
  expect(await mailed()).toEqual([]);
  const [notice, ...others] = await seenBy(tenant.admin);
  expect(others).toEqual([]);
  expect(notice?.title).toMatch(/^Stopped: \S+ USDT to .+ \(3 tries\)$/);
  expect(notice?.body).toContain('Stopped by the risk policy “No tether”.');
  expect(notice?.body).toContain(clerk.session.userName);
  expect(notice?.link).toMatch(/^\/app\/risk-setting\/policy\/stopped\/[0-9a-f-]{36}$/);
  expect(await seenBy(clerk)).toEqual([]);
});

test('another reason, another payee, a stop after submission, and a try after the hour make a notice each', async () => {
  const other = '0xde709f2102306220921060314715629080e2fb77';
  const stops: readonly Try[] = [
    {},
    { after: 59 * minute, usd: 250 },
    { after: 61 * minute },
    { account: other },
    { reason: 'whitelistSingle' },
    { late: true },
  ];
  for (const each of stops) await run([await stop(each)]);
  const titles = (await seenBy(tenant.admin)).map(({ title }) => title).sort();
  expect(titles).toEqual(
    [
      `Stopped: 250.00 USDT to ${account} (2 tries)`,
      `Stopped: 100.00 USDT to ${account}`,
      `Stopped: 100.00 USDT to ${other}`,
      `Stopped: 100.00 USDT to ${account}`,
      `Stopped after submission: 100.00 USDT to ${account}`,
    ].sort(),
  );
});

test('tries share a notice in whatever order their jobs run', async () => {
  const events = [await stop({ after: 20 * minute }), await stop(), await stop({ after: 40 * minute })];
  await run(events);
  expect(await seenBy(tenant.admin)).toMatchObject([{ title: `Stopped: 100.00 USDT to ${account} (3 tries)` }]);
});

test('tries to ever other payees make a notice each, but no more mails than a few an hour', async () => {
  for (let place = 0; place < maxMailsAnHour + 3; place++) {
    await run([await stop({ after: place * minute, account: `0x${String(place).padStart(40, '0')}` })]);
  }
  expect(await seenBy(tenant.admin)).toHaveLength(maxMailsAnHour + 3);
  expect(await mailed()).toHaveLength(maxMailsAnHour);
  await run([await stop({ after: 120 * minute })]);
  expect(await mailed()).toHaveLength(1);
});
