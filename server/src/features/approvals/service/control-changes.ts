import type { ControlKind } from '@causeway/contract/control-rules.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import {
  type ControlOperation,
  type ControlRequest,
  checkProposed,
  digestNow,
  findPeople,
  makeProposed,
  type Shown,
} from '../../organisation/index.ts';
import { findTask, readDecisions, type TaskRow, type TaskSnapshot } from '../store/tasks.ts';
import { named } from './names.ts';
import { refuseNewcomers } from './second-person.ts';
import type { ApprovalSubject, SubjectKind } from './subjects.ts';

/** A change of members, roles, lists, policies or settings as something that is consented to, or takes effect after a time. */

/** What its task keeps: the change as it was proposed, which is made again from its input when it takes effect. */
export interface ControlChangeContent {
  change: Pick<ControlRequest, 'kind' | 'permission' | 'proposer' | 'input' | 'base'>;
  shown: Pick<ControlRequest, 'subject' | 'subjectId' | 'lines'>;
}

/** The operation of each kind, made from the input with which it was proposed. */
export type Controls = Readonly<
  Partial<Record<ControlKind, (input: ControlOperation<object>['input']) => ControlOperation<object>>>
>;

export const controlChange: SubjectKind = {
  kind: 'control_change',
  shape: 'change',
  adoptable: false,
  changesControls: true,
  auditKind: 'task',
  notices: 'control',
  locks: ['organisation', 'settings'],
  initiation: 'signed-in',
  name(task, locale) {
    const { change, shown } = contentOf(task);
    return named(translate(locale, `approvals.control.${change.kind}`), sayShown(shown.subject, locale) ?? '', locale);
  },
  noticeValues(task) {
    const { change, shown } = contentOf(task);
    const rule = typeof shown.subject === 'string' ? shown.subject : '';
    return { change: { text: `approvals.control.${change.kind}` }, named: rule === '' ? 0 : 1, rule };
  },
  brief: () => ({ party: null, facts: [] }),
};

/** `controls`: none in the worker, whose database role may not make such changes. */
export const controlChanges = (controls: Controls, clock: Clock): ApprovalSubject => ({
  ...controlChange,
  async content(_tx, task, { locale }) {
    const { lines } = contentOf(task).shown;
    const side = (of: 'before' | 'after') =>
      lines.flatMap((line) => {
        const value = sayShown(line[of], locale);
        if (value === null || value === '') return [];
        const label = translate(locale, `control.field.${line.field}`);
        return [{ text: translate(locale, 'approvals.line.field', { label, value }), changed: true }];
      });
    return { shape: 'change', before: side('before'), after: side('after') };
  },
  link: () => null,
  control(task) {
    const { change, shown } = contentOf(task);
    return { kind: change.kind, subjectId: shown.subjectId };
  },
  auditDetail(task) {
    const { change, shown } = contentOf(task);
    return { name: typeof shown.subject === 'string' ? shown.subject : '', change: change.kind };
  },
  async digest(tx, id) {
    const { task, change } = await proposal(tx, id);
    return (await digestNow(tx, operationOf(controls, change))) === change.base ? task.digest : null;
  },
  recheck: (tx, id) => recheck(tx, controls, clock, id),
  async approved(tx, id) {
    const { task, change } = await proposal(tx, id);
    const agreed = (await readDecisions(tx, [id])).map(({ approverId }) => approverId);
    await refuseNewcomers(tx, change.permission, [task.initiatorId, ...agreed], clock.now());
    const context = await proposerOf(tx, task, clock);
    invariant(context, 'the proposer was found active a moment before');
    await makeProposed(tx, context, operationOf(controls, change));
    await audit(tx, {
      actor: { kind: 'user', id: task.initiatorId },
      action: 'approvals.takeEffect',
      subjectKind: 'task',
      subjectId: id,
      detail: { change: change.kind, consent: agreed.length > 0 },
    });
  },
  async ended() {
    // The task says how it ended; nothing else was changed.
  },
  async withdrawn(tx, context, task) {
    await audit(tx, {
      actor: actorOf(context),
      action: 'approvals.withdraw',
      subjectKind: 'task',
      subjectId: task.id,
      detail: this.auditDetail(task),
    });
    return null;
  },
});

/** A proposal is made only if its proposer could still propose it, against the same state. */
async function recheck(tx: Tx, controls: Controls, clock: Clock, id: string): Promise<{ reason: string } | null> {
  const { task, change } = await proposal(tx, id);
  const context = await proposerOf(tx, task, clock);
  if (!context?.session.permissions.includes(change.proposer ?? change.permission))
    return { reason: 'approvals.reason.proposerLeft' };
  const found = await checkProposed(tx, context, operationOf(controls, change), change.base);
  if (found === 'same') return null;
  return { reason: found === 'changed' ? 'approvals.reason.changed' : 'approvals.reason.notPossible' };
}

function operationOf(controls: Controls, { kind, input }: ControlChangeContent['change']): ControlOperation<object> {
  const make = controls[kind];
  invariant(make, `changes of kind ${kind} can be made in this process`);
  return make(input);
}

/** The proposer as they are now: the change is made in their name. Null when they are no longer active. */
async function proposerOf(tx: Tx, task: TaskRow, clock: Clock): Promise<SignedInContext | null> {
  const [person] = await findPeople(tx, [task.initiatorId]);
  if (person?.status !== 'active') return null;
  const { id: userId, permissions } = person;
  const companyId = task.companyId;
  const session = { id: task.id, companyId, userId, userName: task.initiatorName, permissions };
  return { session, locale: 'en-us', ip: '', userAgent: '', requestId: task.id, clock };
}

async function proposal(tx: Tx, id: string) {
  const task = await findTask(tx, id);
  invariant(task?.kind === controlChange.kind, `task ${id} is a change of the controls`);
  return { task, change: contentOf(task).change };
}

/** As `openProposal` was given it. */
function contentOf({ content }: Pick<TaskSnapshot, 'content'>): ControlChangeContent {
  return content as ControlChangeContent;
}

function sayShown(shown: Shown, locale: Locale): string | null {
  if (shown === null || typeof shown === 'string') return shown;
  if ('text' in shown) return translate(locale, shown.text);
  const said = shown.texts.map((id) => translate(locale, id));
  return new Intl.ListFormat(locale, { type: 'unit' }).format(said);
}
