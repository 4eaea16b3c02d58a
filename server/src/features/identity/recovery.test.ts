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

interface Bound {
  account: Account;
  token: string;
  secret: string;
  codes: string[];
}

const codeOf = (secret: string) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), digits: 6, period: 30, timestamp: now });

async function bound(): Promise<Bound> {
  const account = await app.signUp();
  const token = (await app.signIn(account)).data.accessToken!;
  const { secret } = (await app.call({ path: '/web/user/mfa', token })).data;
  const body = { password: await app.encrypt(account.password), code: codeOf(secret!) };
  const answer = await app.call({ path: '/web/user/mfa', token, body });
  expect(answer.status).toBe(200);
  now += 30_000;
  return { account, token, secret: secret!, codes: answer.data.recoveryCodes };
}

async function ticketOf(account: Account): Promise<string> {
  const password = await app.encrypt(account.password);
  const body = { loginMethod: 'otp_auth', email: account.email, password };
  return (await app.call({ path: '/web/user/login', body })).data.ticket!;
}

const finish = (ticket: string, recoveryCode: string) =>
  app.call({ path: '/web/user/login', body: { loginMethod: 'otp_auth', ticket, recoveryCode } });

const left = async ({ token }: Bound) => (await app.call({ path: '/web/user/recovery-codes', token })).data.left;

async function mailedCode({ account, token }: Bound, content: Record<string, unknown>): Promise<string> {
  const body = { scenario: 'transaction', subject: { kind: 'security', content } };
  const sent = await app.call({ path: '/common/user/send-code', token, body });
  expect(sent.status, sent.raw.body).toBe(200);
  await app.deliver();
  return app.lastCode(account.email);
}

describe('recovery codes', () => {
  test('come with the authenticator: ten, each of 80 bits, told once and not kept', async () => {
    const owner = await bound();
    expect(owner.codes).toHaveLength(10);
    expect(new Set(owner.codes).size).toBe(10);
    for (const code of owner.codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect((await app.call({ path: '/web/user/recovery-codes', token: owner.token })).data).toMatchObject({
      left: 10,
      total: 10,
    });
    const client = new (await import('pg')).default.Client({ connectionString: db.superuserUrl });
    await client.connect();
    const { rows } = await client.query('select row_to_json(r)::text as kept from causeway.recovery_code r');
    await client.end();
    expect(rows.length).toBeGreaterThanOrEqual(10);
    for (const { kept } of rows) {
      for (const code of owner.codes) {
        expect(kept).not.toContain(code);
        expect(kept).not.toContain(Buffer.from(code).toString('hex'));
      }
    }
  });

  test('sign in in place of the authenticator, each once, however typed; the owner is told', async () => {
    const owner = await bound();
    const [first = '', second = ''] = owner.codes;
    expect((await finish(await ticketOf(owner.account), first)).data.accessToken).toMatch(/^[\w-]{43}$/);
    const again = await finish(await ticketOf(owner.account), first);
    expect([again.status, again.key]).toEqual([400, 'recoveryCodeWrong']);
    expect(again.fields['recoveryCode']).toBe('This recovery code is incorrect or has already been used');
    const typed = ` ${second.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')} `;
    expect((await finish(await ticketOf(owner.account), typed)).status).toBe(200);
    expect(await left(owner)).toBe(8);
    await app.deliver();
    const mail = app.mails.findLast(({ to }) => to === owner.account.email);
    expect(mail?.subject).toBe('A recovery code was used for your Causeway account');
  });

  test('count once for 20 at the same time', async () => {
    const owner = await bound();
    // One after another: sign-ins at the same time count as tries until they are known to be right, and ask for a captcha.
    const tickets: string[] = [];
    for (let i = 0; i < 4; i++) tickets.push(await ticketOf(owner.account));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => finish(tickets[i % 4] ?? '', owner.codes[0] ?? '')),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await left(owner)).toBe(9);
  });

  test('five wrong ones burn that sign-in alone, the right one included', async () => {
    const owner = await bound();
    const ticket = await ticketOf(owner.account);
    for (let i = 0; i < 4; i++) expect((await finish(ticket, 'AAAA-AAAA-AAAA-AAAA')).key).toBe('recoveryCodeWrong');
    expect((await finish(ticket, 'AAAA-AAAA-AAAA-AAAA')).key).toBe('codeRequestBurnt');
    expect((await finish(ticket, owner.codes[0] ?? '')).key).toBe('codeRequestBurnt');
    expect((await finish(await ticketOf(owner.account), owner.codes[0] ?? '')).status).toBe(200);
  });

  test('of another member are refused as wrong', async () => {
    const [owner, other] = [await bound(), await bound()];
    expect((await finish(await ticketOf(owner.account), other.codes[0] ?? '')).key).toBe('recoveryCodeWrong');
    expect(await left(other)).toBe(10);
  });

  test('are not taken for a code by mail', async () => {
    const owner = await bound();
    const ticket = await ticketOf(owner.account);
    const body = { loginMethod: 'email', ticket, recoveryCode: owner.codes[0] };
    expect((await app.call({ path: '/web/user/login', body })).key).toBe('validationFailed');
  });

  test('new ones void the old', async () => {
    const owner = await bound();
    const proof = { method: 'otp_auth', code: codeOf(owner.secret) };
    const answer = await app.call({ path: '/web/user/recovery-codes', token: owner.token, body: { proof } });
    expect(answer.data.codes).toHaveLength(10);
    expect(answer.data.codes).not.toContain(owner.codes[0]);
    expect((await finish(await ticketOf(owner.account), owner.codes[0] ?? '')).key).toBe('recoveryCodeWrong');
    expect((await finish(await ticketOf(owner.account), answer.data.codes[0]!)).status).toBe(200);
  });
});

describe('unbinding the authenticator', () => {
  const unbind = ({ token }: Bound, proof: Record<string, unknown>) =>
    app.call({ path: '/web/user/mfa/unbind', token, body: { proof } });

  test('is proved by its code, and voids the recovery codes', async () => {
    const owner = await bound();
    const ticket = await ticketOf(owner.account);
    const wrong = codeOf(owner.secret) === '000000' ? '000001' : '000000';
    expect((await unbind(owner, { method: 'otp_auth', code: wrong })).key).toBe('codeWrong');
    expect((await unbind(owner, { method: 'otp_auth', code: codeOf(owner.secret) })).status).toBe(200);
    expect((await app.call({ path: '/web/user', token: owner.token })).data.hasOtp).toBe(false);
    expect(await left(owner)).toBe(0);
    expect((await finish(ticket, owner.codes[0] ?? '')).key).toBe('recoveryCodeWrong');
    now += 30_000;
    expect((await unbind(owner, { method: 'otp_auth', code: codeOf(owner.secret) })).key).toBe('mfaNotBound');
    await app.deliver();
    expect(app.mails.findLast(({ to }) => to === owner.account.email)?.subject).toBe(
      'Your Causeway authenticator was removed',
    );
  });

  test('is proved by a recovery code where the phone is lost', async () => {
    const owner = await bound();
    expect((await unbind(owner, { method: 'recovery', recoveryCode: owner.codes[3] })).status).toBe(200);
    expect((await app.call({ path: '/web/user', token: owner.token })).data.hasOtp).toBe(false);
  });

  test('by a code from the mail only together with the password', async () => {
    const owner = await bound();
    const code = await mailedCode(owner, { action: 'unbindAuthenticator' });
    const [right, wrong] = [await app.encrypt(owner.account.password), await app.encrypt('Wrong-Horse1')];
    expect((await unbind(owner, { method: 'email', code })).key).toBe('validationFailed');
    expect((await unbind(owner, { method: 'email', code, password: wrong })).key).toBe('passwordWrong');
    expect((await unbind(owner, { method: 'email', code, password: right })).status).toBe(200);
  });

  test('is not done by a code that confirmed something else; the mail says what it confirms', async () => {
    const owner = await bound();
    const code = await mailedCode(owner, { action: 'renewRecoveryCodes' });
    const mail = app.mails.findLast(({ to }) => to === owner.account.email);
    expect(mail?.text).toContain('Generate new recovery codes');
    const password = await app.encrypt(owner.account.password);
    expect((await unbind(owner, { method: 'email', code, password })).key).toBe('transferCodeMismatch');
    expect((await app.call({ path: '/web/user', token: owner.token })).data.hasOtp).toBe(true);
  });

  test('can be followed by binding another', async () => {
    const owner = await bound();
    await unbind(owner, { method: 'recovery', recoveryCode: owner.codes[0] });
    const { secret } = (await app.call({ path: '/web/user/mfa', token: owner.token })).data;
    expect(secret).not.toBe(owner.secret);
    const body = { password: await app.encrypt(owner.account.password), code: codeOf(secret!) };
    expect((await app.call({ path: '/web/user/mfa', token: owner.token, body })).data.recoveryCodes).toHaveLength(10);
  });
});

test('without an authenticator there are no recovery codes to be had, and the proof is not used up', async () => {
  const account = await app.signUp();
  const token = (await app.signIn(account)).data.accessToken!;
  const owner = { account, token, secret: '', codes: [] };
  const code = await mailedCode(owner, { action: 'renewRecoveryCodes' });
  const proof = { method: 'email', code, password: await app.encrypt(account.password) };
  for (let i = 0; i < 2; i++) {
    expect((await app.call({ path: '/web/user/recovery-codes', token, body: { proof } })).key).toBe('mfaNotBound');
  }
});

test('a code for what the contract does not know is refused', async () => {
  const { token } = await bound();
  for (const content of [{}, { action: 'other' }, { action: 'addPasskey', id: crypto.randomUUID() }]) {
    const body = { scenario: 'transaction', subject: { kind: 'security', content } };
    expect((await app.call({ path: '/common/user/send-code', token, body })).key).toBe('validationFailed');
  }
});
