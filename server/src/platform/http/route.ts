import { type Call, stopsWhileFrozen } from '@causeway/contract/call.ts';
import { localeFromHeader } from '@causeway/contract/locale.ts';
import type { OperatorPermission } from '@causeway/contract/operator-rules.ts';
import type {} from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Gauge, Histogram } from 'prom-client';
import { type BatchLimits, batching, defaultBatchLimits, type Outcome } from '../batching.ts';
import type { Clock } from '../clock.ts';
import { type CompaniesTx, type Database, isRetryable, type Tx } from '../database/database.ts';
import { locksOf, type Once, onceEach, onceReading } from '../database/idempotency.ts';
import { isOutage } from '../database/outage.ts';
import { isHeldUp } from '../database/queue-refusal.ts';
import { DomainError, invariant } from '../domain-error.ts';
import { registry } from '../process/metrics.ts';
import type { AnySession, Authenticate, Cookies, OperatorSession, RequestContext, Session } from '../session.ts';
import { type MoneyAnswer, type Result, send } from './call-answer.ts';
import { type Input, parseInput, readUpload, refuseSameFields, type Upload } from './call-input.ts';
import type {} from './failure.ts';
import { noteCaller } from './request-log.ts';

/**
 * The one way in which a call of the contract becomes a route: authenticate, authorise, parse, open the transaction, run the use case,
 * check its result, send it. Every use case has the shape `(tx, context, input)`, and the route's kind says which transaction it gets:
 *
 * - `route.read`: a READ ONLY transaction of the session's company; PostgreSQL refuses every write in it.
 * - `route.write`: a transaction of the session's company.
 * - `route.money`: the same, at most once for the request's idempotency key; this kind and the next are the only ones for calls with
 *   `movesMoney`.
 * - `route.batch`: as `route.money`, in a transaction that it shares with the requests that wait with it, of whatever company.
 * - `route.open`: none. For what has no company yet, has no data, or must work between or after transactions; `OpenReason` lists why.
 * - `route.stream`: none; the handler writes the response itself.
 * - `route.operatorRead`, `route.operatorWrite`: as `read` and `write`, for an operator, who has no company: the transaction is the nil
 *   company's, under which the operator's own audit log and outbox are.
 *
 * A process serves the calls of companies or those of the operator (`Http.side`), never both (docs/adr/0069-…).
 */

/** Where calls are registered, and with what their use cases are composed. */
export interface Http<Ports = unknown> {
  app: FastifyInstance;
  /** Whose calls this process serves; absent: companies'. A call of the other side cannot be registered. */
  side?: 'operator';
  /** Which of the calls that are registered here it serves; absent: all of them. */
  serves?: (call: Call) => boolean;
  authenticate: Authenticate<AnySession>;
  database: Database;
  clock: Clock;
  /** Of `route.batch`. */
  batches?: BatchLimits;
  /** A feature's dependencies (mailer, seal, ports to features on its right): part of the context of its use cases. */
  ports?: Ports;
}

/** The same for a feature whose use cases find `ports` in their context. */
export function withPorts<Ports extends object>(http: Http, ports: Ports): Http<Ports> {
  return { ...http, ports };
}

/** Session, idempotency key and upload are present as the contract's call says. */
export type ContextOf<C extends Call> = RequestContext &
  (C['access'] extends 'public'
    ? unknown
    : { session: C['access'] extends 'operator' | OperatorPermission ? OperatorSession : Session }) &
  (C['movesMoney'] extends true ? { idempotencyKey: string } : unknown) &
  (C['upload'] extends true ? { upload: Upload } : unknown);

/** A use case: runs in the transaction that its route's kind opened, and may run again when that is repeated after an outage. */
export type UseCase<C extends Call, Ports = unknown> = (
  tx: Tx,
  context: ContextOf<C> & Ports,
  input: Input<C>,
) => Promise<Result<C>>;

/** A use case that moves money and reads first, so that its reads travel with the look for an earlier answer (`onceReading`). */
export interface MoneyUseCase<C extends Call, Ports, Facts> {
  /** What the key is bound to; default: the whole input. A code is left out, since a member may ask for a new one and try again. */
  request?(input: Input<C>): unknown;
  /** The id that the client chose for what the call makes. */
  makes?(input: Input<C>): string;
  read?(tx: Tx, context: ContextOf<C> & Ports, input: Input<C>): Promise<Facts>;
  work(tx: Tx, context: ContextOf<C> & Ports, input: Input<C>, facts: Facts): Promise<Result<C>>;
}

/** One of the requests that share a transaction. */
export interface Item<C extends Call, Ports> {
  context: ContextOf<C> & Ports;
  input: Input<C>;
  /** Its index among all that `read` was given. */
  place: number;
}

/**
 * A use case that serves several requests in one transaction, each as if it were alone (docs/adr/0063-…): it reads for all of them,
 * decides one after another in memory, and leaves what is to be written.
 */
export interface BatchUseCase<C extends Call, Ports, World>
  extends Pick<MoneyUseCase<C, Ports, unknown>, 'request' | 'makes'> {
  /** Locks and reads for all; travels with the look for earlier answers. */
  read(tx: CompaniesTx, items: readonly Item<C, Ports>[]): Promise<World>;
  /** Decides those that have no earlier answer, in order. The statements that it leaves for one that is refused are committed, as with a RememberedError. */
  work(tx: CompaniesTx, items: readonly Item<C, Ports>[], world: World): Promise<readonly Outcome<Result<C>>[]>;
}

/** Why a call is not a use case in one transaction of the session's company. */
export type OpenReason =
  /** The caller has no session, so the use case finds the company itself, if there is one. */
  | 'no session'
  /** No row is read or written. */
  | 'no data'
  /** Tries are counted, or a password compared, in a step that is kept when the transaction rolls back. */
  | 'counted tries'
  /** A file, a node, or another process is asked between transactions; none is held open meanwhile. */
  | 'slow work'
  /** An operator reads a company's rows as the company would: in a read-only transaction of that company, after the look was noted. */
  | 'a company’s rows'
  /** The response is read in batches, each in a transaction of its own, after the handler has returned. */
  | 'batches';

export type OpenUseCase<C extends Call, Ports = unknown> = (
  context: ContextOf<C> & Ports & { database: Database },
  input: Input<C>,
) => Promise<Result<C>>;

const idempotencyKeyPattern = /^[\x21-\x7e]{8,128}$/;

/** Routes registered so far, for the test that every call of the contract is implemented. */
const registered = new WeakMap<FastifyInstance, Set<string>>();

export function registeredCalls(app: FastifyInstance): ReadonlySet<string> {
  return registered.get(app) ?? new Set();
}

function read<const C extends Call, Ports>(http: Http<Ports>, call: C, useCase: UseCase<C, Ports>): void {
  inCompany(http, call, useCase, true);
}

function write<const C extends Call, Ports>(http: Http<Ports>, call: C, useCase: UseCase<C, Ports>): void {
  inCompany(http, call, useCase, false);
}

function operatorRead<const C extends Call, Ports>(http: Http<Ports>, call: C, useCase: UseCase<C, Ports>): void {
  ofOperator(http, call);
  inCompany(http, call, useCase, true);
}

function operatorWrite<const C extends Call, Ports>(http: Http<Ports>, call: C, useCase: UseCase<C, Ports>): void {
  ofOperator(http, call);
  inCompany(http, call, useCase, false);
}

function ofOperator(http: Http, call: Call): void {
  invariant(
    http.side === 'operator',
    `${call.name} is the operator's: companies' calls are registered with route.read and route.write`,
  );
}

function inCompany<const C extends Call, Ports>(
  http: Http<Ports>,
  call: C,
  useCase: UseCase<C, Ports>,
  readOnly: boolean,
): void {
  invariant(!call.movesMoney, `${call.name} moves money: it is registered with route.money`);
  invariant(call.access !== 'public', `${call.name} has no session, so no company: it is registered with route.open`);
  register(http, call, (context, input) =>
    http.database.withCompany(sessionOf(context).companyId, (tx) => useCase(tx, context, input), {
      ...{ readOnly, behindQueue: !readOnly && http.side !== 'operator' },
    }),
  );
}

function money<const C extends Call & { movesMoney: true }, Ports, Facts = undefined>(
  http: Http<Ports>,
  call: C,
  useCase: UseCase<C, Ports> | MoneyUseCase<C, Ports, Facts>,
): void {
  invariant(call.movesMoney, `${call.name} moves no money: it is registered with route.read or route.write`);
  const steps: MoneyUseCase<C, Ports, Facts> = typeof useCase === 'function' ? { work: useCase } : useCase;
  register(http, call, (context, input) => runOnce(http.database, call, steps, context, input));
}

/** Runs a use case that moves money, at most once for the key of its context. */
export function runOnce<const C extends Call & { movesMoney: true }, Ports, Facts>(
  database: Database,
  call: C,
  steps: MoneyUseCase<C, Ports, Facts>,
  context: ContextOf<C> & Ports,
  input: Input<C>,
): Promise<MoneyAnswer<Result<C>>> {
  return onceReading(
    database,
    onceOf(call, steps, context, input),
    async (tx) => (await steps.read?.(tx, context, input)) as Facts,
    (tx, facts) => steps.work(tx, context, input, facts),
  );
}

function onceOf<C extends Call, Ports>(
  call: C,
  steps: Pick<MoneyUseCase<C, Ports, unknown>, 'request' | 'makes'>,
  context: ContextOf<C> & Ports,
  input: Input<C>,
): Once {
  const { companyId, userId: memberId } = sessionOf(context as object);
  const { idempotencyKey: key } = context as unknown as { idempotencyKey: string };
  const makes = steps.makes?.(input);
  const request = steps.request?.(input) ?? input;
  return { companyId, memberId, key, call: call.name, request, ...(makes === undefined ? {} : { makes }) };
}

function batch<const C extends Call & { movesMoney: true }, Ports, World>(
  http: Http<Ports>,
  call: C,
  useCase: BatchUseCase<C, Ports, World>,
): void {
  invariant(call.movesMoney, `${call.name} moves no money: it is registered with route.read or route.write`);
  register(http, call, batched(http.database, call, useCase, http.batches));
}

const batchSizes = new Histogram({
  name: 'causeway_batch_requests',
  help: 'Requests that shared a transaction, by call',
  labelNames: ['call'],
  buckets: [1, 2, 4, 8, 16, 32, 64],
  registers: [registry],
});
const underWay = new Gauge({
  name: 'causeway_batch_requests_under_way',
  help: 'Requests that wait for a batch or travel in one, by call',
  labelNames: ['call'],
  registers: [registry],
});

/** A use case that moves money, run at most once for the key of each context, in batches. */
export function batched<const C extends Call & { movesMoney: true }, Ports, World>(
  database: Database,
  call: C,
  useCase: BatchUseCase<C, Ports, World>,
  limits: BatchLimits = defaultBatchLimits,
): (context: ContextOf<C> & Ports, input: Input<C>) => Promise<MoneyAnswer<Result<C>>> {
  interface Request {
    once: Once;
    context: ContextOf<C> & Ports;
    input: Input<C>;
  }
  const labels = { call: call.name };
  const serve = batching<Request, MoneyAnswer<Result<C>>>({
    ...limits,
    conflictKeys: ({ once }) => locksOf(once).map(String),
    owner: ({ once }) => once.companyId,
    // What deadlocked again and again as a batch may well succeed alone.
    failsForAll: (error) => isOutage(error) && !isRetryable(error),
    isHeldUp,
    run: (requests, isAlone) => {
      batchSizes.observe(labels, requests.length);
      const items = requests.map(({ context, input }, place) => ({ context, input, place }));
      return onceEach<World, Result<C>>(
        database,
        requests.map(({ once }) => once),
        {
          read: (tx) => useCase.read(tx, items),
          work: (tx, places, world) => {
            const chosen = new Set(places);
            return useCase.work(
              tx,
              items.filter(({ place }) => chosen.has(place)),
              world,
            );
          },
          waitsForLocks: isAlone,
        },
      );
    },
  });
  return async (context, input) => {
    const request = { once: onceOf(call, useCase, context, input), context, input };
    underWay.inc(labels);
    try {
      return await serve(request);
    } finally {
      underWay.dec(labels);
    }
  };
}

function open<const C extends Call, Ports>(
  http: Http<Ports>,
  call: C,
  _reason: OpenReason,
  useCase: OpenUseCase<C, Ports>,
): void {
  invariant(!call.movesMoney, `${call.name} moves money: it is registered with route.money`);
  register(http, call, (context, input) => useCase({ ...context, database: http.database }, input));
}

/** A call answered with a stream, which the handler writes itself. */
function stream(
  http: Http,
  call: Call,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  if (isLeftOut(http, call)) return;
  note(http, call);
  http.app.route({ method: call.method, url: call.path, config: { call }, handler });
}

function register<const C extends Call, Ports>(
  http: Http<Ports>,
  call: C,
  run: (context: ContextOf<C> & Ports, input: Input<C>) => Promise<unknown>,
): void {
  if (isLeftOut(http, call)) return;
  refuseSameFields(call);
  add(http, call, async (request, reply) => {
    const context = { ...http.ports, ...(await contextOf(http, call, request)) };
    const input = parseInput(call, request);
    const upload = call.upload ? { upload: await readUpload(request) } : {};
    const cookies = cookiesOf(request, reply);
    return run({ ...context, cookies, ...upload } as unknown as ContextOf<C> & Ports, input);
  });
}

function add(http: Http, call: Call, run: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): void {
  note(http, call);
  http.app.route({
    method: call.method,
    url: call.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { call },
    handler: async (request, reply) => send(call, await run(request, reply), reply),
  });
}

/** Calls that say nothing of anybody, and that both sides have: whether the service is available. */
const ofBothSides = /^\/common\/status$/;

function isLeftOut({ serves }: Http, call: Call): boolean {
  return serves !== undefined && !serves(call);
}

function note({ app, side }: Http, call: Call): void {
  const isOperators = call.path.startsWith('/operator/');
  invariant(ofBothSides.test(call.path) || isOperators === (side === 'operator'), `${call.name} is the other side's`);
  registered.set(app, new Set([...registeredCalls(app), call.name]));
}

function sessionOf(context: object): AnySession {
  invariant('session' in context, 'a call that is not public has a session');
  return context.session as AnySession;
}

export const route = { read, write, money, batch, open, stream, operatorRead, operatorWrite };

/** Who calls, in which language, with which key; refuses what the call's access does not allow. */
export async function contextOf(http: Http, call: Call, request: FastifyRequest): Promise<RequestContext> {
  const context: RequestContext = {
    locale: localeFromHeader(request.headers['accept-language']),
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    requestId: request.id,
    clock: http.clock,
  };
  if (call.access === 'public') return context;
  const token = /^Bearer ([A-Za-z0-9_-]{20,200})$/.exec(request.headers.authorization ?? '')?.[1];
  const session = token === undefined ? null : await http.authenticate(token, call.method !== 'GET');
  if (!session) throw new DomainError('sessionEnded');
  noteCaller(request, session);
  if (!mayCall(session, call)) throw new DomainError('noPermission');
  if (session.isFrozen && stopsWhileFrozen(call)) throw new DomainError('companyFrozen');
  if (!call.movesMoney) return { ...context, session } as RequestContext;
  const idempotencyKey = request.headers['idempotency-key'];
  if (typeof idempotencyKey !== 'string' || !idempotencyKeyPattern.test(idempotencyKey)) {
    throw new DomainError('idempotencyKeyMissing');
  }
  return { ...context, session, idempotencyKey } as RequestContext;
}

/** A session of one side opens no call of the other, whatever its permissions. */
function mayCall(session: AnySession, { access }: Call): boolean {
  if (access === 'operator') return 'role' in session;
  if (access === 'signed-in') return !('role' in session);
  return (session.permissions as readonly string[]).includes(access);
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
