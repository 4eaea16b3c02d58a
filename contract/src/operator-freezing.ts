import * as z from 'zod/mini';
import { call } from './call.ts';
import { freezeKinds, freezeNoteMaxLength, freezeReasons, freezeTextMaxLength } from './freeze-rules.ts';
import { id, instant, text } from './ids.ts';
import { operatorReason } from './operator.ts';

/** Freezing a company, a wallet or a member, by one operator; unfreezing is proposed to another. Part of the feature operator. */

export * from './freeze-rules.ts';

const kind = z.enum(freezeKinds, 'field.invalid');
const words = text(freezeTextMaxLength).check(z.trim(), z.minLength(1, 'field.required'));
/** The operator's own words to the company, in each language. */
export const freezeTexts = z.strictObject({ 'en-us': words, 'zh-hk': words, 'zh-cn': words });

const freeze = z.object({
  id,
  kind,
  subjectId: id,
  /** The coin or currency of a wallet, the name of a member or of the company. */
  name: z.string(),
  reason: z.enum(freezeReasons),
  /** What the company reads, in the reader's language. */
  text: z.string(),
  /** The operator's own note, which the company never sees. */
  note: z.string(),
  by: z.string(),
  at: instant,
  endedAt: z.nullable(instant),
});
export type Freeze = z.output<typeof freeze>;

export const listFreezes = call({
  name: 'listFreezes',
  method: 'GET',
  path: '/operator/company/{id}/freeze',
  summary: 'What of a company is frozen by the operator, and what was, the newest 100 first.',
  access: 'operator.view',
  params: z.object({ id }),
  output: z.object({ items: z.array(freeze) }),
  errors: [],
});

export const freezeSubject = call({
  name: 'freezeSubject',
  method: 'POST',
  path: '/operator/company/{id}/freeze',
  summary:
    'Freezes a company, one of its wallets or one of its members, at once. The company sees the reason, never the note.',
  access: 'operator.freeze',
  params: z.object({ id }),
  body: z.strictObject({
    kind,
    subjectId: id,
    reason: z.enum(freezeReasons, 'field.required'),
    /** With the reason `other`, and only then. */
    texts: z.optional(freezeTexts),
    note: text(freezeNoteMaxLength).check(z.trim(), z.minLength(1, 'field.required')),
  }),
  output: z.object({ id }),
  errors: ['alreadyFrozen', 'validationFailed'],
});

export const proposeUnfreeze = call({
  name: 'proposeUnfreeze',
  method: 'POST',
  path: '/operator/company/{id}/unfreeze',
  summary:
    'Proposes to unfreeze a company, a wallet or a member; the worker does it once another operator has confirmed.',
  access: 'operator.freeze',
  params: z.object({ id }),
  body: z.strictObject({ kind, subjectId: id, reason: operatorReason }),
  output: z.object({ proposalId: id }),
  errors: ['notFrozen', 'proposalOpen'],
});
