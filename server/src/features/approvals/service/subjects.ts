import type { ApprovalContent, ApprovalShape, ApprovalTask } from '@causeway/contract/approvals.ts';
import type { PendingChange } from '@causeway/contract/control.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import type { AuditSubjectKind } from '../../../platform/audit/event-declaration.ts';
import type { Seal } from '../../../platform/crypto/seal.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { Session, SignedInContext } from '../../../platform/session.ts';
import type { NoticeValues } from '../../notices/index.ts';
import type { SecondPersonPort } from '../../organisation/index.ts';
import type { TaskRow, TaskSnapshot } from '../store/tasks.ts';

/**
 * The port that every subject of an approval implements (docs/adr/0057-…). Approvals knows tasks, chains and decisions; what a task is
 * about, its own words and what happens at its end are its subject's. No other file of approvals names a kind.
 */

/** Locks that a decision takes before it locks tasks, in this order in every transaction. */
export type SubjectLock = 'freezes' | 'organisation' | 'settings';

/** How a task ended without being approved. */
export interface SubjectEnd {
  outcome: 'rejected' | 'expired' | 'voided' | 'stopped';
  /** Null: the system. */
  by: { id: string; name: string } | null;
  /** A person's own words, or the id of a sentence in the catalogues. */
  reason: string;
}

/** For whom a task is put into words. */
export interface Reading {
  locale: Locale;
  /** Names by id. */
  people: ReadonlyMap<string, { name: string }>;
  roles: ReadonlyMap<string, { name: string }>;
}

/** What a list shows of a subject beside its name, amount and status. */
export type SubjectBrief = Pick<ApprovalTask, 'party' | 'facts'> & Partial<Pick<ApprovalTask, 'marks'>>;

/** The words and properties of a kind: known wherever a task is opened, listed or announced. */
export interface SubjectKind {
  /** Its key, as `approval_task.kind` keeps it. */
  kind: string;
  shape: ApprovalShape;
  /** An administrator can take it over from an initiator who is no longer active; until then no one can decide. */
  adoptable: boolean;
  /** It changes who approves, who changes controls, or what can leave: it concerns everyone who approves or administers. */
  changesControls: boolean;
  /** `audit.subject.<auditKind>` names the kind of `subjectId` in the audit log. */
  auditKind: AuditSubjectKind;
  /** Begins the kinds of its notices: `notice.<notices><Event>.title` and `.body` are in the catalogues of its feature. */
  notices: string;
  locks: readonly SubjectLock[];
  /** What a person needs to apply for it, and to take it back. */
  initiation: Permission | 'signed-in';
  /** What a person needs to read in a mail who is paid; absent: nothing. */
  partyPermission?: Permission;
  /** "Transfer to Supplier", in the reader's language. */
  name(task: TaskSnapshot, locale: Locale): string;
  /** Fills the blanks of its notices, beside `initiator`, `amount` and `coin`. */
  noticeValues(task: TaskSnapshot): NoticeValues;
  /** Its facts say times on the clocks of the company's time zone. */
  brief(task: TaskSnapshot, locale: Locale, timeZone: string): SubjectBrief;
}

/** A kind of thing that is approved; implemented to the right, or by approvals itself (changes of the controls). */
export interface ApprovalSubject extends SubjectKind {
  /** The whole of it as it was applied for, with what is known now; amount, party and facts are shown beside. */
  content(tx: Tx, task: TaskSnapshot, reading: Reading): Promise<ApprovalContent>;
  /** Where else it is shown, with the words of the link. */
  link(task: TaskSnapshot, locale: Locale): { path: string; text: string } | null;
  /** Of a change of the controls: which, and of what. */
  control?(task: TaskSnapshot): PendingChange['control'];
  /** What the audit log keeps of it when a person stops it. */
  auditDetail(task: TaskSnapshot): Record<string, unknown>;
  /** The present digest; a task whose digest differs is void. */
  digest(tx: Tx, subjectId: string): Promise<string | null>;
  /** Judged again at each approval: null when it may go on, else why it must stop. */
  recheck(tx: Tx, subjectId: string): Promise<{ reason: string } | null>;
  /** In the transaction of the last decision, with the task's row locked. */
  approved(tx: Tx, subjectId: string): Promise<void>;
  /** In the transaction in which the task ends otherwise; not called for `withdrawTask`, whose caller ends the subject. */
  ended(tx: Tx, subjectId: string, end: SubjectEnd): Promise<void>;
  /**
   * Its initiator takes it back, in the transaction that ends the task; writes the audit log.
   * @returns what the task says of it, as the id of a sentence; null: nothing
   * @throws DomainError where it cannot end any more
   */
  withdrawn(tx: Tx, context: SignedInContext, task: TaskRow): Promise<string | null>;
}

/** Every kind that is approved, by its key; filled where the process is put together. */
export type ApprovalSubjects = ReadonlyMap<string, ApprovalSubject>;

/** A task of a kind without a subject is a fault of ours: it is never shown or decided on as if nothing were missing. */
export function subjectOf(subjects: ApprovalSubjects, { kind }: { kind: string }): ApprovalSubject {
  const subject = subjects.get(kind);
  invariant(subject, `a subject is registered for tasks of kind ${kind}`);
  return subject;
}

/** Uses up the code that proves a step, inside its transaction; throws codeWrong, codeBurnt, mfaNotBound. */
export type VerifyCode = (
  tx: Tx,
  request: { session: Session; method: 'email' | 'otp_auth'; code: string; digest: string },
) => Promise<{ method: string; id: string }>;

/** What the use cases of approvals are composed with in the HTTP process. */
export interface ApprovalsPorts {
  subjects: ApprovalSubjects;
  verifyCode: VerifyCode;
  /** Seals each decision: the signer believes no other. */
  seal: Seal;
  /** Approvals itself, for its own settings. */
  secondPerson: SecondPersonPort;
}

export type ApprovalsContext = SignedInContext & ApprovalsPorts;

/** The same for what only reads or ends tasks. */
export type SubjectsContext = SignedInContext & Pick<ApprovalsPorts, 'subjects'>;
