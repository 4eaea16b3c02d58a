import * as approvals from '@causeway/contract/approvals.ts';
import * as organisation from '@causeway/contract/organisation.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { decision } from '../../testing/approval-requests.ts';
import { consent } from '../../testing/consent.ts';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { memberForm, role, roleForm } from '../../testing/organisation.ts';
import { succeed } from '../../testing/succeed.ts';
import { keepTimeZone } from '../../testing/time-zone.ts';

/** Two people must agree on a change of rules, and neither comes around the other by taking them away (ADR 0037). */

const dayMs = 24 * 3_600_000;
const start = new Date('2026-11-02T09:30:00.000Z').getTime();

let world: MainApp;
let tenant: Tenant;
let nowMs = start;
beforeAll(async () => {
  world = await mainApp(await testDatabase(), { now: () => new Date(nowMs) });
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
beforeEach(async () => {
  nowMs = start;
  tenant = await world.company();
  await keepTimeZone(world.db.app, tenant.id, 'America/New_York');
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const idOf = ({ session }: Member) => session.userId;

async function propose(as: Member) {
  const { version } = (await succeed(world, approvals.getReviewSetting, { as })).data;
  const rule = {
    name: 'Usual payments',
    lower: '0',
    upper: null,
    nodes: [{ approvers: [{ kind: 'role', id: systemRoleIds.approver }], needed: 1 }],
    active: true,
  };
  return world.ask(approvals.addRule, { as, body: { version, id: newId(), rule } });
}

const disable = (as: Member, whom: Member, enabled = false) =>
  succeed(world, organisation.setMemberStatus, { as, body: { id: idOf(whom), enabled } });

async function changeRole(as: Member, { session, email }: Member, roleId: string) {
  const form = { ...(await memberForm(world, tenant)), email, roleId };
  return succeed(world, organisation.editMember, { as, body: { id: session.userId, ...form } });
}

const refusal = {
  status: 409,
  key: 'approvalRulesHeld',
  errors: [
    'A person who could change approval rules was removed less than seven days ago. Until Nov 9, 2026, 04:30 (GMT-5), a change requires two people who already had this permission before then.',
  ],
};

describe('whoever takes the other administrator away', () => {
  const ways: Record<string, (as: Member, other: Member) => Promise<unknown>> = {
    disables: disable,
    deletes: (as, other) => succeed(world, organisation.deleteMember, { as, body: { id: idOf(other) } }),
    demotes: (as, other) => changeRole(as, other, systemRoleIds.viewer),
  };
  for (const [way, takeAway] of Object.entries(ways)) {
    test(`who ${way} them changes no rules alone, until seven days are over`, async () => {
      const { admin } = tenant;
      await takeAway(admin, await world.member(tenant, 'administrator'));
      expect(await propose(admin)).toMatchObject(refusal);
      expect((await succeed(world, approvals.getReviewSetting, { as: admin })).data).toMatchObject({
        dualControl: true,
        heldUntil: '2026-11-09T09:30:00.000Z',
        proposals: [],
      });
      nowMs = start + 7 * dayMs - 1;
      expect((await propose(admin)).key).toBe('approvalRulesHeld');
      nowMs = start + 7 * dayMs;
      expect((await propose(admin)).data).toEqual({ applied: true, taskId: null, effectiveAt: null });
    });
  }

  test('cannot do it by emptying the role either', async () => {
    const { admin } = tenant;
    const own = await role(world, tenant, ['rule.manage', 'approval.decide']);
    const other = await world.member(tenant, own);
    expect((await propose(other)).data.applied).toBe(false);
    const form = { ...roleForm(['rule.view']), id: own.id };
    await succeed(world, organisation.editRole, { as: admin, body: form });
    expect(await propose(admin)).toMatchObject(refusal);
  });

  test('cannot put somebody new in their place: neither to decide nor to propose', async () => {
    const { admin } = tenant;
    const [other, puppet] = [await world.member(tenant, 'administrator'), await world.member(tenant, 'viewer')];
    await disable(admin, other);
    nowMs += 60_000;
    const form = { ...(await memberForm(world, tenant)), email: puppet.email, roleId: systemRoleIds.administrator };
    const body = { id: idOf(puppet), ...form };
    expect(await world.ask(organisation.editMember, { as: admin, body })).toMatchObject(refusal);
  });

  test('cannot put somebody new in their place with a third’s consent either', async () => {
    const { admin } = tenant;
    const [other, third] = [await world.member(tenant, 'administrator'), await world.member(tenant, 'administrator')];
    const puppet = await world.member(tenant, 'viewer');
    const early = (await propose(admin)).data;
    await disable(admin, other);
    nowMs += 60_000;
    await consent(world, third, await changeRole(admin, puppet, systemRoleIds.administrator));
    expect(await propose(puppet)).toMatchObject(refusal);
    // Proposed while the other was there, and before the puppet had the right.
    const tooEarly = await decision(world, puppet, [early.taskId ?? '']);
    expect((await world.ask(approvals.decideApprovals, tooEarly)).key).toBe('approvalTooNew');
    const later = (await propose(third)).data;
    const request = await decision(world, puppet, [later.taskId ?? '']);
    expect(await world.ask(approvals.decideApprovals, request)).toMatchObject(refusal);
    expect((await succeed(world, approvals.getReviewSetting, { as: admin })).data.rules).toEqual([]);
    nowMs = start + 7 * dayMs;
    await succeed(world, approvals.decideApprovals, request);
    expect((await succeed(world, approvals.getReviewSetting, { as: admin })).data.rules).toHaveLength(1);
  });

  test('cannot switch review off alone, even with the code', async () => {
    const { admin } = tenant;
    await disable(admin, await world.member(tenant, 'administrator'));
    const { switchReview } = await import('./service/change-rules.ts');
    const verifyCode = async () => ({ method: 'email', id: newId() });
    const context = {
      session: admin.session,
      locale: 'en-us',
      ip: '',
      userAgent: '',
      requestId: 'test',
      clock: { now: () => new Date(nowMs) },
      verifyCode,
    } as const;
    const body = { codeMethod: 'email', code: '123456' } as const;
    // On it is switched at once: it takes something away from everybody.
    const turn = (enabled: boolean) =>
      world.db.app.withCompany(admin.session.companyId, (tx) => switchReview(tx, context, { ...body, enabled }));
    await turn(true);
    await expect(turn(false)).rejects.toMatchObject({
      key: 'approvalRulesHeld',
    });
  });
});

describe('the honest path', () => {
  test('a third who had the right before decides as ever', async () => {
    const { admin } = tenant;
    const [other, third] = [await world.member(tenant, 'administrator'), await world.member(tenant, 'administrator')];
    await disable(admin, other);
    const { taskId } = (await propose(admin)).data;
    await succeed(world, approvals.decideApprovals, await decision(world, third, [taskId ?? '']));
    expect((await succeed(world, approvals.getReviewSetting, { as: admin })).data.rules).toHaveLength(1);
  });

  test('who is given back what was taken is as they were before', async () => {
    const { admin } = tenant;
    const other = await world.member(tenant, 'viewer');
    await changeRole(admin, other, systemRoleIds.administrator);
    nowMs += dayMs;
    await disable(admin, other);
    nowMs += dayMs;
    await disable(admin, other, true);
    const { taskId, applied } = (await propose(admin)).data;
    expect(applied).toBe(false);
    const { data } = await succeed(world, approvals.getReviewSetting, { as: admin });
    expect(data).toMatchObject({ heldUntil: null, proposals: [{ taskId }] });
  });

  test('somebody added where nobody was taken away counts at once, and one administrator alone is as ever', async () => {
    const { admin } = tenant;
    expect((await propose(admin)).data.applied).toBe(true);
    const other = await world.member(tenant, 'viewer');
    await changeRole(admin, other, systemRoleIds.administrator);
    const { taskId } = (await propose(admin)).data;
    await succeed(world, approvals.decideApprovals, await decision(world, other, [taskId ?? '']));
  });

  test('a removal in another company holds nothing here', async () => {
    const elsewhere = await world.company();
    await disable(elsewhere.admin, await world.member(elsewhere, 'administrator'));
    expect((await propose(tenant.admin)).data.applied).toBe(true);
  });
});
