import { newId } from '../platform/ids.ts';
import {
  asked,
  credit,
  detail,
  type Opened,
  opened,
  pay,
  refundPayee,
  refundRequest,
  requestsOf,
  usdt,
} from './collections.ts';
import { credit as creditWallet } from './company.ts';
import type { MainApp, Member, Request, Tenant } from './main-app.ts';

/** Requests about payment requests, and what the tables of calls expect of them. */

/** One that is open, of an administrator of its own. */
async function open(world: MainApp, tenant: Tenant, also: Parameters<typeof asked>[0] = {}): Promise<Opened> {
  const admin = await world.member(tenant, 'administrator');
  return opened(requestsOf(world), { ...tenant, admin }, also);
}

/** One that is paid with more than its amount. */
async function overpaid(world: MainApp, tenant: Tenant): Promise<Opened> {
  const request = await open(world, tenant);
  const of = requestsOf(world);
  await credit(of, await pay(of, request, 130n * usdt));
  return request;
}

async function deciding(
  { world }: { world: MainApp },
  { company, id }: Opened,
  body: Record<string, unknown>,
): Promise<Request> {
  const { version } = await detail({ world }, company.admin, id);
  return { as: company.admin, params: { id }, body: { version, ...body } };
}

/** Those that one member has made. */
async function ofMaker(world: MainApp, tenant: Tenant): Promise<Request> {
  const { company } = await open(world, tenant);
  return { as: company.admin, query: { createdBy: company.admin.session.userId } };
}

const payer = { name: 'Delta Textiles', email: 'pay@delta.example', language: 'en_US' as const };
const ofOne = (as: Member, id: string, body?: unknown): Request => ({
  as,
  params: { id },
  ...(body === undefined ? {} : { body }),
});

export const collectionRequests: Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> = {
  listPaymentRequests: ofMaker,
  exportPaymentRequests: ofMaker,
  getPaymentRequestOptions: async (_, { admin }) => ({ as: admin }),
  createPaymentRequest: async (_, { admin }) => ({ as: admin, body: asked({ payer }) }),
  getPaymentRequest: async (world, tenant) => {
    const { company, id } = await open(world, tenant);
    return ofOne(company.admin, id);
  },
  editPaymentRequest: async (world, tenant) => {
    const { company, id } = await open(world, tenant);
    return ofOne(company.admin, id, { note: 'Thank you', payer, reminderDays: [] });
  },
  cancelPaymentRequest: async (world, tenant) => {
    const { company, id } = await open(world, tenant);
    return ofOne(company.admin, id, { reason: 'Sold elsewhere' });
  },
  acceptPaymentRequest: async (world, tenant) => {
    const request = await open(world, tenant, { kind: 'reusable', expiresAt: null });
    const of = requestsOf(world);
    await credit(of, await pay(of, request, 30n * usdt));
    const { receipts } = await detail({ world }, request.company.admin, request.id);
    return deciding({ world }, request, { paymentId: receipts[0]?.id, note: '' });
  },
  askRestOfPaymentRequest: async (world, tenant) => {
    const request = await open(world, tenant);
    const of = requestsOf(world);
    await credit(of, await pay(of, request, 30n * usdt));
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    return deciding({ world }, request, { expiresAt, note: '' });
  },
  settlePaymentRequestByHand: async (world, tenant) =>
    deciding({ world }, await open(world, tenant), { reason: 'Paid to our bank' }),
  remindOfPaymentRequest: async (world, tenant) => {
    const { company, id } = await open(world, tenant, { payer });
    return ofOne(company.admin, id);
  },
  refundPaymentRequest: async (world, tenant) => {
    const request = await overpaid(world, tenant);
    await creditWallet(world.db, tenant, 'USDT', 10n * usdt);
    const { receipts } = await detail({ world }, request.company.admin, request.id);
    const payeeId = await refundPayee({ world }, request.company.admin);
    return refundRequest({ world }, request, { paymentId: receipts[0]?.id ?? newId(), payeeId, amount: '30' });
  },
  readPublicPaymentRequest: async (world, tenant) => ({ body: { token: (await open(world, tenant)).token } }),
  stopPaymentReminders: async (world, tenant) => ({ body: { token: (await open(world, tenant)).token } }),
};

/** Who may call what, as `proof/calls.test.ts` writes it. */
export const collectionCallers: Record<string, string> = {
  listPaymentRequests: 'AFPV',
  exportPaymentRequests: 'AF',
  getPaymentRequestOptions: 'AFPV',
  getPaymentRequest: 'AFPV',
  createPaymentRequest: 'AF',
  editPaymentRequest: 'AF',
  cancelPaymentRequest: 'AF',
  acceptPaymentRequest: 'AF',
  askRestOfPaymentRequest: 'AF',
  settlePaymentRequestByHand: 'AF',
  remindOfPaymentRequest: 'AF',
  refundPaymentRequest: 'AF',
  readPublicPaymentRequest: 'all',
  stopPaymentReminders: 'all',
};

const unknown = { 'params.id': 'paymentRequestNotFound' };

/** What another company's ids lead to, as `proof/tenancy.test.ts` writes it. */
export const collectionTenancy: Record<string, Record<string, string>> = {
  listPaymentRequests: { 'query.createdBy': 'nothing' },
  exportPaymentRequests: { 'query.createdBy': 'nothing' },
  getPaymentRequestOptions: {},
  createPaymentRequest: { 'body.id': 'own' },
  getPaymentRequest: unknown,
  editPaymentRequest: unknown,
  cancelPaymentRequest: unknown,
  acceptPaymentRequest: { ...unknown, 'body.paymentId': 'paymentRequestPaymentNotFound' },
  askRestOfPaymentRequest: unknown,
  settlePaymentRequestByHand: unknown,
  remindOfPaymentRequest: unknown,
  refundPaymentRequest: {
    'body.id': 'own',
    'body.requestId': 'paymentRequestNotFound',
    'body.paymentId': 'paymentRequestPaymentNotFound',
    'body.payeeId': 'payeeNotFound',
  },
  readPublicPaymentRequest: {},
  stopPaymentReminders: {},
};
