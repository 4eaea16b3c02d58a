import { listAudit } from '@causeway/contract/audit.ts';
import { getUser, setLanguage } from '@causeway/contract/identity.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, mainApp } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';

let world: MainApp;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});

test('the same language again is no change, and the audit log says nothing of it', async () => {
  const { admin } = await world.company();
  const { language } = (await succeed(world, getUser, { as: admin })).data;
  const logged = async () =>
    (await succeed(world, listAudit, { as: admin, query: { action: 'identity.setLanguage' } })).data.items;
  await succeed(world, setLanguage, { as: admin, body: { language } });
  expect(await logged()).toEqual([]);
  await succeed(world, setLanguage, { as: admin, body: { language: 'zh_HK' } });
  await succeed(world, setLanguage, { as: admin, body: { language: 'zh_HK' } });
  expect(await logged()).toMatchObject([
    { changes: [{ label: 'Language', before: 'English', after: 'Traditional Chinese' }] },
  ]);
});
