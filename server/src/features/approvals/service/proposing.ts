import type { Effect } from '@causeway/contract/effect.ts';
import { defaultLocale } from '@causeway/contract/locale.ts';
import type { ControllingPermission } from '@causeway/contract/permission.ts';
import { audit } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { announce, live } from '../../../platform/outbox.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import type { ControlRequest, SecondPersonPort } from '../../organisation/index.ts';
import { sha256Hex } from '../domain.ts';
import { readSettings } from '../store/rules.ts';
import {
  type ChangeContent,
  type ControlChangeContent,
  findTask,
  insertTask,
  readPendingChanges,
  type TaskRow,
} from '../store/tasks.ts';
import { peopleById } from './core.ts';
import { sayShown } from './naming.ts';
import { held, modeOf, secondPerson } from './second-person.ts';
import { tellApprovers, tellWaiting } from './telling.ts';

/** Opens the task of a change that does not take effect at once. */

interface Proposal {
  id: string;
  digest: string;
  content: ChangeContent | ControlChangeContent;
  permission: ControllingPermission;
  concerned: readonly string[];
  effectiveAt: Date | null;
  search: readonly string[];
}

/** Writes the task, and tells those who can consent, or where it waits everybody who approves or administers. */
export async function openProposal(tx: Tx, { session }: SignedInContext, proposal: Proposal): Promise<TaskRow> {
  const { id, digest, content, permission, concerned, effectiveAt, search } = proposal;
  const people = await peopleById(tx);
  const { expiryDays, reminderHours } = await readSettings(tx);
  await insertTask(tx, {
    id,
    kind: content.kind,
    subjectId: id,
    digest,
    content,
    coin: null,
    decimals: null,
    amountMinor: null,
    valueCents: null,
    initiatorId: session.userId,
    initiatorName: session.userName,
    applicant: session.userName,
    department: people.get(session.userId)?.departmentName ?? null,
    ruleId: null,
    ruleVersion: null,
    nodes: [secondPerson(permission, concerned)],
    effectiveAt,
    expiryDays,
    reminderHours,
    search: [session.userName, ...search].join('\n'),
  });
  const task = await findTask(tx, id);
  invariant(task, 'a task that was written is there');
  if (effectiveAt) await tellWaiting(tx, task, concerned);
  else await tellApprovers(tx, task, { people, decisions: [] });
  await announce(tx, [live('approval', id), live('control')]);
  return task;
}

/** Approvals as the second person of the features to the left. */
export function createSecondPerson(clock: Clock): SecondPersonPort {
  return {
    async propose(tx, context, request) {
      const { permission, concerned } = request;
      const mode = await modeOf(tx, { initiatorId: context.session.userId, permission, concerned }, clock.now());
      if (mode.kind === 'applies') return null;
      if (mode.kind === 'held') throw held(mode.hold);
      const effectiveAt = mode.kind === 'waits' ? mode.effectiveAt : null;
      return proposeControl(tx, context, request, effectiveAt);
    },
  };
}

/** Proposes a change of the controls; the same once more, from another tab perhaps, is the one that is there. */
async function proposeControl(
  tx: Tx,
  context: SignedInContext,
  request: ControlRequest,
  effectiveAt: Date | null,
): Promise<Omit<Effect, 'applied'>> {
  const { session } = context;
  const { kind, permission, input, base, subject, subjectId, lines, concerned } = request;
  const digest = sha256Hex(['causeway.controlChange.1', session.companyId, kind, input, base]);
  const same = (await readPendingChanges(tx)).find(
    (task) => task.digest === digest && task.initiatorId === session.userId,
  );
  if (same) return { taskId: same.id, effectiveAt: same.effectiveAt?.toISOString() ?? null };
  const id = newId();
  const shownSubject = typeof subject === 'string' ? subject : '';
  const values = lines.flatMap(({ before, after }) => [before, after]);
  await openProposal(tx, context, {
    id,
    digest,
    content: {
      kind: 'control_change',
      change: { kind, permission, input, base },
      shown: { subject, subjectId, lines },
    },
    permission,
    concerned,
    effectiveAt,
    search: [shownSubject, ...values.filter((value) => typeof value === 'string')],
  });
  await audit(tx, {
    actor: actorOf(context),
    action: 'approvals.proposeControl',
    subjectKind: 'task',
    subjectId: id,
    detail: {
      name: shownSubject,
      change: kind,
      effectiveAt: effectiveAt?.toISOString() ?? null,
      before: Object.fromEntries(lines.map(({ field, before }) => [field, sayShown(before, defaultLocale)])),
      after: Object.fromEntries(lines.map(({ field, after }) => [field, sayShown(after, defaultLocale)])),
    },
  });
  return { taskId: id, effectiveAt: effectiveAt?.toISOString() ?? null };
}
