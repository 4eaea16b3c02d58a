import { type SystemRole, systemRoleIds } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import type { RouteRequest } from '../features/approvals/service/open-task.ts';
import { findAffiliations } from '../features/organisation/index.ts';
import { newId } from '../platform/ids.ts';
import { approvalsWorld } from './approvals.ts';
import type { TestDatabase } from './database.ts';

/** Companies that review, or do not, with members in the database: what batches of submissions meet. */

/** A request of one of them, and what its route must be. */
export interface RoutedRequest {
  request: RouteRequest;
  enabled: boolean;
  /** The rule's name; null: none matches. */
  rule: string | null;
  /** Of whom the route knows, by first name. */
  people: readonly string[];
  /** Whom the task's notice goes to; what refuses it where it cannot be opened. */
  outcome: { to: readonly string[] } | { refused: string } | 'off';
}

/** As it is written here; to what its initiator belongs is read once all are there. */
type Written = Omit<RoutedRequest, 'request'> & { request: Omit<RouteRequest, 'affiliation'> };

interface MemberState {
  onLeave?: boolean;
  deputyId?: string;
  departmentId?: string;
  disabled?: boolean;
}

/** One company and what its tests add to it. */
export async function reviewedCompany(db: TestDatabase) {
  const id = newId();
  const { rules } = approvalsWorld(db, id);
  await db.app.withCompany(id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Harbour Trading')`.execute(tx),
  );
  return {
    id,
    rules,
    async member(firstName: string, role: SystemRole | { id: string }, state: MemberState = {}): Promise<string> {
      const member = newId();
      const roleId = typeof role === 'string' ? systemRoleIds[role] : role.id;
      const { onLeave = false, deputyId = null, departmentId = null, disabled = false } = state;
      await db.app.withCompany(id, (tx) =>
        sql`insert into member (company_id, id, identifier, email, first_name, last_name, language, role_id, on_leave,
            deputy_id, department_id, disabled_at)
          values (company_id(), ${member}, ${`CW-${member}`}, ${`${member}@example.com`}, ${firstName}, 'Wong', 'en_US', ${roleId},
            ${onLeave}, ${deputyId}, ${departmentId}, case when ${disabled} then now() end)`.execute(tx),
      );
      return member;
    },
    async role(name: string, quotaUsdCents: bigint | null): Promise<{ id: string }> {
      const role = newId();
      await db.app.withCompany(id, (tx) =>
        sql`insert into role (company_id, id, name, permissions, quota_usd_cents, active)
          values (company_id(), ${role}, ${name}, '{approval.decide}', ${quotaUsdCents?.toString() ?? null}, true)`.execute(
          tx,
        ),
      );
      return { id: role };
    },
    async department(name: string, parentId: string | null = null): Promise<string> {
      const department = newId();
      await db.app.withCompany(id, (tx) =>
        sql`insert into department (company_id, id, name, parent_id, position)
          values (company_id(), ${department}, ${name}, ${parentId}, 0)`.execute(tx),
      );
      return department;
    },
    switchReview: (enabled: boolean) =>
      db.app.withCompany(id, (tx) =>
        sql`insert into approval_setting (company_id, enabled, expiry_days, reminder_hours) values (company_id(), ${enabled}, 9, 30)
          on conflict (company_id) do update set enabled = excluded.enabled, expiry_days = 9, reminder_hours = 30`.execute(
          tx,
        ),
      ),
    /** Forbids decisions of approvers to whom a task's initiator gave the right. */
    forbidGrantees: () =>
      db.app.withCompany(id, (tx) =>
        sql`insert into company_setting (company_id, time_zone, code_recipient, forbid_own_approvers)
          values (company_id(), 'UTC', 'initiator', true)`.execute(tx),
      ),
    granted: (memberId: string, byId: string) =>
      db.app.withCompany(id, (tx) =>
        sql`insert into authority_change (company_id, id, member_id, by_id, by_name, gained)
          values (company_id(), ${newId()}, ${memberId}, ${byId}, 'Ada Wong', true)`.execute(tx),
      ),
  };
}

/** Requests of companies in every state that a route distinguishes. */
export async function reviewingCompanies(db: TestDatabase): Promise<RoutedRequest[]> {
  const all = [await notReviewing(db), await withTiers(db), await withLeave(db), await withGrantees(db)];
  all.push(await withSubmitters(db));
  return Promise.all(
    all.flat().map(async ({ request, ...routed }) => {
      const { companyId, initiatorId: memberId } = request;
      const [affiliation] = await db.app.withCompany(companyId, (tx) =>
        findAffiliations(tx, [{ companyId, memberId }]),
      );
      if (!affiliation) throw new Error('a member has an affiliation');
      return { ...routed, request: { ...request, affiliation } };
    }),
  );
}

async function notReviewing(db: TestDatabase): Promise<Written[]> {
  const [unset, off, uncovered] = [await reviewedCompany(db), await reviewedCompany(db), await reviewedCompany(db)];
  const approver = await off.member('Bea', 'approver');
  await off.rules([{ nodes: [{ people: [approver] }] }]);
  await off.switchReview(false);
  const initiator = await uncovered.member('Cy', 'finance');
  await uncovered.rules([{ lower: 500n, upper: 600n, nodes: [{ people: [initiator] }] }]);
  await uncovered.switchReview(true);
  const none = { rule: null, people: [] };
  const of = (companyId: string, valueUsdCents: bigint, initiatorId = newId()) => ({
    request: { companyId, valueUsdCents, initiatorId },
    ...none,
  });
  return [
    { ...of(unset.id, 100n), enabled: false, outcome: 'off' },
    { ...of(off.id, 100n), enabled: false, outcome: 'off' },
    { ...of(uncovered.id, 499n, initiator), enabled: true, outcome: { refused: 'approvalNoRule' } },
    { ...of(uncovered.id, 600n, initiator), enabled: true, outcome: { refused: 'approvalNoRule' } },
  ];
}

async function withTiers(db: TestDatabase): Promise<Written[]> {
  const company = await reviewedCompany(db);
  const department = await company.department('Treasury');
  const limited = await company.role('Clerk', 1_000n);
  const finance = await company.member('Fay', 'finance', { departmentId: department });
  const other = await company.member('Fred', 'finance');
  const first = await company.member('Ann', 'approver');
  await company.member('Bob', 'approver');
  await company.member('Cleo', limited);
  await company.member('Dee', limited, { disabled: true });
  // Deleted by the next.
  await company.rules([{ nodes: [{ people: [other] }] }]);
  await company.rules([
    { upper: 500n, nodes: [{ people: [first] }] },
    { active: false, nodes: [{ people: [other] }] },
    {
      lower: 500n,
      upper: 2_000n,
      nodes: [{ roles: [limited.id], people: [first] }, { roles: [systemRoleIds.approver] }],
    },
    { nodes: [{ people: [other], roles: [systemRoleIds.approver], needed: 2 }] },
  ]);
  await company.switchReview(true);
  const of = (valueUsdCents: bigint, initiatorId = finance) => ({
    request: { companyId: company.id, valueUsdCents, initiatorId },
    enabled: true,
  });
  const second = { rule: 'Rule 3', people: ['Ann', 'Bob', 'Cleo', 'Dee', 'Fay'] };
  const third = { rule: 'Rule 4', people: ['Ann', 'Bob', 'Fay', 'Fred'] };
  return [
    { ...of(0n), rule: 'Rule 1', people: ['Ann', 'Fay'], outcome: { to: ['Ann'] } },
    { ...of(499n, other), rule: 'Rule 1', people: ['Ann', 'Fred'], outcome: { to: ['Ann'] } },
    { ...of(500n), ...second, outcome: { to: ['Ann', 'Cleo'] } },
    { ...of(1_999n), ...second, outcome: { to: ['Ann'] } },
    { ...of(2_000n), ...third, outcome: { to: ['Ann', 'Bob'] } },
    { ...of(499n, first), rule: 'Rule 1', people: ['Ann'], outcome: { refused: 'approvalNobodyCan' } },
  ];
}

async function withLeave(db: TestDatabase): Promise<Written[]> {
  const company = await reviewedCompany(db);
  const finance = await company.member('Gus', 'finance');
  const deputy = await company.member('Hal', 'approver');
  const away = await company.member('Ida', 'approver', { onLeave: true, deputyId: deputy });
  await company.rules([{ nodes: [{ people: [away] }] }]);
  await company.switchReview(true);
  const request = { companyId: company.id, valueUsdCents: 700n, initiatorId: finance };
  return [{ request, enabled: true, rule: 'Rule 1', people: ['Gus', 'Hal', 'Ida'], outcome: { to: ['Hal'] } }];
}

async function withGrantees(db: TestDatabase): Promise<Written[]> {
  const company = await reviewedCompany(db);
  const [granter, other] = [await company.member('Jo', 'administrator'), await company.member('Kim', 'finance')];
  const [grantee, free] = [await company.member('Lea', 'approver'), await company.member('Max', 'approver')];
  await company.granted(grantee, granter);
  await company.forbidGrantees();
  await company.rules([{ upper: 900n, nodes: [{ people: [grantee, free] }] }, { nodes: [{ people: [grantee] }] }]);
  await company.switchReview(true);
  const of = (valueUsdCents: bigint, initiatorId: string) => ({
    request: { companyId: company.id, valueUsdCents, initiatorId },
    enabled: true,
  });
  return [
    { ...of(899n, granter), rule: 'Rule 1', people: ['Jo', 'Lea', 'Max'], outcome: { to: ['Max'] } },
    { ...of(899n, other), rule: 'Rule 1', people: ['Kim', 'Lea', 'Max'], outcome: { to: ['Lea', 'Max'] } },
    { ...of(900n, granter), rule: 'Rule 2', people: ['Jo', 'Lea'], outcome: { refused: 'approvalNobodyCan' } },
  ];
}

/** Rules for some: by a department above the initiator's, by role, by name; and one whose names are all gone. */
async function withSubmitters(db: TestDatabase): Promise<Written[]> {
  const company = await reviewedCompany(db);
  const treasury = await company.department('Treasury');
  const desk = await company.department('Desk', treasury);
  const sales = await company.department('Sales');
  const approver = await company.member('Ann', 'approver');
  const nested = await company.member('Nia', 'finance', { departmentId: desk });
  const named = await company.member('Omar', 'finance', { departmentId: sales });
  const administrator = await company.member('Pia', 'administrator', { departmentId: sales });
  const other = await company.member('Quin', 'finance', { departmentId: sales });
  const to = [{ people: [approver] }];
  const nobody = { people: [], roles: [], departments: [] };
  await company.rules([
    { submitters: nobody, nodes: to },
    { submitters: { ...nobody, people: [newId()] }, nodes: to },
    { upper: 500n, submitters: { ...nobody, departments: [treasury] }, nodes: to },
    { submitters: { ...nobody, people: [named], roles: [systemRoleIds.administrator] }, nodes: to },
    { lower: 500n, nodes: to },
  ]);
  await company.switchReview(true);
  const of = (valueUsdCents: bigint, initiatorId: string) => ({
    request: { companyId: company.id, valueUsdCents, initiatorId },
    enabled: true,
  });
  const routed = (rule: string, initiator: string) =>
    ({ rule, people: ['Ann', initiator], outcome: { to: ['Ann'] } }) as const;
  return [
    { ...of(499n, nested), ...routed('Rule 3', 'Nia') },
    { ...of(501n, nested), ...routed('Rule 5', 'Nia') },
    { ...of(1n, named), ...routed('Rule 4', 'Omar') },
    { ...of(1n, administrator), ...routed('Rule 4', 'Pia') },
    { ...of(1n, other), rule: null, people: [], outcome: { refused: 'approvalNoRule' } },
    { ...of(501n, other), ...routed('Rule 5', 'Quin') },
  ];
}
