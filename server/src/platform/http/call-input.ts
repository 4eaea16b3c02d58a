import type { Body, Call, Params, Query } from '@causeway/contract/call.ts';
import { problemOf } from '@causeway/contract/missing.ts';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { DomainError, invariant } from '../domain-error.ts';
import { isDeclaredTooLarge } from './http-limits.ts';

/** What a use case is given of its request: parameters, query and body, parsed by the contract and merged into one object. */

type Part<T> = [T] extends [undefined] ? unknown : T;

/** The fields of `params`, `query` and `body` side by side; no field is in two of them (`refuseSameFields`). */
export type Input<C extends Call> = Part<Params<C>> & Part<Query<C>> & Part<Body<C>>;

/** An upload as it streams in: the name the sender gave, and the bytes, cut off past the size limit. */
export interface Upload {
  name: string;
  content: Buffer;
}

/** @throws DomainError notFound for an id that cannot be one, validationFailed with the fields */
export function parseInput<C extends Call>(call: C, request: FastifyRequest): Input<C> {
  const fields: Record<string, string> = {};
  const parse = (schema: z.core.$ZodType | undefined, value: unknown): unknown => {
    if (!schema) return undefined;
    const result = z.safeParse(schema, value);
    if (result.success) return result.data;
    for (const [field, id] of Object.entries(fieldMessages(result.error, value))) fields[field] ??= id;
    return undefined;
  };
  if (call.params && parse(call.params, request.params) === undefined) {
    // A malformed id gets the response of an id that never existed.
    throw new DomainError('notFound');
  }
  const input = {
    params: parse(call.params, request.params),
    query: parse(call.query, request.query),
    body: parse(call.body, request.body ?? {}),
  };
  if (Object.keys(fields).length > 0) throw new DomainError('validationFailed', {}, fields);
  return { ...(input.params as object), ...(input.query as object), ...(input.body as object) } as Input<C>;
}

/** What is wrong with an input, by field: the id of the first message of each; `_` is the whole. */
export function fieldMessages(error: z.core.$ZodError, input: unknown): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) {
    for (const path of pathsOf(issue)) fields[path.join('.') || '_'] ??= problemOf(messageId(issue), path, input);
  }
  return fields;
}

/** The fields that an issue is about: a field that the contract does not know is reported by its own name. */
function pathsOf(issue: z.core.$ZodIssue): PropertyKey[][] {
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
}

/** The contract's schemas carry ids of sentences; what they leave open is "invalid". */
function messageId(issue: z.core.$ZodIssue): string {
  if (/^(?:field|bank\.detail)\.\w+$/.test(issue.message)) return issue.message;
  if (issue.code === 'unrecognized_keys') return 'field.unknown';
  return 'field.invalid';
}

/** The one file of a multipart body, read to its end. @throws DomainError uploadNotOneFile, validationFailed, fileTooLarge */
export async function readUpload(request: FastifyRequest): Promise<Upload> {
  if (!request.isMultipart()) throw new DomainError('unsupportedMediaType');
  if (isDeclaredTooLarge(request.raw)) throw new DomainError('fileTooLarge');
  try {
    const parts = request.parts();
    const { value: part } = await parts.next();
    if (part?.type !== 'file' || part.fieldname !== 'file') {
      throw new DomainError('validationFailed', {}, { file: 'field.required' });
    }
    const upload = { name: part.filename, content: await bytesOf(part.file) };
    // A second part would otherwise be dropped without a word.
    if (!(await parts.next()).done) throw new DomainError('uploadNotOneFile');
    return upload;
  } catch (error) {
    // The parser's own errors (no boundary, a body that ends too early) have no code. A sender who gives up reads no answer.
    const isPlain = error instanceof Error && !(error instanceof DomainError) && !('code' in error);
    throw isPlain && request.raw.complete ? new DomainError('uploadNotOneFile') : error;
  }
}

/**
 * All of a file. The parser's own `toBuffer` reads what follows the limit to its end before it refuses it, however much that is.
 * @throws DomainError fileTooLarge, at the first byte too many
 */
async function bytesOf(file: MultipartFile['file']): Promise<Buffer> {
  file.once('limit', () => file.destroy(new DomainError('fileTooLarge')));
  const pieces: Buffer[] = [];
  for await (const piece of file) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** Refuses a call of which one field would hide another in the merged input. */
export function refuseSameFields(call: Call): void {
  const names = [call.params, call.query, call.body].flatMap((schema) => [...fieldsOf(schema)]);
  invariant(new Set(names).size === names.length, `${call.name} has a field in two of params, query and body`);
}

function fieldsOf(schema: z.core.$ZodType | undefined): Set<string> {
  const def = schema?._zod.def as { shape?: object; options?: z.core.$ZodType[] } | undefined;
  const options = def?.options ?? [];
  return new Set([...Object.keys(def?.shape ?? {}), ...options.flatMap((option) => [...fieldsOf(option)])]);
}
