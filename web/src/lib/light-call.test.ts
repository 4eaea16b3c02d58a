import * as alerts from 'virtual:calls/alerts';
import * as approvals from 'virtual:calls/approvals';
import * as audit from 'virtual:calls/audit';
import * as bankPayees from 'virtual:calls/bank-payees';
import * as batchRuns from 'virtual:calls/batch-runs';
import * as batches from 'virtual:calls/batches';
import * as cards from 'virtual:calls/cards';
import * as cardLimits from 'virtual:calls/cards-limits';
import * as cardPayments from 'virtual:calls/cards-payments';
import * as cardReceipts from 'virtual:calls/cards-receipts';
import * as control from 'virtual:calls/control';
import * as exchange from 'virtual:calls/exchange';
import * as files from 'virtual:calls/files';
import * as home from 'virtual:calls/home';
import * as identity from 'virtual:calls/identity';
import * as account from 'virtual:calls/identity-account';
import * as live from 'virtual:calls/live';
import * as notices from 'virtual:calls/notices';
import * as organisation from 'virtual:calls/organisation';
import * as otc from 'virtual:calls/otc';
import * as payees from 'virtual:calls/payees';
import * as paymentRequests from 'virtual:calls/payment-requests';
import * as paymentRequestsPublic from 'virtual:calls/payment-requests-public';
import * as paymentRequestsRefund from 'virtual:calls/payment-requests-refund';
import * as payments from 'virtual:calls/payments';
import * as payoutTemplates from 'virtual:calls/payout-templates';
import * as rates from 'virtual:calls/rates';
import * as recharges from 'virtual:calls/recharges';
import * as risk from 'virtual:calls/risk';
import * as riskLists from 'virtual:calls/risk-lists';
import * as standingOrders from 'virtual:calls/standing-orders';
import * as statements from 'virtual:calls/statements';
import * as trades from 'virtual:calls/trades';
import * as transactions from 'virtual:calls/transactions';
import * as transfers from 'virtual:calls/transfers';
import * as wallets from 'virtual:calls/wallets';
import * as webhooks from 'virtual:calls/webhooks';
import type { Call } from '@causeway/contract/call.ts';
import { calls } from '@causeway/contract/calls.ts';
import { expect, it } from 'vitest';

const features = [
  identity,
  account,
  organisation,
  files,
  notices,
  rates,
  payees,
  bankPayees,
  wallets,
  recharges,
  transactions,
  statements,
  risk,
  riskLists,
  approvals,
  control,
  transfers,
  payments,
  exchange,
  standingOrders,
  batchRuns,
  payoutTemplates,
  batches,
  trades,
  paymentRequests,
  paymentRequestsRefund,
  paymentRequestsPublic,
  otc,
  cards,
  cardLimits,
  cardPayments,
  cardReceipts,
  alerts,
  webhooks,
  home,
  live,
  audit,
];
const light = features.flatMap((feature) => Object.entries(feature));

/** A call without its schemas and without what only the server and the documentation need. */
function withoutSchemas({ params, query, body, output, errors, summary, confirms, ...rest }: Call): object {
  return rest;
}

it('light calls are the calls of the contract, all of them, without their schemas', () => {
  const expected = calls.map((call) => [call.name, withoutSchemas(call)] as const);
  const plain = light.map(([name, { query: _, ...call }]) => [name, call] as const);
  expect(Object.fromEntries(plain)).toEqual(Object.fromEntries(expected));
  expect(light).toHaveLength(calls.length);
});

it('every list says what its query takes, under the same names, without the size of pages', () => {
  const lists = calls.filter(({ query }) => query && 'cursor' in query._zod.def.shape);
  expect(lists.length).toBeGreaterThan(12);
  for (const { name, query } of lists) {
    const { size: _, ...fields } = query?._zod.def.shape ?? {};
    const [, found] = light.find(([of]) => of === name) ?? [];
    expect([name, Object.keys(found?.query ?? {})]).toEqual([name, Object.keys(fields)]);
  }
});
