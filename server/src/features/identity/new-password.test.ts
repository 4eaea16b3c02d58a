import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Account, type TestIdentity, testIdentity } from '../../testing/identity.ts';

/** Common passwords, and those made of what is known of their owner, are refused wherever a password is set. */

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

let network = 0;
const newIp = () => `198.51.100.${++network}`;

interface Setting {
  /** The field whose sentence says what is wrong. */
  field: string;
  /** Tries to set a password. */
  set(
    password: string,
  ): Promise<{ key: string | null; status: number; fields: Record<string, string>; errors: string[] }>;
}

async function signUpForm(): Promise<Setting> {
  const email = `q${Math.random().toString(36).slice(2)}@example.com`;
  const request = { email, captcha: await app.captcha() };
  const { ticket } = (await app.call({ path: '/common/send-register-code', ip: newIp(), body: request })).data;
  await app.deliver();
  const rest = { companyName: 'Harbour Trading', email, ticket, code: app.lastCode(email) };
  const agreed = { agreeTerms: true, agreePaymentTerms: true, agreePrivacy: true };
  const invitationCode = await app.invite();
  return {
    field: 'password',
    set: async (chosen) => {
      const password = await app.encrypt(chosen);
      return app.call({ path: '/web/user/register', body: { ...rest, ...agreed, invitationCode, password } });
    },
  };
}

async function forgetForm(account: Account): Promise<Setting> {
  const { email } = account;
  const request = { scenario: 'forget', email, captcha: await app.captcha() };
  const { ticket } = (await app.call({ path: '/common/send-code', ip: newIp(), body: request })).data;
  await app.deliver();
  const code = app.lastCode(email);
  return {
    field: 'newPassword',
    set: async (chosen) => {
      const newPassword = await app.encrypt(chosen);
      return app.call({ path: '/web/user/forget-password', body: { email, ticket, code, newPassword } });
    },
  };
}

async function changeForm(account: Account): Promise<Setting> {
  const token = (await app.signIn(account)).data.accessToken ?? '';
  await app.call({ path: '/common/user/send-code', token, body: { scenario: 'update_psd' } });
  await app.deliver();
  const code = app.lastCode(account.email);
  return {
    field: 'newPassword',
    set: async (chosen) => {
      const [currentPassword, newPassword] = [await app.encrypt(account.password), await app.encrypt(chosen)];
      const body = { currentPassword, newPassword, method: 'email', code };
      return app.call({ method: 'PUT', path: '/web/user/password', token, body });
    },
  };
}

async function linkForm(account: Account, purpose: 'activation' | 'reset'): Promise<Setting> {
  const session = await app.identity.authenticate((await app.signIn(account)).data.accessToken ?? '', false);
  if (!session) throw new Error('not signed in');
  await db.app.withCompany(session.companyId, (tx) =>
    app.identity.issueActivation(tx, session.userId, purpose, 'Wing Cheung'),
  );
  await app.deliver();
  const mail = app.mails.findLast(({ to, text }) => to === account.email && text.includes('/activate#'));
  const token = /activate#([\w-]{43})/.exec(mail?.text ?? '')?.[1];
  return {
    field: 'password',
    set: async (chosen) => {
      const password = await app.encrypt(chosen);
      return app.call({ path: '/web/user/activate', body: { token, password } });
    },
  };
}

describe.each([
  ['sign-up', signUpForm],
  ['a forgotten password', async () => forgetForm(await app.signUp())],
  ['a changed password', async () => changeForm(await app.signUp())],
  ['activation', async () => linkForm(await app.signUp(), 'activation')],
  ['a reset by an administrator', async () => linkForm(await app.signUp(), 'reset')],
])('at %s', (_place, open) => {
  test('a common password and the company’s name are refused by name, and the proof stays good', async () => {
    const { field, set } = await open();
    const common = await set('Password1');
    expect([common.status, common.key]).toEqual([400, 'passwordCommon']);
    expect(common.fields[field]).toContain('Password1');
    const personal = await set('Harbour-Kite-7x');
    expect([personal.status, personal.key]).toEqual([400, 'passwordPersonal']);
    expect(personal.fields[field]).toContain('harbour');
    expect((await set('Another-Horse2')).status).toBe(200);
  });
});

test('who does not know the code does not learn the company’s name from the refusal', async () => {
  const account = await app.signUp();
  const newPassword = await app.encrypt('Harbour-Kite-7x');
  const body = { email: account.email, ticket: 'x'.repeat(43), code: '123456', newPassword };
  expect((await app.call({ path: '/web/user/forget-password', body })).key).toBe('codeWrong');
});

test('a sign-up without all three agreements is refused', async () => {
  const body = { agreeTerms: false, agreePaymentTerms: true };
  const answer = await app.call({ path: '/web/user/register', body });
  expect(answer.fields).toMatchObject({
    agreeTerms: 'Please agree to continue',
    agreePrivacy: 'required',
  });
  expect(Object.keys(answer.fields)).not.toContain('agreePaymentTerms');
});
