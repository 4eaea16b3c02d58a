import { generateKeyPairSync, type JsonWebKey, type KeyObject, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Call, Output } from '@causeway/contract/call.ts';
import {
  type Permission,
  type SystemRole,
  systemRoleIds,
  systemRolePermissions,
} from '@causeway/contract/permission.ts';
import type { FastifyInstance } from 'fastify';
import { exportJWK, generateKeyPair } from 'jose';
import { sql } from 'kysely';
import { pino } from 'pino';
import { composeParts } from '../compose.ts';
import { applyDueChanges } from '../features/approvals/index.ts';
import type { RunQueue, TemplateTurns } from '../features/batches/index.ts';
import type { CardPorts } from '../features/cards/index.ts';
import type { ChainFamilies, CodeReader } from '../features/chains/index.ts';
import type { LimitOrders } from '../features/exchange/index.ts';
import { identityEvents } from '../features/identity/events.ts';
import type { ActivationLetter, CodeLetter } from '../features/identity/letters.ts';
import { createPasswords } from '../features/identity/passwords.ts';
import type { BatchLimits } from '../platform/batching.ts';
import type { Clock } from '../platform/clock.ts';
import { deriveKey, newToken, sha256, unseal } from '../platform/crypto/secrets.ts';
import { LiveHub } from '../platform/http/live.ts';
import { newId } from '../platform/ids.ts';
import type { Session } from '../platform/session.ts';
import { testIssuer } from './card-issuer.ts';
import { chainFamilies } from './chain-families.ts';
import { openTestCompany, type TestCompany } from './company.ts';
import type { TestDatabase } from './database.ts';
import { type Answer, readAnswer } from './envelope.ts';
import { lowPasswordCost } from './passwords.ts';
import { keepTestPrices } from './prices.ts';

/**
 * The whole HTTP process as `composeMain` makes it, on a real database, asked call by call. Each answer is held against
 * the contract: the output's shape, the envelope, the errors that the call declares.
 */
export interface MainApp {
  app: FastifyInstance;
  db: TestDatabase;
  /** What the server complained of: undeclared errors, unexpected failures. A test ends with none. */
  complaints: string[];
  passwordKey: Record<string, unknown>;
  filesDirectory: string;
  /** Opens what is announced sealed, as the mail jobs do. */
  mailSecret: string;
  /** Opens secrets of webhooks, as the worker does. */
  webhookSecret: string;
  /** A company with wallets and a signed-in administrator. */
  company(name?: string): Promise<Tenant>;
  /** A signed-in member of the company, with a system role or one of the company's own. */
  member(tenant: Pick<Tenant, 'id'>, role: SystemRole | OwnRole): Promise<Member>;
  ask<C extends Call>(call: C, request?: Request): Promise<Answer<Output<C>>>;
  /** Makes the changes of controls whose waiting period is over. */
  applyDue(): Promise<void>;
  /** What planned exchanges are carried out with. */
  planned: LimitOrders;
  /** What batches of schedules are made with. */
  templates: TemplateTurns;
  /** What enters the rows of large batches. */
  queue: RunQueue;
  /** Writes down the requests that were answered. */
  logRequests(): Promise<void>;
  /** The code last mailed to anybody, taken from the outbox. */
  takeCode(): Promise<string>;
  /** The token of the activation or reset link last mailed to anybody, taken from the outbox. */
  takeLink(): Promise<string>;
  close(): Promise<void>;
}

export interface Tenant extends TestCompany {
  admin: Member;
}

/** A role of the company's own that is there already. */
export interface OwnRole {
  id: string;
  permissions: readonly Permission[];
}

export interface Member {
  session: Session;
  email: string;
  token: string;
}

export interface Request {
  as?: Member;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  upload?: { name: string; content: Buffer };
  headers?: Record<string, string>;
  ip?: string;
}

export const memberPassword = 'Correct-Horse1';
const secret = () => randomBytes(32).toString('base64url');
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** `BATCH_MAX_SIZE=1 vitest run …`: the same tests with each submission in a transaction of its own (`npm run proof`). */
const givenBatches = process.env['BATCH_MAX_SIZE']
  ? { connections: 2, maxSize: Number(process.env['BATCH_MAX_SIZE']) }
  : undefined;

/** `BATCH_ROWS_AT_ONCE=0 vitest run …`: the same tests with the rows of every batch entered after it was answered (`npm run proof`). */
const givenRowsAtOnce = process.env['BATCH_ROWS_AT_ONCE'] ? Number(process.env['BATCH_ROWS_AT_ONCE']) : undefined;

export interface MainAppOptions {
  /** The rows of a larger batch are entered after it was answered. */
  rowsAtOnce?: number;
  hub?: LiveHub;
  webDir?: string;
  authorisationKey?: JsonWebKey;
  families?: ChainFamilies;
  batches?: BatchLimits;
  bankSecrets?: ReadonlyMap<string, readonly string[]>;
  /** What the trade platform signs with: the current secret and the one before. */
  tradeSecrets?: readonly [string, string];
  /** What a node says is at an address; absent: nothing. */
  readCode?: CodeReader;
  /** The card issuer that the test plays; absent: one that answers, and that no one plays. */
  cards?: CardPorts;
}

/**
 * `webDir`: a built web app to serve around the calls. `authorisationKey`: the key whose public half a signer trusts.
 * `families`: those of the program where none are given.
 */
export async function mainApp(
  db: TestDatabase,
  clock?: Clock,
  {
    hub = new LiveHub(),
    webDir,
    authorisationKey,
    families = chainFamilies,
    batches = givenBatches,
    rowsAtOnce,
    bankSecrets,
    cards = testIssuer(),
    readCode = async () => 'none',
    tradeSecrets,
  }: MainAppOptions = {},
): Promise<MainApp> {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-main-'));
  const usedRowsAtOnce = rowsAtOnce ?? givenRowsAtOnce;
  const complaints: string[] = [];
  const stream = new Writable({
    write(line, _encoding, done) {
      complaints.push(String(line));
      done();
    },
  });
  const passwordKey = { ...privateKey.export({ format: 'jwk' }) };
  const mailSecret = secret();
  const webhookSecret = secret();
  const { app, applying, planned, templates, queue, requests } = await composeParts({
    config: {
      APP_SECRET: secret(),
      MAIL_SECRET: mailSecret,
      WEBHOOK_SECRET: webhookSecret,
      PASSWORD_KEY: passwordKey,
      PASSWORD_MAX_LENGTH: 16,
      AUTHORISATION_KEY: { ...(authorisationKey ?? (await newAuthorisationKey())) },
      FILES_DIR: directory,
      TRUSTED_PROXIES: [],
      PUBLIC_URL: 'https://causeway.example',
      WEB_DIR: webDir,
      ...(tradeSecrets && { TRADE_EVENTS_SECRET: tradeSecrets[0], TRADE_EVENTS_SECRET_PREVIOUS: tradeSecrets[1] }),
    },
    database: db.app,
    log: pino({ level: 'error' }, stream),
    hub,
    readCode,
    // No test asks a name server: every name leads to one public address, but those that RFC 2606 keeps invalid.
    resolve: async (name) => (name.endsWith('.invalid') ? [] : [{ address: '9.9.9.9', family: 4 }]),
    ...(clock ? { clock } : {}),
    families,
    ...(batches ? { batches } : {}),
    ...(usedRowsAtOnce === undefined ? {} : { rowsAtOnce: usedRowsAtOnce }),
    ...(bankSecrets ? { bankSecrets } : {}),
    cards,
  });
  await app.ready();
  await keepTestPrices(db);
  const passwordHash = await (await createPasswords(passwordKey, [], lowPasswordCost)).hash(memberPassword);
  const made: MainApp = {
    app,
    db,
    complaints,
    passwordKey,
    filesDirectory: directory,
    mailSecret,
    webhookSecret,
    async company(name = 'Harbour Trading') {
      const company = await openTestCompany(db);
      await db.app.withCompany(company.id, (tx) =>
        sql`insert into company (company_id, name) values (company_id(), ${name})`.execute(tx),
      );
      return { ...company, admin: await made.member(company, 'administrator') };
    },
    member: ({ id }, role) => addMember(db, id, role, passwordHash),
    async ask(call, request = {}) {
      const answer = await ask(app, call, request);
      // Tests look into the tables without asking the server, but for those that are about the queue.
      if (rowsAtOnce === undefined && givenRowsAtOnce !== undefined) await queue.settled();
      return answer;
    },
    queue,
    logRequests: requests.flush,
    applyDue: () => applyDueChanges(applying),
    planned,
    templates,
    takeCode: async () =>
      (await takeSealed<CodeLetter>(db, deriveKey(mailSecret, 'mail'), identityEvents.codeRequested)).code,
    takeLink: async () =>
      (await takeSealed<ActivationLetter>(db, deriveKey(mailSecret, 'mail'), identityEvents.activationIssued)).token,
    async close() {
      await app.close();
      rmSync(directory, { recursive: true });
    },
  };
  return made;
}

async function newAuthorisationKey() {
  return exportJWK((await generateKeyPair('EdDSA', { extractable: true })).privateKey);
}

async function addMember(
  db: TestDatabase,
  companyId: string,
  role: SystemRole | OwnRole,
  passwordHash: string,
): Promise<Member> {
  const { id: roleId, permissions } =
    typeof role === 'string' ? { id: systemRoleIds[role], permissions: systemRolePermissions[role] } : role;
  const userId = newId();
  const sessionId = newId();
  const token = newToken();
  const email = `p${randomBytes(8).toString('hex')}@example.com`;
  await db.app.withCompany(companyId, async (tx) => {
    await sql`insert into member (company_id, id, identifier, email, first_name, last_name, language, role_id)
      values (company_id(), ${userId}, ${`CW-${userId}`}, ${email}, 'Ada', 'Wong', 'en_US', ${roleId})`.execute(tx);
    await sql`insert into credential (company_id, user_id, password_hash)
      values (company_id(), ${userId}, ${passwordHash})`.execute(tx);
    await sql`select identity_claim_email(${email}, ${userId})`.execute(tx);
    await sql`insert into session (company_id, id, user_id, token_sha256, expires_at, ip, user_agent)
      values (company_id(), ${sessionId}, ${userId}, ${sha256(token)}, now() + interval '1 day', '127.0.0.1', '')`.execute(
      tx,
    );
  });
  return { session: { id: sessionId, companyId, userId, userName: 'Ada Wong', permissions }, email, token };
}

/** As many callers as there are requests, so that limits by address do not get in the way of what is proved. */
let callers = 0;
function nextIp(): string {
  callers += 1;
  return `10.${(callers >> 16) & 255}.${(callers >> 8) & 255}.${callers & 255}`;
}

export async function ask<C extends Call>(app: FastifyInstance, call: C, request: Request): Promise<Answer<Output<C>>> {
  const { as, params = {}, query = {}, body, upload, headers = {}, ip = nextIp() } = request;
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodedText(params[name] ?? ''));
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodedText(value)}`);
  const form = upload ? formOf(upload) : null;
  const payload = form?.payload ?? (body === undefined ? undefined : JSON.stringify(body));
  const raw = await app.inject({
    method: call.method,
    url: search.length > 0 ? `${path}?${search.join('&')}` : path,
    remoteAddress: ip,
    headers: {
      ...(as ? { authorization: `Bearer ${as.token}` } : {}),
      ...(call.movesMoney ? { 'idempotency-key': newId() } : {}),
      ...(form?.headers ?? (payload === undefined ? {} : { 'content-type': 'application/json' })),
      'accept-language': 'en-us',
      ...headers,
    },
    ...(payload === undefined ? {} : { payload }),
  });
  return readAnswer(call, raw);
}

/** As a browser would, and a lone surrogate as the bytes that a careless program makes of it. */
function encodedText(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}

const boundary = 'boundary-of-the-proof';

function formOf({ name, content }: { name: string; content: Buffer }) {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/html\r\n\r\n`;
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

async function takeSealed<T>(db: TestDatabase, mailKey: KeyObject, name: string): Promise<T> {
  const sealed = await db.worker.withoutCompany(async (tx) => {
    const { rows } = await sql<{ sealed: string }>`
      with taken as (delete from outbox where name = ${name} returning id, payload)
      select payload ->> 'sealed' as sealed from taken order by id desc limit 1`.execute(tx);
    return rows[0]?.sealed;
  });
  if (sealed === undefined) throw new Error(`nothing was announced as ${name}`);
  return JSON.parse(unseal(mailKey, Buffer.from(sealed, 'base64'), name).toString());
}
