import * as z from 'zod/mini';
import {
  batchEncodings,
  batchErrors,
  batchFields,
  batchNameMaxLength,
  batchRowFilters,
  batchSources,
  batchStates,
  batchWarnings,
  maxCellLength,
  maxRowsAtOnce,
} from './batches-rules.ts';
import { call, nothing } from './call.ts';
import { id, instant, page, pageQuery, text } from './ids.ts';
import { name } from './names.ts';

export * from './batches-rules.ts';

/** Drafts of batches of payouts: files and rows, read and mended, before they are submitted. Amounts in whole units. */

const field = z.enum(batchFields);
/** The version of a batch that was seen; refused with `batchChanged` once it is another. */
const version = z.int('field.invalid').check(z.minimum(1, 'field.invalid'));
const written = z.partialRecord(field, text(maxCellLength));
/** Which column of the file (counted from 0) is which field. */
const mapping = z.partialRecord(
  field,
  z.int('field.invalid').check(z.minimum(0, 'field.invalid'), z.maximum(199, 'field.invalid')),
);
const rowIds = z.array(id).check(z.minLength(1, 'field.required'), z.maxLength(maxRowsAtOnce, 'field.invalid'));

const batchHead = {
  id,
  name: z.string(),
  source: z.enum(batchSources),
  fileName: z.nullable(z.string()),
  state: z.enum(batchStates),
  rows: z.number(),
  createdAt: instant,
  createdBy: z.object({ id, name: z.string() }),
  /** In whole units, of the rows that mean something: by what they pay. */
  totals: z.array(z.object({ asset: z.string(), amount: z.string(), rows: z.number() })),
};

export const batchSummary = z.object({
  ...batchHead,
  /** Of its rows; one that was sent again counts once. Null before it is submitted. */
  progress: z.nullable(z.object({ completed: z.number(), failed: z.number(), underWay: z.number() })),
});
export type BatchSummary = z.output<typeof batchSummary>;

/** The beginning of a file, to match its columns by. */
const preview = z.object({
  encoding: z.enum(batchEncodings),
  /** Encodings in which the file can be read at all. */
  encodings: z.array(z.enum(batchEncodings)),
  /** False: more than one encoding gives plausible text, so that a person should look. */
  encodingSure: z.boolean(),
  /** Each with the first of its values; with none where it is empty throughout. */
  columns: z.array(z.object({ name: z.string(), samples: z.array(z.string()) })),
});

export const batch = z.object({
  ...batchHead,
  version: z.number(),
  /** A template, which is never submitted itself. */
  isTemplate: z.boolean(),
  fileId: z.nullable(id),
  /** SHA-256 of the file, hex. */
  fileHash: z.nullable(z.string()),
  mapping,
  /** Of a CSV file that has not been submitted. */
  preview: z.nullable(preview),
  /** The first and the last day on which its pain.001 message asks for payment; it is paid once it is submitted. */
  asked: z.nullable(z.object({ from: z.iso.date(), to: z.iso.date() })),
  /** Rows that have been given their meaning. */
  readTo: z.number(),
  counts: z.object({
    wrong: z.number(),
    warned: z.number(),
    /** Rows whose payee is not saved yet, and all whose details are there. */
    newPayees: z.number(),
    /** Rows whose payee waits for approval. */
    waitingPayees: z.number(),
  }),
  /** By wallet: what the rows pay out of it. */
  wallets: z.array(
    z.object({ walletId: id, asset: z.string(), place: z.string(), amount: z.string(), rows: z.number() }),
  ),
});
export type Batch = z.output<typeof batch>;

const problem = z.object({
  column: field,
  key: z.enum([...batchErrors, ...batchWarnings]),
  severity: z.enum(['error', 'warning']),
  /** What is wrong with which value, in the reader's language. */
  sentence: z.string(),
  /** What to do about it. */
  mend: z.string(),
  /** A warning that was let pass. */
  accepted: z.boolean(),
});

export const batchRow = z.object({
  id,
  number: z.number(),
  /** What a file said may be longer than what can be typed. */
  written: z.partialRecord(field, z.string()),
  /** Null while it means nothing. */
  meaning: z.nullable(
    z.object({
      walletId: id,
      asset: z.string(),
      place: z.string(),
      payee: z.object({
        id,
        label: z.string(),
        account: z.string(),
        kind: z.enum(['crypto', 'bank']),
        status: z.string(),
      }),
      amount: z.string(),
    }),
  ),
  problems: z.array(problem),
});
export type BatchRow = z.output<typeof batchRow>;

/** What an edit leaves: the batch's next version and its counts come with `getBatch`. */
const edited = z.object({ version: z.number() });

export const getBatchTemplate = call({
  name: 'getBatchTemplate',
  method: 'GET',
  path: '/web/crypto/batch/template',
  summary:
    'A CSV file to fill in, in the reader’s language, with an example row for each of the company’s coins and currencies.',
  access: 'transaction.view',
  output: z.null(),
  answer: 'file',
  errors: [],
});

export const uploadBatch = call({
  name: 'uploadBatch',
  method: 'POST',
  path: '/web/crypto/batch/upload',
  summary:
    'Makes a batch from a CSV file or a pain.001 message. Nothing moves: its rows are read with `readBatch`, mended, and submitted later.',
  access: 'transfer.create',
  upload: true,
  output: batch,
  errors: ['batchFileRefused', 'fileEmpty', 'fileTooLarge', 'storageFull'],
});

export const addBatch = call({
  name: 'addBatch',
  method: 'POST',
  path: '/web/crypto/batch',
  summary: 'Makes an empty batch, for rows that are typed or pasted; the client may choose its id.',
  access: 'transfer.create',
  body: z.strictObject({ id: z.optional(id), name: name(batchNameMaxLength) }),
  output: batch,
  errors: ['idTaken'],
});

export const listBatches = call({
  name: 'listBatches',
  method: 'GET',
  path: '/web/crypto/batch',
  summary: 'The company’s batches, newest first.',
  access: 'transaction.view',
  query: z.strictObject({
    ...pageQuery,
    state: z.optional(z.enum(batchStates)),
    keyword: z.optional(text(120)),
  }),
  output: page(batchSummary),
  errors: ['cursorInvalid'],
});

export const getBatch = call({
  name: 'getBatch',
  method: 'GET',
  path: '/web/crypto/batch/{id}',
  summary: 'One batch: how it was read, how many of its rows are wrong, what it pays.',
  access: 'transaction.view',
  params: z.object({ id }),
  output: batch,
  errors: ['batchNotFound'],
});

export const listBatchRows = call({
  name: 'listBatchRows',
  method: 'GET',
  path: '/web/crypto/batch/rows',
  summary: 'Rows of a batch in their order, each with what it means and what is wrong with it.',
  access: 'transaction.view',
  query: z.strictObject({
    ...pageQuery,
    batchId: id,
    show: z.optional(z.enum(batchRowFilters)),
    keyword: z.optional(text(120)),
  }),
  output: page(batchRow),
  errors: ['batchNotFound', 'cursorInvalid'],
});

export const mapBatch = call({
  name: 'mapBatch',
  method: 'PUT',
  path: '/web/crypto/batch/mapping',
  summary:
    'Says which column of a CSV file is which field, and how its text is encoded; columns that are not named are left out. Its rows are read again. The next file with these columns is matched alike.',
  access: 'transfer.create',
  body: z.strictObject({ id, version, mapping, encoding: z.optional(z.enum(batchEncodings)) }),
  output: batch,
  errors: ['batchChanged', 'batchFileRefused', 'batchNotFound', 'batchNotOfCsv', 'batchSubmitted', 'batchUnmapped'],
});

export const readBatch = call({
  name: 'readBatch',
  method: 'PUT',
  path: '/web/crypto/batch/read',
  summary:
    'Gives the next part of a batch’s rows their meaning; called again until `isDone`. A repeated call goes on where the last one ended.',
  access: 'transfer.create',
  body: z.strictObject({ id }),
  output: z.object({ version: z.number(), readTo: z.number(), rows: z.number(), isDone: z.boolean() }),
  errors: ['batchNotFound', 'batchSubmitted', 'batchUnmapped'],
});

export const recheckBatch = call({
  name: 'recheckBatch',
  method: 'PUT',
  path: '/web/crypto/batch/recheck',
  summary: 'Has all rows read again, since payees or wallets have changed; `readBatch` then reads them.',
  access: 'transfer.create',
  body: z.strictObject({ id, version }),
  output: edited,
  errors: ['batchChanged', 'batchNotFound', 'batchSubmitted'],
});

export const mendBatchRow = call({
  name: 'mendBatchRow',
  method: 'PUT',
  path: '/web/crypto/batch/row',
  summary: 'Changes fields of a row; an empty text takes a field out. What it means is read again.',
  access: 'transfer.create',
  body: z.strictObject({ batchId: id, version, rowId: id, written }),
  output: z.object({ version: z.number(), row: batchRow }),
  errors: ['batchChanged', 'batchNotFound', 'batchRowNotFound', 'batchSubmitted'],
});

export const addBatchRows = call({
  name: 'addBatchRows',
  method: 'POST',
  path: '/web/crypto/batch/rows',
  summary: 'Adds rows at the end of a batch, typed or pasted.',
  access: 'transfer.create',
  body: z.strictObject({
    batchId: id,
    version,
    rows: z
      .array(z.strictObject({ id, written }))
      .check(z.minLength(1, 'field.required'), z.maxLength(maxRowsAtOnce, 'field.invalid')),
  }),
  output: edited,
  errors: ['batchChanged', 'batchNotFound', 'batchFull', 'batchSubmitted', 'idTaken'],
});

export const removeBatchRows = call({
  name: 'removeBatchRows',
  method: 'PUT',
  path: '/web/crypto/batch/rows/remove',
  summary: 'Takes rows out of a batch: those named, or all that are wrong.',
  access: 'transfer.create',
  body: z.strictObject({ batchId: id, version, rows: z.union([rowIds, z.literal('wrong')]) }),
  output: z.object({ version: z.number(), removed: z.number() }),
  errors: ['batchChanged', 'batchNotFound', 'batchRowNotFound', 'batchSubmitted'],
});

export const acceptBatchWarnings = call({
  name: 'acceptBatchWarnings',
  method: 'PUT',
  path: '/web/crypto/batch/warnings',
  summary: 'Lets the warnings of rows pass: of those named, or of all.',
  access: 'transfer.create',
  body: z.strictObject({ batchId: id, version, rows: z.union([rowIds, z.literal('all')]) }),
  output: z.object({ version: z.number(), accepted: z.number() }),
  errors: ['batchChanged', 'batchNotFound', 'batchRowNotFound', 'batchSubmitted'],
});

export const renameBatch = call({
  name: 'renameBatch',
  method: 'PUT',
  path: '/web/crypto/batch',
  summary: 'Changes the name of a batch.',
  access: 'transfer.create',
  body: z.strictObject({ id, name: name(batchNameMaxLength) }),
  output: nothing,
  errors: ['batchNotFound'],
});

export const discardBatch = call({
  name: 'discardBatch',
  method: 'DELETE',
  path: '/web/crypto/batch/{id}',
  summary: 'Takes a batch that was never submitted off the list.',
  access: 'transfer.create',
  params: z.object({ id }),
  output: nothing,
  errors: ['batchNotFound', 'batchSubmitted'],
});

export const downloadWrongRows = call({
  name: 'downloadWrongRows',
  method: 'GET',
  path: '/web/crypto/batch/{id}/wrong',
  summary:
    'The rows with errors alone, as CSV in the columns of the upload, with what is wrong with each in a further column.',
  access: 'transaction.view',
  params: z.object({ id }),
  output: z.null(),
  answer: 'file',
  errors: ['batchNotFound'],
});

export const saveNewPayees = call({
  name: 'saveNewPayees',
  method: 'POST',
  path: '/web/crypto/batch/payees',
  summary:
    'Saves the payees of rows that are not saved yet, by the rules of every new payee, and points the rows at them. Called again until `remaining` is 0.',
  access: 'payee.manage',
  body: z.strictObject({ batchId: id, version }),
  output: z.object({
    version: z.number(),
    saved: z.number(),
    /** Rows whose payee cannot be saved, each with the reason in the reader's language. */
    refused: z.array(z.object({ rowId: id, number: z.number(), sentence: z.string() })),
    remaining: z.number(),
  }),
  errors: ['batchChanged', 'batchNotFound', 'batchSubmitted'],
});
