import { createHash } from 'node:crypto';
import type { Call, Output } from '@causeway/contract/call.ts';
import { type SystemRole, systemRolePermissions } from '@causeway/contract/permission.ts';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { type Clock, systemClock } from '../platform/clock.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { createApp } from '../platform/http/app.ts';
import type { Http } from '../platform/http/route.ts';
import { newId } from '../platform/ids.ts';
import type { Session } from '../platform/session.ts';
import { type Answer, type CallAt, readAnswerAt } from './envelope.ts';

type AnswerAt<Method extends Call['method'], Url extends string> = Promise<Answer<Output<CallAt<Method, Url>>>>;

/** A signed-in member, and the way to call the application under test as them. */
export interface Caller {
  session: Session;
  /** Responses have the type of the call at the address; an address that varies is called through `inject`. */
  get<const Url extends string>(url: Url, locale?: string): AnswerAt<'GET', Url>;
  post<const Url extends string>(url: Url, body: unknown, headers?: Record<string, string>): AnswerAt<'POST', Url>;
  put<const Url extends string>(url: Url, body?: unknown, headers?: Record<string, string>): AnswerAt<'PUT', Url>;
  delete<const Url extends string>(url: Url): AnswerAt<'DELETE', Url>;
  inject(options: InjectOptions): Promise<LightMyRequestResponse>;
}

export interface SessionApp {
  app: FastifyInstance;
  signIn(companyId: string, role?: SystemRole, userName?: string): Caller;
  close(): Promise<void>;
}

/** For routes that never ask it: a pool connects only when it is asked for a connection. */
export const noDatabase = openDatabase('postgres://nobody@nowhere.invalid/none', {
  poolSize: 1,
  applicationName: 'none',
});

/** The HTTP application with these routes, and sessions that exist because the test says so. */
export async function sessionApp(
  database: Database,
  register: (http: Http) => void,
  clock: Clock = systemClock,
): Promise<SessionApp> {
  const sessions = new Map<string, Session>();
  const app = await createApp({
    log: pino({ level: 'silent' }),
    trustedProxies: [],
    inlineHashes: { script: [], style: [] },
  });
  register({ app, authenticate: async (token) => sessions.get(token) ?? null, database, clock });
  await app.ready();
  return {
    app,
    signIn(companyId, role = 'administrator', userName = 'Ada Wong') {
      const userId = newId();
      const token = createHash('sha256').update(userId).digest('base64url');
      const session = { id: newId(), companyId, userId, userName, permissions: systemRolePermissions[role] };
      sessions.set(token, session);
      return callerOf(app, session, token);
    },
    close: () => app.close(),
  };
}

function callerOf(app: FastifyInstance, session: Session, token: string): Caller {
  const inject = (options: InjectOptions) =>
    app.inject({ ...options, headers: { authorization: `Bearer ${token}`, ...options.headers } });
  const call = async <const Method extends Call['method'], const Url extends string>(
    method: Method,
    url: Url,
    options: InjectOptions = {},
  ) => readAnswerAt(method, url, await inject({ ...options, method, url }));
  return {
    session,
    inject,
    get: (url, locale = 'en-us') => call('GET', url, { headers: { 'accept-language': locale } }),
    post: (url, body, headers = {}) => call('POST', url, { payload: body as object, headers }),
    put: (url, body = {}, headers = {}) => call('PUT', url, { payload: body as object, headers }),
    delete: (url) => call('DELETE', url),
  };
}
