import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type TestIdentity, testIdentity } from '../../testing/identity.ts';

let db: TestDatabase;
let app: TestIdentity;
beforeAll(async () => {
  db = await testDatabase();
  app = await testIdentity(db, {
    limits: { codesRecipient: 3, codesAddress: 12, loginCaptchaAddress: 8, loginAddress: 20 },
  });
});
afterAll(async () => {
  await app.close();
  await db.close();
});

let network = 0;
/** An unused address. */
const newIp = () => `198.51.100.${++network}`;

async function login(email: string, password: string, ip: string, captcha?: string) {
  const body = { loginMethod: 'email', email, password: await app.encrypt(password), captcha };
  return app.call({ path: '/web/user/login', ip, body });
}

describe('sign-in', () => {
  test('asks for a captcha after three failures of an account, and lets its owner in with one', async () => {
    const account = await app.signUp();
    for (let i = 0; i < 3; i++) expect((await login(account.email, 'Wrong-Horse1', newIp())).key).toBe('loginFailed');
    const asked = await login(account.email, account.password, newIp());
    expect([asked.status, asked.key]).toEqual([400, 'captchaRequired']);
    expect((await login(account.email, account.password, newIp(), 'made up')).key).toBe('captchaFailed');
    const answer = await login(account.email, account.password, newIp(), await app.captcha());
    expect(answer.data.ticket).not.toBeNull();
    expect(answer.data.guarded).toBe(false);
  });

  test('tells strangers of no more than ten passwords of an account in a day, also at the same time', async () => {
    const account = await app.signUp();
    // From the twelfth failure on a captcha of the first size no longer serves: a thirteenth try that came late would be refused for that.
    const captchas = await Promise.all(Array.from({ length: 12 }, () => app.captcha()));
    const late = await app.captcha();
    const answers = await Promise.all(
      captchas.map((captcha) => login(account.email, 'Wrong-Horse1', newIp(), captcha)),
    );
    expect(answers.filter(({ key }) => key === 'loginFailed')).toHaveLength(10);
    expect(answers.filter(({ key }) => key === null).map(({ data }) => data.guarded)).toEqual([true, true]);
    expect((await login(account.email, 'Wrong-Horse1', newIp(), late)).key).toBe('captchaFailed');
    const { rows } = await db.operator.pool.query(
      "select action, subject_kind from audit_event where action = 'identity.signInGuarded'",
    );
    expect(rows).toEqual([{ action: 'identity.signInGuarded', subject_kind: 'member' }]);
    const right = async () =>
      login(account.email, account.password, newIp(), await app.captcha('login', account.email));
    expect((await right()).data.guarded).toBe(true);
    await app.elapse("update causeway.throttle set window_ends_at = now() - interval '1 second'");
    expect((await right()).data.guarded).toBe(false);
  });

  test('one address that tries many accounts is stopped; signing in rightly does not count', async () => {
    const account = await app.signUp();
    const ip = newIp();
    for (let i = 0; i < 12; i++) expect((await login(account.email, account.password, ip)).status).toBe(200);
    for (let i = 0; i < 8; i++) await login(`many${i}@example.com`, 'Wrong-Horse1', ip);
    expect((await login('many8@example.com', 'Wrong-Horse1', ip)).key).toBe('captchaRequired');
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, i) =>
        login(`more${i}@example.com`, 'Wrong-Horse1', ip, await app.captcha()),
      ),
    );
    expect(answers.filter(({ key }) => key === 'loginFailed')).toHaveLength(12);
    expect((await login(account.email, account.password, newIp())).status).toBe(200);
  });
});

describe('codes', () => {
  const ask = async (email: string, ip: string) =>
    app.call({
      path: '/common/send-register-code',
      ip,
      body: { email, captcha: await app.captcha('register', email) },
    });

  test('no more than so many go to one address of mail', async () => {
    const answers = [];
    for (let i = 0; i < 4; i++) {
      answers.push((await ask('one@example.com', newIp())).status);
    }
    expect(answers).toEqual([200, 200, 200, 429]);
  });

  test('no more than so many are asked for from one address of the network, an IPv6 network being one', async () => {
    const answers = [];
    for (let i = 0; i < 14; i++) answers.push((await ask(`net${i}@example.com`, `2001:db8:7:7::${i + 1}`)).key);
    expect(answers.filter((key) => key === null)).toHaveLength(12);
    expect(answers.slice(12)).toEqual(['tooManyRequests', 'tooManyRequests']);
  });
});

test('the captcha grows with strangers’ failures of an account, is bounded, and a small one does not do', async () => {
  // The other application's letters are sealed for its own jobs.
  await app.deliver();
  const open = await testIdentity(db, { limits: { loginCaptchaAddress: 1_000_000, loginAddress: 1_000_000 } });
  const { email } = await open.signUp();
  const size = async (address: string) => {
    const body = { scenario: 'login', email: address };
    return (await open.call({ path: '/common/captcha', ip: newIp(), body })).data.maxnumber;
  };
  const failed = (times: number) =>
    open.elapse("update causeway.throttle set events = $1 where bucket like 'login:account:%'", [times]);
  const password = await open.encrypt('Wrong-Horse1');
  const enter = (captcha?: string) =>
    open.call({ path: '/web/user/login', ip: newIp(), body: { loginMethod: 'email', email, password, captcha } });
  expect((await enter()).key).toBe('loginFailed');
  const sizes = [];
  for (const times of [1, 3, 6, 12, 24, 48, 1_000_000]) {
    await failed(times);
    sizes.push(await size(email));
  }
  expect(sizes).toEqual([50_000, 50_000, 100_000, 200_000, 400_000, 500_000, 500_000]);
  expect(await size('unknown-here@example.com')).toBe(50_000);
  await failed(12);
  expect((await enter(await open.captcha())).key).toBe('captchaFailed');
  expect((await enter(await open.captcha('login', email))).data.guarded).toBe(true);
  await open.close();
});
