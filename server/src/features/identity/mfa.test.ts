import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Account, type TestIdentity, testIdentity } from '../../testing/identity.ts';

let db: TestDatabase;
let app: TestIdentity;
/** The server's clock: steps of 30 seconds are moved by hand. */
let now: number;
beforeAll(async () => {
  db = await testDatabase();
  now = Date.now();
  app = await testIdentity(db, { clock: { now: () => new Date(now) } });
});
afterAll(async () => {
  await app.close();
  await db.close();
});

const codeOf = (secret: string, atMs = now) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), digits: 6, period: 30, timestamp: atMs });
const wrongFor = (secret: string) => {
  const near = [-30_000, 0, 30_000].map((ms) => codeOf(secret, now + ms));
  return ['000000', '000001', '000002', '000003'].find((code) => !near.includes(code)) ?? '';
};

async function signedIn(): Promise<{ account: Account; token: string }> {
  const account = await app.signUp();
  return { account, token: (await app.signIn(account)).data.accessToken! };
}

async function bind(token: string, code: string, password = 'Correct-Horse1') {
  return app.call({ path: '/web/user/mfa', token, body: { password: await app.encrypt(password), code } });
}

async function bound() {
  const { account, token } = await signedIn();
  const { secret } = (await app.call({ path: '/web/user/mfa', token })).data;
  expect((await bind(token, codeOf(secret!))).status).toBe(200);
  now += 30_000;
  return { account, token, secret: secret! };
}

async function ticketOf(account: Account): Promise<string> {
  const password = await app.encrypt(account.password);
  const answer = await app.call({
    path: '/web/user/login',
    body: { loginMethod: 'otp_auth', email: account.email, password },
  });
  expect(answer.data.boundOtp).toBe(true);
  return answer.data.ticket!;
}

const finish = (ticket: string, code: string) =>
  app.call({ path: '/web/user/login', body: { loginMethod: 'otp_auth', ticket, code } });

describe('an authenticator', () => {
  test('is bound with its code and the password, once; a mail says so', async () => {
    const { account, token } = await signedIn();
    const asked = await app.call({ path: '/web/user/mfa', token });
    expect(asked.data).toMatchObject({ bound: false });
    expect(asked.data.uri).toContain(encodeURIComponent(account.email));
    const again = await app.call({ path: '/web/user/mfa', token });
    expect(again.data.secret!).toBe(asked.data.secret);
    expect((await bind(token, codeOf(asked.data.secret!), 'Wrong-Horse1')).key).toBe('passwordWrong');
    expect((await bind(token, wrongFor(asked.data.secret!))).key).toBe('codeWrong');
    expect((await bind(token, codeOf(asked.data.secret!))).status).toBe(200);
    expect((await bind(token, codeOf(asked.data.secret!))).key).toBe('mfaAlreadyBound');
    expect((await app.call({ path: '/web/user/mfa', token })).data).toEqual({ bound: true, secret: null, uri: null });
    expect((await app.call({ path: '/web/user', token })).data.hasOtp).toBe(true);
    await app.deliver();
    expect(app.mails.findLast(({ to }) => to === account.email)?.subject).toContain('authenticator was set up');
  });

  test('is not bound with a secret older than ten minutes', async () => {
    const { token } = await signedIn();
    const { secret } = (await app.call({ path: '/web/user/mfa', token })).data;
    await app.elapse("update causeway.credential set pending_since = pending_since - interval '11 minutes'");
    expect((await bind(token, codeOf(secret!))).key).toBe('mfaSecretExpired');
    expect((await app.call({ path: '/web/user/mfa', token })).data.secret).not.toBe(secret);
  });

  test('signs in; each step counts once, even for 50 at the same time', async () => {
    const { account, secret } = await bound();
    // One after another: sign-ins at the same time count as tries until they are known to be right, and ask for a captcha.
    const tickets: Awaited<ReturnType<typeof ticketOf>>[] = [];
    for (let i = 0; i < 4; i++) tickets.push(await ticketOf(account));
    const code = codeOf(secret!);
    const answers = await Promise.all(tickets.map((ticket) => finish(ticket, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ key }) => key === 'codeWrong')).toHaveLength(3);
    now += 30_000;
    const ticket = await ticketOf(account);
    const parallel = await Promise.all(Array.from({ length: 50 }, () => finish(ticket, codeOf(secret!))));
    expect(parallel.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('can be given with the password in one request', async () => {
    const { account, secret } = await bound();
    const password = await app.encrypt(account.password);
    const answer = await app.call({
      path: '/web/user/login',
      body: { loginMethod: 'otp_auth', email: account.email, password, code: codeOf(secret!) },
    });
    expect(answer.data.accessToken).toMatch(/^[\w-]{43}$/);
  });

  test('five wrong codes of the person signed in burn it for a while, the right one included', async () => {
    const { account, token, secret } = await bound();
    const change = async (code: string) =>
      app.call({
        method: 'PUT',
        path: '/web/user/password',
        token,
        body: {
          currentPassword: await app.encrypt(account.password),
          newPassword: await app.encrypt('Another-Horse2'),
          method: 'otp_auth',
          code,
        },
      });
    for (let i = 0; i < 4; i++) expect((await change(wrongFor(secret))).key).toBe('codeWrong');
    expect((await change(wrongFor(secret))).key).toBe('codeBurnt');
    const right = await change(codeOf(secret));
    expect([right.key, right.errors]).toEqual([
      'codeBurnt',
      ['Too many incorrect verification codes. Please try again in 30 minutes.'],
    ]);
    await app.elapse("update causeway.code_guard set window_ends_at = now() - interval '1 second'");
    expect((await change(codeOf(secret))).status).toBe(200);
  });

  test('five wrong codes at sign-in burn that sign-in alone', async () => {
    const { account, secret } = await bound();
    const ticket = await ticketOf(account);
    for (let i = 0; i < 4; i++) expect((await finish(ticket, wrongFor(secret))).key).toBe('codeWrong');
    expect((await finish(ticket, wrongFor(secret))).key).toBe('codeRequestBurnt');
    expect((await finish(ticket, codeOf(secret))).key).toBe('codeRequestBurnt');
    expect((await finish(await ticketOf(account), codeOf(secret))).status).toBe(200);
  });

  test('without one, its codes are wrong', async () => {
    const { account } = await signedIn();
    const password = await app.encrypt(account.password);
    const { ticket } = (
      await app.call({ path: '/web/user/login', body: { loginMethod: 'otp_auth', email: account.email, password } })
    ).data;
    expect((await finish(ticket!, '123456')).key).toBe('codeWrong');
  });

  test('its secret is sealed in the database, for its member alone', async () => {
    const { secret } = await bound();
    const client = new (await import('pg')).default.Client({ connectionString: db.superuserUrl });
    await client.connect();
    const { rows } = await client.query('select totp_secret from causeway.credential where totp_secret is not null');
    await client.end();
    const plain = Buffer.from(Secret.fromBase32(secret).bytes);
    for (const row of rows) expect(row.totp_secret.includes(plain)).toBe(false);
  });
});
