import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import type { Answer } from '../../testing/envelope.ts';
import { type Account, cookieOf, type TestIdentity, testIdentity } from '../../testing/identity.ts';

/** What strangers do to an account neither locks its owner out nor tells them anything (docs/adr/0046). */

let db: TestDatabase;
let app: TestIdentity;
/** The server's clock: steps of 30 seconds are moved by hand. */
let now = Date.now();
beforeAll(async () => {
  db = await testDatabase();
  app = await testIdentity(db, {
    clock: { now: () => new Date(now) },
    limits: {
      loginCaptchaAccount: 1_000_000,
      loginCaptchaAddress: 1_000_000,
      codesCaptcha: 1_000_000,
      codesRecipient: 3,
    },
  });
});
afterAll(async () => {
  await app.close();
  await db.close();
});

let network = 0;
const newIp = () => `198.51.${(network >> 8) & 255}.${network++ & 255}`;

interface Typed {
  email: string;
  password: string;
  cookie?: string;
  laissezPasser?: string;
}

async function enter({ email, password, cookie, laissezPasser }: Typed) {
  const body = { loginMethod: 'email', email, password: await app.encrypt(password), laissezPasser };
  return app.call({ path: '/web/user/login', ip: newIp(), ...(cookie === undefined ? {} : { cookie }), body });
}

const finish = (ticket: string, code: string, more: object = {}) =>
  app.call({
    path: '/web/user/login',
    ip: newIp(),
    body: { loginMethod: 'email', ticket, code, ...more },
  });

const askCode = (ticket: string) =>
  app.call({ path: '/common/send-code', ip: newIp(), body: { scenario: 'login', ticket } });

/** Ten wrong passwords from all over the network. */
async function attack(email: string): Promise<void> {
  for (let i = 0; i < 10; i++) expect((await enter({ email, password: 'Wrong-Horse1' })).key).toBe('loginFailed');
}

/** An answer without what differs between any two. */
function seen({ raw }: Answer, email: string) {
  const body = raw.json();
  const data = body.data?.ticket ? { ...body.data, ticket: body.data.ticket.length } : body.data;
  const text = JSON.stringify({ status: raw.statusCode, ...body, data, requestId: '' });
  return JSON.parse(text.replaceAll(email.slice(1, 17), ''));
}

describe('after ten wrong passwords by strangers', () => {
  test('a browser that has signed in before signs in as ever', async () => {
    const account = await app.signUp();
    const cookie = cookieOf(await app.signIn(account));
    await attack(account.email);
    const first = await enter({ ...account, cookie });
    expect(first.data).toMatchObject({ guarded: false, maskedEmail: 'p•••@example.com' });
    expect((await enter({ ...account, password: 'Wrong-Horse1', cookie })).key).toBe('loginFailed');
  });

  test('its cookie is no other member’s, and a strange browser is guarded', async () => {
    const [account, other] = [await app.signUp(), await app.signUp()];
    const cookie = cookieOf(await app.signIn(other));
    await attack(account.email);
    expect((await enter({ ...account, cookie })).data.guarded).toBe(true);
    expect((await enter(account)).data.guarded).toBe(true);
  });

  test('the owner signs in from a new browser with password and code, by mail or authenticator', async () => {
    const account = await app.signUp();
    const token = (await app.signIn(account)).data.accessToken!;
    const secret = (await app.call({ path: '/web/user/mfa', token })).data.secret!;
    const codeNow = () => TOTP.generate({ secret: Secret.fromBase32(secret), digits: 6, period: 30, timestamp: now });
    const proof = { password: await app.encrypt(account.password), code: codeNow() };
    await app.call({ path: '/web/user/mfa', token, body: proof });
    now += 30_000;
    await attack(account.email);
    const byMail = (await enter(account)).data;
    expect(byMail).toMatchObject({ guarded: true, boundOtp: true, passkey: false });
    expect((await askCode(byMail.ticket!)).status).toBe(200);
    await app.deliver();
    const answer = await finish(byMail.ticket!, app.lastCode(account.email));
    expect(answer.data.accessToken).toMatch(/^[\w-]{43}$/);
    const other = (await enter(account)).data;
    expect((await finish(other.ticket!, codeNow(), { loginMethod: 'otp_auth' })).status).toBe(200);
  });

  test('strangers learn nothing from a right password, a wrong one, or an unknown address', async () => {
    const account = await app.signUp();
    await app.signIn(account);
    const unknown = `p${'0'.repeat(16)}@example.com`;
    for (const email of [account.email, unknown]) await attack(email);
    const stories: unknown[][] = [];
    for (const typed of [
      account,
      { ...account, password: 'Wrong-Horse1' },
      { email: unknown, password: account.password },
    ]) {
      const answers: Answer[] = [await enter(typed)];
      const ticket = (answers[0] as Awaited<ReturnType<typeof enter>>).data.ticket!;
      answers.push(await askCode(ticket), await askCode(ticket));
      answers.push(await app.call({ path: '/web/user/login/passkey-options', ip: newIp(), body: { ticket } }));
      for (const method of ['email', 'otp_auth']) answers.push(await finish(ticket, '000000', { loginMethod: method }));
      const recovery = { loginMethod: 'otp_auth', ticket, recoveryCode: 'AAAA-AAAA-AAAA-AAAA' };
      answers.push(await app.call({ path: '/web/user/login', ip: newIp(), body: recovery }));
      for (let i = 0; i < 3; i++) answers.push(await finish(ticket, '000000'));
      stories.push(answers.map((answer) => seen(answer, typed.email)));
    }
    expect(stories[0]?.map((answer) => (answer as { key?: string }).key ?? 'ok')).toEqual([
      'ok',
      'ok',
      'codeTooSoon',
      'passkeyNone',
      'codeWrong',
      'codeWrong',
      'recoveryCodeWrong',
      'codeWrong',
      'codeRequestBurnt',
      'codeRequestBurnt',
    ]);
    expect(stories[1]).toEqual(stories[0]);
    expect(stories[2]).toEqual(stories[0]);
  });

  test('a wrong password mails no code', async () => {
    const account = await app.signUp();
    await attack(account.email);
    await app.deliver();
    const before = app.mails.length;
    const { ticket } = (await enter({ ...account, password: 'Wrong-Horse1' })).data;
    expect((await askCode(ticket!)).status).toBe(200);
    await app.deliver();
    expect(app.mails).toHaveLength(before);
  });

  test('to know the password and guess codes is hopeless as well: fifty a day, and nothing tells when they are over', async () => {
    const account = await app.signUp();
    await attack(account.email);
    const answers: (string | null)[] = [];
    for (let i = 0; i < 11; i++) {
      const { ticket } = (await enter(account)).data;
      for (let j = 0; j < 5; j++) answers.push((await finish(ticket!, '000000')).key);
    }
    expect(answers).toEqual(
      Array(11)
        .fill([...Array(4).fill('codeWrong'), 'codeRequestBurnt'])
        .flat(),
    );
    const { ticket } = (await enter(account)).data;
    await askCode(ticket!);
    await app.deliver();
    // Not even the right one: its owner signs in from a known browser, or sets another password.
    expect((await finish(ticket!, app.lastCode(account.email))).key).toBe('codeWrong');
  });
});

test('a known browser has ten wrong passwords of its own, and is a stranger after them', async () => {
  const account = await app.signUp();
  const cookie = cookieOf(await app.signIn(account));
  for (let i = 0; i < 20; i++)
    expect((await enter({ ...account, password: 'Wrong-Horse1', cookie })).key).toBe('loginFailed');
  expect((await enter({ ...account, cookie })).data.guarded).toBe(true);
});

test('the cookie is out of scripts’ and other sites’ reach, changes at every sign-in, and is kept as a hash', async () => {
  const account = await app.signUp();
  const first = await app.signIn(account);
  expect(first.raw.headers['set-cookie']).toMatch(
    /^__Host-causeway-browser=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  const second = await app.signIn(account, { cookie: cookieOf(first) });
  expect(cookieOf(second)).not.toBe(cookieOf(first));
  expect(cookieOf(second)).not.toContain('.');
  await attack(account.email);
  expect((await enter({ ...account, cookie: cookieOf(first) })).data.guarded).toBe(true);
  expect((await enter({ ...account, cookie: cookieOf(second) })).data.guarded).toBe(false);
  const { rows } = await db.app.withCompany((await session(second)).companyId, async (tx) => {
    const { sql } = await import('kysely');
    return sql<{ kept: string }>`select k::text as kept from known_browser k`.execute(tx);
  });
  expect(rows).toHaveLength(1);
  expect(rows[0]?.kept).not.toContain(cookieOf(second).split('=')[1]);
});

test('the cookie is no session: it opens nothing without the bearer token', async () => {
  const account = await app.signUp();
  const cookie = cookieOf(await app.signIn(account));
  const refused = await app.call({ path: '/web/user', cookie });
  expect([refused.status, refused.key]).toEqual([401, 'sessionEnded']);
  const changed = await app.call({ method: 'PUT', path: '/web/user/language', cookie, body: { language: 'zh_CN' } });
  expect(changed.status).toBe(401);
});

test('people who share a browser stay known in it, each under a token of their own', async () => {
  const [one, other] = [await app.signUp(), await app.signUp()];
  const first = cookieOf(await app.signIn(one));
  const both = cookieOf(await app.signIn(other, { cookie: first }));
  for (const account of [one, other]) {
    await attack(account.email);
    expect((await enter({ ...account, cookie: both })).data.guarded).toBe(false);
  }
});

describe('a laissezPasser', () => {
  test('is refused without the cookie of its browser, and with that of another', async () => {
    const account = await app.signUp();
    const trusted = await app.signIn(account, { skipVerification: true });
    const other = await app.signIn(account);
    const laissezPasser = trusted.data.laissezPasser!;
    expect((await enter({ ...account, laissezPasser })).data.accessToken).toBeNull();
    expect((await enter({ ...account, laissezPasser, cookie: cookieOf(other) })).data.accessToken).toBeNull();
    const skipped = await enter({ ...account, laissezPasser, cookie: cookieOf(trusted) });
    expect(skipped.data.accessToken).toMatch(/^[\w-]{43}$/);
    // The cookie that it had before is void now.
    expect((await enter({ ...account, laissezPasser, cookie: cookieOf(trusted) })).data.accessToken).toBeNull();
    expect((await enter({ ...account, laissezPasser, cookie: cookieOf(skipped) })).data.accessToken).not.toBeNull();
  });
});

describe('codes of a forgotten password', () => {
  const ask = async (email: string, cookie?: string) =>
    app.call({
      path: '/common/send-code',
      ip: newIp(),
      ...(cookie === undefined ? {} : { cookie }),
      body: { scenario: 'forget', email, captcha: await app.captcha() },
    });
  const reset = async (email: string, ticket: string, code: string) =>
    app.call({
      path: '/web/user/forget-password',
      ip: newIp(),
      body: { email, ticket, code, newPassword: await app.encrypt('Another-Horse2') },
    });
  const asked = async (account: Account, cookie?: string) => {
    const { ticket } = (await ask(account.email, cookie)).data;
    await app.deliver();
    return { ticket, code: app.lastCode(account.email) };
  };

  test('serve their own request: strangers’ wrong codes and requests do not touch the owner’s', async () => {
    const account = await app.signUp();
    const own = await asked(account);
    const strange = (await ask(account.email)).data.ticket;
    const keys = [];
    for (let i = 0; i < 7; i++) keys.push((await reset(account.email, strange, '000000')).key);
    expect(keys).toEqual([...Array(4).fill('codeWrong'), ...Array(3).fill('codeRequestBurnt')]);
    expect((await reset(account.email, strange, own.code)).key).toBe('codeRequestBurnt');
    expect((await reset(account.email, own.ticket, own.code)).status).toBe(200);
  });

  test('a burnt request is followed by a new one that works', async () => {
    const account = await app.signUp();
    const burnt = await asked(account);
    for (let i = 0; i < 5; i++) await reset(account.email, burnt.ticket, '000000');
    expect((await reset(account.email, burnt.ticket, burnt.code)).key).toBe('codeRequestBurnt');
    const again = await asked(account);
    expect((await reset(account.email, again.ticket, again.code)).status).toBe(200);
  });

  test('after many requests the mail has a link, once an hour, which nobody can guess; known browsers have codes of their own', async () => {
    const account = await app.signUp();
    const cookie = cookieOf(await app.signIn(account));
    for (let i = 0; i < 3; i++) await ask(account.email);
    await app.deliver();
    app.mails.length = 0;
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await ask(account.email));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await app.deliver();
    expect(app.mails.map(({ to }) => to)).toEqual([account.email]);
    const link = /activate#([\w-]{43})/.exec(app.mails[0]?.text ?? '')?.[1] ?? '';
    const checked = await app.call({ path: '/web/user/activation/check', body: { token: link } });
    expect(checked.data).toMatchObject({ purpose: 'forget', email: account.email });
    const own = await asked(account, cookie);
    const password = await app.encrypt('Another-Horse2');
    expect((await app.call({ path: '/web/user/activate', body: { token: link, password } })).status).toBe(200);
    expect((await enter({ ...account, password: 'Another-Horse2' })).data.ticket).not.toBeNull();
    expect((await reset(account.email, own.ticket, own.code)).status).toBe(200);
    const unknown = 'unknown-to-all@example.com';
    for (let i = 0; i < 4; i++) expect((await ask(unknown)).status).toBe(200);
    await app.deliver();
    expect(app.mails.filter(({ to }) => to === unknown)).toEqual([]);
  });
});

async function session(answer: { data: { accessToken: string | null } }) {
  const found = await app.identity.authenticate(answer.data.accessToken ?? '', false);
  if (!found) throw new Error('not signed in');
  return found;
}
