import type { Effect } from '@causeway/contract/effect.ts';
import type { ControllingPermission } from '@causeway/contract/permission.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Tx, together } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import type { ControlRequest, SecondPersonPort } from '../../organisation/index.ts';
import { ableNow, sha256Hex, start } from '../domain.ts';
import { readPendingChanges } from '../store/tasks.ts';
import { type ControlChangeContent, controlChange } from './control-changes.ts';
import { noticeOf, noticeOfWait } from './notify.ts';
import { held, type ModeNow, modeOf, secondPerson } from './second-person.ts';
import type { SubjectKind } from './subjects.ts';
import { writeTasks } from './write-tasks.ts';

/** Opens the task of what another person with a permission must agree to: a change of the controls, a new payee. */

interface Proposal {
  id: string;
  /** Absent: the task itself. */
  subjectId?: string;
  digest: string;
  content: Readonly<Record<string, unknown>>;
  permission: ControllingPermission;
  concerned: readonly string[];
  /** By which it is opened. */
  mode: ModeNow;
  search: readonly string[];
  /** People who see it beside those whom every task of its kind concerns. */
  readers?: readonly string[];
}

/** Writes the task, and notifies those who can consent; where it waits, everyone who approves or administers: in one round trip. */
export async function openProposal(
  tx: Tx,
  { session }: SignedInContext,
  subject: SubjectKind,
  proposal: Proposal,
): Promise<void> {
  const { id, subjectId = id, digest, content, permission, concerned, mode, search, readers = [] } = proposal;
  const { people, settings, timeZone } = mode;
  const { userId: initiatorId, userName: initiatorName } = session;
  const nodes = [secondPerson(permission, concerned)];
  const { reviewedSince, readAt: now, expiryDays, reminderHours } = settings;
  const chain = { initiatorId, nodes, valueCents: null, forbidsGrantees: mode.forbidsGrantees, reviewedSince, now };
  const able = ableNow(chain, start, people).map(({ actor }) => actor.id);
  const effectiveAt = mode.kind === 'waits' ? mode.effectiveAt : null;
  const { kind, adoptable, changesControls } = subject;
  const task = {
    companyId: tx.companyId,
    id,
    kind,
    subjectId,
    digest,
    content,
    adoptable,
    changesControls,
    coin: null,
    decimals: null,
    amountMinor: null,
    valueCents: null,
    initiatorId,
    initiatorName,
    department: people.get(initiatorId)?.departmentName ?? null,
    ruleId: null,
    ruleVersion: null,
    nodes,
    effectiveAt,
    expiryDays,
    reminderHours,
    readers,
    search: [initiatorName, ...search],
  };
  const notice = effectiveAt
    ? noticeOfWait(subject, task, effectiveAt, { people, concerned, timeZone })
    : noticeOf(subject, task, 'Waiting', able);
  await together(writeTasks(tx, [{ subject, task, notice }]));
}

/** Approvals as the second person of the features to the left. */
export function createSecondPerson(clock: Clock): SecondPersonPort {
  return {
    async propose(tx, context, request) {
      const { permission, concerned } = request;
      const mode = await modeOf(tx, { initiatorId: context.session.userId, permission, concerned }, clock.now());
      if (mode.kind === 'applies') return null;
      if (mode.kind === 'held') throw held(mode.hold, mode.timeZone);
      return proposeControl(tx, context, request, mode);
    },
  };
}

/** Proposes a change of the controls; the same proposed again, from another tab perhaps, is the pending one. */
async function proposeControl(
  tx: Tx,
  context: SignedInContext,
  request: ControlRequest,
  mode: ModeNow,
): Promise<Omit<Effect, 'applied'>> {
  const { session } = context;
  const { kind, permission, proposer, input, base, subject, subjectId, lines, concerned } = request;
  const digest = sha256Hex(['causeway.controlChange.1', session.companyId, kind, input, base]);
  const same = (await readPendingChanges(tx)).find(
    (task) => task.digest === digest && task.initiatorId === session.userId,
  );
  if (same) return { taskId: same.id, effectiveAt: same.effectiveAt?.toISOString() ?? null };
  const id = newId();
  const effectiveAt = mode.kind === 'waits' ? mode.effectiveAt : null;
  const content: ControlChangeContent = {
    change: { kind, permission, ...(proposer ? { proposer } : {}), input, base },
    shown: { subject, subjectId, lines },
  };
  const shownSubject = typeof subject === 'string' ? subject : '';
  const values = lines.flatMap(({ before, after }) => [before, after]);
  await openProposal(tx, context, controlChange, {
    id,
    digest,
    content: { ...content },
    permission,
    concerned,
    mode,
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
      // With the ids of their texts, so that each reader of the log gets them in their language.
      before: Object.fromEntries(lines.map(({ field, before }) => [field, before])),
      after: Object.fromEntries(lines.map(({ field, after }) => [field, after])),
    },
  });
  return { taskId: id, effectiveAt: effectiveAt?.toISOString() ?? null };
}
