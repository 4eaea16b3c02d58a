import { sendUserCode } from '@causeway/contract/identity.ts';
import {
  addWebhook,
  rotateWebhookSecret,
  testWebhook,
  type WebhookContent,
  webhookEventTypes,
} from '@causeway/contract/webhooks.ts';
import { sql } from 'kysely';
import { newId } from '../platform/ids.ts';
import type { MainApp, Member, Request, Tenant } from './main-app.ts';
import { succeed } from './succeed.ts';

export const webhookUrl = 'https://erp.example/hooks';

/** A code of a member of its own, whose tries are not yet counted, for a step of an endpoint. */
export async function webhookProof(
  world: MainApp,
  tenant: Tenant,
  content: WebhookContent,
): Promise<{ as: Member; proof: { codeMethod: 'email'; code: string } }> {
  const as = await world.member(tenant, 'administrator');
  await succeed(world, sendUserCode, {
    as,
    body: { scenario: 'transaction', subject: { kind: 'webhook', content } },
  });
  return { as, proof: { codeMethod: 'email', code: await world.takeCode() } };
}

async function addRequest(world: MainApp, tenant: Tenant): Promise<Request & { body: Record<string, unknown> }> {
  // A company has room for a few: tests that make many remove the earlier ones.
  await world.db.app.withCompany(tenant.id, (tx) =>
    sql`update webhook_endpoint set enabled = false, off_reason = 'member', off_at = now(), removed_at = now()
      where company_id = company_id() and id in (
        select id from webhook_endpoint where company_id = company_id() and removed_at is null order by created_at desc offset 8)`.execute(
      tx,
    ),
  );
  const id = newId();
  const { as, proof } = await webhookProof(world, tenant, { action: 'add', id, url: webhookUrl });
  return { as, body: { id, url: webhookUrl, description: 'ERP', events: null, ...proof } };
}

/** Makes an endpoint through the API. */
export async function openWebhook(world: MainApp, tenant: Tenant): Promise<{ id: string; secret: string }> {
  return (await succeed(world, addWebhook, await addRequest(world, tenant))).data;
}

/** A test event to a new endpoint. */
async function openDelivery(world: MainApp, tenant: Tenant): Promise<{ endpointId: string; deliveryId: string }> {
  const { id } = await openWebhook(world, tenant);
  const { deliveryId } = (await succeed(world, testWebhook, { as: tenant.admin, body: { id } })).data;
  return { endpointId: id, deliveryId };
}

async function endDelivery(world: MainApp, tenant: Tenant, id: string): Promise<void> {
  await world.db.worker.withCompany(tenant.id, (tx) =>
    sql`update webhook_delivery set state = 'failed', next_at = null, ended_at = now()
      where company_id = company_id() and id = ${id}`.execute(tx),
  );
}

export const webhookRequests: Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> = {
  listWebhooks: async (_, { admin }) => ({ as: admin }),
  addWebhook: addRequest,
  editWebhook: async (world, tenant) => {
    const { id } = await openWebhook(world, tenant);
    return { as: tenant.admin, body: { id, description: 'Books', events: [webhookEventTypes[1]] } };
  },
  moveWebhook: async (world, tenant) => {
    const { id } = await openWebhook(world, tenant);
    const url = 'https://books.example/hooks';
    const { as, proof } = await webhookProof(world, tenant, { action: 'move', id, url });
    return { as, body: { id, url, ...proof } };
  },
  setWebhookEnabled: async (world, tenant) => ({
    as: tenant.admin,
    body: { id: (await openWebhook(world, tenant)).id, enabled: false },
  }),
  removeWebhook: async (world, tenant) => ({
    as: tenant.admin,
    params: { id: (await openWebhook(world, tenant)).id },
  }),
  revealWebhookSecret: async (world, tenant) => {
    const { id } = await openWebhook(world, tenant);
    const { as, proof } = await webhookProof(world, tenant, { action: 'reveal', id });
    return { as, body: { id, ...proof } };
  },
  rotateWebhookSecret: rotateRequest,
  endWebhookSecret: async (world, tenant) => {
    const rotated = await rotateRequest(world, tenant);
    await succeed(world, rotateWebhookSecret, rotated);
    return { as: tenant.admin, body: { id: rotated.body.id } };
  },
  testWebhook: async (world, tenant) => ({ as: tenant.admin, body: { id: (await openWebhook(world, tenant)).id } }),
  listWebhookDeliveries: async (world, tenant) => ({
    as: tenant.admin,
    query: { endpointId: (await openDelivery(world, tenant)).endpointId },
  }),
  getWebhookDelivery: async (world, tenant) => ({
    as: tenant.admin,
    params: { id: (await openDelivery(world, tenant)).deliveryId },
  }),
  resendWebhook: async (world, tenant) => {
    const { deliveryId: id } = await openDelivery(world, tenant);
    await endDelivery(world, tenant, id);
    return { as: tenant.admin, body: { id } };
  },
  resendFailedWebhooks: async (world, tenant) => {
    const { endpointId: id, deliveryId } = await openDelivery(world, tenant);
    await endDelivery(world, tenant, deliveryId);
    return { as: tenant.admin, body: { id, since: '2026-01-01T00:00:00.000Z' } };
  },
};

async function rotateRequest(world: MainApp, tenant: Tenant) {
  const { id } = await openWebhook(world, tenant);
  const { as, proof } = await webhookProof(world, tenant, { action: 'rotate', id });
  return { as, body: { id, keepHours: 24, ...proof } };
}
