import * as z from 'zod/mini';
import {
  approverKinds,
  expiryDaysMax,
  findingKinds,
  findingSeverities,
  maxNodeApprovers,
  maxRuleNodes,
  maxRuleSubmitters,
  maxRules,
  reminderHoursMax,
  reviewLogActions,
  ruleNameMaxLength,
  submitterKinds,
} from './approvals-rules.ts';
import { call } from './call.ts';
import { effectOnly } from './effect.ts';
import { codeMethods, verificationCode } from './identity.ts';
import { id, instant, page, pageQuery, text } from './ids.ts';
import { parseAmount } from './money.ts';
import { name } from './names.ts';

/** The settings of approving: rules, their order, switching review on and off. Part of `approvals.ts`, which exports it. */

/** US dollars with at most two decimals. */
export const usdText = z.string('field.usdAmount').check(
  z.maxLength(18, 'field.usdAmount'),
  z.refine((value) => parseAmount(value, 2).ok, { error: 'field.usdAmount' }),
);

const approver = z.strictObject({ kind: z.enum(approverKinds), id });
export type Approver = z.output<typeof approver>;

const submitter = z.strictObject({ kind: z.enum(submitterKinds), id });
export type RuleSubmitter = z.output<typeof submitter>;

const whole = (most: number) =>
  z.int('field.invalid').check(z.minimum(1, 'field.invalid'), z.maximum(most, 'field.invalid'));

const ruleNode = z
  .strictObject({
    approvers: z
      .array(approver)
      .check(z.minLength(1, 'field.approverRequired'), z.maxLength(maxNodeApprovers, 'field.tooManyApprovers')),
    /** How many of them must approve. */
    needed: whole(maxNodeApprovers),
  })
  .check(
    z.refine(
      ({ approvers, needed }) =>
        approvers.length === 0 || needed <= approvers.length || approvers.some(({ kind }) => kind === 'role'),
      {
        error: 'field.approversNeeded',
        path: ['needed'],
      },
    ),
  );

function cents(value: string): bigint {
  const parsed = parseAmount(value, 2);
  return parsed.ok ? parsed.minor : 0n;
}

/** A rule as it is written: who must approve transfers of lower ≤ value < upper, in US dollars, which these people submit. */
export const ruleContent = z
  .strictObject({
    name: name(ruleNameMaxLength),
    lower: usdText,
    /** Null: no upper bound. */
    upper: z.nullable(usdText),
    /** Any of these members, roles and departments; empty: everybody. Absent: as before, and everybody for a new rule. */
    submittedBy: z.optional(z.array(submitter).check(z.maxLength(maxRuleSubmitters, 'field.tooManySubmitters'))),
    nodes: z
      .array(ruleNode)
      .check(z.minLength(1, 'field.approverRequired'), z.maxLength(maxRuleNodes, 'field.tooManyNodes')),
    active: z.boolean(),
  })
  .check(
    z.refine(({ lower, upper }) => upper === null || cents(upper) > cents(lower), {
      error: 'field.upperAboveLower',
      path: ['upper'],
    }),
  );
export type RuleContent = z.output<typeof ruleContent>;

const ruleIds = z.array(id).check(z.minLength(1, 'field.required'), z.maxLength(maxRules, 'field.tooLong'));

/** One change of the settings, as it is checked, proposed and decided on. */
export const reviewChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('add'), id, rule: ruleContent }),
  z.strictObject({ kind: z.literal('change'), id, rule: ruleContent }),
  z.strictObject({ kind: z.literal('delete'), id }),
  /** Every rule's id, in the new order. */
  z.strictObject({ kind: z.literal('order'), ids: ruleIds }),
  z.strictObject({ kind: z.literal('switch'), enabled: z.boolean() }),
]);
export type ReviewChange = z.output<typeof reviewChange>;

const shownNode = z.object({
  needed: z.number(),
  /** `gone`: deleted since. */
  approvers: z.array(z.object({ kind: z.enum(approverKinds), id, name: z.string(), gone: z.boolean() })),
});

/** `gone`: deleted since. */
const shownSubmitter = z.object({ kind: z.enum(submitterKinds), id, name: z.string(), gone: z.boolean() });

const shownRule = z.object({
  name: z.string(),
  lower: z.string(),
  upper: z.nullable(z.string()),
  /** Null: everybody. */
  submittedBy: z.nullable(z.array(shownSubmitter)),
  nodes: z.array(shownNode),
  active: z.boolean(),
});

export const approvalRule = z.extend(shownRule, {
  id,
  /** Raised with each change; a task keeps the version of the time it began. */
  version: z.number(),
  /** From 1: the first rule that matches decides. */
  position: z.number(),
  changedAt: instant,
  changedBy: z.string(),
  /** Tasks that still run under any version of it. */
  pendingTasks: z.number(),
});
export type ApprovalRule = z.output<typeof approvalRule>;

const changeLine = z.object({
  text: z.string(),
  /** It differs from the other side. */
  changed: z.boolean(),
});

/** Settings before and after a change, line by line in the reader's language. */
export const changeContent = z.object({ before: z.array(changeLine), after: z.array(changeLine) });
export type ChangeContent = z.output<typeof changeContent>;

/** Something about the rules that a person should know: before saving and ever after. */
export const finding = z.object({
  kind: z.enum(findingKinds),
  severity: z.enum(findingSeverities),
  /** The whole of it in words, in the reader's language. */
  text: z.string(),
  ruleId: z.nullable(id),
  ruleName: z.nullable(z.string()),
  /** From 1. */
  node: z.nullable(z.number()),
  /** The amounts it concerns, in US dollars: lower ≤ value < upper (null: no bound). */
  lower: z.nullable(z.string()),
  upper: z.nullable(z.string()),
});
export type Finding = z.output<typeof finding>;

export const getReviewSetting = call({
  name: 'getReviewSetting',
  method: 'GET',
  path: '/web/trx/review-setting',
  summary: 'Whether review is on, the rules in their order, and findings about them.',
  access: 'rule.view',
  query: z.strictObject({ keyword: z.optional(text(100)) }),
  output: z.object({
    enabled: z.boolean(),
    expiryDays: z.number(),
    reminderHours: z.number(),
    /** Raised with each change; sent back with a change, so that a change made in between is never overwritten unseen. */
    version: z.number(),
    /** A change made by the reader does not take effect at once: another person must consent, or it waits. */
    dualControl: z.boolean(),
    /** Until then only members who had the right before another's was taken away count as a second person; usually null. */
    heldUntil: z.nullable(instant),
    /** Changes that wait for a second person. */
    proposals: z.array(
      z.object({ taskId: id, name: z.string(), by: z.string(), at: instant, effectiveAt: z.nullable(instant) }),
    ),
    rules: z.array(approvalRule),
    findings: z.array(finding),
  }),
  errors: [],
});

const seenVersion = { version: z.int('field.invalid').check(z.minimum(0, 'field.invalid')) };
const changeErrors = ['approvalNobodyCan', 'approvalRulesHeld', 'notFound', 'reviewChanged'] as const;

export const addRule = call({
  name: 'addRule',
  method: 'POST',
  path: '/web/trx/review-setting',
  summary:
    'Adds a rule at the end of the order; with two administrators or more it becomes a task for another of them.',
  access: 'rule.manage',
  body: z.strictObject({ ...seenVersion, id, rule: ruleContent }),
  output: effectOnly,
  errors: [...changeErrors, 'approverExists', 'idTaken', 'submitterExists', 'tooManyRules'],
});

export const changeRule = call({
  name: 'changeRule',
  method: 'PUT',
  path: '/web/trx/review-setting',
  summary: 'Changes a rule: a new version of it; tasks that have begun keep theirs.',
  access: 'rule.manage',
  body: z.strictObject({ ...seenVersion, id, rule: ruleContent }),
  output: effectOnly,
  errors: [...changeErrors, 'approverExists', 'submitterExists'],
});

export const deleteRule = call({
  name: 'deleteRule',
  method: 'DELETE',
  path: '/web/trx/review-setting',
  summary: 'Deletes a rule; tasks that have begun under it continue.',
  access: 'rule.manage',
  body: z.strictObject({ ...seenVersion, id }),
  output: effectOnly,
  errors: changeErrors,
});

export const orderRules = call({
  name: 'orderRules',
  method: 'PUT',
  path: '/web/trx/review-setting/order',
  summary: 'Puts all rules into an order; the first that matches decides.',
  access: 'rule.manage',
  body: z.strictObject({ ...seenVersion, ids: ruleIds }),
  output: effectOnly,
  errors: changeErrors,
});

export const checkReviewChange = call({
  name: 'checkReviewChange',
  method: 'POST',
  path: '/web/trx/review-setting/check',
  summary: 'What would be found about the rules if this change were made; nothing is saved.',
  access: 'rule.manage',
  body: z.strictObject({ change: reviewChange }),
  output: z.object({ findings: z.array(finding) }),
  errors: ['approverExists', 'idTaken', 'notFound', 'submitterExists', 'tooManyRules'],
});

/** What the code of a switch is bound to (subject `review` of `sendUserCode`). */
export const reviewContent = z.strictObject({ enabled: z.boolean() });

export const setReviewEnabled = call({
  name: 'setReviewEnabled',
  method: 'PUT',
  path: '/web/trx/review-setting-enabled',
  summary:
    'Switches review on or off, with a code; tasks that have begun stand. With two administrators another must approve it.',
  access: 'rule.manage',
  confirms: 'review',
  body: z.extend(reviewContent, { codeMethod: z.enum(codeMethods), code: verificationCode }),
  output: effectOnly,
  errors: ['approvalNobodyCan', 'approvalRulesHeld', 'codeBurnt', 'codeWrong', 'mfaNotBound', 'transferCodeMismatch'],
});

export const setReviewOptions = call({
  name: 'setReviewOptions',
  method: 'PUT',
  path: '/web/trx/review-setting/options',
  summary: 'After how many days a task expires, and after how many hours its approvers are reminded.',
  access: 'setting.manage',
  body: z.strictObject({ expiryDays: whole(expiryDaysMax), reminderHours: whole(reminderHoursMax) }),
  output: effectOnly,
  errors: ['approvalRulesHeld'],
});

export const listApprovers = call({
  name: 'listApprovers',
  method: 'GET',
  path: '/web/trx/review-setting/approvers',
  summary: 'Whom a rule may name: the people and roles of the company, with what decides whether they can approve.',
  access: 'rule.manage',
  output: z.object({
    people: z.array(
      z.object({
        id,
        name: z.string(),
        email: z.string(),
        roleName: z.string(),
        departmentName: z.nullable(z.string()),
        status: z.enum(['invited', 'active', 'disabled']),
        onLeave: z.boolean(),
        deputyName: z.nullable(z.string()),
        /** US dollars, exclusive; null: unlimited. */
        quotaUsd: z.nullable(z.string()),
        mayDecide: z.boolean(),
        /** The role allows it, whether or not the person is active. */
        approves: z.boolean(),
      }),
    ),
    roles: z.array(
      z.object({
        id,
        name: z.string(),
        active: z.boolean(),
        quotaUsd: z.nullable(z.string()),
        /** Its holders may decide. */
        approves: z.boolean(),
        /** Active people who hold it and may decide. */
        members: z.number(),
      }),
    ),
  }),
  errors: [],
});

export const listReviewLogs = call({
  name: 'listReviewLogs',
  method: 'GET',
  path: '/web/trx/review-setting/logs',
  summary: 'Every change of the approval settings, the newest first: who, when, before and after.',
  access: 'rule.view',
  query: z.strictObject({ ...pageQuery, action: z.optional(z.enum(reviewLogActions)) }),
  output: page(
    z.object({
      id,
      at: instant,
      /** Null for the system. */
      actor: z.nullable(z.string()),
      action: z.enum(reviewLogActions),
      /** In the reader's language. */
      text: z.string(),
      /** Null for options and ended proposals. */
      change: z.nullable(changeContent),
      /** The task through which it was decided. */
      taskId: z.nullable(id),
    }),
  ),
  errors: ['cursorInvalid'],
});
