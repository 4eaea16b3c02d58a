import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Call, Output } from '@causeway/contract/call.ts';
import type { login } from '@causeway/contract/identity.ts';
import type { FastifyInstance } from 'fastify';
import { CompactEncrypt, importJWK, type JWK } from 'jose';
import { sql } from 'kysely';
import pg from 'pg';
import {
  type ConfirmedSubjects,
  createIdentity,
  createInvitation,
  type Identity,
  type IdentityOptions,
  identityJobs,
  registerIdentityRoutes,
} from '../features/identity/index.ts';
import { describePlace, findCodeRecipients, findTimeZone } from '../features/organisation/index.ts';
import { createApp } from '../platform/http/app.ts';
import { createLog } from '../platform/process/log.ts';
import type { Mail } from '../platform/text/mail.ts';
import type { TestDatabase } from './database.ts';
import { type Answer, type CallAt, readAnswerAt } from './envelope.ts';
import { lowPasswordCost } from './passwords.ts';

/** The identity of a server, reached as a browser reaches it; mails land in a list instead of a mail server. */
export interface TestIdentity {
  app: FastifyInstance;
  identity: Identity;
  mails: Mail[];
  /** Does what relay and worker would: runs identity's jobs for the events of the outbox, and empties it. */
  deliver(): Promise<void>;
  /** Calls the path: by POST with a body and by GET without one, unless the method is given. */
  call<const Request extends TestCall>(request: Request): AnswerTo<Request>;
  encrypt(password: string): Promise<string>;
  /** Asks for a challenge and solves it; with an address, one as large as this step needs now. */
  captcha(scenario?: 'login' | 'register' | 'forget', email?: string, from?: { ip: string }): Promise<string>;
  invite(): Promise<string>;
  /** The code in the last mail to an address; empties nothing. */
  lastCode(email: string): string;
  /** Signs a new company up, all the way through the calls. */
  signUp(given?: { email?: string; password?: string; companyName?: string }): Promise<Account>;
  /** Signs in with a code by mail. */
  signIn(account: Account, extra?: SignInExtra): Promise<Answer<Output<typeof login>>>;
  /** Moves what time makes hold or expire into the past, by asking the database as its owner. */
  elapse(statement: string, values?: unknown[]): Promise<void>;
  close(): Promise<void>;
}

/** `cookie`: in the browser that holds it. */
export interface SignInExtra {
  skipVerification?: boolean;
  cookie?: string;
}

export interface Account {
  email: string;
  password: string;
  companyName: string;
}

interface TestCall {
  method?: Call['method'];
  path: string;
  body?: object;
  token?: string;
  ip?: string;
  language?: string;
  /** As `cookieOf` gives it. */
  cookie?: string;
}

type MethodOf<Request extends TestCall> = Request extends { method: infer Method extends Call['method'] }
  ? Method
  : Request extends { body: object }
    ? 'POST'
    : 'GET';
type AnswerTo<Request extends TestCall> = Promise<Answer<Output<CallAt<MethodOf<Request>, Request['path']>>>>;

export const testPassword = 'Correct-Horse1';
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
/** The key of every test's identity, unless another is given. */
export const testPasswordKey = { ...privateKey.export({ format: 'jwk' }) };

/** A subject that is whatever the test sends, and whose code goes to the company's recipients. */
const plainSubject: ConfirmedSubjects = {
  transfer: {
    describe: async (_tx, _session, content) => ({
      digest: createHash('sha256').update(JSON.stringify(content)).digest('hex'),
      facts: Object.entries(content).map(([label, value]) => ({ label, value: String(value) })),
    }),
    goesToRecipients: true,
  },
};

export async function testIdentity(db: TestDatabase, options: Partial<IdentityOptions> = {}): Promise<TestIdentity> {
  const { mailSecret = randomBytes(32).toString('base64url') } = options;
  const identity = await createIdentity({
    database: db.app,
    appSecret: randomBytes(32).toString('base64url'),
    mailSecret,
    passwordKey: testPasswordKey,
    passwordCost: lowPasswordCost,
    passwordMaxLength: 16,
    publicUrl: 'https://causeway.example',
    confirmed: plainSubject,
    describePlace,
    findCodeRecipients,
    ...options,
  });
  const log = createLog('test', 'silent');
  const app = await createApp({ log, trustedProxies: [], inlineHashes: { script: [], style: [] } });
  registerIdentityRoutes(
    { app, authenticate: identity.authenticate, database: db.app, clock: identity.clock },
    identity,
  );
  await app.ready();
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail), close: () => undefined };
  const jobs = identityJobs({
    mailer,
    mailSecret,
    publicUrl: 'https://causeway.example',
    timeZoneOf: findTimeZone,
  });

  const deliverAll = async () => {
    for (const row of await takeOutbox(db)) {
      for (const job of jobs.filter(({ on }) => on?.includes(row.name))) {
        await job.run({ companyId: row.companyId, database: db.worker, log }, row.payload);
      }
    }
  };
  let delivering = Promise.resolve();
  const publicKey = await importJWK(identity.passwords.publicKey as JWK, 'RSA-OAEP-256');
  const made: TestIdentity = {
    app,
    identity,
    mails,
    deliver() {
      // One after another: the second caller must find delivered what the first took out.
      delivering = delivering.then(deliverAll);
      return delivering;
    },
    call: (request) => callApp(app, request),
    encrypt: (password) =>
      new CompactEncrypt(new TextEncoder().encode(password))
        .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
        .encrypt(publicKey),
    async captcha(scenario, email, from = { ip: '127.0.0.1' }) {
      if (scenario === undefined) return solveCaptcha((await callApp(app, { path: '/common/captcha' })).data);
      return solveCaptcha((await callApp(app, { path: '/common/captcha', ...from, body: { scenario, email } })).data);
    },
    async invite() {
      const expiresAt = new Date(Date.now() + 3_600_000);
      return (await createInvitation(db.operator, { label: 'test', expiresAt, operator: 'test' })).code;
    },
    lastCode(email) {
      const mail = mails.findLast(({ to, subject }) => to === email && /^\d{6} /.test(subject));
      if (!mail) throw new Error(`no code was mailed to ${email}`);
      return mail.subject.slice(0, 6);
    },
    signUp: (given = {}) => signUp(made, given),
    signIn: (account, extra = {}) => signIn(made, account, extra),
    elapse: (statement, values = []) => asOwner(db, statement, values),
    close: () => app.close(),
  };
  return made;
}

async function callApp<const Request extends TestCall>(app: FastifyInstance, request: Request): AnswerTo<Request> {
  const { method = request.body === undefined ? 'GET' : 'POST', path, body, token, ip, language, cookie } = request;
  const raw = await app.inject({
    method,
    url: path,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      'accept-language': language ?? 'en-us',
      ...(cookie === undefined ? {} : { cookie }),
    },
    ...(body === undefined ? {} : { payload: body }),
    ...(ip === undefined ? {} : { remoteAddress: ip }),
  });
  return readAnswerAt(method, path, raw) as unknown as Awaited<AnswerTo<Request>>;
}

/** The cookie that an answer leaves in its browser, as the browser sends it back. */
export function cookieOf({ raw }: Answer): string {
  const set = raw.cookies.map(({ name, value }) => `${name}=${value}`);
  if (set.length === 0) throw new Error('the answer sets no cookie');
  return set.join('; ');
}

/** Does ALTCHA's work: finds the number whose SHA-256 with the salt is the challenge. */
export function solveCaptcha(challenge: {
  algorithm: string;
  challenge: string;
  maxnumber: number;
  salt: string;
  signature: string;
}): string {
  for (let number = 0; number <= challenge.maxnumber; number++) {
    const hash = createHash('sha256').update(`${challenge.salt}${number}`).digest('hex');
    if (hash !== challenge.challenge) continue;
    const { algorithm, salt, signature } = challenge;
    return Buffer.from(JSON.stringify({ algorithm, challenge: challenge.challenge, number, salt, signature })).toString(
      'base64',
    );
  }
  throw new Error('the challenge has no solution');
}

async function signUp(
  made: TestIdentity,
  given: { email?: string; password?: string; companyName?: string },
): Promise<Account> {
  const {
    email = `p${randomBytes(8).toString('hex')}@example.com`,
    password = testPassword,
    companyName = 'Harbour Trading',
  } = given;
  const sent = await made.call({
    path: '/common/send-register-code',
    body: { email, captcha: await made.captcha() },
  });
  if (sent.status !== 200) throw new Error(`no sign-up code: ${sent.raw.body}`);
  const { ticket } = sent.data;
  await made.deliver();
  const answer = await made.call({
    path: '/web/user/register',
    body: {
      companyName,
      email,
      ticket,
      code: made.lastCode(email),
      password: await made.encrypt(password),
      invitationCode: await made.invite(),
      agreeTerms: true,
      agreePaymentTerms: true,
      agreePrivacy: true,
    },
  });
  if (answer.status !== 200) throw new Error(`not signed up: ${answer.raw.body}`);
  return { email, password, companyName };
}

async function signIn(
  made: TestIdentity,
  { email, password }: Account,
  { cookie, ...extra }: SignInExtra,
): Promise<Answer<Output<typeof login>>> {
  const browser = cookie === undefined ? {} : { cookie };
  const first = await made.call({
    path: '/web/user/login',
    ...browser,
    body: { loginMethod: 'email', email, password: await made.encrypt(password) },
  });
  if (first.status !== 200) return first;
  const ticket = first.data.ticket ?? '';
  const sent = await made.call({ path: '/common/send-code', body: { scenario: 'login', ticket } });
  if (sent.status !== 200) throw new Error(`no sign-in code: ${sent.raw.body}`);
  await made.deliver();
  return made.call({
    path: '/web/user/login',
    ...browser,
    body: { loginMethod: 'email', ticket, code: made.lastCode(email), ...extra },
  });
}

async function takeOutbox(
  db: TestDatabase,
): Promise<{ companyId: string; name: string; payload: Record<string, unknown> }[]> {
  return db.worker.withoutCompany(async (tx) => {
    const { rows } = await sql<{ companyId: string; name: string; payload: Record<string, unknown> }>`
      with taken as (delete from outbox returning company_id, id, name, payload)
      select company_id as "companyId", name, payload from taken order by id`.execute(tx);
    return rows;
  });
}

async function asOwner(db: TestDatabase, statement: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  try {
    await client.query(statement, values);
  } finally {
    await client.end();
  }
}
