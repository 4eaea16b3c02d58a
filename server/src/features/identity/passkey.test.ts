import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Account, cookieOf, type TestIdentity, testIdentity } from '../../testing/identity.ts';
import { type Changes, type SoftPasskey, softPasskey } from '../../testing/passkey.ts';

let db: TestDatabase;
let app: TestIdentity;
beforeAll(async () => {
  db = await testDatabase();
  app = await testIdentity(db, { limits: { codesMember: 1000, loginAccount: 1000 } });
});
afterAll(async () => {
  await app.close();
  await db.close();
});

interface Owner {
  account: Account;
  token: string;
}

async function signedIn(): Promise<Owner> {
  const account = await app.signUp();
  return { account, token: (await app.signIn(account)).data.accessToken! };
}

async function proofOf({ account, token }: Owner, content: Record<string, unknown>) {
  await app.elapse('delete from causeway.verification_code');
  const body = { scenario: 'transaction', subject: { kind: 'security', content } };
  const sent = await app.call({ path: '/common/user/send-code', token, body });
  expect(sent.status, sent.raw.body).toBe(200);
  await app.deliver();
  return { method: 'email', code: app.lastCode(account.email), password: await app.encrypt(account.password) };
}

async function start(owner: Owner) {
  const body = { proof: await proofOf(owner, { action: 'addPasskey' }) };
  return app.call({ path: '/web/user/passkey/options', token: owner.token, body });
}

const add = ({ token }: Owner, response: object, name = 'Laptop') =>
  app.call({ path: '/web/user/passkey', token, body: { name, response } });

async function registered(owner: Owner, passkey = softPasskey()): Promise<{ passkey: SoftPasskey; id: string }> {
  const answer = await add(owner, passkey.create((await start(owner)).data));
  expect(answer.status, answer.raw.body).toBe(200);
  return { passkey, id: answer.data.id };
}

async function ticketOf({ account }: Owner) {
  const body = { loginMethod: 'email', email: account.email, password: await app.encrypt(account.password) };
  return (await app.call({ path: '/web/user/login', body })).data;
}

const options = (ticket: string) => app.call({ path: '/web/user/login/passkey-options', body: { ticket } });
const login = (ticket: string, response: object, extra = {}) =>
  app.call({ path: '/web/user/login/passkey', body: { ticket, response, ...extra } });

async function signInWith(owner: Owner, passkey: SoftPasskey, changes: Changes = {}) {
  const { ticket } = await ticketOf(owner);
  return login(ticket!, passkey.get((await options(ticket!)).data, changes));
}

describe('a passkey', () => {
  test('is asked for on this site alone, with what the member has excluded', async () => {
    const owner = await signedIn();
    const { passkey } = await registered(owner);
    const { data } = await start(owner);
    expect(data).toMatchObject({
      rp: { id: 'causeway.example', name: 'Causeway' },
      user: { name: owner.account.email },
      attestation: 'none',
      authenticatorSelection: { userVerification: 'preferred' },
      timeout: 300_000,
    });
    expect(data.excludeCredentials).toEqual([
      { id: passkey.credentialId.toString('base64url'), type: 'public-key', transports: ['internal'] },
    ]);
    expect(Buffer.from(data.challenge, 'base64url')).toHaveLength(32);
    expect(Buffer.from(data.user.id, 'base64url').toString()).not.toContain(owner.account.email);
  });

  test('is registered, listed, renamed, used and removed; each change is mailed', async () => {
    const owner = await signedIn();
    const { passkey, id } = await registered(owner);
    const list = async () => (await app.call({ path: '/web/user/passkey', token: owner.token })).data;
    expect(await list()).toEqual([
      { id, name: 'Laptop', createdAt: expect.any(String), lastUsedAt: null, synced: false, suspected: false },
    ]);
    const path = `/web/user/passkey/${id}`;
    const renamed = await app.call({ method: 'PUT', path, token: owner.token, body: { name: '公司電腦' } });
    expect(renamed.status).toBe(200);
    passkey.counter = 2;
    const answer = await signInWith(owner, passkey);
    expect(answer.data.accessToken).toMatch(/^[\w-]{43}$/);
    expect((await app.call({ path: '/web/user', token: answer.data.accessToken! })).status).toBe(200);
    expect(await list()).toMatchObject([{ name: '公司電腦', lastUsedAt: expect.any(String) }]);
    const proof = await proofOf(owner, { action: 'removePasskey', id });
    expect(app.mails.at(-1)?.text).toContain('公司電腦');
    expect((await app.call({ method: 'DELETE', path, token: owner.token, body: { proof } })).status).toBe(200);
    expect(await list()).toEqual([]);
    const { ticket, passkey: offered } = await ticketOf(owner);
    expect(offered).toBe(false);
    expect((await options(ticket!)).key).toBe('passkeyNone');
    await app.deliver();
    const subjects = app.mails.filter(({ to }) => to === owner.account.email).map(({ subject }) => subject);
    expect(subjects).toContain('A passkey was added to your Causeway account');
    expect(subjects).toContain('A passkey was removed from your Causeway account');
  });

  test('is offered at sign-in once the password was right, and can let this browser skip the code', async () => {
    const owner = await signedIn();
    expect(await ticketOf(owner)).toMatchObject({ passkey: false });
    const { passkey } = await registered(owner);
    const first = await ticketOf(owner);
    expect(first).toMatchObject({ passkey: true, accessToken: null });
    passkey.counter = 2;
    const { data } = await options(first.ticket!);
    const answer = await login(first.ticket!, passkey.get(data), { skipVerification: true });
    const { laissezPasser } = answer.data;
    const password = await app.encrypt(owner.account.password);
    const body = { loginMethod: 'email', email: owner.account.email, password, laissezPasser };
    expect((await app.call({ path: '/web/user/login', body })).data.accessToken).toBeNull();
    const cookie = cookieOf(answer);
    expect((await app.call({ path: '/web/user/login', cookie, body })).data.accessToken).toMatch(/^[\w-]{43}$/);
  });

  test('that does not count is taken each time', async () => {
    const owner = await signedIn();
    const { passkey } = await registered(owner, softPasskey(0));
    for (let i = 0; i < 2; i++) expect((await signInWith(owner, passkey)).status).toBe(200);
  });

  const wrong: [name: string, changes: Changes][] = [
    ['of another site', { origin: 'https://causeway.example.evil' }],
    ['of the same site over http', { origin: 'http://causeway.example' }],
    ['of another host', { rpId: 'evil.example' }],
    ['of the other ceremony', { type: 'webauthn.payment' }],
    ['without a person at it', { flags: 0 }],
  ];
  test.each(wrong)('%s is refused, making and using it', async (_name, changes) => {
    const owner = await signedIn();
    const { data } = await start(owner);
    expect((await add(owner, softPasskey().create(data, changes))).key).toBe('passkeyRefused');
    const { passkey } = await registered(owner);
    passkey.counter = 2;
    expect((await signInWith(owner, passkey, changes)).key).toBe('passkeyRefused');
    expect((await signInWith(owner, passkey)).status).toBe(200);
  });

  test('with a signature of another key is refused', async () => {
    const owner = await signedIn();
    const { passkey } = await registered(owner);
    passkey.counter = 2;
    const signWith = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    expect((await signInWith(owner, passkey, { signWith })).key).toBe('passkeyRefused');
  });

  test('inside another site’s frame is refused', async () => {
    const owner = await signedIn();
    const { passkey } = await registered(owner);
    passkey.counter = 2;
    expect((await signInWith(owner, passkey, { crossOrigin: true })).key).toBe('passkeyExpired');
  });
});

describe('a challenge', () => {
  test('serves once, also when what answered it was wrong', async () => {
    const owner = await signedIn();
    const { passkey } = await registered(owner);
    passkey.counter = 2;
    const first = await ticketOf(owner);
    const { data } = await options(first.ticket!);
    expect((await login(first.ticket!, passkey.get(data, { rpId: 'evil.example' }))).key).toBe('passkeyRefused');
    expect((await login(first.ticket!, passkey.get(data))).key).toBe('passkeyExpired');
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { ticket } = first;
        return login(ticket!, passkey.get(data));
      }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(0);
    const fresh = (await options(first.ticket!)).data;
    const parallel = await Promise.all(Array.from({ length: 10 }, () => login(first.ticket!, passkey.get(fresh))));
    expect(parallel.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('holds five minutes', async () => {
    const owner = await signedIn();
    const { data } = await start(owner);
    await app.elapse("update causeway.passkey_challenge set expires_at = expires_at - interval '299 seconds'");
    const { data: later } = await start(owner);
    await app.elapse("update causeway.passkey_challenge set expires_at = expires_at - interval '2 seconds'");
    expect((await add(owner, softPasskey().create(data))).key).toBe('passkeyExpired');
    expect((await add(owner, softPasskey().create(later))).status).toBe(200);
  });

  test('is of one person, one ticket and one purpose', async () => {
    const [owner, other] = [await signedIn(), await signedIn()];
    const { data } = await start(owner);
    expect((await add(other, softPasskey().create(data))).key).toBe('passkeyExpired');
    const { passkey } = await registered(owner);
    passkey.counter = 2;
    const [one, two] = [await ticketOf(owner), await ticketOf(owner)];
    const asked = (await options(one.ticket!)).data;
    expect((await login(two.ticket!, passkey.get(asked))).key).toBe('passkeyExpired');
    expect((await add(owner, softPasskey().create(asked))).key).toBe('passkeyExpired');
    const registering = (await start(owner)).data;
    expect((await login(one.ticket!, passkey.get(registering))).key).toBe('passkeyExpired');
    expect((await login(one.ticket!, passkey.get(asked))).status).toBe(200);
  });

  test('invented by the browser is none', async () => {
    const owner = await signedIn();
    const { passkey } = await registered(owner);
    const { ticket } = await ticketOf(owner);
    expect((await login(ticket!, passkey.get({ challenge: 'x'.repeat(43) }))).key).toBe('passkeyExpired');
  });
});

describe('a counter that goes back', () => {
  test('refuses the passkey for good, marks it, and warns its owner', async () => {
    const owner = await signedIn();
    const { passkey } = await registered(owner, softPasskey(5));
    passkey.counter = 5;
    expect((await signInWith(owner, passkey)).key).toBe('passkeySuspected');
    expect(await ticketOf(owner)).toMatchObject({ passkey: false });
    const { data } = await app.call({ path: '/web/user/passkey', token: owner.token });
    expect(data).toMatchObject([{ suspected: true }]);
    await app.deliver();
    expect(app.mails.findLast(({ to }) => to === owner.account.email)?.subject).toBe(
      'A passkey for your Causeway account was refused',
    );
  });

  test('also when it was in the middle of a sign-in', async () => {
    const owner = await signedIn();
    const { passkey } = await registered(owner, softPasskey(5));
    const { ticket } = await ticketOf(owner);
    const asked = (await options(ticket!)).data;
    passkey.counter = 4;
    expect((await signInWith(owner, passkey)).key).toBe('passkeySuspected');
    passkey.counter = 9;
    expect((await login(ticket!, passkey.get(asked))).key).toBe('passkeySuspected');
  });
});

describe('somebody else’s passkey', () => {
  test('does not sign in, is not listed, renamed or removed', async () => {
    const [owner, other] = [await signedIn(), await signedIn()];
    const { passkey, id } = await registered(owner);
    await registered(other);
    passkey.counter = 2;
    expect((await signInWith(other, passkey)).key).toBe('passkeyRefused');
    expect((await app.call({ path: '/web/user/passkey', token: other.token })).data).not.toMatchObject([{ id }]);
    const path = `/web/user/passkey/${id}`;
    const renamed = await app.call({ method: 'PUT', path, token: other.token, body: { name: 'Mine' } });
    expect(renamed.key).toBe('notFound');
    const body = { scenario: 'transaction', subject: { kind: 'security', content: { action: 'removePasskey', id } } };
    expect((await app.call({ path: '/common/user/send-code', token: other.token, body })).key).toBe('notFound');
  });
});

test('a passkey cannot be registered twice, nor more than ten', async () => {
  const owner = await signedIn();
  const { passkey } = await registered(owner);
  expect((await add(owner, passkey.create((await start(owner)).data))).key).toBe('passkeyExists');
  const pending = [];
  for (let i = 0; i < 11; i++) pending.push(softPasskey().create((await start(owner)).data));
  const answers = await Promise.all(pending.map((response) => add(owner, response)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
  expect(answers.filter(({ key }) => key === 'tooManyPasskeys')).toHaveLength(2);
  expect((await start(owner)).key).toBe('tooManyPasskeys');
});

test('the address of a sign-in is not told by the calls of passkeys', async () => {
  const unknown = await options('x'.repeat(43));
  expect([unknown.status, unknown.key]).toEqual([400, 'signInExpired']);
  const answer = await login('x'.repeat(43), softPasskey().get({ challenge: 'x'.repeat(43) }));
  expect(answer.key).toBe('signInExpired');
});
