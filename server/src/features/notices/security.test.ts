import * as approvals from '@causeway/contract/approvals.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { listNotices, setNoticePreferences } from '@causeway/contract/notices.ts';
import { noticeGroups } from '@causeway/contract/notices-rules.ts';
import * as organisation from '@causeway/contract/organisation.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { setRiskSetting } from '@causeway/contract/risk-lists.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Mail } from '../../platform/text/mail.ts';
import { consent } from '../../testing/consent.ts';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { member, memberForm, role, roleForm } from '../../testing/organisation.ts';
import { succeed } from '../../testing/succeed.ts';
import { noticeJobs } from './index.ts';

/** No change of the two-person control is silent: who gets a notice and a mail, and who does not. */

let world: MainApp;
let tenant: Tenant;
let admin: Member;
/** Another administrator, a member with a role of the company's own that may change rules, and two uninvolved members. */
let other: Member;
let keeper: Member;
let keeperRole: string;
let finance: Member;
let viewer: Member;
const mails: Mail[] = [];
const mailer = { send: async (mail: Mail) => void mails.push(mail), close: () => undefined };
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
  ({ admin } = tenant);
  const own = await role(world, tenant, ['rule.manage', 'notice.view']);
  keeperRole = own.id;
  [other, keeper] = [await world.member(tenant, 'administrator'), await world.member(tenant, own)];
  [finance, viewer] = [await world.member(tenant, 'finance'), await world.member(tenant, 'viewer')];
  // Every mail that can be switched off is off.
  const groups = noticeGroups.filter((group) => group !== 'security').map((group) => ({ group, mail: false }));
  for (const as of [admin, other, keeper, finance, viewer]) {
    await succeed(world, setNoticePreferences, { as, body: { groups } });
  }
  await work();
  mails.length = 0;
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

/** Runs what the relay would queue, until nothing follows from it any more. */
async function work(): Promise<void> {
  const { rows } = await world.db.worker.withCompany(tenant.id, (tx) =>
    sql<{ name: string; payload: Record<string, unknown> }>`
      delete from outbox where company_id = company_id() returning name, payload`.execute(tx),
  );
  const due = rows.flatMap(({ name, payload }) =>
    jobs.filter(({ on }) => on?.includes(name)).map((job) => ({ job, payload })),
  );
  for (const { job, payload } of due) await job.run({ companyId: tenant.id, database: world.db.worker, log }, payload);
  if (due.length > 0) await work();
}

const idOf = ({ session }: Member) => session.userId;
const agreed = (changed: Parameters<typeof consent>[2]) => consent(world, other, changed);

async function titlesOf(as: Member): Promise<string[]> {
  const { items } = (await succeed(world, listNotices, { as })).data;
  // What is proposed and decided goes by the group of controls, whose mails all have switched off.
  return items
    .map(({ title }: { title: string }) => title)
    .filter((title) => !/^(For your consent|Approved): /.test(title));
}

/** Runs it; returns the titles of its mails by mailbox, compared with the notice centres of the remaining members. */
async function toldOf(act: () => Promise<unknown>, stillHere: readonly Member[] = [admin, other, keeper]) {
  await act();
  await work();
  for (const as of stillHere)
    expect(await titlesOf(as)).toEqual(mails.filter(({ to }) => to === as.email).map(titleOf));
  expect([...(await titlesOf(finance)), ...(await titlesOf(viewer))]).toEqual([]);
  const told = Object.groupBy(mails, ({ to }) => to);
  return Object.fromEntries(Object.entries(told).map(([to, list = []]) => [to, list.map(titleOf)]));
}
const titleOf = ({ subject }: Mail) => subject;

const toAll = (title: string, ...more: Member[]) =>
  Object.fromEntries([admin, other, keeper, ...more].map(({ email }) => [email, [title]]));

describe('somebody who may change approval rules', () => {
  test('is disabled: they too are mailed, though they are out', async () => {
    const body = { id: idOf(other), enabled: false };
    const act = () => succeed(world, organisation.setMemberStatus, { as: admin, body });
    expect(await toldOf(act, [admin, keeper])).toEqual(toAll('Ada Wong was disabled'));
    expect(mails[0]?.text).toContain('Ada Wong disabled Ada Wong, who could change approval rules');
    mails.length = 0;
    const enable = { id: idOf(other), enabled: true };
    await succeed(world, organisation.setMemberStatus, { as: admin, body: enable });
    await work();
    expect(mails.map(titleOf)).toEqual(Array.from({ length: 3 }, () => 'Ada Wong was re-enabled'));
  });

  test('is deleted', async () => {
    const act = () => succeed(world, organisation.deleteMember, { as: admin, body: { id: idOf(keeper) } });
    expect(await toldOf(act, [admin, other])).toEqual(toAll('Ada Wong was deleted'));
  });

  test('is given another role', async () => {
    const form = { ...(await memberForm(world, tenant)), email: other.email, roleId: systemRoleIds.approver };
    const act = () => succeed(world, organisation.editMember, { as: admin, body: { id: idOf(other), ...form } });
    const name = 'Mei-Ling O’Connor';
    expect(await toldOf(act)).toEqual(toAll('Ada Wong now has the role Approver'));
    expect(mails[0]?.text).toContain('from Administrator to Approver');
    mails.length = 0;
    // Back again; and a change of a member's telephone number concerns no one else.
    await succeed(world, organisation.editMember, {
      as: admin,
      body: { id: idOf(other), ...form, roleId: systemRoleIds.administrator },
    });
    await succeed(world, organisation.editMember, {
      as: admin,
      body: { id: idOf(other), ...form, roleId: systemRoleIds.administrator, mobile: '91234568' },
    });
    await work();
    expect(mails.map(titleOf)).toEqual(Array.from({ length: 3 }, () => `${name} now has the role Administrator`));
  });

  test('is locked out by a reset, or marked as on leave; what they do themselves is their own', async () => {
    const reset = async () =>
      agreed(await succeed(world, organisation.resetMemberPassword, { as: admin, body: { id: idOf(keeper) } }));
    expect(await toldOf(reset, [admin, other])).toEqual(toAll('The password of Ada Wong was reset'));
    mails.length = 0;
    const leave = async (as: Member, onLeave: boolean) =>
      agreed(
        await succeed(world, organisation.setMemberLeave, {
          as,
          body: { id: idOf(other), onLeave, ...(onLeave ? { deputyId: idOf(viewer) } : {}) },
        }),
      );
    await leave(admin, true);
    await leave(admin, true);
    await leave(other, false);
    await work();
    expect(mails.map(titleOf)).toEqual(Array.from({ length: 3 }, () => 'Ada Wong was set as on leave'));
    expect(mails[0]?.text).toContain('Deputy: Ada Wong');
  });

  test('is made', async () => {
    const body = { ...(await memberForm(world, tenant)), roleId: keeperRole };
    const act = async () => agreed(await succeed(world, organisation.addMember, { as: admin, body }));
    expect(await toldOf(act)).toEqual(toAll('Mei-Ling O’Connor can now change approval rules'));
  });

  test('has a role that is changed', async () => {
    const body = { ...roleForm(['rule.view', 'notice.view']), id: keeperRole };
    const act = () => succeed(world, organisation.editRole, { as: admin, body });
    const [title] = Object.values(await toldOf(act))[0] ?? [];
    expect(title).toMatch(/^The role Clerk .+ was changed$/);
    expect(mails.map(({ to }) => to).sort()).toEqual([admin, other, keeper].map(({ email }) => email).sort());
  });
});

test('of the others nobody hears', async () => {
  const plain = await role(world, tenant, ['payee.view', 'notice.view']);
  const body = { ...roleForm(['payee.manage', 'notice.view']), id: plain.id };
  const act = async () => {
    await succeed(world, organisation.editRole, { as: admin, body });
    await member(world, tenant);
    const disabled = await world.member(tenant, plain);
    await succeed(world, organisation.setMemberStatus, {
      as: admin,
      body: { id: idOf(disabled), enabled: false },
    });
    await succeed(world, organisation.deleteMember, { as: admin, body: { id: idOf(disabled) } });
  };
  expect(await toldOf(act)).toEqual({});
});

describe('what the control rests on', () => {
  test('to whom the code of a transfer goes', async () => {
    const set = async (timeZone: string, codeRecipient: string) =>
      agreed(await succeed(world, organisation.setCompanySettings, { as: admin, body: { timeZone, codeRecipient } }));
    expect(await toldOf(() => set('UTC', 'administrator'))).toEqual(
      toAll('Codes of transfers now go to an administrator'),
    );
    mails.length = 0;
    await set('Europe/London', 'administrator');
    await work();
    expect(mails).toEqual([]);
  });

  test('that only whitelisted accounts are paid', async () => {
    const set = async (onlyWhitelisted: boolean) =>
      agreed(await succeed(world, setRiskSetting, { as: admin, body: { onlyWhitelisted } }));
    expect(await toldOf(() => set(true))).toEqual({});
    expect(await toldOf(() => set(false))).toEqual(
      toAll('Transfers to accounts outside the whitelist are now allowed'),
    );
    mails.length = 0;
    await set(false);
    await work();
    expect(mails).toEqual([]);
  });

  test('that transfers are reviewed at all, when it comes to be so and not when it is proposed', async () => {
    const switchTo = async (enabled: boolean) => {
      const content = { enabled };
      const subject = { kind: 'review', content };
      await succeed(world, sendUserCode, { as: admin, body: { scenario: 'transaction', subject } });
      const body = { ...content, codeMethod: 'email', code: await world.takeCode() };
      return succeed(world, approvals.setReviewEnabled, { as: admin, body });
    };
    const toldOfSwitch = (title: string) => mails.filter((mail) => titleOf(mail) === title).map(({ to }) => to);
    const all = [admin, other, keeper].map(({ email }) => email).sort();
    // It needs no second person.
    expect((await switchTo(true)).data.applied).toBe(true);
    await work();
    expect(toldOfSwitch('Review was switched on').sort()).toEqual(all);
    mails.length = 0;
    const proposed = await switchTo(false);
    await work();
    expect(mails).toEqual([]);
    await agreed(proposed);
    await work();
    expect(toldOfSwitch('Review was switched off').sort()).toEqual(all);
  });
});
