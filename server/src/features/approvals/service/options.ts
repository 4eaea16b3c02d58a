import type { setReviewOptions } from '@causeway/contract/approvals.ts';
import type { Body } from '@causeway/contract/call.ts';
import type { Effect } from '@causeway/contract/effect.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { type ControlOperation, makeOrPropose } from '../../organisation/index.ts';
import { insertLog, lockSettings, readSettings, type Settings, writeSettings } from '../store/rules.ts';
import type { Controls } from './control-changes.ts';
import type { ApprovalsPorts } from './subjects.ts';

type Options = Body<typeof setReviewOptions>;

/** How long a task may wait, and after how many hours its approvers are reminded; for tasks that begin later. */
export function setOptions(
  tx: Tx,
  context: SignedInContext & Pick<ApprovalsPorts, 'secondPerson'>,
  options: Options,
): Promise<Effect> {
  return makeOrPropose(tx, context, settingOptions(options));
}

/** Longer waits and fewer reminders widen: an application can be approved for longer, and with less notice. */
function settingOptions(options: Options): ControlOperation<object> {
  return {
    kind: 'setReviewOptions',
    permission: 'setting.manage',
    input: options,
    lock: async (tx) => {
      await lockSettings(tx);
    },
    async state(tx) {
      const { expiryDays, reminderHours } = await readSettings(tx);
      const fields = { expiryDays: expiryDays.toString(), reminderHours: reminderHours.toString() };
      return { subject: null, subjectId: null, fields, basis: fields };
    },
    async make(tx, context) {
      const before = await lockSettings(tx);
      await writeSettings(tx, { ...before, ...options });
      const detail = { before: optionsOf(before), after: optionsOf({ ...before, ...options }) };
      const { userId: id, userName: name } = context.session;
      await insertLog(tx, { actor: { id, name }, action: 'optionsChanged', detail, taskId: null });
      await audit(tx, {
        actor: actorOf(context),
        action: 'approvals.setOptions',
        subjectKind: 'setting',
        subjectId: 'review',
        detail,
      });
      await announce(tx, [live('control')]);
      const widens = options.expiryDays > before.expiryDays || options.reminderHours > before.reminderHours;
      return { result: {}, widensFor: widens ? [] : null };
    },
  };
}

function optionsOf({ expiryDays, reminderHours }: Settings) {
  return { expiryDays, reminderHours };
}

export const approvalsControls: Controls = {
  setReviewOptions: (input) => settingOptions(input as Options),
};
