import { sendUserCode } from '@causeway/contract/identity.ts';
import { setCompanySettings } from '@causeway/contract/organisation.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { deriveKey, unseal } from '../../platform/secrets.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Request, type Tenant } from '../../testing/main-app.ts';
import { present } from '../../testing/present.ts';
import { succeed } from '../../testing/succeed.ts';
import { validRequests } from '../../testing/valid-requests.ts';
import { defaultLimits } from './domain.ts';
import type { CodeLetter } from './letters.ts';

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

/** A valid request of a transfer's code, by somebody else. */
async function transferCode(as: Member): Promise<Request> {
  const request = await present(validRequests['sendUserCode'])(world, tenant);
  return { body: request.body, as };
}

const code = (kind: string, content: object) => ({ body: { scenario: 'transaction', subject: { kind, content } } });

/** A member with a role of the company's own. */
async function memberWith(permissions: readonly Permission[]): Promise<Member> {
  const id = newId();
  await db.app.withCompany(tenant.id, (tx) =>
    sql`insert into role (company_id, id, name, permissions, active)
      values (company_id(), ${id}, ${`Role ${id}`}, ${[...permissions]}::text[], true)`.execute(tx),
  );
  return world.member(tenant, { id, permissions });
}

/** The letters that stand in the outbox, which is emptied. */
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

test('a mail leaves out the payee for a reader without the right to see payees', async () => {
  const { body } = await present(validRequests['decideApprovals'])(world, tenant);
  const { ids } = body as { ids: string[] };
  const request = code('decision', { ids, outcome: 'approved' });
  const facts = [];
  for (const permissions of [['approval.decide'], ['approval.decide', 'payee.view']] as const) {
    const as = await memberWith(permissions);
    await letters();
    await succeed(world, sendUserCode, { as, ...request });
    facts.push((await letters()).flatMap((letter) => letter.facts.map(({ label }) => label)));
  }
  expect(facts).toEqual([
    ['Decision', 'Amount', 'Initiator'],
    ['Decision', 'Application', 'Amount', 'Account', 'Initiator'],
  ]);
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
