import * as calls from '@causeway/contract/identity-account.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { securityProof, signInAgain, succeed, withPasskey } from '../../testing/valid-requests.ts';

/** Row-level security separates companies only: within a company, each call must keep one member's data from another. */

let world: MainApp;
let tenant: Tenant;
let colleague: Member;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
  tenant = await world.company();
  colleague = await world.member(tenant, 'administrator');
});
afterAll(async () => {
  expect(world.complaints).toEqual([]);
  await world.close();
  await world.db.close();
});

test('sessions and trusted browsers are their owner’s to see and to end', async () => {
  const owner = await world.member(tenant, 'viewer');
  await signInAgain(world, owner);
  const sessions = (await succeed(world, calls.listSessions, { as: owner })).data;
  const browsers = (await succeed(world, calls.listTrustedBrowsers, { as: owner })).data;
  expect([sessions.length, browsers.length]).toEqual([2, 1]);
  expect((await succeed(world, calls.listSessions, { as: colleague })).data).toHaveLength(1);
  expect((await succeed(world, calls.listTrustedBrowsers, { as: colleague })).data).toEqual([]);
  for (const { id } of sessions) {
    expect((await world.ask(calls.endSession, { as: colleague, params: { id } })).key).toBe('notFound');
  }
  const params = { id: browsers[0]!.id };
  expect((await world.ask(calls.removeTrustedBrowser, { as: colleague, params })).key).toBe('notFound');
  expect((await succeed(world, calls.endOtherSessions, { as: colleague })).data).toEqual({ ended: 0 });
  expect((await succeed(world, calls.removeTrustedBrowsers, { as: colleague })).data).toEqual({ removed: 0 });
  expect((await succeed(world, calls.listSessions, { as: owner })).data).toHaveLength(2);
  expect((await succeed(world, calls.listTrustedBrowsers, { as: owner })).data).toHaveLength(1);
});

test('passkeys as well, and a code that removes one removes no other', async () => {
  const { as: owner, id } = await withPasskey(world, tenant);
  const params = { id };
  expect((await succeed(world, calls.listPasskeys, { as: colleague })).data).toEqual([]);
  const renamed = await world.ask(calls.renamePasskey, { as: colleague, params, body: { name: 'Mine' } });
  expect(renamed.key).toBe('notFound');
  const proof = await securityProof(world, colleague, { action: 'addPasskey' });
  expect((await world.ask(calls.removePasskey, { as: colleague, params, body: { proof } })).key).toBe('notFound');
  const other = await securityProof(world, owner, { action: 'addPasskey' });
  const refused = await world.ask(calls.removePasskey, { as: owner, params, body: { proof: other } });
  expect(refused.key).toBe('transferCodeMismatch');
  expect((await succeed(world, calls.listPasskeys, { as: owner })).data).toHaveLength(1);
});
