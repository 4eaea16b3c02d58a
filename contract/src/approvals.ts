import * as z from 'zod/mini';
import {
  approvalEnds,
  approvalKindPattern,
  approvalObstacles,
  approvalOutcomes,
  approvalShapes,
  approvalStatuses,
  approvalViews,
  approverKinds,
  maxDecidedAtOnce,
  opinionMaxLength,
  submitterKinds,
} from './approvals-rules.ts';
import { batchContent } from './batch-run-rows.ts';
import { call } from './call.ts';
import { exchangeSides } from './exchange-rules.ts';
import { file } from './files.ts';
import { codeMethods, verificationCode } from './identity.ts';
import { amountText, asset, coin, id, instant, page, pageQuery, text } from './ids.ts';
import { changeContent } from './review.ts';
import { payoutDetail } from './transactions.ts';
import { transactionStatuses } from './transactions-rules.ts';

export * from './approvals-rules.ts';
export * from './review.ts';

const named = z.object({ id, name: z.string() });
const kind = z.string('field.invalid').check(z.regex(approvalKindPattern, 'field.invalid'));

/** A task as lists show it. Amounts are plain decimal texts; null where none is decided on. */
export const approvalTask = z.object({
  id,
  kind,
  shape: z.enum(approvalShapes),
  /** Of what is decided on: a transaction, or the task itself. */
  subjectId: id,
  /** In the reader's language: "Transfer to Supplier", "New approval rule: Large payments". */
  name: z.string(),
  status: z.enum(approvalStatuses),
  /** Null while pending. */
  end: z.nullable(z.enum(approvalEnds)),
  /** Why it ended, in words: the rejection's reason, or what expired, voided or stopped it; null otherwise. */
  reason: z.nullable(z.string()),
  /** `left`: no longer active in the company. */
  initiator: z.extend(named, { left: z.boolean() }),
  applicant: z.string(),
  /** The initiator's department when it began. */
  department: z.nullable(z.string()),
  startedAt: instant,
  finishedAt: z.nullable(instant),
  /** When it expires without a decision. */
  expiresAt: instant,
  /** When a change of controls takes effect unless it is stopped; null: never. */
  effectiveAt: z.nullable(instant),
  /** Who stopped or ended it; null when it was not ended by a person in that way. */
  endedBy: z.nullable(z.string()),
  /** The administrator who took responsibility after its initiator had left; null: not adopted. */
  adoptedBy: z.nullable(named),
  /** The initiator is no longer active, and no administrator has adopted it: until then no decision is possible. */
  abandoned: z.boolean(),
  amount: z.nullable(z.string()),
  coin: z.nullable(coin),
  decimals: z.nullable(z.number()),
  /** The amount's value when it began, in US dollars with two decimals. */
  valueUsd: z.nullable(z.string()),
  /** Who is paid. */
  party: z.nullable(z.object({ name: z.string(), account: z.string() })),
  /** What else tells it from others, in the reader's language: the chain, the bank. */
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  /** What asks for a look before it is decided, in a few words of the reader's language: an account that was changed lately. */
  marks: z.array(z.string()),
  /** The current node, from 1, and the number of nodes. */
  ...{ step: z.number(), steps: z.number() },
  /** For whom it waits, in words; null when it has ended. */
  waitingFor: z.nullable(z.string()),
  waitingSince: z.nullable(instant),
  /** No active approver can pass the current node. */
  stuck: z.boolean(),
  /** Whether the reader may decide on it now; if not, `obstacle` says why. */
  mayDecide: z.boolean(),
  obstacle: z.nullable(z.enum(approvalObstacles)),
  /** Set when the initiator gave the reader the right to decide within the last 30 days: when that was. */
  grantedByInitiatorAt: z.nullable(instant),
  /** What else the reader may do with it now. */
  mayStop: z.boolean(),
  mayWithdraw: z.boolean(),
  mayAdopt: z.boolean(),
});
export type ApprovalTask = z.output<typeof approvalTask>;

export const approvalDecision = z.object({
  by: named,
  roleName: z.nullable(z.string()),
  /** The person on leave in whose place it was decided. */
  deputyFor: z.nullable(z.string()),
  outcome: z.enum(approvalOutcomes),
  opinion: z.string(),
  at: instant,
  method: z.enum(codeMethods),
  /** The initiator had given the approver the right to decide within 30 days before: when that was. */
  grantedByInitiatorAt: z.nullable(instant),
});

export const approvalNode = z.object({
  /** `passed`, `current` (waiting now), `waiting` (comes later), `ended` (the task ended here), `skipped` (never reached). */
  state: z.enum(['passed', 'current', 'waiting', 'ended', 'skipped']),
  /** How many of the approvers must approve. */
  needed: z.number(),
  approved: z.number(),
  approvers: z.array(z.object({ kind: z.enum(approverKinds), id, name: z.string(), gone: z.boolean() })),
  /** Who could decide here as things are now (only of a node that is current or comes later). */
  able: z.array(
    z.extend(named, {
      deputyFor: z.nullable(z.string()),
      /** The initiator gave them the right to decide within the last 30 days: when that was. */
      grantedByInitiatorAt: z.nullable(instant),
    }),
  ),
  /** Who could decide here but for one of these reasons. */
  barred: z.array(z.extend(named, { reason: z.enum(['tooNew', 'grantedByInitiator', 'concerned']) })),
  decisions: z.array(approvalDecision),
});
export type ApprovalNode = z.output<typeof approvalNode>;

/** What is known of an account that is, or may be, paid. */
const party = z.object({
  id: z.nullable(id),
  name: z.string(),
  account: z.string(),
  addedAt: z.nullable(instant),
  addedBy: z.nullable(z.string()),
  /** Completed payments to it before this one. */
  paymentCount: z.number(),
  lastPaymentAt: z.nullable(instant),
  lookAlikes: z.array(z.object({ account: z.string(), name: z.string() })),
  /** What is known of the account that should give pause, in the reader's language. */
  warnings: z.array(z.string()),
});
export type EvidenceOfParty = z.output<typeof party>;

/** What the approver should know beyond the application itself, as it is now; parts that do not apply are null. */
export const evidence = z.object({
  party: z.nullable(party),
  /** Of the paying wallet, in whole coins: before amount and fee were held, and with them gone. */
  balance: z.nullable(z.object({ coin, decimals: z.number(), before: z.string(), after: z.string() })),
  attachments: z.array(file),
  risk: z.nullable(
    z.object({
      allowed: z.boolean(),
      /** The verdict in words. */
      sentence: z.string(),
      findings: z.array(z.object({ severity: z.enum(['problem', 'warning', 'notice']), text: z.string() })),
    }),
  ),
});
export type Evidence = z.output<typeof evidence>;

/** What is decided on, by its shape. */
const approvalContent = z.discriminatedUnion('shape', [
  z.object({
    shape: z.literal('payment'),
    /** In the same coin as the amount; null: none. */
    fee: z.nullable(z.string()),
    notes: z.string(),
    /** The invoice that it pays, and what it is filed under, as it was submitted. */
    invoiceNumber: z.nullable(z.string()),
    category: z.nullable(z.string()),
    /** It is a small amount sent first, before the rest of `total`; null: it is none. In the coin of the amount. */
    test: z.nullable(z.object({ total: z.string(), rest: z.string() })),
    /** It is the rest after this test transfer, which went to the same payee, as that is now; null: it is no such rest. */
    restOf: z.nullable(z.object({ transactionId: id, amount: z.string(), status: z.enum(transactionStatuses) })),
    attachments: z.array(file),
    evidence: z.nullable(evidence),
    /** Of a payment out of a bank: whom it pays and what the payee reads, as it was submitted. */
    payout: z.nullable(payoutDetail),
    /** Of a payment out of coins: what it was quoted at, and the most that leaves, which the approval is bound to; `now`: what it would cost now, null: no price, or decided. */
    bought: z.nullable(
      z.object({
        asset,
        decimals: z.number(),
        amount: z.string(),
        bound: z.string(),
        rate: z.string(),
        sources: z.array(z.string()),
        ratedAt: instant,
        now: z.nullable(z.object({ rate: z.string(), sold: z.string(), withinBound: z.boolean() })),
      }),
    ),
  }),
  z.object({
    shape: z.literal('exchange'),
    /** The side whose amount was named; the other one is an estimate until it is executed. */
    fixed: z.enum(exchangeSides),
    /** As it was submitted: what is exchanged, the fee beside it, and both. */
    sell: z.object({
      asset,
      decimals: z.number(),
      placeName: z.string(),
      quantity: z.string(),
      fee: z.string(),
      total: z.string(),
    }),
    buy: z.object({ asset, decimals: z.number(), placeName: z.string(), quantity: z.string() }),
    /** The least that arrives, or, where what is bought is fixed, the most that leaves: what the approval is bound to. */
    bound: z.string(),
    /** Of a limit order: the rate that it waits for, fee not counted, and until when. */
    limit: z.nullable(z.object({ rate: z.string(), until: instant })),
    /** By which the amounts were estimated; whole units bought for one sold. */
    rate: z.string(),
    sources: z.array(z.string()),
    ratedAt: instant,
    /** What it would come to, were it approved now; null: no price can be quoted, or it is decided. */
    now: z.nullable(z.object({ rate: z.string(), sold: z.string(), bought: z.string(), withinBound: z.boolean() })),
    notes: z.string(),
    balance: evidence.shape.balance,
    risk: evidence.shape.risk,
  }),
  batchContent,
  z.object({
    shape: z.literal('account'),
    notes: z.string(),
    /** It takes the place of an account that the payee had; false: the payee is new. */
    changed: z.boolean(),
    party,
    /** What the chain says is there, in the reader's language. */
    nature: z.string(),
    /** Earlier transactions of the company name it, as payer or as payee. */
    dealtWith: z.boolean(),
  }),
  z.extend(changeContent, { shape: z.literal('change') }),
]);
export type ApprovalContent = z.output<typeof approvalContent>;

const submitter = z.object({ kind: z.enum(submitterKinds), id, name: z.string(), gone: z.boolean() });

export const approvalTaskDetail = z.extend(approvalTask, {
  content: approvalContent,
  /** Where the subject itself is shown, and the words of the link; null: here alone. */
  link: z.nullable(z.object({ path: z.string(), text: z.string() })),
  /** Of the time of submission; null: none applies. */
  rule: z.nullable(
    z.object({
      id,
      name: z.string(),
      version: z.number(),
      lower: z.string(),
      upper: z.nullable(z.string()),
      /** Whom the rule is for; null: everybody. */
      submittedBy: z.nullable(z.array(submitter)),
      /** Which of these the initiator was, or belonged to, at that time. */
      applied: z.nullable(submitter),
    }),
  ),
  nodes: z.array(approvalNode),
  /** SHA-256, hex, of what an approval binds to. */
  digest: z.string(),
});
export type ApprovalTaskDetail = z.output<typeof approvalTaskDetail>;

export const listApprovals = call({
  name: 'listApprovals',
  method: 'GET',
  path: '/web/trx/risk-approval',
  summary:
    'Approval tasks, by default the newest first: initiated by me, pending my decision, completed that I was part of, or all (for those who manage rules).',
  access: 'approval.view',
  query: z.strictObject({
    ...pageQuery,
    view: z.enum(approvalViews),
    status: z.optional(z.enum(approvalStatuses)),
    kind: z.optional(kind),
    coin: z.optional(coin),
    from: z.optional(instant),
    to: z.optional(instant),
    /** In whole coins. */
    amountMin: z.optional(amountText),
    amountMax: z.optional(amountText),
    initiatorId: z.optional(id),
    /** In what each kind puts into its search: names, accounts, notes. */
    keyword: z.optional(text(128)),
    /** By the time it started. */
    order: z.optional(z.enum(['asc', 'desc'])),
  }),
  output: page(approvalTask),
  errors: ['cursorInvalid'],
});

export const getApproval = call({
  name: 'getApproval',
  method: 'GET',
  path: '/web/trx/risk-approval/{id}',
  summary: 'One task with its chain, who decided what and when, and everything that an approver needs to know.',
  access: 'approval.view',
  params: z.object({ id }),
  output: approvalTaskDetail,
  errors: [],
});

/** What the code of a decision is bound to (subject `decision` of `sendUserCode`): these tasks as they are, and the outcome. */
export const decisionContent = z.strictObject({
  ids: z.array(id).check(
    z.minLength(1, 'field.required'),
    z.maxLength(maxDecidedAtOnce, 'field.tooManyTasks'),
    z.refine((ids) => new Set(ids).size === ids.length, { error: 'field.taskTwice' }),
  ),
  outcome: z.enum(approvalOutcomes),
});
export type DecisionContent = z.output<typeof decisionContent>;

export const decideApprovals = call({
  name: 'decideApprovals',
  method: 'POST',
  path: '/web/trx/risk-approval',
  summary:
    'Approves or rejects tasks, all of them or none; a rejection needs a reason. The last approval starts what was applied for.',
  access: 'approval.decide',
  confirms: 'decision',
  movesMoney: true,
  body: z.extend(decisionContent, {
    opinion: z.optional(text(opinionMaxLength)),
    codeMethod: z.enum(codeMethods),
    code: verificationCode,
  }),
  output: z.object({
    items: z.array(
      z.object({
        id,
        status: z.enum(approvalStatuses),
        end: z.nullable(z.enum(approvalEnds)),
        step: z.number(),
        steps: z.number(),
      }),
    ),
  }),
  errors: [
    'approvalAlreadyDecided',
    'approvalConcerned',
    'approvalGrantedByInitiator',
    'approvalInitiatorLeft',
    'approvalNotApprover',
    'approvalNotPending',
    'approvalOverLimit',
    'approvalOwn',
    'approvalReasonRequired',
    'approvalRulesHeld',
    'approvalStopped',
    'approvalTooNew',
    'approvalVoided',
    'codeBurnt',
    'codeWrong',
    'mfaNotBound',
    'notFound',
    'quoteUnavailable',
    'transferCodeMismatch',
  ],
});

export const withdrawApproval = call({
  name: 'withdrawApproval',
  method: 'PUT',
  path: '/web/trx/risk-approval/withdraw',
  summary: 'Takes back an application of the caller that has not been decided; what it holds is given back.',
  access: 'signed-in',
  movesMoney: true,
  body: z.strictObject({ id }),
  output: z.null(),
  errors: ['approvalNotOwn', 'approvalNotPending', 'noPermission', 'notFound'],
});

const todoItem = z.object({
  taskId: id,
  kind,
  name: z.string(),
  initiator: z.string(),
  amount: z.nullable(z.string()),
  coin: z.nullable(coin),
  decimals: z.nullable(z.number()),
  since: instant,
  expiresAt: instant,
  /** For whom it waits, in words. */
  waitingFor: z.string(),
  stuck: z.boolean(),
});
export type TodoItem = z.output<typeof todoItem>;

export const listTodo = call({
  name: 'listTodo',
  method: 'GET',
  path: '/todo/list',
  summary:
    'What waits for the person signed in, and what they wait for: since when, and for whom; the longest waiting first.',
  access: 'signed-in',
  output: z.object({
    /** `count` is exact to 10,000; `items` are the first 50. */
    waitingForMe: z.object({ count: z.number(), items: z.array(todoItem) }),
    iWaitFor: z.object({ count: z.number(), items: z.array(todoItem) }),
  }),
  errors: [],
});
