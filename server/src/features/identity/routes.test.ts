import { calls } from '@causeway/contract/calls.ts';
import * as contract from '@causeway/contract/identity.ts';
import * as account from '@causeway/contract/identity-account.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registeredCalls } from '../../platform/http/route.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { cookieOf, type TestIdentity, testIdentity, testPassword } from '../../testing/identity.ts';

let db: TestDatabase;
let app: TestIdentity;
beforeAll(async () => {
  db = await testDatabase();
  app = await testIdentity(db, { passwordCost: undefined });
});
afterAll(async () => {
  await app.close();
  await db.close();
});

const address = () => `r${Math.random().toString(36).slice(2)}@example.com`;

async function registration(changes: Record<string, unknown> = {}) {
  const email = address();
  const sent = await app.call({
    path: '/common/send-register-code',
    body: { email, captcha: await app.captcha() },
  });
  await app.deliver();
  return {
    companyName: 'Harbour Trading',
    email,
    ticket: sent.data.ticket,
    code: app.lastCode(email),
    password: await app.encrypt(testPassword),
    invitationCode: await app.invite(),
    agreeTerms: true,
    agreePaymentTerms: true,
    agreePrivacy: true,
    ...changes,
  };
}

test('every call of the contract is registered', () => {
  const own = new Set<unknown>([...Object.values(contract), ...Object.values(account)]);
  const names = calls.filter((call) => own.has(call)).map(({ name }) => name);
  expect(names.length).toBe(35);
  expect([...registeredCalls(app.app)].sort()).toEqual(names.sort());
});

describe('signing up', () => {
  test('makes a company with its administrator, who is welcomed in the language of the page', async () => {
    const body = await registration({ companyName: '海港貿易 “Harbour” & Co <b>', language: 'zh_HK' });
    const answer = await app.call({ path: '/web/user/register', body });
    expect(answer.raw.json()).toEqual({ code: 0, data: null, errors: [] });
    await app.deliver();
    const mail = app.mails.findLast(({ to }) => to === body.email);
    expect(mail?.subject).toBe('歡迎使用 Causeway');
    expect(mail?.text).toContain('海港貿易 “Harbour” & Co <b>');
    expect(mail?.html).toContain('&amp; Co &lt;b&gt;');
    const signedIn = await app.signIn({ email: body.email, password: testPassword, companyName: '' });
    const user = await app.call({ path: '/web/user', token: signedIn.data.accessToken! });
    expect(user.data).toMatchObject({
      email: body.email,
      companyName: '海港貿易 “Harbour” & Co <b>',
      legalName: '海港貿易 “Harbour” & Co <b>',
      language: 'zh_HK',
      role: 'Administrator',
      hasOtp: false,
    });
    expect(user.data.identifierId).toMatch(/^CW(-[0-9A-Z]{4}){3}$/);
    expect(user.data.permissions).toContain('member.manage');
  });

  test('names every field that is missing, in the words of the specification', async () => {
    const answer = await app.call({ path: '/web/user/register', body: { email: 'no', invitationCode: '' } });
    expect([answer.status, answer.key]).toEqual([400, 'validationFailed']);
    expect(answer.fields).toMatchObject({
      email: 'Please enter a valid email address',
      invitationCode: 'Please enter your invitation code',
      password: 'Please enter your password',
      code: 'Please enter a 6-digit verification code',
    });
    expect(Object.keys(answer.fields)).toEqual(
      expect.arrayContaining(['companyName', 'agreeTerms', 'agreePaymentTerms', 'agreePrivacy']),
    );
  });

  test.each([['unknown'], ['revoked'], ['used'], ['expired']])(
    'an invitation that is %s is refused and the code stays good',
    async (kind) => {
      const body = await registration();
      const good = body.invitationCode;
      const { createInvitation, listInvitations, revokeInvitation } = await import('./index.ts');
      if (kind === 'unknown') body.invitationCode = 'CW-0000-0000-0000-0000';
      if (kind === 'used') {
        const used = await registration();
        await app.call({ path: '/web/user/register', body: used });
        body.invitationCode = used.invitationCode;
      }
      if (kind === 'revoked' || kind === 'expired') {
        const expiresAt = new Date(Date.now() + (kind === 'expired' ? -1000 : 60_000));
        const made = await createInvitation(db.operator, { label: kind, expiresAt, operator: 'test' });
        body.invitationCode = made.code;
        if (kind === 'revoked') {
          expect(await revokeInvitation(db.operator, made.id, 'test')).toBe(true);
          expect(await revokeInvitation(db.operator, made.id, 'test')).toBe(false);
          expect((await listInvitations(db.operator)).find(({ id }) => id === made.id)?.revokedAt).toBeInstanceOf(Date);
        }
      }
      const refused = await app.call({ path: '/web/user/register', body });
      expect([refused.status, refused.key]).toEqual([400, 'invitationInvalid']);
      const answer = await app.call({ path: '/web/user/register', body: { ...body, invitationCode: good } });
      expect(answer.status).toBe(200);
    },
  );

  test('of two sign-ups with one invitation at once, one succeeds', async () => {
    const first = await registration();
    const second = await registration({ invitationCode: first.invitationCode });
    const answers = await Promise.all([first, second].map((body) => app.call({ path: '/web/user/register', body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test('a password against the rule is refused, whatever the browser checked', async () => {
    for (const password of ['short1A', 'alllowercase1', 'NODIGITSatall', 'Waytoolongpassword1']) {
      const body = await registration({ password: await app.encrypt(password) });
      const answer = await app.call({ path: '/web/user/register', body });
      expect([answer.status, answer.key]).toEqual([400, 'passwordRule']);
      expect(answer.fields['password']).toContain('8 to 16 characters');
    }
  });

  test('a password that was not encrypted to the server is refused', async () => {
    const answer = await app.call({ path: '/web/user/register', body: await registration({ password: testPassword }) });
    expect([answer.status, answer.key]).toEqual([400, 'passwordUndecipherable']);
  });

  test('a captcha serves once, and not when it is made up', async () => {
    const captcha = await app.captcha();
    const ask = (solution: string) =>
      app.call({ path: '/common/send-register-code', body: { email: address(), captcha: solution } });
    expect((await ask(captcha)).status).toBe(200);
    expect((await ask(captcha)).key).toBe('captchaFailed');
    const other = JSON.parse(Buffer.from(await app.captcha(), 'base64').toString());
    const wrong = { ...other, salt: other.salt.replace(/expires=\d+/, 'expires=99999999999') };
    expect((await ask(Buffer.from(JSON.stringify(wrong)).toString('base64'))).key).toBe('captchaFailed');
    expect((await ask('nonsense')).key).toBe('captchaFailed');
    const parallel = await app.captcha();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(parallel)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('signing in', () => {
  test('the first step gives a ticket and no token', async () => {
    const account = await app.signUp();
    const answer = await app.call({
      path: '/web/user/login',
      body: { loginMethod: 'email', email: account.email.toUpperCase(), password: await app.encrypt(account.password) },
    });
    expect(answer.data).toMatchObject({ accessToken: null, boundOtp: false, laissezPasser: null });
    expect(answer.data.maskedEmail).toBe(`p•••@example.com`);
    const token = await app.call({ path: '/web/user', token: answer.data.ticket! });
    expect([token.status, token.key]).toEqual([401, 'sessionEnded']);
  });

  test('a ticket serves once, and ten minutes', async () => {
    const account = await app.signUp();
    const first = () =>
      app
        .encrypt(account.password)
        .then((password) =>
          app.call({ path: '/web/user/login', body: { loginMethod: 'email', email: account.email, password } }),
        );
    const ticket = (await first()).data.ticket!;
    await app.call({ path: '/common/send-code', body: { scenario: 'login', ticket } });
    await app.deliver();
    const finish = (code: string, held: string) =>
      app.call({ path: '/web/user/login', body: { loginMethod: 'email', ticket: held, code } });
    expect((await finish(app.lastCode(account.email), ticket)).status).toBe(200);
    expect((await finish(app.lastCode(account.email), ticket)).key).toBe('signInExpired');
    expect((await finish('000000', 'x'.repeat(43))).key).toBe('signInExpired');
    const late = (await first()).data.ticket!;
    await app.elapse(
      "update causeway.sign_in_ticket set expires_at = now() - interval '1 second' where used_at is null",
    );
    expect((await finish('000000', late)).key).toBe('signInExpired');
    const sent = await app.call({ path: '/common/send-code', body: { scenario: 'login', ticket: late } });
    expect(sent.key).toBe('signInExpired');
  });

  test('by phone is refused by name', async () => {
    const answer = await app.call({ path: '/web/user/login', body: { loginMethod: 'phone', phone: '+85212345678' } });
    expect([answer.status, answer.key]).toEqual([400, 'loginMethodUnavailable']);
  });

  test('asks for what is missing', async () => {
    const answer = await app.call({ path: '/web/user/login', body: { loginMethod: 'email' } });
    expect(answer.fields).toEqual({
      email: 'Please enter your email address',
      password: 'Please enter your password',
    });
  });

  test('a browser may skip the code for 30 days, for its own member alone', async () => {
    const account = await app.signUp();
    const other = await app.signUp();
    const trusted = await app.signIn(account, { skipVerification: true });
    const laissezPasser = trusted.data.laissezPasser!;
    expect(laissezPasser).toMatch(/^[\w-]{43}$/);
    let cookie = cookieOf(trusted);
    const step = async (email: string, pass: string) =>
      app.call({
        path: '/web/user/login',
        cookie,
        body: { loginMethod: 'email', email, password: await app.encrypt(testPassword), laissezPasser: pass },
      });
    const skipped = await step(account.email, laissezPasser);
    expect(skipped.data.accessToken).toMatch(/^[\w-]{43}$/);
    cookie = cookieOf(skipped);
    expect((await step(other.email, laissezPasser)).data.accessToken).toBeNull();
    expect((await step(account.email, 'x'.repeat(43))).data.accessToken).toBeNull();
    await app.elapse("update causeway.trusted_browser set expires_at = now() - interval '1 second'");
    expect((await step(account.email, laissezPasser)).data.accessToken).toBeNull();
  });

  test('a disabled member cannot sign in, and a session of theirs ends', async () => {
    const account = await app.signUp();
    const accessToken = (await app.signIn(account)).data.accessToken!;
    await app.elapse('update causeway.member set disabled_at = now() where email = $1', [account.email]);
    expect((await app.call({ path: '/web/user', token: accessToken })).status).toBe(401);
    expect((await app.signIn(account)).key).toBe('loginFailed');
  });
});

describe('a session', () => {
  test('ends at sign-out, alone', async () => {
    const account = await app.signUp();
    const first = (await app.signIn(account)).data.accessToken!;
    const second = (await app.signIn(account)).data.accessToken!;
    expect((await app.call({ method: 'POST', path: '/web/user/logout', token: first })).status).toBe(200);
    expect((await app.call({ path: '/web/user', token: first })).status).toBe(401);
    expect((await app.call({ path: '/web/user', token: second })).status).toBe(200);
  });

  test('ends after 15 idle minutes and the time between reports; a report of activity keeps it, reading does not', async () => {
    const account = await app.signUp();
    const token = (await app.signIn(account)).data.accessToken!;
    const idle = (minutes: number) =>
      app.elapse(`update causeway.session set last_active_at = last_active_at - interval '${minutes} minutes'`);
    await idle(14);
    expect((await app.call({ path: '/web/user', token })).status).toBe(200);
    expect((await app.call({ method: 'POST', path: '/web/user/activity', token })).status).toBe(200);
    await idle(14);
    expect((await app.call({ path: '/web/user', token })).status).toBe(200);
    await idle(2);
    expect((await app.call({ path: '/web/user', token })).status).toBe(200);
    await idle(1);
    expect((await app.call({ path: '/web/user', token })).status).toBe(401);
    expect((await app.call({ method: 'POST', path: '/web/user/activity', token })).status).toBe(401);
  });

  test('ends after a day, however active', async () => {
    const token = (await app.signIn(await app.signUp())).data.accessToken!;
    await app.elapse("update causeway.session set expires_at = expires_at - interval '1 day'");
    expect((await app.call({ path: '/web/user', token })).status).toBe(401);
  });

  test('keeps no token, code or password that could be read in the database', async () => {
    const account = await app.signUp();
    const signedIn = (await app.signIn(account, { skipVerification: true })).data;
    const client = new (await import('pg')).default.Client({ connectionString: db.superuserUrl });
    await client.connect();
    const { rows } = await client.query(`
      select string_agg(t::text, ' ') as all from (
        select s::text t from causeway.session s union all select b::text from causeway.trusted_browser b
        union all select c::text from causeway.credential c union all select a::text from causeway.audit_event a
        union all select k::text from causeway.sign_in_ticket k) x`);
    await client.end();
    for (const secret of [signedIn.accessToken!, signedIn.laissezPasser!, account.password]) {
      expect(rows[0].all).not.toContain(secret);
      expect(rows[0].all).not.toContain(Buffer.from(secret).toString('hex'));
    }
    expect(rows[0].all).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
  });
});

test('the language is changed on the server, and mails follow', async () => {
  const account = await app.signUp();
  const token = (await app.signIn(account)).data.accessToken!;
  const put = (language: string) => app.call({ method: 'PUT', path: '/web/user/language', token, body: { language } });
  expect((await put('zh_CN')).status).toBe(200);
  expect((await put('fr_FR')).key).toBe('validationFailed');
  expect((await app.call({ path: '/web/user', token })).data.language).toBe('zh_CN');
  await app.call({ path: '/common/user/send-code', token, body: { scenario: 'update_psd' } });
  await app.deliver();
  expect(app.mails.findLast(({ to }) => to === account.email)?.subject).toMatch(
    /^\d{6} 是您修改 Causeway 密码的验证码$/,
  );
});

test('the server publishes its key without its private part', async () => {
  const { data } = await app.call({ path: '/common/password-key' });
  expect(Object.keys(data.key).sort()).toEqual(['alg', 'e', 'kty', 'n', 'use']);
  expect(data.maxLength).toBe(16);
});
