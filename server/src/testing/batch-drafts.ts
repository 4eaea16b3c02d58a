import * as bankPayees from '@causeway/contract/bank-payees.ts';
import * as batches from '@causeway/contract/batches.ts';
import type { Output } from '@causeway/contract/call.ts';
import * as payees from '@causeway/contract/payees.ts';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { newId } from '../platform/ids.ts';
import { newBankAccount } from './bank-payee-requests.ts';
import { templateRequests } from './batch-templates.ts';
import { randomAddress } from './company.ts';
import type { MainApp, Member, Request, Tenant } from './main-app.ts';
import { succeed } from './succeed.ts';

/** Drafts of batches, as members make them. */

export interface Draft {
  batch: batches.Batch;
  rows: batches.BatchRow[];
}

export async function savedCryptoPayee(world: MainApp, as: Member, label: string, coin = 'USDT') {
  const body = { id: newId(), label, chain: 'ethereum', coin, address: randomAddress() };
  return (await succeed(world, payees.addCryptoPayee, { as, body })).data;
}

export async function savedBankPayee(world: MainApp, as: Member, label: string) {
  const body = { id: newId(), label, ...newBankAccount() };
  return (await succeed(world, bankPayees.addBankPayee, { as, body })).data;
}

/** Uploads a file and reads all of its rows. */
export async function uploaded(
  world: MainApp,
  as: Member,
  content: string | Buffer,
  name = 'payments.csv',
): Promise<Draft> {
  const upload = { name, content: Buffer.isBuffer(content) ? content : Buffer.from(content) };
  const { id } = (await succeed(world, batches.uploadBatch, { as, upload })).data;
  return readWhole(world, as, id);
}

/** Reads what is unread, and returns the batch with its first rows. */
export async function readWhole(world: MainApp, as: Member, id: string): Promise<Draft> {
  let isDone = (await draft(world, as, id)).batch.state !== 'reading';
  while (!isDone) ({ isDone } = (await succeed(world, batches.readBatch, { as, body: { id } })).data);
  return draft(world, as, id);
}

export async function draft(
  world: MainApp,
  as: Member,
  id: string,
  show: 'all' | 'wrong' | 'warned' = 'all',
): Promise<Draft> {
  const batch = (await succeed(world, batches.getBatch, { as, params: { id } })).data;
  const query = { batchId: id, size: '100', show };
  const { items } = (await succeed(world, batches.listBatchRows, { as, query })).data;
  return { batch, rows: items };
}

export function problemsOf({ rows }: Draft): (string[] | null)[] {
  return rows.map(({ problems }) => problems.map(({ column, key }) => `${column}: ${key}`));
}

/** Of the calls about drafts and templates: a request that succeeds, as in `validRequests`. */
export const batchRequests: Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> = {
  getBatchTemplate: async (_, { admin }) => ({ as: admin }),
  uploadBatch: async (_, { admin }) => ({
    as: admin,
    upload: { name: 'payments.csv', content: Buffer.from('payee,amount\nA,1\n') },
  }),
  addBatch: async (_, { admin }) => ({ as: admin, body: { id: newId(), name: 'November payroll' } }),
  listBatches: async (_, { admin }) => ({ as: admin }),
  getBatch: async (world, tenant) => ({ as: tenant.admin, params: { id: (await made(world, tenant)).id } }),
  listBatchRows: async (world, tenant) => ({ as: tenant.admin, query: { batchId: (await made(world, tenant)).id } }),
  mapBatch: async (world, { admin }) => {
    const upload = { name: 'payments.csv', content: Buffer.from('who,how much\nA,1\n') };
    const { id, version } = (await succeed(world, batches.uploadBatch, { as: admin, upload })).data;
    return { as: admin, body: { id, version, mapping: { payee: 0, amount: 1 }, encoding: 'utf-8' } };
  },
  readBatch: async (world, tenant) => ({ as: tenant.admin, body: { id: (await made(world, tenant)).id } }),
  recheckBatch: async (world, tenant) => {
    const { id, version } = await made(world, tenant);
    return { as: tenant.admin, body: { id, version } };
  },
  mendBatchRow: async (world, tenant) => {
    const { id: batchId, version, rowId } = await made(world, tenant);
    return { as: tenant.admin, body: { batchId, version, rowId, written: { amount: '2' } } };
  },
  addBatchRows: async (world, tenant) => {
    const { id: batchId, version } = await made(world, tenant);
    return {
      as: tenant.admin,
      body: { batchId, version, rows: [{ id: newId(), written: { payee: 'B', amount: '1' } }] },
    };
  },
  removeBatchRows: async (world, tenant) => {
    const { id: batchId, version, rowId } = await made(world, tenant);
    return { as: tenant.admin, body: { batchId, version, rows: [rowId] } };
  },
  acceptBatchWarnings: async (world, tenant) => {
    const { id: batchId, version, rowId } = await made(world, tenant);
    return { as: tenant.admin, body: { batchId, version, rows: [rowId] } };
  },
  renameBatch: async (world, tenant) => ({
    as: tenant.admin,
    body: { id: (await made(world, tenant)).id, name: 'December payroll' },
  }),
  discardBatch: async (world, tenant) => ({ as: tenant.admin, params: { id: (await made(world, tenant)).id } }),
  downloadWrongRows: async (world, tenant) => ({ as: tenant.admin, params: { id: (await made(world, tenant)).id } }),
  saveNewPayees: async (world, tenant) => {
    const { id: batchId, version } = await made(world, tenant);
    return { as: tenant.admin, body: { batchId, version } };
  },
  ...templateRequests,
};

/** A batch of one typed row. */
async function made(
  world: MainApp,
  { admin: as }: Tenant,
): Promise<Output<typeof batches.addBatch> & { rowId: string }> {
  const batch = (await succeed(world, batches.addBatch, { as, body: { id: newId(), name: 'November payroll' } })).data;
  const rowId = newId();
  const rows = [{ id: rowId, written: { payee: 'A', amount: '1' } }];
  const { version } = (
    await succeed(world, batches.addBatchRows, { as, body: { batchId: batch.id, version: batch.version, rows } })
  ).data;
  return { ...batch, version, rowId };
}

/** What `downloadWrongRows` gives, header included. */
export async function wrongRows({ app }: MainApp, { token }: Member, batchId: string): Promise<string[][]> {
  const response = await app.inject({
    url: `/web/crypto/batch/${batchId}/wrong`,
    headers: { authorization: `Bearer ${token}`, 'accept-language': 'en-us' },
  });
  expect(response.statusCode).toBe(200);
  return parse(response.body, { bom: true, relax_column_count: true });
}
