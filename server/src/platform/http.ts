import type { Readable } from 'node:stream';
import type { Body, Call, OutputInput, Params, Query } from '@causeway/contract/call.ts';
import { localeFromHeader } from '@causeway/contract/locale.ts';
import type {} from '@fastify/cookie';
import type {} from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { DomainError, invariant } from './domain-error.ts';
import type {} from './failure.ts';
import type { Authenticate, Cookies, RequestContext, Session } from './session.ts';

/**
 * The one way in which a call of the contract becomes a route: parse, authenticate, authorise, hand to the handler,
 * check the answer, wrap it. A handler says what to do, never how HTTP works.
 */

/** Present when the call is not public; the contract's types make the difference. */
export type ContextOf<C extends Call> = RequestContext &
  (C['access'] extends 'public' ? unknown : { session: Session }) &
  (C['movesMoney'] extends true ? { idempotencyKey: string } : unknown);

export interface Input<C extends Call> {
  params: Params<C>;
  query: Query<C>;
  body: Body<C>;
}

/** A file as an answer: always sent as an attachment under its name. */
export interface FileAnswer {
  name: string;
  type: string;
  content: Buffer | Readable;
  /** How many records it will hold, when that is known: for a progress bar. */
  rows?: number;
}

/** A money call's answer tells whether it is a repetition. */
export interface MoneyAnswer<T> {
  answer: T;
  replayed: boolean;
}

/** An upload as it streams in: the name the sender gave, and the bytes, cut off past the size limit. */
export interface Upload {
  name: string;
  content: Buffer;
}

type Answer<C extends Call> = C['answer'] extends 'file'
  ? FileAnswer
  : C['movesMoney'] extends true
    ? MoneyAnswer<OutputInput<C>>
    : OutputInput<C>;

export type Handler<C extends Call> = (
  input: Input<C>,
  context: ContextOf<C> & (C['upload'] extends true ? { upload: Upload } : unknown),
) => Promise<Answer<C>>;

const idempotencyKeyPattern = /^[\x21-\x7e]{8,128}$/;

/** Routes registered so far, for the test that every call of the contract is implemented. */
const registered = new WeakMap<FastifyInstance, Set<string>>();

export function registeredCalls(app: FastifyInstance): ReadonlySet<string> {
  return registered.get(app) ?? new Set();
}

export interface Http {
  app: FastifyInstance;
  authenticate: Authenticate;
}

export function route<const C extends Call>(http: Http, call: C, handler: Handler<C>): void {
  const { app } = http;
  registered.set(app, new Set([...registeredCalls(app), call.name]));
  app.route({
    method: call.method,
    url: call.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { call },
    handler: async (request, reply) => {
      const context = await contextOf(http, call, request);
      const input = parseInput(call, request) as unknown as Input<C>;
      const upload = call.upload ? { upload: await readUpload(request) } : {};
      const cookies = cookiesOf(request, reply);
      const answer = await handler(input, { ...context, cookies, ...upload } as Parameters<Handler<C>>[1]);
      return send(call, answer, reply);
    },
  });
}

/** A call answered with a stream, which the handler writes itself. */
export function registerStream(
  http: Http,
  call: Call,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  registered.set(http.app, new Set([...registeredCalls(http.app), call.name]));
  http.app.route({ method: call.method, url: call.path, config: { call }, handler });
}

/** Who calls, in which language, with which key; refuses what the call's access does not allow. */
export async function contextOf(http: Http, call: Call, request: FastifyRequest): Promise<RequestContext> {
  const context: RequestContext = {
    locale: localeFromHeader(request.headers['accept-language']),
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    requestId: request.id,
  };
  if (call.access === 'public') return context;
  const token = /^Bearer ([A-Za-z0-9_-]{20,200})$/.exec(request.headers.authorization ?? '')?.[1];
  const session = token === undefined ? null : await http.authenticate(token, call.method !== 'GET');
  if (!session) throw new DomainError('sessionEnded');
  if (call.access !== 'signed-in' && !session.permissions.includes(call.access)) throw new DomainError('noPermission');
  if (!call.movesMoney) return { ...context, session } as RequestContext;
  const idempotencyKey = request.headers['idempotency-key'];
  if (typeof idempotencyKey !== 'string' || !idempotencyKeyPattern.test(idempotencyKey)) {
    throw new DomainError('idempotencyKeyMissing');
  }
  return { ...context, session, idempotencyKey } as RequestContext;
}

function cookiesOf(request: FastifyRequest, reply: FastifyReply): Cookies {
  return {
    read: (name) => request.cookies[name],
    write(name, value, lifetimeMs) {
      reply.setCookie(name, value, {
        httpOnly: true,
        sameSite: 'strict',
        path: '/',
        secure: name.startsWith('__Host-'),
        maxAge: Math.floor(lifetimeMs / 1000),
      });
    },
  };
}

function parseInput(call: Call, request: FastifyRequest): Record<string, unknown> {
  const fields: Record<string, string> = {};
  const parse = (schema: z.core.$ZodType | undefined, value: unknown): unknown => {
    if (!schema) return undefined;
    const result = z.safeParse(schema, value);
    if (result.success) return result.data;
    for (const [field, id] of Object.entries(fieldMessages(result.error))) fields[field] ??= id;
    return undefined;
  };
  if (call.params && parse(call.params, request.params) === undefined) {
    // An id that cannot be one answers as an id that never existed.
    throw new DomainError('notFound');
  }
  const input = {
    params: parse(call.params, request.params),
    query: parse(call.query, request.query),
    body: parse(call.body, request.body ?? {}),
  };
  if (Object.keys(fields).length > 0) throw new DomainError('validationFailed', {}, fields);
  return input;
}

/** What is wrong with an input, by field: the id of the first message of each; `_` is the whole. */
export function fieldMessages(error: z.core.$ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) fields[issue.path.join('.') || '_'] ??= messageId(issue);
  return fields;
}

/** The contract's schemas carry ids of sentences; what they leave open is "required" or "invalid". */
function messageId(issue: z.core.$ZodIssue): string {
  if (/^field\.\w+$/.test(issue.message)) return issue.message;
  if (issue.code === 'unrecognized_keys') return 'field.unknown';
  return issue.code === 'invalid_type' && issue.input === undefined ? 'field.required' : 'field.invalid';
}

/** The one file of a multipart body, read to its end. @throws DomainError uploadNotOneFile, validationFailed, fileTooLarge */
async function readUpload(request: FastifyRequest): Promise<Upload> {
  if (!request.isMultipart()) throw new DomainError('unsupportedMediaType');
  try {
    const parts = request.parts();
    const { value: part } = await parts.next();
    if (part?.type !== 'file' || part.fieldname !== 'file') {
      throw new DomainError('validationFailed', {}, { file: 'field.required' });
    }
    const upload = { name: part.filename, content: await part.toBuffer() };
    // A second part would otherwise be dropped without a word.
    if (!(await parts.next()).done) throw new DomainError('uploadNotOneFile');
    return upload;
  } catch (error) {
    // The parser's own errors (no boundary, a body that ends too early) have no code. A sender who gives up reads no answer.
    const isPlain = error instanceof Error && !(error instanceof DomainError) && !('code' in error);
    throw isPlain && request.raw.complete ? new DomainError('uploadNotOneFile') : error;
  }
}

/** A header parameter's value in any script (RFC 8187), which leaves fewer characters as they are than a URI does. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function send(call: Call, answer: unknown, reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-store');
  if (call.answer === 'file') {
    const { name, type, content, rows } = answer as FileAnswer;
    if (rows !== undefined) reply.header('x-total-rows', rows);
    const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
    return reply
      .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${extendedValue(name)}`)
      .header('x-content-type-options', 'nosniff')
      .type(type)
      .send(content);
  }
  let data = answer;
  if (call.movesMoney) {
    const money = answer as MoneyAnswer<unknown>;
    data = money.answer;
    if (money.replayed) reply.header('idempotency-replayed', 'true');
  }
  const checked = z.safeParse(call.output, data);
  invariant(checked.success, `${call.name} answered against its contract: ${checked.error?.message ?? ''}`);
  return reply.send({ code: 0, data: checked.data, errors: [] });
}
