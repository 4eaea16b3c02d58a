import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identityJobs } from '../features/identity/index.ts';
import { findTimeZone } from '../features/organisation/index.ts';
import type { SealedReview } from '../features/outgoing/index.ts';
import { newPasswordKey, newSecret } from '../platform/crypto/new-keys.ts';
import { openDatabase } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { createLog } from '../platform/process/log.ts';
import { sentenceOf } from '../platform/process/start-failure.ts';
import { refusalOf } from '../testing/asked-signer.ts';
import {
  approvalOf,
  approvedTransfer,
  decided,
  fundedCompany,
  subjectOf,
  timeline,
  transactions,
} from '../testing/chain-transfers.ts';
import { type ChainWorld, type Company, chainWorld, depth } from '../testing/chain-world.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { transferRequest } from '../testing/evm-requests.ts';
import { type Account, type TestIdentity, testIdentity, testPasswordKey } from '../testing/identity.ts';

/**
 * Rotation with work in flight: what keeps working and what ends, as docs/OPERATIONS.md ("Rotation") says. The key store's
 * passphrase is rotated in keystore.test.ts, a mail server that refuses for a while in identity/delivery.test.ts.
 */

describe('the authorisation key', () => {
  let world: ChainWorld;
  let company: Company;
  beforeAll(async () => {
    world = await chainWorld();
    company = await fundedCompany(world, '100');
  });
  afterAll(() => world.close());

  const payee = '0x00000000000000000000000000000000000A11cE';
  const approver = newId();
  const submit = (review?: SealedReview) =>
    approvedTransfer(world, company, { coin: 'USDT', amountMinor: 2_000_000n, payee, ...(review ? { review } : {}) });

  /** A transfer that one person has to approve, and its approval sealed with the key of the moment. */
  async function awaiting() {
    const nodes = [{ needed: 1, people: [approver], roles: [] }];
    const review: SealedReview = { taskId: newId(), ruleId: newId(), ruleVersion: 1, nodes };
    const id = await submit(review);
    const { digest } = await subjectOf(world, company, id);
    const subject = { companyId: company.id, taskId: review.taskId, transferId: id, digest };
    const approve = () => decided(world, company, approvalOf(subject, approver));
    return { id, approve };
  }

  let nonce = 900;
  async function ask(transferId: string): Promise<string> {
    nonce += 1;
    return refusalOf(world.signer, transferRequest(company.id, transferId, nonce));
  }
  const stageOf = async (id: string) => (await transactions(world, company)).find((row) => row.id === id)?.stage;

  test('with the key before it kept: a stuck payment has its fee raised, a waiting one is approved and signed', async () => {
    const stuck = await submit();
    await world.work();
    await world.chain.engine.mine(1);
    await world.follow();
    // The base fee leaps, so that the next blocks leave the payment out.
    await world.work();
    await world.chain.engine.set('anvil_setNextBlockBaseFeePerGas', [`0x${(200n * 10n ** 9n).toString(16)}`]);
    await world.chain.engine.mine(1);
    await world.follow();
    expect(await stageOf(stuck)).toBe('broadcast');

    await world.rotateAuthorisationKey({ keepsPrevious: true });
    await world.tend({ stuckAfterMs: 0, rebroadcastAfterMs: 3_600_000 });
    await world.advance(1);
    await world.tend({ stuckAfterMs: 0, rebroadcastAfterMs: 3_600_000 });
    await world.advance(depth + 2);
    expect(await timeline(world, company, stuck)).toContain('replaced');
    expect(await stageOf(stuck)).toBe('completed');

    const next = await submit();
    await world.work();
    await world.advance(depth + 2);
    expect(await stageOf(next)).toBe('completed');
  });

  test('an approval sealed with the new key completes a transfer sealed with the old one', async () => {
    const { id, approve } = await awaiting();
    await world.rotateAuthorisationKey({ keepsPrevious: true });
    expect(await ask(id)).toBe('forged');
    await approve();
    expect(await ask(id)).toBe('signed');
  });

  test('with the key before it removed, nothing that it sealed is signed any more', async () => {
    const { id, approve } = await awaiting();
    await approve();
    await world.rotateAuthorisationKey({ keepsPrevious: false });
    expect(await ask(id)).toBe('forged');
  });
});

describe('secrets of sign-in', () => {
  const [older, newer] = [newSecret(), newSecret()];
  let db: TestDatabase;
  let before: TestIdentity;
  let now: number;
  const opened: TestIdentity[] = [];
  beforeAll(async () => {
    db = await testDatabase();
    now = Date.now();
    before = await start({ appSecret: older });
  });
  afterAll(async () => {
    await Promise.all(opened.map((app) => app.close()));
    await db.close();
  });

  async function start(options: Parameters<typeof testIdentity>[1]): Promise<TestIdentity> {
    const app = await testIdentity(db, { clock: { now: () => new Date(now) }, ...options });
    opened.push(app);
    return app;
  }

  /** Each code counts once, so every use is a step of 30 seconds later. */
  const nextCode = (secret: string) => {
    now += 30_000;
    return TOTP.generate({ secret: Secret.fromBase32(secret), digits: 6, period: 30, timestamp: now });
  };

  async function bound() {
    const account = await before.signUp();
    const token = (await before.signIn(account)).data.accessToken!;
    const secret = (await before.call({ path: '/web/user/mfa', token })).data.secret!;
    const body = { password: await before.encrypt(account.password), code: nextCode(secret) };
    const answer = await before.call({ path: '/web/user/mfa', token, body });
    expect(answer.status, answer.raw.body).toBe(200);
    return { account, token, secret, codes: answer.data.recoveryCodes };
  }

  async function ticketOf(app: TestIdentity, { email, password }: Account): Promise<string> {
    const body = { loginMethod: 'otp_auth', email, password: await app.encrypt(password) };
    return (await app.call({ path: '/web/user/login', body })).data.ticket!;
  }
  async function signInWith(app: TestIdentity, account: Account, proof: { code: string } | { recoveryCode: string }) {
    const ticket = await ticketOf(app, account);
    return app.call({ path: '/web/user/login', body: { loginMethod: 'otp_auth', ticket, ...proof } });
  }

  test('APP_SECRET: sessions, authenticators and recovery codes go on; what is used once needs the old secret no more', async () => {
    const [used, idle] = [await bound(), await bound()];
    const during = await start({ appSecret: newer, previousAppSecrets: [older] });
    expect((await during.call({ path: '/web/user', token: used.token })).status).toBe(200);
    expect((await signInWith(during, used.account, { code: nextCode(used.secret) })).status).toBe(200);
    expect((await signInWith(during, idle.account, { recoveryCode: idle.codes[0]! })).status).toBe(200);

    const after = await start({ appSecret: newer });
    expect((await after.call({ path: '/web/user', token: used.token })).status).toBe(200);
    expect((await signInWith(after, used.account, { code: nextCode(used.secret) })).status).toBe(200);
    // Never used while both were known: the authenticator has to be bound again.
    expect((await signInWith(after, idle.account, { code: nextCode(idle.secret) })).key).toBe('codeWrong');
    expect((await signInWith(after, idle.account, { recoveryCode: idle.codes[1]! })).key).toBe('recoveryCodeWrong');
  });

  test('APP_SECRET: a six-digit code on its way ends; the next one works', async () => {
    const account = await before.signUp();
    const during = await start({ appSecret: newer, previousAppSecrets: [older] });
    const ask = async (app: TestIdentity) => {
      const sent = await app.call({
        path: '/common/send-code',
        body: { scenario: 'forget', email: account.email, captcha: await app.captcha() },
      });
      await app.deliver();
      return { ticket: sent.data.ticket, code: app.lastCode(account.email) };
    };
    const reset = async (proof: { ticket: string; code: string }) =>
      during.call({
        path: '/web/user/forget-password',
        body: { email: account.email, ...proof, newPassword: await during.encrypt('Another-Horse2') },
      });
    expect((await reset(await ask(before))).key).toBe('codeWrong');
    expect((await reset(await ask(during))).status).toBe(200);
  });

  test('PASSWORD_KEY: a page that was open before still signs in; without the key before it, the page must be loaded again', async () => {
    const account = await before.signUp();
    const encrypted = await before.encrypt(account.password);
    const passwordKey = JSON.parse(await newPasswordKey());
    const signIn = (app: TestIdentity) =>
      app.call({ path: '/web/user/login', body: { loginMethod: 'email', email: account.email, password: encrypted } });
    const previousPasswordKeys = [testPasswordKey];
    const during = await start({ appSecret: older, passwordKey, previousPasswordKeys });
    expect((await signIn(during)).data.ticket).toMatch(/^\S{20,}$/);
    const after = await start({ appSecret: older, passwordKey });
    expect((await signIn(after)).key).toBe('passwordUndecipherable');
  });

  test('MAIL_SECRET: a mail that waits in the queue is sent by a worker that knows both', async () => {
    const [oldMail, newMail] = [newSecret(), newSecret()];
    const app = await start({ appSecret: older, mailSecret: oldMail });
    const email = `p${randomBytes(8).toString('hex')}@example.com`;
    await app.call({ path: '/common/send-register-code', body: { email, captcha: await app.captcha() } });
    const { rows } = await pgQuery(
      db.superuserUrl,
      'select company_id as "companyId", name, payload from causeway.outbox order by id desc limit 1',
    );
    const [event] = rows as { companyId: string; name: string; payload: Record<string, unknown> }[];
    const sent: string[] = [];
    const mailer = { send: async ({ to }: { to: string }) => void sent.push(to), close: () => undefined };
    const run = async (previousMailSecrets: string[]) => {
      const jobs = identityJobs({
        mailer,
        mailSecret: newMail,
        previousMailSecrets,
        publicUrl: 'https://c.example.com',
        timeZoneOf: findTimeZone,
      });
      const context = { companyId: event!.companyId, database: db.worker, log: createLog('test', 'silent') };
      for (const job of jobs.filter(({ on }) => on?.includes(event!.name))) await job.run(context, event!.payload);
    };
    // Without the secret before it the job fails, stays in the queue and is repeated.
    await expect(run([])).rejects.toThrow();
    expect(sent).toEqual([]);
    await run([oldMail]);
    expect(sent).toEqual([email]);
  });
});

test('a database password: open connections go on, new ones are refused in one sentence until the process has the new one', async () => {
  const db = await testDatabase();
  const role = `rotation_${randomBytes(4).toString('hex')}`;
  const addressWith = (password: string) => {
    const url = new URL(db.superuserUrl);
    url.username = role;
    url.password = password;
    return url.href;
  };
  await pgQuery(db.superuserUrl, `create role ${role} login password 'older'`);
  const open = (password: string) => openDatabase(addressWith(password), { poolSize: 1, applicationName: 'test' });
  const [running, late, restarted] = [open('older'), open('older'), open('newer')];
  try {
    await running.pool.query('select 1');
    await pgQuery(db.superuserUrl, `alter role ${role} password 'newer'`);
    await running.pool.query('select 1');
    const refusal = await late.pool.query('select 1').then(() => 'answered', sentenceOf);
    expect(refusal).toBe('The database refuses the password; run the migration program after changing it.');
    await restarted.pool.query('select 1');
  } finally {
    await Promise.all([running.close(), late.close(), restarted.close()]);
    await pgQuery(db.superuserUrl, `drop role ${role}`);
    await db.close();
  }
});

async function pgQuery(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(statement).finally(() => client.end());
}
