import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type TestIdentity, testIdentity } from '../../testing/identity.ts';

let db: TestDatabase;
let it: TestIdentity;
beforeAll(async () => {
  db = await testDatabase();
  it = await testIdentity(db);
});
afterAll(async () => {
  await it.close();
  await db.close();
});

describe('signing up and in', () => {
  test('a company is made with its administrator, who is known by the token', async () => {
    const account = await it.signUp({ companyName: '海港貿易 “Harbour” & Co' });
    const answer = await it.signIn(account);
    expect(answer.errors).toEqual([]);
    const user = await it.call({ path: '/web/user', token: answer.data.accessToken });
    expect(user.data).toMatchObject({ email: account.email, companyName: '海港貿易 “Harbour” & Co', role: 'administrator' });
  });
});
