import * as z from 'zod/mini';
import { call } from './call.ts';
import { effect, effectOnly } from './effect.ts';
import { id, instant, page, pageQuery, text } from './ids.ts';
import { compareAmounts, riskHit, usd } from './risk.ts';
import { listAccountTypes, listActions, listEntryStatuses, listKinds, remarkMaxLength } from './risk-rules.ts';

function isAtMost(low: string, high: string): boolean {
  return (compareAmounts(low, high) ?? 0) <= 0;
}

/** US dollars; single ≤ daily ≤ cumulative. A transfer may reach a limit, and not pass it. */
export const whitelistLimits = z.strictObject({ single: usd, daily: usd, cumulative: usd }).check(
  z.refine(({ single, daily }) => isAtMost(single, daily), { error: 'field.limitDaily', path: ['daily'] }),
  z.refine(({ daily, cumulative }) => isAtMost(daily, cumulative), {
    error: 'field.limitCumulative',
    path: ['cumulative'],
  }),
);
export type WhitelistLimits = z.output<typeof whitelistLimits>;

const account = z
  .string('field.required')
  .check(z.trim(), z.minLength(1, 'field.required'), z.maxLength(128, 'field.tooLong'));

const shownLimits = z.object({ single: z.string(), daily: z.string(), cumulative: z.string() });

export const listEntry = z.object({
  id,
  kind: z.enum(listKinds),
  payeeType: z.enum(listAccountTypes),
  /** As its own rule writes it: an address with its checksum, an account without blanks and in capitals. */
  account: z.string(),
  remark: z.string(),
  status: z.enum(listEntryStatuses),
  /** White list only; null on the black list. */
  limits: z.nullable(shownLimits),
  /** White list only: US dollars sent today (the company's day) and since the entry was made. */
  used: z.nullable(z.object({ daily: z.string(), cumulative: z.string() })),
  hitCount: z.number(),
  createdAt: instant,
  createdBy: z.string(),
  deletedAt: z.nullable(instant),
  deletedBy: z.nullable(z.string()),
});
export type ListEntry = z.output<typeof listEntry>;

const listFilter = {
  kind: z.enum(listKinds),
  payeeType: z.optional(z.enum(listAccountTypes)),
  status: z.optional(z.enum(listEntryStatuses)),
  keyword: z.optional(text(128)),
};

export const listNamelist = call({
  name: 'listNamelist',
  method: 'GET',
  path: '/web/trx/namelist',
  summary: 'Entries of the white list or the black list, newest first.',
  access: 'list.view',
  query: z.strictObject({ ...pageQuery, ...listFilter }),
  output: page(listEntry),
  errors: ['cursorInvalid'],
});

/** A white entry needs the three limits, a black one has none. */
const limitsByKind = z.refine<{ kind: string; limits?: unknown }>(
  ({ kind, limits }) => (kind === 'white') === (limits !== undefined),
  { error: 'field.limitsRequired', path: ['limits'] },
);

export const addListEntry = call({
  name: 'addListEntry',
  method: 'POST',
  path: '/web/trx/namelist',
  summary: 'Puts an account on the white list (with its limits) or the black list; the client may choose its id.',
  access: 'list.manage',
  body: z
    .strictObject({
      id: z.optional(id),
      kind: z.enum(listKinds, 'field.required'),
      payeeType: z.enum(listAccountTypes, 'field.required'),
      account,
      remark: z.optional(text(remarkMaxLength)),
      limits: z.optional(whitelistLimits),
    })
    .check(limitsByKind),
  output: z.extend(listEntry, effect),
  errors: [
    'approvalRulesHeld',
    'addressChecksum',
    'addressNetwork',
    'addressInvalid',
    'addressReserved',
    'bankAccountInvalid',
    'ibanChecksum',
    'idTaken',
    'listEntryExists',
    'listEntryOnOtherList',
  ],
});

export const editListEntry = call({
  name: 'editListEntry',
  method: 'PUT',
  path: '/web/trx/namelist',
  summary: 'Changes the remark of an entry, and the limits of a white one.',
  access: 'list.manage',
  body: z.strictObject({
    id,
    remark: z.optional(text(remarkMaxLength)),
    limits: z.optional(whitelistLimits),
  }),
  output: z.extend(listEntry, effect),
  errors: ['approvalRulesHeld', 'listEntryNotFound'],
});

export const deleteListEntry = call({
  name: 'deleteListEntry',
  method: 'DELETE',
  path: '/web/trx/namelist/{id}',
  summary: 'Takes an entry off its list; its row and its log stay.',
  access: 'list.manage',
  params: z.object({ id }),
  output: effectOnly,
  errors: ['approvalRulesHeld', 'listEntryNotFound'],
});

/** An entry as it stood before or after a change. */
const entryState = z.object({ remark: z.string(), limits: z.nullable(shownLimits) });

const listLog = {
  id,
  at: instant,
  /** Null when a transfer was refused because its account is on no list ("only whitelisted"). */
  entryId: z.nullable(id),
  kind: z.enum(listKinds),
  payeeType: z.enum(listAccountTypes),
  account: z.string(),
};

export const listNamelistLogs = call({
  name: 'listNamelistLogs',
  method: 'GET',
  path: '/web/trx/namelist/logs',
  summary: 'Every change of the lists and every transaction that an entry stopped, newest first.',
  access: 'list.view',
  query: z.strictObject({
    ...pageQuery,
    kind: z.optional(z.enum(listKinds)),
    type: z.optional(z.enum(['change', 'hit'])),
    entryId: z.optional(id),
  }),
  output: page(
    z.discriminatedUnion('type', [
      z.object({
        type: z.literal('change'),
        ...listLog,
        by: z.string(),
        action: z.enum(listActions),
        before: z.nullable(entryState),
        after: z.nullable(entryState),
      }),
      z.object({ type: z.literal('hit'), ...listLog, hit: riskHit }),
    ]),
  ),
  errors: ['cursorInvalid', 'listEntryNotFound'],
});

export const importNamelist = call({
  name: 'importNamelist',
  method: 'POST',
  path: '/web/trx/namelist/import',
  summary: 'Puts the rows of a CSV file on a list, all or none; a dry run only says what would happen, row by row.',
  access: 'list.manage',
  query: z.strictObject({
    kind: z.enum(listKinds, 'field.required'),
    dryRun: z.enum(['true', 'false'], 'field.required'),
  }),
  upload: true,
  output: z.object({
    /** True when the rows are on the list now. */
    imported: z.boolean(),
    ...effect,
    accepted: z.number(),
    refused: z.number(),
    rows: z.array(
      z.object({
        /** Line of the file, the header being 1. */
        line: z.number(),
        payeeType: z.string(),
        account: z.string(),
        remark: z.string(),
        limits: z.nullable(shownLimits),
        /** Why it would be refused, in the reader's language; null when it would not. */
        problem: z.nullable(z.string()),
      }),
    ),
  }),
  errors: ['approvalRulesHeld', 'fileTooLarge', 'listImportRefused', 'listImportUnreadable', 'listImportTooLong'],
});

export const exportNamelist = call({
  name: 'exportNamelist',
  method: 'GET',
  path: '/web/trx/namelist/export',
  summary: 'A list as CSV, in the columns that an import reads.',
  access: 'list.export',
  query: z.strictObject(listFilter),
  output: z.null(),
  answer: 'file',
  errors: [],
});

export const riskSetting = z.object({
  /** When true, nothing goes to an account that is not on the white list. */
  onlyWhitelisted: z.boolean(),
  updatedAt: z.nullable(instant),
  updatedBy: z.nullable(z.string()),
});
export type RiskSetting = z.output<typeof riskSetting>;

export const getRiskSetting = call({
  name: 'getRiskSetting',
  method: 'GET',
  path: '/web/trx/risk-setting',
  summary: 'Whether the company sends to whitelisted accounts only.',
  access: 'list.view',
  output: riskSetting,
  errors: [],
});

export const setRiskSetting = call({
  name: 'setRiskSetting',
  method: 'PUT',
  path: '/web/trx/risk-setting',
  summary: 'Sets whether the company sends to whitelisted accounts only.',
  access: 'setting.manage',
  body: z.strictObject({ onlyWhitelisted: z.boolean('field.required') }),
  output: z.extend(riskSetting, effect),
  errors: ['approvalRulesHeld'],
});
