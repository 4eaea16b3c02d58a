import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { findCompanySettings } from '../../organisation/index.ts';
import type { PayeeApproval, PayeeApprovalPort, PayeeToApprove } from '../../payees/index.ts';
import { canBePassed, mayDecide, start } from '../domain.ts';
import { readSettings } from '../store/rules.ts';
import { lockTaskOf, readDecisions, readTasksOf } from '../store/tasks.ts';
import { close } from './end-task.ts';
import { type NewPayeeContent, newPayee, payeeDigest } from './new-payees.ts';
import { tellInitiator } from './notify.ts';
import { peopleById } from './people.ts';
import { openProposal } from './propose-change.ts';
import { viewingOfTasks } from './reading.ts';
import { secondPerson } from './second-person.ts';
import { reasonOf, waitingFor } from './view.ts';

/** Approvals as the second person of the payee book, to the left. */
export const payeeApproval: PayeeApprovalPort = { ask, withdraw, describe };

async function ask(tx: Tx, context: SignedInContext, payee: PayeeToApprove): Promise<void> {
  const people = await peopleById(tx);
  const settings = await readSettings(tx);
  const { forbidOwnApprovers: forbidsGrantees } = await findCompanySettings(tx);
  const { userId: initiatorId } = context.session;
  const node = secondPerson('approval.decide');
  const { reviewedSince, readAt: now } = settings;
  const chain = { initiatorId, nodes: [node], valueCents: null, forbidsGrantees, reviewedSince, now };
  if (!canBePassed(chain, start, people)) throw new DomainError('payeeNobodyApproves');
  const { id, label, chainId, chainName, coin, address, remark } = payee;
  const content: NewPayeeContent = { label, chainId, chainName, coin, address, remark };
  await openProposal(tx, context, newPayee, {
    id: newId(),
    subjectId: id,
    digest: payeeDigest(tx, payee),
    content: { ...content },
    permission: 'approval.decide',
    concerned: [],
    // The node names no one: only who may decide now can do so later, and they are to see it.
    readers: [...people.values()].filter((person) => mayDecide(person, node)).map((person) => person.id),
    mode: { kind: 'consent', people, settings, forbidsGrantees },
    search: [label, address, remark],
  });
}

async function withdraw(tx: Tx, { session }: SignedInContext, payeeId: string): Promise<void> {
  const task = await lockTaskOf(tx, newPayee.kind, payeeId);
  if (task?.status !== 'pending') return;
  if (task.initiatorId === session.userId) return close(tx, task, 'withdrawn', null);
  const reason = 'approvals.newPayee.reason.deleted';
  await close(tx, task, 'stopped', reason, session.userName);
  await tellInitiator(tx, newPayee, task, 'Stopped', { by: session.userName, reason });
}

async function describe(
  tx: Tx,
  context: SignedInContext,
  payeeIds: readonly string[],
): Promise<ReadonlyMap<string, PayeeApproval>> {
  const tasks = await readTasksOf(tx, newPayee.kind, payeeIds);
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
