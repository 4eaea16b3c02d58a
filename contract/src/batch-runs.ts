import * as z from 'zod/mini';
import { fileEdits, runRow, runTotal } from './batch-run-rows.ts';
import { batchRowStates, maxRunRows, runContentErrors } from './batch-runs-rules.ts';
import { call } from './call.ts';
import { codeMethods, verificationCode } from './identity.ts';
import { amountText, asset, id, instant, page, pageQuery } from './ids.ts';
import { stages } from './transactions-rules.ts';
import { foreseenReview } from './transfers.ts';

export * from './batch-run-rows.ts';
export * from './batch-runs-rules.ts';

/** Runs of batches: checked, submitted under one code and one approval, and carried out row by row (docs/adr/0095-…). Amounts in whole units. */

const version = z.int('field.invalid').check(z.minimum(1, 'field.invalid'));

/** What a run is, apart from its proof: the content that its code is bound to, with everything that the rows mean. */
export const batchRunContent = z.strictObject({
  /** Chosen by the client, so that a repeated submit is the same run. */
  id,
  batchId: id,
  /** Of the batch as it was checked; refused with `batchChanged` once it is another. */
  version,
  /** How many rows were shown as those of the run. */
  rows: z.int('field.invalid').check(z.minimum(1, 'field.invalid'), z.maximum(maxRunRows, 'field.invalid')),
  /** The sums of the fees that the person saw, by asset; refused with `batchFeesChanged` where they have risen since. */
  fees: z.array(z.strictObject({ asset, amount: amountText })).check(z.maxLength(200, 'field.invalid')),
});
export type BatchRunContent = z.output<typeof batchRunContent>;

const proven = z.extend(batchRunContent, { codeMethod: z.enum(codeMethods), code: verificationCode });

/** What the check found of a row. */
const finding = z.object({
  severity: z.enum(['error', 'warning']),
  key: z.string(),
  /** In the reader's language, with what to do where that is not obvious. */
  sentence: z.string(),
});

export const checkedRow = z.object({
  id,
  number: z.number(),
  payee: z.nullable(z.string()),
  asset: z.nullable(asset),
  amount: z.nullable(z.string()),
  /** Null where it could not be computed, for a reason among the findings. */
  fee: z.nullable(z.string()),
  valueUsd: z.nullable(z.string()),
  findings: z.array(finding),
});
export type CheckedRow = z.output<typeof checkedRow>;

export const batchCheck = z.object({
  version: z.number(),
  /** Of the run that would be submitted: 1 the first time. */
  number: z.number(),
  rows: z.number(),
  errors: z.number(),
  warnings: z.number(),
  totals: z.array(runTotal),
  /** In US dollars; null while a price is not fresh enough to decide by. */
  valueUsd: z.nullable(z.string()),
  /** By the wallet that pays; `left` begins with a minus where it does not cover its rows. */
  wallets: z.array(
    z.extend(runTotal, {
      walletId: id,
      place: z.string(),
      available: z.string(),
      left: z.string(),
      covered: z.boolean(),
    }),
  ),
  /** Who would have to approve the whole; null while its value is not known. */
  review: z.nullable(z.omit(foreseenReview, { stop: true })),
  items: z.array(checkedRow),
});
export type BatchCheck = z.output<typeof batchCheck>;

export const checkBatch = call({
  name: 'checkBatch',
  method: 'GET',
  path: '/web/crypto/batch/{id}/check',
  summary:
    'What a batch would meet, were its open rows submitted now: fees, what each wallet has left, what rules, risk and approvals say of each row. It decides, counts and records nothing.',
  access: 'transfer.create',
  params: z.object({ id }),
  output: batchCheck,
  errors: ['batchNotFound'],
});

const submitErrors = [
  'approvalNobodyCan',
  'approvalNoRule',
  ...runContentErrors,
  'codeBurnt',
  'codeForAdministrator',
  'codeWrong',
  'companyFrozen',
  'idTaken',
  'insufficientBalance',
  'mfaNotBound',
  'riskRefused',
  'transferCodeMismatch',
] as const;

const submittedRun = z.object({ id, batchId: id, number: z.number(), rows: z.number(), stage: z.enum(stages) });

export const submitBatch = call({
  name: 'submitBatch',
  method: 'POST',
  path: '/web/crypto/batch/run',
  summary:
    'Submits all rows of a batch under one code and one approval: each becomes a transaction of its own, all of them or none.',
  access: 'transfer.create',
  confirms: 'batch',
  movesMoney: true,
  body: proven,
  output: submittedRun,
  errors: [...submitErrors, 'batchSubmitted'],
});

export const sendBatchAgain = call({
  name: 'sendBatchAgain',
  method: 'POST',
  path: '/web/crypto/batch/run/again',
  summary:
    'Submits those rows of a batch again whose transactions all came to nothing, as new transactions, under a code and an approval of their own.',
  access: 'transfer.create',
  confirms: 'batch',
  movesMoney: true,
  body: proven,
  output: submittedRun,
  errors: [...submitErrors, 'batchNotSubmitted'],
});

/** How many rows are where. */
const progress = z.object({
  waiting: z.number(),
  underWay: z.number(),
  completed: z.number(),
  failed: z.number(),
  paidTwice: z.number(),
});

export const batchRun = z.object({
  id,
  batchId: id,
  batchName: z.string(),
  number: z.number(),
  rows: z.number(),
  initiator: z.object({ id, name: z.string() }),
  createdAt: instant,
  valueUsd: z.string(),
  /** SHA-256, hex: what code and approval are bound to. */
  digest: z.string(),
  /** Of the file, hex; null: its rows were typed. */
  fileHash: z.nullable(z.string()),
  edits: z.nullable(fileEdits),
  totals: z.array(runTotal),
  progress,
  approvalTaskId: z.nullable(id),
  /** For whom it waits, in words; null: for no one. */
  waitingFor: z.nullable(z.string()),
  /** Whether the reader can cancel the rows that nothing has been sent of. */
  cancellable: z.boolean(),
  /** Rows of the batch that could be sent again: all their transactions came to nothing. */
  open: z.number(),
});
export type BatchRun = z.output<typeof batchRun>;

export const listBatchRuns = call({
  name: 'listBatchRuns',
  method: 'GET',
  path: '/web/crypto/batch/{id}/run',
  summary: 'The runs of a batch, the newest first, and where their rows are.',
  access: 'transaction.view',
  params: z.object({ id }),
  output: z.object({ items: z.array(batchRun) }),
  errors: ['batchNotFound'],
});

export const getBatchRun = call({
  name: 'getBatchRun',
  method: 'GET',
  path: '/web/crypto/batch/run/{id}',
  summary: 'One run of a batch.',
  access: 'transaction.view',
  params: z.object({ id }),
  output: batchRun,
  errors: ['batchNotFound'],
});

export const listBatchRunRows = call({
  name: 'listBatchRunRows',
  method: 'GET',
  path: '/web/crypto/batch/run/{id}/row',
  summary:
    'The rows of a run with the state of their transactions, in their order, or those first that an approver should look at (`remarkable`).',
  access: 'transaction.view',
  params: z.object({ id }),
  query: z.strictObject({
    ...pageQuery,
    state: z.optional(z.enum(batchRowStates)),
    sort: z.optional(z.enum(['position', 'remarkable'])),
  }),
  output: page(runRow),
  errors: ['batchNotFound', 'cursorInvalid'],
});

export const cancelBatch = call({
  name: 'cancelBatch',
  method: 'PUT',
  path: '/web/crypto/batch/run/cancel',
  summary: 'Cancels all rows of a run of the caller that nothing has been sent of; their holds are given back.',
  access: 'transfer.create',
  movesMoney: true,
  body: z.strictObject({ id }),
  output: z.object({ id, cancelled: z.number() }),
  errors: ['batchNotFound', 'batchRunNotOwn', 'batchRunOver'],
});
