import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Call, Output } from '@causeway/contract/call.ts';
import type { OperatorRole, OperatorState } from '@causeway/contract/operator-rules.ts';
import type { FastifyInstance } from 'fastify';
import { CompactEncrypt, importJWK, type JWK } from 'jose';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { pino } from 'pino';
import { composeOperator } from '../compose-operator.ts';
import { createPasswords } from '../features/identity/passwords.ts';
import { operatorMailKey } from '../features/operator/console/dependencies.ts';
import { operatorMail, type StaffLetter } from '../features/operator/console/events.ts';
import { deriveKey, newToken, seal, sha256, unseal } from '../platform/crypto/secrets.ts';
import { newId } from '../platform/ids.ts';
import { chainFamilies } from './chain-families.ts';
import type { TestDatabase } from './database.ts';
import type { Answer } from './envelope.ts';
import { ask, type Request } from './main-app.ts';
import { operatorAuthorisation } from './operator-authorisation.ts';
import { lowPasswordCost } from './passwords.ts';

/** The whole process of the operator's console as `composeOperator` makes it, on a real database, asked call by call. */
export interface OperatorApp {
  app: FastifyInstance;
  db: TestDatabase;
  /** What the server complained of: undeclared errors, unexpected failures. A test ends with none. */
  complaints: string[];
  /** A colleague with password and authenticator, and, where active, a session. */
  operator(role: OperatorRole, state?: OperatorState): Promise<TestOperator>;
  ask<C extends Call>(call: C, request?: OperatorRequest): Promise<Answer<Output<C>>>;
  /** A code of the authenticator that was not used: the clock is moved on by a step first. */
  code(secret: Buffer): string;
  /** Moves the clock that codes are compared with. */
  pass(ms: number): void;
  encrypt(password: string): Promise<string>;
  /** The letters announced since the last look, oldest first. */
  takeLetters(): Promise<StaffLetter[]>;
  /** The actions of the operator's audit log, oldest first. */
  audited(): Promise<string[]>;
  /** The folder of documents about companies. */
  filesDir: string;
  close(): Promise<void>;
}

export interface TestOperator {
  id: string;
  email: string;
  name: string;
  role: OperatorRole;
  secret: Buffer;
  token: string;
}

export interface OperatorRequest extends Omit<Request, 'as'> {
  as?: Pick<TestOperator, 'token'>;
}

export const operatorPassword = 'Correct-Horse1';
const stepMs = 30_000;
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const passwordKey = { ...privateKey.export({ format: 'jwk' }) };

export async function operatorApp(
  db: TestDatabase,
  { webDir, lookUrl = 'https://look.causeway.example' }: { webDir?: string; lookUrl?: string } = {},
): Promise<OperatorApp> {
  const [secret, mailSecret] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')];
  const filesDir = mkdtempSync(join(tmpdir(), 'causeway-operator-files-'));
  const complaints: string[] = [];
  const stream = new Writable({
    write(line, _encoding, done) {
      complaints.push(String(line));
      done();
    },
  });
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const app = await composeOperator({
    config: {
      OPERATOR_SECRET: secret,
      OPERATOR_MAIL_SECRET: mailSecret,
      OPERATOR_AUTHORISATION_KEY: operatorAuthorisation.privateKey,
      OPERATOR_PASSWORD_KEY: passwordKey,
      // The site of the test's passkeys.
      OPERATOR_URL: 'https://causeway.example',
      OPERATOR_WEB_DIR: webDir,
      OPERATOR_LOOK_URL: lookUrl === '' ? undefined : lookUrl,
      OPERATOR_FILES_DIR: filesDir,
      PASSWORD_MAX_LENGTH: 16,
      TRUSTED_PROXIES: [],
    },
    database: db.console,
    families: chainFamilies,
    log: pino({ level: 'error' }, stream),
    clock,
  });
  await app.ready();
  const passwords = await createPasswords(passwordKey, [], lowPasswordCost);
  const passwordHash = await passwords.hash(operatorPassword);
  const key = await importJWK(passwords.publicKey as JWK, 'RSA-OAEP-256');
  return {
    app,
    db,
    complaints,
    operator: (role, state = 'active') => addOperator(db, { role, state, passwordHash, secret }),
    ask: (call, { as, headers = {}, ...request } = {}) =>
      ask(app, call, { ...request, headers: { ...(as ? { authorization: `Bearer ${as.token}` } : {}), ...headers } }),
    code(bytes) {
      aheadMs += stepMs;
      return codeOf(bytes, clock.now());
    },
    pass(ms) {
      aheadMs += ms;
    },
    encrypt: (password) =>
      new CompactEncrypt(new TextEncoder().encode(password))
        .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
        .encrypt(key),
    takeLetters: () => takeLetters(db, mailSecret),
    async audited() {
      const { rows } = await db.operator.pool.query<{ action: string }>(
        "select action from audit_event where company_id = '00000000-0000-0000-0000-000000000000' order by id",
      );
      return rows.map(({ action }) => action);
    },
    filesDir,
    async close() {
      await app.close();
      rmSync(filesDir, { recursive: true });
    },
  };
}

export function codeOf(secret: Buffer, at: Date): string {
  const totp = new TOTP({
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
  });
  return totp.generate({ timestamp: at.getTime() });
}

async function addOperator(
  db: TestDatabase,
  given: { role: OperatorRole; state: OperatorState; passwordHash: string; secret: string },
): Promise<TestOperator> {
  const id = newId();
  const suffix = randomBytes(6).toString('hex');
  const made = {
    id,
    email: `o${suffix}@example.com`,
    name: `Grace Ng ${suffix}`,
    role: given.role,
    secret: randomBytes(20),
    token: newToken(),
  };
  const sealed = seal(deriveKey(given.secret, 'operator-totp'), made.secret, id);
  await db.console.withoutCompany(async (tx) => {
    await sql`
      insert into operator_account (id, email, name, role, state, language, password_hash, totp_secret, activated_at)
      values (${id}, ${made.email}, ${made.name}, ${given.role}, ${given.state}, 'en_US', ${given.passwordHash}, ${sealed},
        ${given.state === 'invited' ? null : new Date()})`.execute(tx);
    await sql`
      insert into operator_session (id, operator_id, token_sha256, factor, ip, user_agent, expires_at)
      values (${newId()}, ${id}, ${sha256(made.token)}, 'authenticator', '127.0.0.1', '', now() + interval '12 hours')`.execute(
      tx,
    );
  });
  return made;
}

async function takeLetters(db: TestDatabase, mailSecret: string): Promise<StaffLetter[]> {
  const { rows } = await db.worker.withoutCompany((tx) =>
    sql<{ sealed: string }>`
      with taken as (delete from outbox where name = ${operatorMail} returning id, payload)
      select payload ->> 'sealed' as sealed from taken order by id`.execute(tx),
  );
  return rows.map(({ sealed }) => {
    const opened = unseal(operatorMailKey(mailSecret), Buffer.from(sealed, 'base64'), operatorMail);
    return JSON.parse(opened.toString()) as StaffLetter;
  });
}
