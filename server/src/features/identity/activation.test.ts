import { systemRoleIds } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Account, type TestIdentity, testIdentity, testPassword } from '../../testing/identity.ts';
import { claimEmail, endAllAccess, findContacts, newIdentifier } from './index.ts';

let db: TestDatabase;
let app: TestIdentity;
let owner: Account;
let companyId: string;
beforeAll(async () => {
  db = await testDatabase();
  app = await testIdentity(db);
  owner = await app.signUp();
  const { data } = await app.signIn(owner);
  companyId = (await app.call({ path: '/web/user', token: data.accessToken! })).data.companyId;
});
afterAll(async () => {
  await app.close();
  await db.close();
});

let invited: { id: string; email: string };
beforeEach(async () => {
  app.mails.splice(0);
  invited = { id: newId(), email: `Mei.${newId()}@example.com` };
  const { id, email } = invited;
  await db.app.withCompany(companyId, async (tx) => {
    await claimEmail(tx, email, id);
    await sql`
      insert into member (company_id, id, identifier, email, first_name, language, role_id, activated_at)
      values (company_id(), ${id}, ${newIdentifier()}, ${email}, 'Mei', 'zh_HK', ${systemRoleIds.viewer}, null)`.execute(
      tx,
    );
  });
});

const issue = (purpose: 'activation' | 'reset' = 'activation', userId = invited.id) =>
  db.app.withCompany(companyId, (tx) => app.identity.issueActivation(tx, userId, purpose, 'Wing Cheung'));

/** The token in the last mail's link. */
async function mailedToken(): Promise<string> {
  await app.deliver();
  const token = /\/activate#([\w-]{43})\n/.exec(app.mails.at(-1)?.text ?? '')?.[1];
  if (token === undefined) throw new Error('no link was mailed');
  return token;
}

const check = (token: string) => app.call({ path: '/web/user/activation/check', body: { token } });
const activate = async (token: string, password = testPassword) =>
  app.call({ path: '/web/user/activate', body: { token, password: await app.encrypt(password) } });
const signIn = (email: string, password = testPassword) => app.signIn({ email, password, companyName: '' });

describe('somebody invited', () => {
  test('is mailed a link in their own language, sees whose it is, sets a password and signs in', async () => {
    await issue();
    const token = await mailedToken();
    expect(app.mails.at(-1)).toMatchObject({
      to: invited.email,
      subject: 'Wing Cheung 邀請你加入 Harbour Trading 的 Causeway 帳戶',
    });
    expect(app.mails.at(-1)?.text).toMatch(/^Mei 你好：\n\nWing Cheung 邀請你在 Causeway 加入 Harbour Trading。/);
    expect(app.mails.at(-1)?.text).toContain('72 小時');
    expect((await check(token)).data).toMatchObject({
      purpose: 'activation',
      email: invited.email,
      companyName: 'Harbour Trading',
    });
    expect((await signIn(invited.email)).key).toBe('loginFailed');
    expect((await activate(token)).status).toBe(200);
    expect((await signIn(invited.email)).data.accessToken).toMatch(/\S/);
  });

  test('has no mail of the company’s and no password to forget before that', async () => {
    const contacts = await db.app.withCompany(companyId, (tx) => findContacts(tx, invited.id));
    expect(contacts).toEqual([]);
    const captcha = await app.captcha();
    await app.call({ path: '/common/send-code', body: { scenario: 'forget', email: invited.email, captcha } });
    await app.deliver();
    expect(app.mails).toEqual([]);
  });
});

describe('a link', () => {
  test('serves once, also for two at the same time', async () => {
    await issue();
    const token = await mailedToken();
    const answers = await Promise.all([activate(token, 'First-Horse1'), activate(token, 'Second-Horse1')]);
    expect(answers.map(({ key }) => key).sort()).toEqual(['activationInvalid', null]);
    expect((await check(token)).key).toBe('activationInvalid');
  });

  test('ends when another is sent, after 72 hours, and with the member', async () => {
    await issue();
    const first = await mailedToken();
    await issue();
    const second = await mailedToken();
    expect((await activate(first)).key).toBe('activationInvalid');
    expect((await check(second)).status).toBe(200);
    await app.elapse('update causeway.activation_token set expires_at = now() where user_id = $1', [invited.id]);
    expect((await activate(second)).key).toBe('activationInvalid');
    await issue();
    const third = await mailedToken();
    await db.app.withCompany(companyId, (tx) => endAllAccess(tx, invited.id));
    expect((await activate(third)).key).toBe('activationInvalid');
  });

  test.each(['', 'x', 'x'.repeat(43), 'x'.repeat(5000)])('is not %j', async (token) => {
    for (const answer of [await check(token), await activate(token)]) {
      expect(answer.status).toBe(400);
      expect(['activationInvalid', 'validationFailed']).toContain(answer.key);
    }
  });

  test('sets no password against the rule, and still serves after one', async () => {
    await issue();
    const token = await mailedToken();
    const refused = await activate(token, 'short');
    expect([refused.key, Object.keys(refused.fields)]).toEqual(['passwordRule', ['password']]);
    expect((await activate(token)).status).toBe(200);
  });

  test('stands nowhere in clear: not in the outbox, not in a table', async () => {
    await issue();
    const rows = await db.worker.withoutCompany(async (tx) => {
      const { rows } = await sql<{ payload: object }>`select payload from outbox`.execute(tx);
      return JSON.stringify(rows);
    });
    const token = await mailedToken();
    expect(rows).toContain('sealed');
    expect(rows).not.toContain(token);
  });

  test('is not mailed to somebody disabled meanwhile', async () => {
    await issue();
    await db.app.withCompany(companyId, (tx) =>
      sql`update member set disabled_at = now() where company_id = company_id() and id = ${invited.id}`.execute(tx),
    );
    await app.deliver();
    expect(app.mails).toEqual([]);
  });
});

test('a reset ends what the old password opened and tells the owner', async () => {
  const signedIn = await app.signIn(owner);
  const token = signedIn.data.accessToken!;
  const { id } = (await app.call({ path: '/web/user', token })).data;
  await issue('reset', id);
  const link = await mailedToken();
  expect((await activate(link, 'Other-Horse2')).status).toBe(200);
  expect((await app.call({ path: '/web/user', token })).key).toBe('sessionEnded');
  await app.deliver();
  expect(app.mails.at(-1)?.subject).toBe('Your Causeway password was changed');
  expect((await signIn(owner.email)).key).toBe('loginFailed');
  expect((await signIn(owner.email, 'Other-Horse2')).status).toBe(200);
});

test('the database itself keeps the address of somebody who has a password', async () => {
  const { userId } = (await db.app.withCompany(companyId, (tx) => findContacts(tx)))[0] ?? {};
  const attempt = db.app.withCompany(companyId, (tx) =>
    sql`select identity_change_email(${userId}, 'other@example.com')`.execute(tx),
  );
  await expect(attempt).rejects.toMatchObject({ code: 'CW002' });
});
