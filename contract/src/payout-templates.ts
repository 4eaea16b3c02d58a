import * as z from 'zod/mini';
import { batchSummary } from './batches.ts';
import { batchNameMaxLength } from './batches-rules.ts';
import { call, nothing } from './call.ts';
import { id, instant, text } from './ids.ts';
import { name } from './names.ts';
import {
  mostPrepareDays,
  payoutNoteMaxLength,
  payoutTurnOutcomes,
  schedulePeriods,
  scheduleStates,
  weekendRules,
} from './payout-templates-rules.ts';

export * from './payout-templates-rules.ts';

/**
 * Templates of batches, and schedules that make a batch from one (docs/adr/0098-…). A template's rows are read and edited with the calls of a
 * batch's rows, under the template's id; it is never submitted itself.
 */

const content = { name: name(batchNameMaxLength), note: text(payoutNoteMaxLength) };
const calendarDay = z.iso.date('field.date');

/** When a batch is made from a template. */
const timing = {
  every: z.enum(schedulePeriods),
  /** Of the week (1: Monday) or of the month, of which a shorter month has its last. */
  day: z.int('field.day').check(z.minimum(1, 'field.day'), z.maximum(31, 'field.day')),
  weekend: z.enum(weekendRules),
  /** By the company's clock. */
  time: z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'field.time')),
  /** A batch is made so many calendar days before its pay day. */
  prepareDays: z.int('field.invalid').check(z.minimum(0, 'field.invalid'), z.maximum(mostPrepareDays, 'field.invalid')),
  firstDay: calendarDay,
  /** The last day on which is paid; null: until the schedule is ended. */
  lastDay: z.nullable(calendarDay),
};

const payoutSchedule = z.object({
  every: z.enum(schedulePeriods),
  day: z.number(),
  weekend: z.enum(weekendRules),
  time: z.string(),
  timeZone: z.string(),
  prepareDays: z.number(),
  firstDay: z.string(),
  lastDay: z.nullable(z.string()),
  /** Who submits the batches. */
  initiator: z.object({ id, name: z.string() }),
  state: z.enum(scheduleStates),
  /** Null unless it runs. */
  next: z.nullable(z.object({ payDay: z.string(), at: instant })),
});
export type PayoutSchedule = z.output<typeof payoutSchedule>;

const payoutTurn = z.object({
  payDay: z.string(),
  at: instant,
  outcome: z.enum(payoutTurnOutcomes),
  /** Why no batch was made, in the reader's language. */
  sentence: z.nullable(z.string()),
  /** `wrong`: rows with errors. Null where none was made, or where it was discarded. */
  batch: z.nullable(z.object({ id, name: z.string(), isSubmitted: z.boolean(), wrong: z.number() })),
});
export type PayoutTurn = z.output<typeof payoutTurn>;

const payoutTemplate = z.object({
  ...z.pick(batchSummary, { id: true, name: true, rows: true, totals: true, createdAt: true, createdBy: true }).shape,
  note: z.string(),
  schedule: z.nullable(payoutSchedule),
  lastTurn: z.nullable(payoutTurn),
});
export type PayoutTemplate = z.output<typeof payoutTemplate>;

export const listPayoutTemplates = call({
  name: 'listPayoutTemplates',
  method: 'GET',
  path: '/web/crypto/batch-template',
  summary:
    'The company’s templates of batches by name, and the batches that schedules made and no one has submitted yet.',
  access: 'transaction.view',
  output: z.object({
    items: z.array(payoutTemplate),
    ready: z.array(
      z.object({
        batchId: id,
        name: z.string(),
        payDay: z.string(),
        initiatorId: id,
        rows: z.number(),
        wrong: z.number(),
      }),
    ),
  }),
  errors: [],
});

export const getPayoutTemplate = call({
  name: 'getPayoutTemplate',
  method: 'GET',
  path: '/web/crypto/batch-template/{id}',
  summary: 'One template with its schedule and its last turns, the newest first.',
  access: 'transaction.view',
  params: z.object({ id }),
  output: z.extend(payoutTemplate, {
    /** The company's, by which a schedule that is saved now counts its days. */
    timeZone: z.string(),
    turns: z.array(payoutTurn),
  }),
  errors: ['payoutTemplateNotFound'],
});

export const addPayoutTemplate = call({
  name: 'addPayoutTemplate',
  method: 'POST',
  path: '/web/crypto/batch-template',
  summary: 'Makes a template, empty or with the rows of a batch or of another template; the client chooses its id.',
  access: 'transfer.create',
  body: z.strictObject({ id, ...content, fromId: z.nullable(id) }),
  output: z.object({ id }),
  errors: ['batchNotFound', 'batchUnmapped', 'idTaken', 'payoutTemplateNameTaken', 'tooManyPayoutTemplates'],
});

export const editPayoutTemplate = call({
  name: 'editPayoutTemplate',
  method: 'PUT',
  path: '/web/crypto/batch-template',
  summary: 'Changes name and note of a template.',
  access: 'transfer.create',
  body: z.strictObject({ id, ...content }),
  output: nothing,
  errors: ['payoutTemplateNameTaken', 'payoutTemplateNotFound'],
});

export const removePayoutTemplate = call({
  name: 'removePayoutTemplate',
  method: 'DELETE',
  path: '/web/crypto/batch-template/{id}',
  summary: 'Deletes a template and ends its schedule; batches that were made from it stay.',
  access: 'transfer.create',
  params: z.object({ id }),
  output: nothing,
  errors: ['payoutTemplateNotFound'],
});

export const makeTemplateBatch = call({
  name: 'makeTemplateBatch',
  method: 'POST',
  path: '/web/crypto/batch-template/batch',
  summary: 'Makes a batch with the rows of a template; `readBatch` reads them against the payees and wallets of now.',
  access: 'transfer.create',
  body: z.strictObject({ id, templateId: id, name: name(batchNameMaxLength) }),
  output: z.object({ id }),
  errors: ['idTaken', 'payoutTemplateEmpty', 'payoutTemplateNotFound'],
});

export const schedulePayoutTemplate = call({
  name: 'schedulePayoutTemplate',
  method: 'PUT',
  path: '/web/crypto/batch-template/schedule',
  summary:
    'Gives a template a schedule in place of the one it had: at each turn a batch is made and checked, and waits for its initiator to submit it.',
  access: 'transfer.create',
  body: z.strictObject({ id, ...timing, initiatorId: id }),
  output: z.object({ nextAt: instant, payDay: z.string() }),
  errors: ['memberNotFound', 'payoutInitiatorInvalid', 'payoutScheduleOver', 'payoutTemplateNotFound'],
});

export const pausePayoutSchedule = call({
  name: 'pausePayoutSchedule',
  method: 'PUT',
  path: '/web/crypto/batch-template/pause',
  summary: 'Pauses a schedule, or resumes it: turns of the time between are left out.',
  access: 'transfer.create',
  body: z.strictObject({ id, isPaused: z.boolean() }),
  output: nothing,
  errors: ['payoutScheduleEnded', 'payoutScheduleOver', 'payoutTemplateNotFound'],
});

export const endPayoutSchedule = call({
  name: 'endPayoutSchedule',
  method: 'PUT',
  path: '/web/crypto/batch-template/end',
  summary: 'Ends a schedule; what it has made stays.',
  access: 'transfer.create',
  body: z.strictObject({ id }),
  output: nothing,
  errors: ['payoutScheduleEnded', 'payoutTemplateNotFound'],
});
