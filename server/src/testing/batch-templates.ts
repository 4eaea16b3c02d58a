import * as batches from '@causeway/contract/batches.ts';
import * as templates from '@causeway/contract/payout-templates.ts';
import { newId } from '../platform/ids.ts';
import type { MainApp, Member, Request, Tenant } from './main-app.ts';
import { succeed } from './succeed.ts';

/** Templates of batches and their schedules, as members make them. */

/** A template with these rows. @returns its id */
export async function savedTemplate(
  world: MainApp,
  as: Member,
  rows: readonly batches.Written[],
  name = `Payroll ${newId().slice(-12)}`,
): Promise<string> {
  const id = newId();
  await succeed(world, templates.addPayoutTemplate, { as, body: { id, name, note: '', fromId: null } });
  if (rows.length > 0) {
    const body = { batchId: id, version: 1, rows: rows.map((written) => ({ id: newId(), written })) };
    await succeed(world, batches.addBatchRows, { as, body });
  }
  return id;
}

/** What `schedulePayoutTemplate` asks for: the 25th of each month, from 2030. */
export function scheduleOf(id: string, initiator: Member, change: Record<string, unknown> = {}) {
  return {
    ...{ id, every: 'month', day: 25, weekend: 'before', time: '09:00', prepareDays: 3 },
    ...{ firstDay: '2030-01-01', lastDay: null, initiatorId: initiator.session.userId, ...change },
  };
}

async function scheduled(world: MainApp, { admin: as }: Tenant): Promise<string> {
  const id = await savedTemplate(world, as, [{ payee: 'A', amount: '1' }]);
  await succeed(world, templates.schedulePayoutTemplate, { as, body: scheduleOf(id, as) });
  return id;
}

/** Of the calls about templates: a request that succeeds, as in `validRequests`. */
export const templateRequests: Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> = {
  listPayoutTemplates: async (_, { admin }) => ({ as: admin }),
  getPayoutTemplate: async (world, tenant) => ({ as: tenant.admin, params: { id: await scheduled(world, tenant) } }),
  addPayoutTemplate: async (world, { admin: as }) => {
    const fromId = newId();
    await succeed(world, batches.addBatch, { as, body: { id: fromId, name: 'November payroll' } });
    return { as, body: { id: newId(), name: `Payroll ${newId().slice(-12)}`, note: 'Salaries', fromId } };
  },
  editPayoutTemplate: async (world, tenant) => ({
    as: tenant.admin,
    body: { id: await scheduled(world, tenant), name: `Wages ${newId().slice(-12)}`, note: '' },
  }),
  removePayoutTemplate: async (world, tenant) => ({ as: tenant.admin, params: { id: await scheduled(world, tenant) } }),
  makeTemplateBatch: async (world, tenant) => ({
    as: tenant.admin,
    body: { id: newId(), templateId: await scheduled(world, tenant), name: 'December payroll' },
  }),
  schedulePayoutTemplate: async (world, tenant) => ({
    as: tenant.admin,
    body: scheduleOf(await savedTemplate(world, tenant.admin, []), tenant.admin),
  }),
  pausePayoutSchedule: async (world, tenant) => ({
    as: tenant.admin,
    body: { id: await scheduled(world, tenant), isPaused: true },
  }),
  endPayoutSchedule: async (world, tenant) => ({ as: tenant.admin, body: { id: await scheduled(world, tenant) } }),
};
