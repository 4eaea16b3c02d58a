import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Account, type TestIdentity, testIdentity } from '../../testing/identity.ts';
import { present } from '../../testing/present.ts';
import { keepTimeZone } from '../../testing/time-zone.ts';
import { findByEmail } from './store/lookups.ts';

let db: TestDatabase;
let app: TestIdentity;
beforeAll(async () => {
  db = await testDatabase();
  app = await testIdentity(db);
});
afterAll(async () => {
  await app.close();
  await db.close();
});

const newPassword = 'Another-Horse2';
let network = 0;
const newIp = () => `198.51.100.${++network}`;

async function signedIn() {
  const account = await app.signUp();
  const { accessToken: token, laissezPasser } = (await app.signIn(account, { skipVerification: true })).data;
  return { account, token: token as string, laissezPasser: laissezPasser as string };
}

async function companyOf({ email }: Account): Promise<string> {
  const member = await db.app.withoutCompany((tx) => findByEmail(tx, email));
  return present(member).companyId;
}

async function passwordStep(account: Account, password: string, laissezPasser?: string) {
  return app.call({
    path: '/web/user/login',
    body: { loginMethod: 'email', email: account.email, password: await app.encrypt(password), laissezPasser },
  });
}

describe('changing the password', () => {
  async function change(token: string, changes: Record<string, unknown> = {}) {
    return app.call({
      method: 'PUT',
      path: '/web/user/password',
      token,
      body: {
        currentPassword: await app.encrypt('Correct-Horse1'),
        newPassword: await app.encrypt(newPassword),
        method: 'email',
        code: '000000',
        ...changes,
      },
    });
  }

  async function codeFor(account: Account, token: string): Promise<string> {
    const sent = await app.call({ path: '/common/user/send-code', token, body: { scenario: 'update_psd' } });
    expect(sent.data).toEqual({ recipient: 'initiator', resendAfterMs: 60_000, expiresAfterMs: 600_000 });
    await app.deliver();
    return app.lastCode(account.email);
  }

  test('needs the current one and a code, ends every other session and trust, and is told by mail', async () => {
    const { account, token, laissezPasser } = await signedIn();
    await keepTimeZone(db.app, await companyOf(account), 'America/New_York');
    const other = (await app.signIn(account)).data.accessToken!;
    const code = await codeFor(account, token);
    expect((await change(token, { code })).status).toBe(200);
    expect((await app.call({ path: '/web/user', token })).status).toBe(200);
    expect((await app.call({ path: '/web/user', token: other })).status).toBe(401);
    expect((await passwordStep(account, account.password)).key).toBe('loginFailed');
    const again = await passwordStep(account, newPassword, laissezPasser);
    expect(again.data.ticket).toMatch(/^[\w-]{43}$/);
    await app.deliver();
    const mail = app.mails.findLast(({ to }) => to === account.email);
    expect(mail?.subject).toBe('Your Causeway password was changed');
    expect(mail?.text).toMatch(/Time: \w{3} \d+, \d{4}, \d\d:\d\d \(GMT-[45]\)/);
  });

  test('is refused with the wrong password, the same, one against the rule, or a wrong code', async () => {
    const { account, token } = await signedIn();
    const wrong = await change(token, { currentPassword: await app.encrypt('Wrong-Horse1') });
    expect([wrong.key, wrong.fields]).toEqual([
      'passwordWrong',
      { currentPassword: 'The current password is incorrect' },
    ]);
    const same = await change(token, { newPassword: await app.encrypt(account.password) });
    expect(same.key).toBe('passwordSame');
    expect((await change(token, { newPassword: await app.encrypt('weak') })).key).toBe('passwordRule');
    const code = await codeFor(account, token);
    expect((await change(token, { code: code === '000000' ? '000001' : '000000' })).key).toBe('codeWrong');
    expect((await change(token, { method: 'otp_auth' })).key).toBe('mfaNotBound');
    expect((await change(token, { code })).status).toBe(200);
  });

  test('limits guesses of the current password, also at the same time', async () => {
    const { token } = await signedIn();
    const currentPassword = await app.encrypt('Wrong-Horse1');
    const answers = await Promise.all(Array.from({ length: 20 }, () => change(token, { currentPassword })));
    expect(answers.filter(({ key }) => key === 'passwordWrong')).toHaveLength(10);
    expect(answers.filter(({ key }) => key === 'tooManyRequests')).toHaveLength(10);
    expect((await change(token)).key).toBe('tooManyRequests');
  });
});

describe('a forgotten password', () => {
  const reset = async (email: string, { ticket, code }: { ticket: string; code: string }, password = newPassword) =>
    app.call({
      path: '/web/user/forget-password',
      body: { email, ticket, code, newPassword: await app.encrypt(password) },
    });
  const ask = async (email: string) =>
    app.call({
      path: '/common/send-code',
      ip: newIp(),
      body: { scenario: 'forget', email, captcha: await app.captcha('forget', email) },
    });
  /** Asks, and reads the mail. */
  const asked = async (email: string) => {
    const { ticket } = (await ask(email)).data;
    await app.deliver();
    return { ticket, code: app.lastCode(email) };
  };

  test('is set anew with the code of the mail, which ends every session', async () => {
    const { account, token } = await signedIn();
    const code = await asked(account.email);
    expect((await reset(account.email, code, 'weak')).key).toBe('passwordRule');
    expect((await reset(account.email, code)).status).toBe(200);
    expect((await app.call({ path: '/web/user', token })).status).toBe(401);
    expect((await passwordStep(account, newPassword)).status).toBe(200);
    expect((await reset(account.email, code)).key).toBe('codeWrong');
  });

  test('opens an account that somebody else locked by guessing', async () => {
    const account = await app.signUp();
    for (let i = 0; i < 3; i++) await passwordStep(account, 'Wrong-Horse1');
    expect((await passwordStep(account, account.password)).key).toBe('captchaRequired');
    await reset(account.email, await asked(account.email));
    expect((await passwordStep(account, newPassword)).data.ticket).not.toBeNull();
  });

  test('a code of one scenario or address does not serve another', async () => {
    const { account, token } = await signedIn();
    const other = await app.signUp();
    await app.call({ path: '/common/user/send-code', token, body: { scenario: 'update_psd' } });
    await app.deliver();
    const code = app.lastCode(account.email);
    const mine = await asked(account.email);
    expect((await reset(account.email, { ...mine, code })).key).toBe('codeWrong');
    const theirs = await asked(other.email);
    expect((await reset(other.email, mine)).key).toBe('codeWrong');
    expect((await reset(other.email, { ...mine, code: theirs.code })).key).toBe('codeWrong');
    expect((await reset(other.email, theirs)).status).toBe(200);
  });
});
