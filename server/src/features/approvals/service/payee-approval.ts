import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { findCompanySettings } from '../../organisation/index.ts';
import type {
  BankPayeeApprovalPort,
  BankPayeeRow,
  PayeeApproval,
  PayeeApprovalPort,
  PayeeToApprove,
  VersionRow,
} from '../../payees/index.ts';
import { canBePassed, mayDecide, start } from '../domain.ts';
import { readSettings } from '../store/rules.ts';
import { lockTaskOf, readDecisions, readTasksOf } from '../store/tasks.ts';
import { close } from './end-task.ts';
import { accountContent, accountDigest, newAccount } from './new-accounts.ts';
import { type NewPayeeContent, newPayee, payeeDigest } from './new-payees.ts';
import { tellInitiator } from './notify.ts';
import { peopleById } from './people.ts';
import { openProposal } from './propose-change.ts';
import { viewingOfTasks } from './reading.ts';
import { secondPerson } from './second-person.ts';
import type { SubjectKind } from './subjects.ts';
import { reasonOf, waitingFor } from './view.ts';

/** Approvals as the second person of the payee book, to the left. */
export const payeeApproval: PayeeApprovalPort = {
  ask: askForPayee,
  withdraw: (tx, context, id) => withdraw(tx, context, newPayee, id),
  describe: (tx, context, ids) => describe(tx, context, newPayee, ids),
};

/** The same for accounts at banks; the subject is the account, so that a changed one is a task of its own. */
export const bankPayeeApproval: BankPayeeApprovalPort = {
  ask: askForAccount,
  withdraw: (tx, context, id) => withdraw(tx, context, newAccount, id),
  describe: (tx, context, ids) => describe(tx, context, newAccount, ids),
};

async function askForPayee(tx: Tx, context: SignedInContext, payee: PayeeToApprove): Promise<void> {
  const { id, label, chainId, chainName, coin, address, remark } = payee;
  const content: NewPayeeContent = { label, chainId, chainName, coin, address, remark };
  await ask(tx, context, newPayee, {
    subjectId: id,
    digest: payeeDigest(tx, payee),
    content: { ...content },
    search: [label, address, remark],
  });
}

async function askForAccount(
  tx: Tx,
  context: SignedInContext,
  payee: BankPayeeRow,
  before: VersionRow | null,
): Promise<void> {
  await ask(tx, context, newAccount, {
    subjectId: payee.versionId,
    digest: accountDigest(tx, payee),
    content: { ...accountContent(payee, before) },
    search: [payee.label, payee.version.name, payee.version.account, payee.remark],
  });
}

interface Asking {
  subjectId: string;
  digest: string;
  content: Record<string, unknown>;
  search: string[];
}

async function ask(tx: Tx, context: SignedInContext, subject: SubjectKind, asking: Asking): Promise<void> {
  const people = await peopleById(tx);
  const settings = await readSettings(tx);
  const { forbidOwnApprovers: forbidsGrantees, timeZone } = await findCompanySettings(tx);
  const { userId: initiatorId } = context.session;
  const node = secondPerson('approval.decide');
  const { reviewedSince, readAt: now } = settings;
  const chain = { initiatorId, nodes: [node], valueCents: null, forbidsGrantees, reviewedSince, now };
  if (!canBePassed(chain, start, people)) throw new DomainError('payeeNobodyApproves');
  await openProposal(tx, context, subject, {
    id: newId(),
    ...asking,
    permission: 'approval.decide',
    concerned: [],
    // The node names no one: only who may decide now can do so later, and they are to see it.
    readers: [...people.values()].filter((person) => mayDecide(person, node)).map((person) => person.id),
    mode: { kind: 'consent', people, settings, forbidsGrantees, timeZone },
  });
}

async function withdraw(tx: Tx, { session }: SignedInContext, subject: SubjectKind, subjectId: string): Promise<void> {
  const task = await lockTaskOf(tx, subject.kind, subjectId);
  if (task?.status !== 'pending') return;
  if (task.initiatorId === session.userId) return close(tx, task, 'withdrawn', null);
  const reason = 'approvals.newPayee.reason.deleted';
  await close(tx, task, 'stopped', reason, session.userName);
  await tellInitiator(tx, subject, task, 'Stopped', { by: session.userName, reason });
}

async function describe(
  tx: Tx,
  context: SignedInContext,
  subject: SubjectKind,
  subjectIds: readonly string[],
): Promise<ReadonlyMap<string, PayeeApproval>> {
  const tasks = await readTasksOf(tx, subject.kind, subjectIds);
  const decisions = await readDecisions(
    tx,
    tasks.map(({ id }) => id),
  );
  const viewing = await viewingOfTasks(tx, context, tasks);
  return new Map(
    tasks.map((task) => [
      task.subjectId,
      { taskId: task.id, waitingFor: waitingFor(task, decisions, viewing), reason: reasonOf(task, context.locale) },
    ]),
  );
}
