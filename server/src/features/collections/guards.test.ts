import * as calls from '@causeway/contract/payment-requests.ts';
import { readPublicPaymentRequest, stopPaymentReminders } from '@causeway/contract/payment-requests-public.ts';
import { refundPaymentRequest } from '@causeway/contract/payment-requests-refund.ts';
import { getTransaction } from '@causeway/contract/transactions.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  asked,
  type CollectionWorld,
  collectionWorld,
  detail,
  expire,
  type Opened,
  opened,
  paid,
  refundPayee,
  refundRequest,
  reorganise,
  usdt,
  work,
} from '../../testing/collections.ts';
import { asSuperuser } from '../../testing/exchange-world.ts';
import type { Member, Tenant } from '../../testing/main-app.ts';
import { present } from '../../testing/present.ts';
import { keepTestMids } from '../../testing/prices.ts';
import { succeed } from '../../testing/succeed.ts';

/** Refusals that are the last of several, each where the others do not refuse, and what a payer is not shown. */

let of: CollectionWorld;
let company: Tenant;
beforeAll(async () => {
  of = await collectionWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await of.close();
});
beforeEach(async () => {
  company = await of.world.company();
});

const see = (request: Opened) => detail(of, request.company.admin, request.id);
const read = async ({ token }: Opened) => of.world.ask(readPublicPaymentRequest, { body: { token } });
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const payer = { name: 'Delta', email: 'pay@delta.example', language: 'en_US' as const };

async function askRest(request: Opened, expiresAt: string) {
  const body = { version: (await see(request)).version, expiresAt, note: '' };
  return of.world.ask(calls.askRestOfPaymentRequest, { as: company.admin, params: { id: request.id }, body });
}

describe('a decision', () => {
  test('for the rest needs that something lacks, and a period that a payer can meet', async () => {
    const request = await opened(of, company);
    await paid(of, request, 40n * usdt);
    expect((await askRest(request, inMinutes(1))).key).toBe('paymentRequestExpiry');
    expect(await see(request)).toMatchObject({ state: 'open', remaining: '60.000000' });
    await paid(of, request, 60n * usdt);
    expect((await askRest(request, inMinutes(60))).key).toBe('paymentRequestUndecidable');
  });

  test('to cancel is its maker’s, and that of those who manage the settings', async () => {
    const [maker, other] = [await of.world.member(company, 'finance'), await of.world.member(company, 'finance')];
    const cancelled = async (as: Member) => {
      const body = asked();
      await succeed(of.world, calls.createPaymentRequest, { as: maker, body });
      const params = { id: body.id };
      return (await of.world.ask(calls.cancelPaymentRequest, { as, params, body: { reason: '' } })).key;
    };
    expect(maker.session.permissions).not.toContain('setting.manage');
    expect([await cancelled(maker), await cancelled(other), await cancelled(company.admin)]).toEqual([
      null,
      'paymentRequestNotOwn',
      null,
    ]);
  });

  test('on a payment is on one of this request', async () => {
    const request = await opened(of, company, { kind: 'reusable', expiresAt: null });
    await paid(of, request, 130n * usdt);
    const other = await opened(of, company, { kind: 'reusable', expiresAt: null });
    await paid(of, other, 130n * usdt);
    const { version } = await see(request);
    const body = { version, paymentId: present((await see(other)).receipts[0]).id, note: '' };
    const answer = await of.world.ask(calls.acceptPaymentRequest, {
      as: company.admin,
      params: { id: request.id },
      body,
    });
    expect(answer.key).toBe('paymentRequestPaymentNotFound');
    expect(await see(other)).toMatchObject({ state: 'unresolved', causes: ['overpaid'] });
  });
});

test('what is refunded goes to a payee of its own coin, out of a wallet that may pay, without a reference that is too long for an invoice number', async () => {
  const request = await opened(of, company, { reference: 'R'.repeat(61) });
  await paid(of, request, 130n * usdt);
  const paymentId = present((await see(request)).receipts[0]).id;
  const payeeId = await refundPayee(of, company.admin);
  const refund = await refundRequest(of, request, { paymentId, payeeId, amount: '30' });
  const ofAnotherCoin = await refundPayee(of, company.admin, 'USDC');
  const elsewhere = { ...refund, body: { ...refund.body, payeeId: ofAnotherCoin } };
  expect((await of.world.ask(refundPaymentRequest, elsewhere)).key).toBe('payeeUnusable');
  const freeze = (at: string) =>
    asSuperuser(of.db, `update causeway.wallet set frozen_at = ${at} where company_id = $1`, [company.id]);
  await freeze('now()');
  expect((await of.world.ask(refundPaymentRequest, refund)).key).toBe('walletFrozen');
  await freeze('null');
  expect((await see(request)).refunds).toEqual([]);
  await succeed(of.world, refundPaymentRequest, refund);
  const params = { id: refund.body.id };
  const { data } = await succeed(of.world, getTransaction, { as: company.admin, params });
  expect(data).toMatchObject({ type: 'chain_withdraw', invoiceNumber: null });
});

describe('what is asked for', () => {
  const open = { kind: 'reusable', pricing: 'open', asset: null, amount: null, expiresAt: null } as const;
  test.each([
    ['an open amount has no asset', 'paymentRequestPricing', { ...open, asset: 'USDT' }],
    ['nor an amount', 'paymentRequestPricing', { ...open, amount: '5' }],
    ['nor a tolerance', 'paymentRequestTolerance', { ...open, tolerance: { percent: '1' } }],
    ['an amount in a coin has an asset', 'paymentRequestPricing', { asset: null }],
    ['and an amount', 'paymentRequestPricing', { amount: null }],
    [
      'only one payer is reminded',
      'paymentRequestReminders',
      {
        kind: 'reusable',
        expiresAt: inMinutes(60 * 24 * 9),
        dueOn: inMinutes(60 * 48).slice(0, 10),
        payer,
        reminderDays: [0],
      },
    ],
    [
      'who has an address',
      'paymentRequestReminders',
      { expiresAt: inMinutes(60 * 24 * 9), dueOn: inMinutes(60 * 48).slice(0, 10), reminderDays: [0] },
    ],
    ['it is not due after its end', 'paymentRequestDueDate', { dueOn: inMinutes(60 * 72).slice(0, 10) }],
    ['it does not end in years', 'paymentRequestExpiry', { expiresAt: inMinutes(60 * 24 * 800) }],
  ] as const)('%s', async (_, key, also) => {
    const answer = await of.world.ask(calls.createPaymentRequest, { as: company.admin, body: asked(also as never) });
    expect(answer.key).toBe(key);
  });
});

test('an edit asks for no reminders that cannot come', async () => {
  const request = await opened(of, company);
  const body = { note: '', payer, reminderDays: [0] };
  const edited = { as: company.admin, params: { id: request.id }, body };
  expect((await of.world.ask(calls.editPaymentRequest, edited)).key).toBe('paymentRequestReminders');
  expect((await see(request)).payer).toBeNull();
});

test('the id of another member’s request is taken, also for the same content', async () => {
  const body = asked();
  await succeed(of.world, calls.createPaymentRequest, { as: company.admin, body });
  const as = await of.world.member(company, 'finance');
  expect((await of.world.ask(calls.createPaymentRequest, { as, body })).key).toBe('idTaken');
  const other = { ...body, title: 'Another' };
  expect((await of.world.ask(calls.createPaymentRequest, { as: company.admin, body: other })).key).toBe('idTaken');
});

test('a late payment keeps the rate of its arrival in whichever block it is', async () => {
  const request = await opened(of, company, { pricing: 'currency', asset: 'USD', amount: '50' });
  await expire(of, request);
  await keepTestMids(of.db, { USDT: '0.8' });
  const { hash } = await paid(of, request, 50n * usdt);
  await keepTestMids(of.db);
  await reorganise(of, company);
  await paid(of, request, 50n * usdt, { hash });
  expect((await see(request)).receipts.filter(({ state }) => state === 'credited')).toMatchObject([
    { rate: '0.8', value: '40.00' },
  ]);
});

describe('a payer', () => {
  test.each([
    ['the chain is switched off', 'chain', 'enabled = $1', "id = 'ethereum'"],
    ['the coin is switched off', 'chain_asset', 'enabled = $1', "chain_id = 'ethereum' and coin = 'USDT'"],
    ['its deposits are paused', 'chain_asset', 'deposits_paused = not $1', "chain_id = 'ethereum' and coin = 'USDT'"],
  ])('is shown no address while %s', async (_, table, change, which) => {
    const request = await opened(of, company);
    const set = (isOn: boolean) => asSuperuser(of.db, `update causeway.${table} set ${change} where ${which}`, [isOn]);
    await set(false);
    const answer = await read(request);
    await set(true);
    expect(answer.data).toMatchObject({ isPayable: true, options: [] });
    expect((await read(request)).data?.options).toMatchObject([{ address: request.address }]);
  });

  test('of a reusable request is shown that it has ended or was cancelled, although payments of others wait for a decision', async () => {
    const ended = await opened(of, company, { kind: 'reusable' });
    const cancelled = await opened(of, company, { kind: 'reusable' });
    for (const request of [ended, cancelled]) await paid(of, request, 130n * usdt);
    expect((await read(ended)).data).toMatchObject({ state: 'open', causes: [], received: [] });
    await expire(of, ended);
    const params = { id: cancelled.id };
    await succeed(of.world, calls.cancelPaymentRequest, { as: company.admin, params, body: { reason: '' } });
    expect((await read(ended)).data).toMatchObject({ state: 'expired', causes: [], received: [], isPayable: false });
    expect((await read(cancelled)).data).toMatchObject({ state: 'cancelled', causes: [], received: [] });
    expect(await see(cancelled)).toMatchObject({ state: 'unresolved', causes: ['overpaid'] });
  });

  test('who wants no reminders any more gets none that was queued before, and says so once', async () => {
    const request = await opened(of, company, { payer });
    const as = company.admin;
    await succeed(of.world, calls.remindOfPaymentRequest, { as, params: { id: request.id } });
    for (let times = 2; times > 0; times -= 1)
      await succeed(of.world, stopPaymentReminders, { body: { token: request.token } });
    await work(of);
    expect(of.mails.filter(({ to }) => to === payer.email)).toEqual([]);
    const steps = (await see(request)).timeline.map(({ step }) => step);
    expect(steps.filter((step) => step === 'reminders_stopped')).toHaveLength(1);
  });

  test('has no receipt of a part, neither as a page nor as a file', async () => {
    const request = await opened(of, company);
    await paid(of, request, 40n * usdt);
    for (const name of ['receipt', 'receipt.pdf']) {
      const { statusCode } = await of.world.app.inject({ url: `/pay/${request.token}/${name}` });
      expect(statusCode).toBe(303);
    }
  });

  test.each(['from one address', 'of one request'])('reads a limited number of times: %s', async (what) => {
    const request = await opened(of, company);
    const ip = '203.0.113.200';
    await of.world.ask(readPublicPaymentRequest, { body: { token: request.token }, ip });
    const { rows } = await of.db.app.withoutCompany((tx) =>
      sql<{ bucket: string }>`
        select bucket from throttle where bucket like 'collections:%'
          and (bucket like ${`%reads:%${ip}%`} or bucket like ${`%${request.id}`})`.execute(tx),
    );
    const bucket = present(rows.find((row) => row.bucket.includes(request.id) === (what === 'of one request'))).bucket;
    const setRead = (events: number) =>
      asSuperuser(of.db, 'update causeway.throttle set events = $2 where bucket = $1', [bucket, events]);
    const key = async () => (await of.world.ask(readPublicPaymentRequest, { body: { token: request.token }, ip })).key;
    await setRead(1199);
    expect([await key(), await key()]).toEqual([null, 'tooManyRequests']);
    await setRead(0);
  });
});
