import { controllingPermissions, systemRoleIds, systemRolePermissions } from '@causeway/contract/permission.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Approver, SealedNode } from '../features/approvals/domain.ts';
import type { ApprovalSubject, SubjectEnd, TaskSnapshot } from '../features/approvals/index.ts';
import { decide } from '../features/approvals/service/decide.ts';
import { openTask, readRoute, requireReview } from '../features/approvals/service/open-task.ts';
import { createSecondPerson } from '../features/approvals/service/propose-change.ts';
import type { ApprovalsPorts, SubjectLock } from '../features/approvals/service/subjects.ts';
import { lockSettings, writeRule, writeSettings } from '../features/approvals/store/rules.ts';
import type { Submitters } from '../features/approvals/submitters.ts';
import { changedPowers, powersOf } from '../features/organisation/authority.ts';
import type { Affiliation, Named, Person } from '../features/organisation/index.ts';
import { systemClock } from '../platform/clock.ts';
import { once } from '../platform/database/idempotency.ts';
import { DomainError } from '../platform/domain-error.ts';
import { newId } from '../platform/ids.ts';
import type { SignedInContext } from '../platform/session.ts';
import type { TestDatabase } from './database.ts';

/** A moment of its own: tasks and changes differ by the millisecond. */
function tick(): Date {
  const now = Date.now();
  while (Date.now() < now + 2);
  return new Date(now + 1);
}

/** People who exist because the test says so, by company; see `vi.mock` of the file under test. */
export class TestPeople {
  readonly #people = new Map<string, Person>();

  all(ids?: readonly string[]): Person[] {
    return [...this.#people.values()].filter(({ id }) => !ids || ids.includes(id));
  }

  /** As organisation's `findNamedPeople`: no more than were asked for, so that a list which needs more is found out. */
  named({ ids, roleIds = [], holding = [], deputies = [] }: Named): Person[] {
    const wanted = this.all().filter(
      (person) =>
        ids.includes(person.id) ||
        roleIds.includes(person.roleId) ||
        holding.some((permission) => person.permissions.includes(permission)) ||
        (person.onLeave && person.deputyId !== null && deputies.includes(person.deputyId)),
    );
    return this.all([...wanted.map(({ id }) => id), ...wanted.flatMap(({ deputyId }) => deputyId ?? [])]);
  }

  /** As organisation's `findAffiliations`, of people without a department. */
  affiliations(members: readonly { memberId: string }[]): Affiliation[] {
    return members.map(({ memberId }) => ({ roleId: this.#people.get(memberId)?.roleId ?? null, departmentIds: [] }));
  }

  add(more: Partial<Person> = {}): Person {
    const id = newId();
    const name = more.name ?? `Person ${this.#people.size + 1}`;
    const person: Person = {
      id,
      name,
      email: `${id}@example.com`,
      roleId: systemRoleIds.approver,
      roleName: 'Approver',
      departmentId: null,
      departmentName: null,
      status: 'active',
      onLeave: false,
      deputyId: null,
      quotaUsd: null,
      permissions: systemRolePermissions.approver,
      changes: [],
      ...more,
    };
    this.#people.set(person.id, person);
    return person;
  }

  change(id: string, more: Partial<Person>): void {
    const person = this.#people.get(id);
    if (!person) throw new Error('nobody of this id');
    const before = this.#powers();
    this.#people.set(id, { ...person, ...more });
    const at = tick();
    for (const changed of changedPowers(before, this.#powers())) {
      const of = this.#people.get(changed.memberId);
      const change = { at, byId: newId(), byName: 'Somebody', before: changed.before, gained: changed.gained };
      if (of) this.#people.set(of.id, { ...of, changes: [...of.changes, change] });
    }
    tick();
  }

  /** Those who are disabled, as organisation's `findInactive`. */
  inactive(): string[] {
    return this.all()
      .filter(({ status }) => status !== 'active')
      .map(({ id }) => id);
  }

  #powers() {
    const there = this.all().filter(({ status }) => status !== 'disabled');
    return powersOf(
      there.map((person) => ({
        ...person,
        invitedAt: null,
        rights: controllingPermissions.filter((right) => person.permissions.includes(right)),
        quotaCents: person.quotaUsd === null ? null : BigInt(Math.round(Number(person.quotaUsd) * 100)),
      })),
    );
  }

  remove(id: string): void {
    this.#people.delete(id);
  }
}

function sessionOf(companyId: string, person: Pick<Approver, 'id' | 'name' | 'permissions'>): SignedInContext {
  const session = {
    id: newId(),
    companyId,
    userId: person.id,
    userName: person.name,
    permissions: person.permissions,
  };
  return { session, locale: 'en-us', ip: '127.0.0.1', userAgent: '', requestId: newId(), clock: systemClock };
}

/**
 * Replaces organisation's `peopleColumn` where a test has people of its own: whom the statement named, for `TestPeople.named`.
 */
export function namedColumn(ids: RawBuilder<unknown>, roleIds: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`jsonb_build_object('ids', to_jsonb(${ids}), 'roleIds', to_jsonb(${roleIds}))`;
}

/** A subject whose content is a digest that the test may change, and which remembers what became of it. */
class TestSubject implements ApprovalSubject {
  readonly kind: string = 'transfer';
  readonly shape: ApprovalSubject['shape'] = 'payment';
  readonly adoptable = true;
  readonly changesControls = false;
  readonly auditKind = 'transaction';
  readonly notices = 'approval';
  locks: SubjectLock[] = [];
  readonly initiation = 'transfer.create';
  readonly digests = new Map<string, string>();
  readonly stops = new Map<string, string>();
  readonly approvals: string[] = [];
  readonly ends: { subjectId: string; end: SubjectEnd }[] = [];
  readonly withdrawals: string[] = [];

  name(): string {
    return 'Transfer to Supplier';
  }

  noticeValues() {
    return { payee: 'Supplier' };
  }

  brief() {
    return { party: { name: 'Supplier', account: '0x00000000000000000000000000000000000000aa' }, facts: [] };
  }

  async content() {
    return {
      shape: 'payment' as const,
      fee: '1',
      notes: 'rent',
      invoiceNumber: null,
      category: null,
      test: null,
      restOf: null,
      attachments: [],
      evidence: null,
      payout: null,
      bought: null,
    };
  }

  link(): null {
    return null;
  }

  auditDetail() {
    return {};
  }

  async withdrawn(_tx: unknown, _context: unknown, { subjectId }: TaskSnapshot): Promise<null> {
    this.withdrawals.push(subjectId);
    return null;
  }

  async digest(_tx: unknown, subjectId: string): Promise<string | null> {
    return this.digests.get(subjectId) ?? null;
  }

  async recheck(_tx: unknown, subjectId: string): Promise<{ reason: string } | null> {
    const reason = this.stops.get(subjectId);
    return reason === undefined ? null : { reason };
  }

  async approved(_tx: unknown, subjectId: string): Promise<void> {
    this.approvals.push(subjectId);
  }

  async ended(_tx: unknown, subjectId: string, end: SubjectEnd): Promise<void> {
    this.ends.push({ subjectId, end });
  }
}

interface RuleToWrite {
  lower?: bigint;
  upper?: bigint | null;
  active?: boolean;
  submitters?: Submitters | null;
  nodes: readonly Partial<SealedNode>[];
}

/** Approvals of one company with its subject, on a real database; every code is right but `000000`. */
export function approvalsWorld(db: TestDatabase, companyId: string) {
  const subject = new TestSubject();
  const subjects = new Map<string, ApprovalSubject>([[subject.kind, subject]]);
  const ports: ApprovalsPorts & { subjects: typeof subjects } = {
    subjects,
    verifyCode: async (_tx, { code, method }) => {
      if (code === '000000') throw new DomainError('codeWrong');
      return { method, id: newId() };
    },
    seal: (type, claims) => `${type}.${JSON.stringify(claims)}`,
    secondPerson: createSecondPerson(systemClock),
  };
  const contextOf = (person: Pick<Approver, 'id' | 'name' | 'permissions'>) => ({
    ...sessionOf(companyId, person),
    ...ports,
  });
  return {
    ports,
    contextOf,
    subject,
    companyId,
    /** Switches review on with these rules, in this order; returns their ids. */
    async rules(rules: readonly RuleToWrite[]) {
      return db.app.withCompany(companyId, async (tx) => {
        await writeSettings(tx, { ...(await lockSettings(tx)), enabled: true });
        await sql`update approval_rule set deleted_at = now() where company_id = company_id()`.execute(tx);
        const ids: string[] = [];
        for (const [index, { lower = 0n, upper = null, active = true, submitters = null, nodes }] of rules.entries()) {
          const id = newId();
          const whole = nodes.map((node) => ({ needed: 1, people: [], roles: [], ...node }));
          const rule = {
            id,
            version: 1,
            name: `Rule ${index + 1}`,
            lowerCents: lower,
            upperCents: upper,
            submitters,
            nodes: whole,
            active,
          };
          await writeRule(tx, rule, index + 1, { id: newId(), name: 'Ada Wong' });
          ids.push(id);
        }
        return ids;
      });
    },
    /** Submits a transfer, or another subject, of this value (US cents) by this person; returns the ids of task and subject. */
    async submit(initiator: Pick<Person, 'id' | 'name'>, valueUsdCents = 100_000n, about: ApprovalSubject = subject) {
      const [taskId, subjectId] = [newId(), newId()];
      const digest = `digest of ${subjectId}`;
      subject.digests.set(subjectId, digest);
      await db.app.withCompany(companyId, async (tx) => {
        const route = await readRoute(tx, { valueUsdCents, initiatorId: initiator.id });
        const routing = requireReview(route, { initiatorId: initiator.id, valueUsdCents, taskId });
        if (routing.review === 'off') throw new Error('review is off');
        await openTask(tx, about, {
          subjectId,
          digest,
          routing,
          initiator,
          coin: 'USDT',
          decimals: 6,
          amountMinor: valueUsdCents * 10_000n,
          valueUsdCents,
          content: {},
          search: ['Supplier', 'rent'],
        });
      });
      return { taskId, subjectId };
    },
    decide(
      person: Pick<Approver, 'id' | 'name' | 'permissions'>,
      ids: readonly string[],
      outcome: 'approved' | 'rejected' = 'approved',
      more: {
        opinion?: string | null;
        code?: string;
        codeMethod?: 'email' | 'otp_auth';
        key?: string;
        isFrozen?: boolean;
      } = {},
    ) {
      const { code = '123456', codeMethod = 'email' } = more;
      const opinion = more.opinion ?? (outcome === 'rejected' ? 'not this month' : '');
      const said = more.opinion === null ? {} : { opinion };
      const input = { ids: [...ids], outcome, ...said, codeMethod, code };
      const idempotencyKey = more.key ?? newId();
      const signedIn = contextOf(person);
      const session = { ...signedIn.session, isFrozen: more.isFrozen ?? false };
      const context = { ...signedIn, session, idempotencyKey };
      const request = { companyId, memberId: person.id, key: idempotencyKey, call: 'decideApprovals' };
      return once(db.app, { ...request, request: decide.request?.(input) }, (tx) =>
        decide.work(tx, context, input, undefined),
      );
    },
  };
}
export type ApprovalsWorld = ReturnType<typeof approvalsWorld>;
