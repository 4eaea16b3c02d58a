import * as z from 'zod/mini';
import { commonErrors, type ErrorKey } from './errors.ts';
import { callsWhileFrozen } from './freeze-rules.ts';
import type { OperatorPermission } from './operator-rules.ts';
import type { Permission } from './permission.ts';

/**
 * `public` needs no session; `signed-in` any session of a company's member; otherwise the permission that the session's role must
 * hold. `operator` and the operator's permissions are for the operator's own process (docs/adr/0069-…).
 */
export type Access = 'public' | 'signed-in' | Permission | 'operator' | OperatorPermission;

/** How a call's answer travels: the envelope, a file, or a stream of server-sent events. */
export type Answer = 'envelope' | 'file' | 'stream';

type Schema = z.core.$ZodType;
type ObjectSchema = z.core.$ZodObject;

/**
 * A call is data: the server registers it, the web app derives its typed client from it, OpenAPI is printed from it,
 * and tests walk the list of all of them (`calls.ts`).
 */
export interface Call {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Parameters in braces: `/web/crypto/transaction/{id}`. */
  readonly path: string;
  /** One English sentence for the API documentation. */
  readonly summary: string;
  readonly access: Access;
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  readonly body?: Schema;
  /** The envelope's `data`. */
  readonly output: Schema;
  /** The errors it may answer beyond `commonErrors` and those that its access implies. */
  readonly errors: readonly ErrorKey[];
  /** Needs an `Idempotency-Key` header; a repeated request gets the first response. */
  readonly movesMoney?: boolean;
  readonly answer?: Answer;
  /** The subject of the code that the call takes (`codeSubjects` of identity), if it takes one. */
  readonly confirms?: string;
  /** The body is one file as multipart/form-data, field `file`. */
  readonly upload?: boolean;
}

export function call<const C extends Call>(definition: C): C {
  return definition;
}

export type Params<C extends Call> = C extends { params: infer S extends Schema } ? z.output<S> : undefined;
export type Query<C extends Call> = C extends { query: infer S extends Schema } ? z.output<S> : undefined;
export type Body<C extends Call> = C extends { body: infer S extends Schema } ? z.output<S> : undefined;
export type Output<C extends Call> = z.output<C['output']>;
/** What a server hands to the answer: dates and amounts already as text. */
export type OutputInput<C extends Call> = z.input<C['output']>;

/** Whether it is refused while the company is frozen: every change by a member that `callsWhileFrozen` does not name. */
export function stopsWhileFrozen({ name, method, access, path }: Call): boolean {
  if (access === 'public' || method === 'GET' || path.startsWith('/operator/')) return false;
  return !callsWhileFrozen.has(name);
}

/** Every error a call may answer: its own, those of its access, those any call may have. */
export function errorsOf(definition: Call): ErrorKey[] {
  const implied: ErrorKey[] = [];
  if (definition.access !== 'public') implied.push('sessionEnded');
  if (!['public', 'signed-in', 'operator'].includes(definition.access)) implied.push('noPermission');
  if (definition.movesMoney) implied.push('idempotencyKeyMissing', 'idempotencyKeyReused');
  if (definition.upload) implied.push('uploadNotOneFile');
  if (definition.params) implied.push('notFound');
  if (stopsWhileFrozen(definition)) implied.push('companyFrozen');
  return [...new Set<ErrorKey>([...definition.errors, ...implied, ...commonErrors])];
}

/** The envelope of every JSON response (decisions, "Answers"); `code` 0 is success. */
export const failure = z.object({
  code: z.number(),
  data: z.null(),
  errors: z.array(z.string()),
  key: z.string(),
  fields: z.record(z.string(), z.string()),
  requestId: z.string(),
});
export type Failure = z.output<typeof failure>;

export const nothing = z.null();
