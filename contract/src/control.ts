import * as z from 'zod/mini';
import { opinionMaxLength } from './approvals-rules.ts';
import { call } from './call.ts';
import { controlKinds, controlModes } from './control-rules.ts';
import { id, instant, text } from './ids.ts';
import { permissions } from './permission.ts';

export * from './control-rules.ts';

/** Changes that wait for a second person or for their time, and what becomes of tasks whose initiator has left. */

export const pendingChange = z.object({
  taskId: id,
  /** "Another role for Mei-Ling Chan", in the reader's language. */
  name: z.string(),
  /** Null for a change of the approval rules, which their own page shows. */
  control: z.nullable(
    z.object({
      kind: z.enum(controlKinds),
      /** Of the member, role, entry or policy that it is about; null where there is none. */
      subjectId: z.nullable(id),
    }),
  ),
  by: z.object({ id, name: z.string() }),
  at: instant,
  /** When it takes effect without a second person's consent; null: never. */
  effectiveAt: z.nullable(instant),
  /** When a change that waits for consent expires. */
  expiresAt: instant,
  mayDecide: z.boolean(),
  mayStop: z.boolean(),
  mayWithdraw: z.boolean(),
});
export type PendingChange = z.output<typeof pendingChange>;

export const listPendingChanges = call({
  name: 'listPendingChanges',
  method: 'GET',
  path: '/web/control/changes',
  summary:
    'Changes of the controls that have not taken effect yet, the oldest first: all of them for those who approve or administer, and for others those that concern them.',
  access: 'signed-in',
  output: z.object({ items: z.array(pendingChange) }),
  errors: [],
});

export const getControlMode = call({
  name: 'getControlMode',
  method: 'GET',
  path: '/web/control',
  summary:
    'What would happen to a change by the reader that widens a control, for each permission that the reader has.',
  access: 'signed-in',
  output: z.object({
    modes: z.array(
      z.object({
        permission: z.enum(permissions),
        mode: z.enum(controlModes),
        /** With mode `waits`: when a change made now would take effect. */
        effectiveAt: z.nullable(instant),
      }),
    ),
    waitingHours: z.number(),
    /** Until then a member whose right was taken away still counts as a second person; usually null. */
    heldUntil: z.nullable(instant),
  }),
  errors: [],
});

export const stopChange = call({
  name: 'stopChange',
  method: 'PUT',
  path: '/web/control/stop',
  summary: 'Stops a change of the controls that has not taken effect; for everybody who approves or administers.',
  access: 'signed-in',
  /** The task's. */
  body: z.strictObject({ id, reason: z.optional(text(opinionMaxLength)) }),
  output: z.null(),
  errors: ['approvalNotPending', 'noPermission', 'notFound'],
});

export const adoptApproval = call({
  name: 'adoptApproval',
  method: 'PUT',
  path: '/web/trx/risk-approval/adopt',
  summary:
    'Takes responsibility for a pending application whose initiator is no longer active, so that others can decide on it.',
  access: 'member.manage',
  body: z.strictObject({ id }),
  output: z.null(),
  errors: ['approvalAlreadyDecided', 'approvalNotAbandoned', 'approvalNotPending', 'notFound'],
});

export const endApproval = call({
  name: 'endApproval',
  method: 'PUT',
  path: '/web/trx/risk-approval/end',
  summary: 'Ends a pending application whose initiator is no longer active, and gives back what it holds.',
  access: 'member.manage',
  body: z.strictObject({
    id,
    reason: text(opinionMaxLength).check(z.refine((value) => value.trim() !== '', { error: 'field.required' })),
  }),
  output: z.null(),
  errors: ['approvalNotAbandoned', 'approvalNotPending', 'notFound'],
});
