import type { ApprovalKind, Evidence } from '@causeway/contract/approvals.ts';
import type { ControlKind } from '@causeway/contract/control-rules.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { Seal } from '../../../platform/seal.ts';
import type { Session } from '../../../platform/session.ts';
import {
  type ControlOperation,
  findNamedPeople,
  findPeople,
  type Named,
  type Person,
} from '../../organisation/index.ts';
import type { Chain, Progress } from '../domain.ts';
import type { DecisionRow, TaskRow } from '../store/tasks.ts';

/** How a subject's task ended without being approved. */
export interface SubjectEnd {
  outcome: 'rejected' | 'expired' | 'voided' | 'stopped';
  /** Null: the system. */
  by: { id: string; name: string } | null;
  /** A person's own words, or the id of a sentence in the catalogues. */
  reason: string;
}

/** A kind of thing that is approved; implemented to the right (transfers), or by approvals itself (changes of rules). */
export interface ApprovalSubject {
  /** The present digest; a task whose digest differs is void. */
  digest(tx: Tx, subjectId: string): Promise<string | null>;
  /** What the approver should know beyond the task's own snapshot, as it is now. */
  evidence(tx: Tx, subjectId: string, locale: Locale): Promise<Evidence | null>;
  /** Judged anew at each approval: null when it may go on, else why it must stop. */
  recheck(tx: Tx, subjectId: string): Promise<{ reason: string } | null>;
  /** In the transaction of the last decision, with the task's row locked. */
  approved(tx: Tx, subjectId: string): Promise<void>;
  /** In the transaction in which the task ends otherwise; not called for `withdrawTask`, whose caller knows. */
  ended(tx: Tx, subjectId: string, end: SubjectEnd): Promise<void>;
}

export type ApprovalSubjects = Readonly<Partial<Record<ApprovalKind, ApprovalSubject>>>;

/** Uses up the code that proves a step, inside its transaction; throws codeWrong, codeBurnt, mfaNotBound. */
export type VerifyCode = (
  tx: Tx,
  request: { session: Session; method: 'email' | 'otp_auth'; code: string; digest: string },
) => Promise<{ method: string; id: string }>;

/** What the use cases of approvals work with in the HTTP process. */
export interface ApprovalsCore {
  database: Database;
  subjects: ApprovalSubjects;
  verifyCode: VerifyCode;
  /** Seals each decision: the signer believes no other. */
  seal: Seal;
  /** By default the system's. */
  clock?: Clock;
  /** How each kind of control change is made, of the features to the left and right. */
  controls: Controls;
}

/** The operation of each kind, made from the input with which it was proposed. */
export type Controls = Readonly<
  Partial<Record<ControlKind, (input: ControlOperation<object>['input']) => ControlOperation<object>>>
>;

export function subjectOf(subjects: ApprovalSubjects, kind: ApprovalKind): ApprovalSubject {
  const subject = subjects[kind];
  invariant(subject, `somebody answers for tasks of kind ${kind}`);
  return subject;
}

export type PeopleById = ReadonlyMap<string, Person>;

/** Everybody of the company. */
export async function peopleById(tx: Tx, locale?: Locale): Promise<PeopleById> {
  return byId(await findPeople(tx, undefined, locale));
}

/** The same of those whom these tasks name, or could be decided by, and of their deputies: what showing the tasks needs. */
export async function peopleOf(
  tx: Tx,
  tasks: readonly Pick<TaskRow, 'initiatorId' | 'nodes'>[],
  userId: string,
  locale?: Locale,
): Promise<PeopleById> {
  const nodes = tasks.flatMap((task) => task.nodes);
  const holding = unique(nodes.flatMap(({ holders }) => holders ?? []));
  const named: Named = {
    ids: unique([userId, ...tasks.map(({ initiatorId }) => initiatorId), ...nodes.flatMap(({ people }) => people)]),
    roleIds: unique(nodes.flatMap(({ roles }) => roles)),
    holding,
    deputies: [userId],
  };
  return byId(await findNamedPeople(tx, named, locale));
}

function unique<T extends string>(ids: readonly T[]): T[] {
  return [...new Set(ids)];
}

function byId(people: readonly Person[]): PeopleById {
  return new Map(people.map((person) => [person.id, person]));
}

export function chainOf(task: TaskRow): Chain {
  const { initiatorId, nodes, valueCents, forbidsGrantees, reviewedSince } = task;
  const begun = { at: task.startedAt, adoptable: task.kind === 'transfer', adopterId: task.adoptedBy };
  return { initiatorId, nodes, valueCents, begun, forbidsGrantees, reviewedSince, now: task.readAt };
}

export function progressOf(task: TaskRow, decisions: readonly DecisionRow[]): Progress {
  const own = decisions.filter(({ taskId }) => taskId === task.id);
  return { pending: task.status === 'pending', node: task.node, decisions: own };
}

/** A task's page in the console. */
export function linkTo(taskId: string): string {
  return `/app/approval/${taskId}`;
}
