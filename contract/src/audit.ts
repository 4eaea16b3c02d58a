import * as z from 'zod/mini';
import { auditActorKinds, auditExportFormats } from './audit-rules.ts';
import { call } from './call.ts';
import { id, instant, page, pageQuery, text } from './ids.ts';

export * from './audit-rules.ts';

/** A SHA-256 in hexadecimal. */
const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
/** Feature and verb: `identity.signIn`. */
const action = z.string().check(z.regex(/^[a-z][a-zA-Z]{0,40}\.[a-z][a-zA-Z]{0,60}$/, 'field.invalid'));
const kind = z.string().check(z.regex(/^[a-z][a-zA-Z]{0,40}$/, 'field.invalid'));

/** The signer's word for the chain as it was at a place: everything up to `seq` hashes to what it signed. */
export const auditCheckpoint = z.object({
  seq: z.number(),
  at: instant,
  keyId: z.string(),
  /** Ed25519 (RFC 8032), base64url. */
  signature: z.string(),
});
export type AuditCheckpoint = z.output<typeof auditCheckpoint>;

export const auditEvent = z.object({
  id,
  at: instant,
  actor: z.object({
    kind: z.enum(auditActorKinds),
    id: z.string(),
    /** The current name; null when the id is no longer known. */
    name: z.nullable(z.string()),
  }),
  action: z.string(),
  /** What was done, as a sentence in the reader's language. */
  what: z.string(),
  subject: z.object({ kind: z.string(), kindName: z.string(), id: z.string(), name: z.nullable(z.string()) }),
  /** What was changed: each field with its value before and after, null where there was none. */
  changes: z.array(
    z.object({
      field: z.string(),
      label: z.string(),
      before: z.nullable(z.string()),
      after: z.nullable(z.string()),
      /** Of a setting that was on and is off, or the other way round: what it is now. */
      switched: z.nullable(z.enum(['on', 'off'])),
    }),
  ),
  /** What else is recorded of it. `isDigest`: proof for those who compare it, not for reading. */
  facts: z.array(z.object({ field: z.string(), label: z.string(), value: z.string(), isDigest: z.boolean() })),
  ip: z.nullable(z.string()),
  requestId: z.nullable(z.string()),
  /** Its place in the company's chain, in the order of sealing; null while it waits to be sealed. */
  seal: z.nullable(z.object({ seq: z.number(), previousHash: hash, hash, sealedAt: instant })),
});
export type AuditEvent = z.output<typeof auditEvent>;

const filters = {
  /** A member's id, or `operator`, or `system`. */
  actor: z.optional(z.union([z.enum(['operator', 'system']), id])),
  action: z.optional(action),
  subjectKind: z.optional(kind),
  subjectId: z.optional(text(100)),
  /** Inclusive. */
  from: z.optional(instant),
  /** Exclusive. */
  to: z.optional(instant),
  keyword: z.optional(text(100)),
};

export const listAudit = call({
  name: 'listAudit',
  method: 'GET',
  path: '/web/audit',
  summary: "The company's audit log, newest first.",
  access: 'audit.view',
  query: z.strictObject({ ...pageQuery, ...filters }),
  output: page(auditEvent),
  errors: ['cursorInvalid'],
});

export const getAuditEvent = call({
  name: 'getAuditEvent',
  method: 'GET',
  path: '/web/audit/event/{id}',
  summary: 'One entry of the audit log, with the first checkpoint that covers it.',
  access: 'audit.view',
  params: z.object({ id }),
  output: z.extend(auditEvent, { checkpoint: z.nullable(auditCheckpoint) }),
  errors: [],
});

export const listAuditFilters = call({
  name: 'listAuditFilters',
  method: 'GET',
  path: '/web/audit/filters',
  summary: 'What the audit log can be filtered by: people, actions and kinds of subjects, with their names.',
  access: 'audit.view',
  output: z.object({
    actors: z.array(z.object({ id: z.string(), name: z.string() })),
    actions: z.array(z.object({ action: z.string(), name: z.string() })),
    subjectKinds: z.array(z.object({ kind: z.string(), name: z.string() })),
  }),
  errors: [],
});

export const exportAudit = call({
  name: 'exportAudit',
  method: 'GET',
  path: '/web/audit/export',
  summary:
    'The audit log as a file. `jsonl`: every event of the period in the order of the chain, to be verified off-line with `npm run audit:verify`. `csv`: the filtered list for people.',
  access: 'audit.view',
  query: z.strictObject({ ...filters, format: z.enum(auditExportFormats, 'field.required') }),
  output: z.null(),
  answer: 'file',
  errors: ['auditRangeOnly', 'auditUnsigned', 'auditNothing'],
});

export const getAuditKey = call({
  name: 'getAuditKey',
  method: 'GET',
  path: '/web/audit/key',
  summary: 'The public keys with which checkpoints of the audit log are signed, newest first.',
  access: 'audit.view',
  output: z.object({
    keys: z.array(
      z.object({
        keyId: z.string(),
        /** Ed25519, 32 bytes, base64url. */
        publicKey: z.string(),
        since: instant,
      }),
    ),
  }),
  errors: [],
});
