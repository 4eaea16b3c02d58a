import * as z from 'zod/mini';
import { opinionMaxLength } from './approvals-rules.ts';
import { call } from './call.ts';
import { controlKinds, controlModes } from './control-rules.ts';
import { id, instant, text } from './ids.ts';
import { permissions } from './permission.ts';

export * from './control-rules.ts';

/** Changes that wait for a second person or for their time, and what becomes of tasks whose initiator has left. */

/** What a pending change would change, in the reader's language. */
export const controlContent = z.object({
  kind: z.enum(controlKinds),
  /** What it is about: a member's, role's or policy's name, an account; '' for the company's settings. */
  subject: z.string(),
  /** Its id: of the member, role, entry or policy; null where there is none. */
  subjectId: z.nullable(id),
  /** Null where there is none: before something new, after something deleted. */
  lines: z.array(
    z.object({ field: z.string(), label: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) }),
  ),
});
export type ControlContent = z.output<typeof controlContent>;

export const pendingChange = z.object({
  taskId: id,
  kind: z.enum(['rule_change', 'control_change']),
  /** "Another role for Mei-Ling Chan", in the reader's language. */
  name: z.string(),
  /** Null for a change of the approval rules, whose page shows it. */
  control: z.nullable(controlContent),
  by: z.object({ id, name: z.string() }),
  at: instant,
  /** When it takes effect by itself; null: only by a second person's consent. */
  effectiveAt: z.nullable(instant),
  /** When a change that waits for consent ends by itself. */
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
    'Takes responsibility for a pending transfer whose initiator is no longer active, so that others can decide on it.',
  access: 'member.manage',
  body: z.strictObject({ id }),
  output: z.null(),
  errors: ['approvalAlreadyDecided', 'approvalNotAbandoned', 'approvalNotPending', 'notFound'],
});

export const endApproval = call({
  name: 'endApproval',
  method: 'PUT',
  path: '/web/trx/risk-approval/end',
  summary: 'Ends a pending transfer whose initiator is no longer active, and gives its hold back.',
  access: 'member.manage',
  body: z.strictObject({
    id,
    reason: text(opinionMaxLength).check(z.refine((value) => value.trim() !== '', { error: 'field.required' })),
  }),
  output: z.null(),
  errors: ['approvalNotAbandoned', 'approvalNotPending', 'notFound'],
});
