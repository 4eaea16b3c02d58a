import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Account, cookieOf, type TestIdentity, testIdentity } from '../../testing/identity.ts';

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

const token = async (account: Account) => (await app.signIn(account)).data.accessToken! as string;
const sessions = async (as: string) => (await app.call({ path: '/web/user/session', token: as })).data;
const status = async (as: string) => (await app.call({ path: '/web/user', token: as })).status;

/** Signs in again where the waiting minute between two codes has passed. */
async function another(account: Account): Promise<string> {
  await app.elapse('delete from causeway.verification_code');
  return token(account);
}

describe('sessions', () => {
  test('are listed, the asking one first; without those that are over', async () => {
    const account = await app.signUp();
    const first = await token(account);
    const second = await another(account);
    const third = await another(account);
    await app.elapse(
      "update causeway.session set last_active_at = now() - interval '18 minutes' where token_sha256 = sha256($1::bytea)",
      [Buffer.from(third)],
    );
    const list = await sessions(first);
    expect(list).toHaveLength(2);
    expect(list.map(({ current }: { current: boolean }) => current)).toEqual([true, false]);
    expect(list[0]).toMatchObject({ ip: '127.0.0.1', browser: null, system: null });
    expect((await sessions(second))[0]!.id).toBe(list[1]!.id);
  });

  test('are ended one by one, from the next request on', async () => {
    const account = await app.signUp();
    const first = await token(account);
    const second = await another(account);
    const id = (await sessions(first))[1]!.id;
    const path = `/web/user/session/${id}`;
    expect((await app.call({ method: 'DELETE', path, token: first })).status).toBe(200);
    expect([await status(first), await status(second)]).toEqual([200, 401]);
    expect((await app.call({ method: 'DELETE', path, token: first })).key).toBe('notFound');
  });

  test('are ended all but the one that asks', async () => {
    const account = await app.signUp();
    const first = await token(account);
    const second = await another(account);
    const third = await another(account);
    const answer = await app.call({ method: 'DELETE', path: '/web/user/session', token: second });
    expect(answer.data).toEqual({ ended: 2 });
    expect([await status(first), await status(second), await status(third)]).toEqual([401, 200, 401]);
  });

  test('of somebody else are as unknown as none', async () => {
    const [mine, theirs] = [await token(await app.signUp()), await token(await app.signUp())];
    const id = (await sessions(theirs))[0]!.id;
    const answer = await app.call({ method: 'DELETE', path: `/web/user/session/${id}`, token: mine });
    expect(answer.key).toBe('notFound');
    expect(await status(theirs)).toBe(200);
  });
});

describe('browsers that may skip verification', () => {
  const firstStep = async (account: Account, laissezPasser: string, cookie: string) => {
    const password = await app.encrypt(account.password);
    const body = { loginMethod: 'email', email: account.email, password, laissezPasser };
    const answer = await app.call({ path: '/web/user/login', cookie, body });
    return { token: answer.data.accessToken, cookie: answer.data.accessToken === null ? cookie : cookieOf(answer) };
  };

  test('are listed with their last use, and forgotten one or all', async () => {
    const account = await app.signUp();
    const first = await app.signIn(account, { skipVerification: true });
    const opened = first.data;
    await app.elapse('delete from causeway.verification_code');
    const second = await app.signIn(account, { skipVerification: true });
    const [pass, otherPass] = [opened.laissezPasser!, second.data.laissezPasser!];
    const as = opened.accessToken;
    const list = async () => (await app.call({ path: '/web/user/trusted-browser', token: as! })).data;
    const used = await firstStep(account, pass, cookieOf(first));
    expect(used.token).not.toBeNull();
    const both = await list();
    expect(both.map(({ lastUsedAt }: { lastUsedAt: string | null }) => lastUsedAt !== null)).toEqual([false, true]);
    const path = `/web/user/trusted-browser/${both[1]!.id}`;
    expect((await app.call({ method: 'DELETE', path, token: as! })).status).toBe(200);
    expect((await app.call({ method: 'DELETE', path, token: as! })).key).toBe('notFound');
    expect((await firstStep(account, pass, used.cookie)).token).toBeNull();
    const other = await firstStep(account, otherPass, cookieOf(second));
    expect(other.token).not.toBeNull();
    const all = await app.call({ method: 'DELETE', path: '/web/user/trusted-browser', token: as! });
    expect(all.data).toEqual({ removed: 1 });
    expect((await firstStep(account, otherPass, other.cookie)).token).toBeNull();
    expect(await list()).toEqual([]);
  });

  test('of somebody else are as unknown as none', async () => {
    const theirs = (await app.signIn(await app.signUp(), { skipVerification: true })).data.accessToken!;
    const id = (await app.call({ path: '/web/user/trusted-browser', token: theirs })).data[0]!.id;
    const path = `/web/user/trusted-browser/${id}`;
    const mine = await token(await app.signUp());
    expect((await app.call({ method: 'DELETE', path, token: mine })).key).toBe('notFound');
    expect((await app.call({ path: '/web/user/trusted-browser', token: theirs })).data).toHaveLength(1);
  });
});

describe('a sign-in from a device', () => {
  const subjects = async (account: Account) => {
    await app.deliver();
    return app.mails.filter(({ to, subject }) => to === account.email && subject.includes('new device'));
  };
  const seen = (device: string) => app.elapse('update causeway.seen_device set device = $1', [device]);

  test('that was not seen before is mailed; the very first and one that was seen are not', async () => {
    await app.elapse('delete from causeway.seen_device');
    const account = await app.signUp();
    await token(account);
    expect(await subjects(account)).toHaveLength(0);
    await another(account);
    expect(await subjects(account)).toHaveLength(0);
    await seen('Firefox on Linux');
    await another(account);
    const mails = await subjects(account);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('127.0.0.1');
    // Sessions that are long gone take nothing along.
    await app.elapse('delete from causeway.session');
    await another(account);
    expect(await subjects(account)).toHaveLength(1);
  });
});

describe('the profile', () => {
  const put = async (as: string, changes: Record<string, unknown>) => {
    const body = { firstName: 'Ada', lastName: 'Wong', mobileCountryCode: null, mobile: null, ...changes };
    return app.call({ method: 'PUT', path: '/web/user', token: as, body });
  };

  test('takes names of any script', async () => {
    const as = await token(await app.signUp());
    for (const [firstName, lastName] of [
      ['詠詩', '陳'],
      ['Jean-Luc', 'O’Neill'],
      ["María José D'Ángelo", 'St. Clair'],
      ['Madonna', ''],
      ['नेहा', 'शर्मा'],
    ]) {
      expect((await put(as, { firstName, lastName })).status).toBe(200);
      expect((await app.call({ path: '/web/user', token: as })).data).toMatchObject({ firstName, lastName });
    }
    const session = await app.identity.authenticate(as, false);
    expect(session?.userName).toBe('नेहा शर्मा');
  });

  test.each(['Ada2', '3M', '', '  ', 'a@b', 'x'.repeat(61), '<b>', '\u202eada'])(
    'does not take %j',
    async (firstName) => {
      const answer = await put(await token(await app.signUp()), { firstName });
      expect([answer.key, Object.keys(answer.fields)]).toEqual(['validationFailed', ['firstName']]);
    },
  );

  test('keeps a mobile number as it is dialled, or none', async () => {
    const as = await token(await app.signUp());
    const mobile = async () => {
      const { data } = await app.call({ path: '/web/user', token: as });
      return [data.mobileCountryCode, data.mobile];
    };
    expect((await put(as, { mobileCountryCode: '852', mobile: '9123 4567' })).status).toBe(200);
    expect(await mobile()).toEqual(['852', '91234567']);
    expect((await put(as, {})).status).toBe(200);
    expect(await mobile()).toEqual([null, null]);
  });

  test.each([
    ['852', '912', 'mobile'],
    ['852', 'nine', 'mobile'],
    ['999', '91234567', 'mobileCountryCode'],
    [null, '91234567', 'mobile'],
    ['852', null, 'mobile'],
  ])('does not take %s %s', async (mobileCountryCode, mobile, field) => {
    const answer = await put(await token(await app.signUp()), { mobileCountryCode, mobile });
    expect([answer.key, Object.keys(answer.fields)]).toEqual(['validationFailed', [field]]);
  });
});
