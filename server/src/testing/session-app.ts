import { createHash } from 'node:crypto';
import { type SystemRole, systemRolePermissions } from '@causeway/contract/permission.ts';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { createApp } from '../platform/app.ts';
import type { Http } from '../platform/http.ts';
import { newId } from '../platform/ids.ts';
import type { Session } from '../platform/session.ts';

/** Somebody signed in to the application under test, and the way to call it as them. */
export interface Caller {
  session: Session;
  get(url: string, locale?: string): Promise<Answer>;
  post(url: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(url: string): Promise<Answer>;
  inject(options: InjectOptions): Promise<LightMyRequestResponse>;
}

/** An answered call: the envelope taken apart. */
interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, and the assertions check them
  data: any;
  errors: string[];
  key: string;
  fields: Record<string, string>;
  headers: Record<string, unknown>;
}

export interface SessionApp {
  app: FastifyInstance;
  signIn(companyId: string, role?: SystemRole, userName?: string): Caller;
  close(): Promise<void>;
}

/** The HTTP application with these routes, and sessions that exist because the test says so. */
export async function sessionApp(register: (http: Http) => void): Promise<SessionApp> {
  const sessions = new Map<string, Session>();
  const app = await createApp({
    log: pino({ level: 'silent' }),
    trustedProxies: 0,
    inlineHashes: { script: [], style: [] },
  });
  register({ app, authenticate: async (token) => sessions.get(token) ?? null });
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
  const call = async (options: InjectOptions): Promise<Answer> => {
    const response = await inject(options);
    return { status: response.statusCode, headers: response.headers, ...response.json() };
  };
  return {
    session,
    inject,
    get: (url, locale = 'en-us') => call({ method: 'GET', url, headers: { 'accept-language': locale } }),
    post: (url, body, headers = {}) => call({ method: 'POST', url, payload: body as object, headers }),
    put: (url, body = {}, headers = {}) => call({ method: 'PUT', url, payload: body as object, headers }),
    delete: (url) => call({ method: 'DELETE', url }),
  };
}
