import { sendUserCode } from '@causeway/contract/identity.ts';
import { listNotices } from '@causeway/contract/notices.ts';
import {
  addWebhook,
  endWebhookSecret,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhooks,
  mostWebhooks,
  moveWebhook,
  removeWebhook,
  resendWebhook,
  revealWebhookSecret,
  rotateWebhookSecret,
  setWebhookEnabled,
  testWebhook,
} from '@causeway/contract/webhooks.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { testDatabase } from '../../testing/database.ts';
import { asSuperuser } from '../../testing/exchange-world.ts';
import { type MainApp, mainApp, type Tenant } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';
import { insertTestTransaction } from '../../testing/transactions.ts';
import { openWebhook, webhookProof, webhookUrl } from '../../testing/webhook-requests.ts';
import { openSecret, sealingKeys } from './secrets.ts';
import { noteTransaction } from './service/noting.ts';

let world: MainApp;
let tenant: Tenant;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
beforeEach(async () => {
  tenant = await world.company();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const list = async () => (await succeed(world, listWebhooks, { as: tenant.admin })).data.items;
const noticeTitles = async () =>
  (await succeed(world, listNotices, { as: tenant.admin })).data.items.map(({ title }) => title).reverse();
const audited = async () =>
  (
    await world.db.operator.pool.query<{ action: string }>(
      `select action from audit_event where company_id = $1 and action like 'webhooks.%' order by id`,
      [tenant.id],
    )
  ).rows.map(({ action }) => action);

async function add(url: string, codeFor = url) {
  const id = newId();
  const { as, proof } = await webhookProof(world, tenant, { action: 'add', id, url: codeFor });
  return world.ask(addWebhook, { as, body: { id, url, description: '', events: null, ...proof } });
}

test('an endpoint is made with a code, its secret is shown once and kept sealed, and administrators are notified', async () => {
  const { id, secret } = await openWebhook(world, tenant);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const [endpoint] = await list();
  expect(endpoint).toMatchObject({
    id,
    url: webhookUrl,
    enabled: true,
    off: null,
    events: null,
    waiting: 0,
    previousUntil: null,
  });
  expect(JSON.stringify(await list())).not.toContain(secret);
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql<{ sealed: Buffer }>`select sealed from webhook_secret where company_id = company_id()`.execute(tx),
  );
  const sealed = rows[0]?.sealed ?? Buffer.alloc(0);
  expect(sealed.includes(Buffer.from(secret))).toBe(false);
  expect(openSecret(sealingKeys(world.webhookSecret), sealed, id)).toBe(secret);
  expect(await noticeTitles()).toEqual(['Webhook endpoint added']);
  expect(await audited()).toEqual(['webhooks.add']);
});

test('a code holds for the address that it was asked for, and a wrong one makes nothing', async () => {
  expect(await add(webhookUrl, 'https://other.example/hooks')).toMatchObject({
    status: 400,
    key: 'transferCodeMismatch',
  });
  const id = newId();
  const { as } = await webhookProof(world, tenant, { action: 'add', id, url: webhookUrl });
  const body = { id, url: webhookUrl, description: '', events: null, codeMethod: 'email', code: '000000' };
  expect((await world.ask(addWebhook, { as, body })).key).toMatch(/^codeWrong$/);
  expect(await list()).toEqual([]);
  expect(await noticeTitles()).toEqual([]);
});

test('an address inside, a port or a scheme of another kind is refused at its field, and the code stays good', async () => {
  const id = newId();
  const url = 'https://10.0.0.1/hooks';
  const { as, proof } = await webhookProof(world, tenant, { action: 'add', id, url });
  const refused = await world.ask(addWebhook, { as, body: { id, url, description: '', events: null, ...proof } });
  expect(refused).toMatchObject({ status: 400, key: 'webhookAddressRefused' });
  expect(refused.fields['url']).toContain('10.0.0.1');
  for (const [other, key] of [
    ['https://nowhere.invalid/', 'webhookAddressUnknown'],
    ['https://erp.example:22/', 'webhookPortRefused'],
    ['http://erp.example/', 'webhookAddressRefused'],
    ['https://user:secret@erp.example/', 'webhookAddressRefused'],
    ['https://[::1]/', 'webhookAddressRefused'],
    ['https://2130706433/', 'webhookAddressRefused'],
  ] as const) {
    expect(await add(other), other).toMatchObject({ status: 400, key });
  }
  const ftp = { kind: 'webhook', content: { action: 'add', id, url: 'ftp://erp.example/' } };
  expect(
    await world.ask(sendUserCode, { as: tenant.admin, body: { scenario: 'transaction', subject: ftp } }),
  ).toMatchObject({
    status: 400,
    key: 'validationFailed',
  });
});

test('twenty endpoints and no more, also where two people add them at once', async () => {
  await world.db.app.withCompany(tenant.id, async (tx) => {
    for (let count = 0; count < mostWebhooks - 1; count += 1) {
      await sql`insert into webhook_endpoint (company_id, id, url, created_by)
        values (company_id(), ${newId()}, ${webhookUrl}, ${tenant.admin.session.userId})`.execute(tx);
    }
  });
  const requests = [];
  for (let count = 0; count < 3; count += 1) {
    const id = newId();
    const { as, proof } = await webhookProof(world, tenant, { action: 'add', id, url: webhookUrl });
    requests.push({ as, body: { id, url: webhookUrl, description: '', events: null, ...proof } });
  }
  const answers = await Promise.all(requests.map((request) => world.ask(addWebhook, request)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const refused = answers.filter(({ status }) => status === 409).map(({ key }) => key);
  expect(refused).toEqual(['tooManyWebhooks', 'tooManyWebhooks']);
  expect(await list()).toHaveLength(mostWebhooks);
});

test('a secret is shown again for a code of its own, rotated, and the old one ended', async () => {
  const { id, secret } = await openWebhook(world, tenant);
  const shown = await webhookProof(world, tenant, { action: 'reveal', id });
  const reveal = async (proved: typeof shown) =>
    world.ask(revealWebhookSecret, { as: proved.as, body: { id, ...proved.proof } });
  expect((await reveal(shown)).data).toEqual({ secret });
  // A code for something else does not show it, and a used one not again.
  expect((await reveal(await webhookProof(world, tenant, { action: 'rotate', id }))).key).toBe('transferCodeMismatch');
  expect((await reveal(shown)).status).toBe(400);

  const rotating = await webhookProof(world, tenant, { action: 'rotate', id });
  const rotated = await succeed(world, rotateWebhookSecret, {
    as: rotating.as,
    body: { id, keepHours: 24, ...rotating.proof },
  });
  expect(rotated.data.secret).not.toBe(secret);
  expect((await list())[0]?.previousUntil).toBe(rotated.data.previousUntil);
  const ended = { as: tenant.admin, body: { id } };
  expect((await world.ask(endWebhookSecret, ended)).status).toBe(200);
  expect(await world.ask(endWebhookSecret, ended)).toMatchObject({ status: 409, key: 'webhookNoPreviousSecret' });

  const atOnce = await webhookProof(world, tenant, { action: 'rotate', id });
  const last = await succeed(world, rotateWebhookSecret, {
    as: atOnce.as,
    body: { id, keepHours: 0, ...atOnce.proof },
  });
  expect(last.data.previousUntil).toBeNull();
  expect((await reveal(await webhookProof(world, tenant, { action: 'reveal', id }))).data).toEqual({
    secret: last.data.secret,
  });
  expect(await audited()).toEqual([
    'webhooks.add',
    'webhooks.reveal',
    'webhooks.rotate',
    'webhooks.endPrevious',
    'webhooks.rotate',
    'webhooks.reveal',
  ]);
  expect(await noticeTitles()).toEqual([
    'Webhook endpoint added',
    'Webhook secret shown',
    'Webhook secret rotated',
    'Webhook secret rotated',
    'Webhook secret shown',
  ]);
});

test('the address moves with a code, off it receives nothing, and removed it is in the log alone', async () => {
  const { id } = await openWebhook(world, tenant);
  const url = 'https://books.example/hooks';
  const moving = await webhookProof(world, tenant, { action: 'move', id, url });
  expect((await world.ask(moveWebhook, { as: moving.as, body: { id, url, ...moving.proof } })).status).toBe(200);
  expect((await list())[0]?.url).toBe(url);
  const { deliveryId } = (await succeed(world, testWebhook, { as: tenant.admin, body: { id } })).data;
  expect((await list())[0]?.waiting).toBe(1);

  const off = { as: tenant.admin, body: { id, enabled: false } };
  expect((await world.ask(setWebhookEnabled, off)).status).toBe(200);
  expect((await list())[0]).toMatchObject({ enabled: false, off: { reason: 'member' }, waiting: 0 });
  expect(await world.ask(testWebhook, { as: tenant.admin, body: { id } })).toMatchObject({
    status: 409,
    key: 'webhookOff',
  });
  expect(await world.ask(resendWebhook, { as: tenant.admin, body: { id: deliveryId } })).toMatchObject({
    key: 'webhookOff',
  });
  expect((await world.ask(setWebhookEnabled, { as: tenant.admin, body: { id, enabled: true } })).status).toBe(200);
  expect((await world.ask(resendWebhook, { as: tenant.admin, body: { id: deliveryId } })).status).toBe(200);
  expect(await world.ask(resendWebhook, { as: tenant.admin, body: { id: deliveryId } })).toMatchObject({
    key: 'webhookWaiting',
  });

  expect((await world.ask(removeWebhook, { as: tenant.admin, params: { id } })).status).toBe(200);
  expect(await list()).toEqual([]);
  const delivery = await succeed(world, getWebhookDelivery, { as: tenant.admin, params: { id: deliveryId } });
  expect(delivery.data).toMatchObject({
    type: 'webhook.test',
    state: 'failed',
    lastProblem: 'off',
    endpoint: { url, removed: true },
  });
  expect(JSON.parse(delivery.data.body)).toMatchObject({ type: 'webhook.test' });
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql`select from webhook_secret where company_id = company_id()`.execute(tx),
  );
  expect(rows).toEqual([]);
});

test('a frozen company switches an endpoint off, and not on until it is no longer frozen', async () => {
  tenant = await world.company('Far Voyage');
  const { id } = await openWebhook(world, tenant);
  const freezing = (at: string) =>
    asSuperuser(world.db, `update causeway.company set frozen_at = ${at} where company_id = $1`, [tenant.id]);
  await freezing('now()');
  const set = async (enabled: boolean) =>
    (await world.ask(setWebhookEnabled, { as: tenant.admin, body: { id, enabled } })).key;
  expect(await set(true)).toBe('companyFrozen');
  expect(await set(false)).toBeNull();
  expect((await list())[0]).toMatchObject({ enabled: false, off: { reason: 'member' } });
  expect(await set(true)).toBe('companyFrozen');
  expect((await list())[0]).toMatchObject({ enabled: false });
  await freezing('null');
  expect(await set(true)).toBeNull();
  expect((await list())[0]).toMatchObject({ enabled: true });
});

test('the log is found by transaction, by webhook-id, endpoint, type and state', async () => {
  const { id } = await openWebhook(world, tenant);
  const transactionId = await insertTestTransaction(world.db, tenant);
  await world.db.worker.withCompany(tenant.id, (tx) => noteTransaction(tx, transactionId));
  await succeed(world, testWebhook, { as: tenant.admin, body: { id } });
  const find = async (query: Record<string, string>) =>
    (await succeed(world, listWebhookDeliveries, { as: tenant.admin, query })).data.items.map(({ type }) => type);
  expect(await find({})).toEqual(['webhook.test', 'deposit.credited']);
  expect(await find({ keyword: transactionId })).toEqual(['deposit.credited']);
  expect(await find({ keyword: transactionId.toUpperCase() })).toEqual(['deposit.credited']);
  const [credited] = (
    await succeed(world, listWebhookDeliveries, { as: tenant.admin, query: { type: 'deposit.credited' } })
  ).data.items;
  expect(await find({ keyword: credited?.messageId ?? '' })).toEqual(['deposit.credited']);
  expect(await find({ keyword: 'no id' })).toEqual([]);
  expect(await find({ state: 'failed' })).toEqual([]);
  expect(await find({ endpointId: newId() })).toEqual([]);
  expect(await find({ endpointId: id, state: 'waiting', from: '2026-01-01T00:00:00.000Z' })).toHaveLength(2);
  expect(await find({ to: '2026-01-01T00:00:00.000Z' })).toEqual([]);
});
