import { sendUserCode } from '@causeway/contract/identity.ts';
import { setCompanySettings } from '@causeway/contract/organisation.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deriveKey, unseal } from '../../platform/crypto/secrets.ts';
import { newId } from '../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { testIdentity } from '../../testing/identity.ts';
import { type MainApp, type Member, mainApp, type Request, type Tenant } from '../../testing/main-app.ts';
import { present } from '../../testing/present.ts';
import { succeed } from '../../testing/succeed.ts';
import { validRequests } from '../../testing/valid-requests.ts';
import { defaultLimits } from './domain.ts';
import type { CodeLetter } from './letters.ts';
import type { CodeFact } from './service/dependencies.ts';

/** Who is mailed a code, and what its mail shows, in the whole HTTP process. */

let db: TestDatabase;
let world: MainApp;
let tenant: Tenant;
beforeAll(async () => {
  db = await testDatabase();
  world = await mainApp(db);
  tenant = await world.company();
});
afterAll(async () => {
  await world.close();
  await db.close();
});

/** A valid request of a transfer's code, by another member. */
async function transferCode(as: Member): Promise<Request> {
  const request = await present(validRequests['sendUserCode'])(world, tenant);
  return { body: request.body, as };
}

const code = (kind: string, content: object) => ({ body: { scenario: 'transaction', subject: { kind, content } } });

/** Takes the letters out of the outbox. */
async function letters(): Promise<CodeLetter[]> {
  const key = deriveKey(world.mailSecret, 'mail');
  const rows = await db.worker.withoutCompany(async (tx) => {
    const taken = await sql<{ name: string; payload: { sealed: string } }>`
      delete from outbox returning name, payload`.execute(tx);
    return taken.rows.filter(({ name }) => name === 'identity.codeRequested');
  });
  return rows.map(({ name, payload }) =>
    JSON.parse(unseal(key, Buffer.from(payload.sealed, 'base64'), name).toString('utf8')),
  );
}

test('a code needs the permission of the call that it is for', async () => {
  const viewer = await world.member(tenant, 'viewer');
  const approver = await world.member(tenant, 'approver');
  await letters();
  for (const [as, request] of [
    [viewer, await transferCode(viewer)],
    [approver, await transferCode(approver)],
    [viewer, code('decision', { ids: [newId()], outcome: 'approved' })],
    [await world.member(tenant, 'finance'), code('decision', { ids: [newId()], outcome: 'approved' })],
    [viewer, code('review', { enabled: true })],
    [approver, code('review', { enabled: true })],
  ] as const) {
    const answer = await world.ask(sendUserCode, { ...request, as });
    expect([answer.status, answer.key]).toEqual([403, 'noPermission']);
  }
  expect(await letters()).toEqual([]);
  await succeed(world, sendUserCode, { as: viewer, ...code('security', { action: 'addPasskey' }) });
  await succeed(world, sendUserCode, { as: viewer, body: { scenario: 'update_psd' } });
});

test('a mail leaves out what its reader may not see', async () => {
  const facts: CodeFact[] = [
    { label: 'Amount', value: '12.50 USDT' },
    { label: 'Payee', value: 'Lee', needs: 'payee.view' },
  ];
  // Letters of the other application are sealed for its own jobs.
  await letters();
  const app = await testIdentity(db, {
    confirmed: {
      decision: { describe: async (_tx, { userId }) => ({ digest: userId, facts }), goesToRecipients: false },
    },
  });
  const told = [];
  for (const permissions of [['approval.decide'], ['approval.decide', 'payee.view']] as const) {
    const account = await app.signUp();
    const token = (await app.signIn(account)).data.accessToken ?? '';
    const id = newId();
    await app.elapse(
      `insert into causeway.role (company_id, id, name, permissions, active)
       select company_id, $2::uuid, $2::text, $3::text[], true from causeway.member where email = $1`,
      [account.email, id, permissions],
    );
    await app.elapse('update causeway.member set role_id = $2 where email = $1', [account.email, id]);
    const sent = await app.call({ path: '/common/user/send-code', token, ...code('decision', {}) });
    expect(sent.status, sent.raw.body).toBe(200);
    await app.deliver();
    const { text = '' } = app.mails.findLast(({ to }) => to === account.email) ?? {};
    told.push(['Amount: 12.50 USDT', 'Payee: Lee'].filter((line) => text.includes(line)));
  }
  expect(told).toEqual([['Amount: 12.50 USDT'], ['Amount: 12.50 USDT', 'Payee: Lee']]);
  await app.close();
});

test('administrators who receive codes are mailed no more than so many of one member', async () => {
  const company = await world.company();
  await succeed(world, setCompanySettings, {
    as: company.admin,
    body: { timeZone: 'Asia/Hong_Kong', codeRecipient: 'administrator' },
  });
  const finance = await world.member(company, 'finance');
  const { body } = await present(validRequests['sendUserCode'])(world, company);
  await letters();
  const answers: (string | null)[] = [];
  for (let i = 0; i < defaultLimits.codesToOthers + 2; i++) {
    const { subject } = body as { subject: { content: object } };
    const content = { ...subject.content, id: newId() };
    const request = { scenario: 'transaction', subject: { kind: 'transfer', content } };
    answers.push((await world.ask(sendUserCode, { as: finance, body: request })).key);
  }
  const { codesToOthers } = defaultLimits;
  expect(answers).toEqual([...Array(codesToOthers).fill(null), 'tooManyRequests', 'tooManyRequests']);
  expect(new Set((await letters()).map(({ to }) => JSON.stringify(to))).size).toBe(2);
});
