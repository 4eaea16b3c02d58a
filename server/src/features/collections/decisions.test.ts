import { listNotices } from '@causeway/contract/notices.ts';
import * as calls from '@causeway/contract/payment-requests.ts';
import { readPublicPaymentRequest, stopPaymentReminders } from '@causeway/contract/payment-requests-public.ts';
import { refundPaymentRequest } from '@causeway/contract/payment-requests-refund.ts';
import { getTransaction } from '@causeway/contract/transactions.ts';
import { cancelTransfer } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { sayDay } from '../../platform/text/instant.ts';
import {
  asked,
  type CollectionWorld,
  collectionWorld,
  credit,
  detail,
  expire,
  type Opened,
  opened,
  paid,
  pay,
  refundPayee,
  refundRequest,
  tend,
  usdt,
  work,
} from '../../testing/collections.ts';
import { expectLedgerToAgree } from '../../testing/company-books.ts';
import type { Member, Tenant } from '../../testing/main-app.ts';
import { keepTestMids } from '../../testing/prices.ts';
import { succeed } from '../../testing/succeed.ts';
import { insertEndpoint } from '../webhooks/store/endpoints.ts';
import { noteTransaction } from './service/note.ts';

let of: CollectionWorld;
let company: Tenant;
beforeAll(async () => {
  of = await collectionWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await expectLedgerToAgree(of.db);
  await of.close();
});
beforeEach(async () => {
  company = await of.world.company();
});

const see = (request: Opened) => detail(of, request.company.admin, request.id);
const read = async ({ token }: Opened, hash?: string) =>
  (await succeed(of.world, readPublicPaymentRequest, { body: { token, ...(hash === undefined ? {} : { hash }) } }))
    .data;
const stepsOf = async (request: Opened) => (await see(request)).timeline.map(({ step }) => step);

async function accept(request: Opened, paymentId: string | null = null) {
  const { version } = await see(request);
  return of.world.ask(calls.acceptPaymentRequest, {
    as: request.company.admin,
    params: { id: request.id },
    body: { version, paymentId, note: '' },
  });
}

async function askRest(request: Opened, expiresAt = new Date(Date.now() + 3_600_000).toISOString()) {
  const { version } = await see(request);
  return of.world.ask(calls.askRestOfPaymentRequest, {
    as: request.company.admin,
    params: { id: request.id },
    body: { version, expiresAt, note: '' },
  });
}

describe('decisions', () => {
  test('asking for the rest opens a further period with new rates; late payments count from then on', async () => {
    const request = await opened(of, company, { pricing: 'currency', asset: 'USD', amount: '100' });
    await paid(of, request, 30n * usdt);
    await expire(of, request);
    await paid(of, request, 20n * usdt);
    expect((await see(request)).causes).toEqual(['underpaid', 'late']);
    await keepTestMids(of.db, { USDT: '0.5' });
    expect((await askRest(request)).status).toBe(200);
    await keepTestMids(of.db);
    const asking = await see(request);
    expect(asking).toMatchObject({ state: 'open', paid: '50.00', remaining: '50.00' });
    expect(asking.options).toMatchObject([{ amount: '100.000000', rate: '0.5' }]);
    expect(asking.addresses[0]?.address).toBe(request.address);
    expect(await read(request)).toMatchObject({ isPayable: true, remaining: '50.00' });
    await paid(of, request, 100n * usdt);
    expect((await see(request)).state).toBe('settled');
  });

  test('a decision on what has changed since is refused, and the second of two', async () => {
    const request = await opened(of, company);
    await paid(of, request, 130n * usdt);
    const { version } = await see(request);
    const body = { version, paymentId: null, note: '' };
    const asking = { as: company.admin, params: { id: request.id }, body };
    const answers = await Promise.all([1, 2].map(() => of.world.ask(calls.acceptPaymentRequest, asking)));
    expect(answers.map(({ key }) => key).toSorted()).toEqual([null, 'paymentRequestChanged']);
    expect(await see(request)).toMatchObject({ state: 'settled', difference: '30.000000' });
    expect((await accept(request)).key).toBe('paymentRequestUndecidable');
  });

  test('settling by hand takes a reason and moves nothing; a payment after it is above the amount', async () => {
    const request = await opened(of, company);
    const asking = (reason: string, version: number) => ({
      as: company.admin,
      params: { id: request.id },
      body: { version, reason },
    });
    const { version } = await see(request);
    expect((await of.world.ask(calls.settlePaymentRequestByHand, asking(' ', version))).key).toBe('validationFailed');
    await succeed(of.world, calls.settlePaymentRequestByHand, asking('Paid to our bank', version));
    expect(await see(request)).toMatchObject({ state: 'settled', paid: '0.000000' });
    await paid(of, request, 100n * usdt);
    expect(await see(request)).toMatchObject({ state: 'unresolved', causes: ['overpaid'] });
    const late = await see(request);
    const again = await of.world.ask(calls.settlePaymentRequestByHand, asking('Twice', late.version));
    expect(again.key).toBe('paymentRequestUndecidable');
  });

  test('a refund is a transfer to a payee; it counts from its submission, and not once it is cancelled', async () => {
    const request = await opened(of, company);
    await paid(of, request, 130n * usdt);
    const [receipt] = (await see(request)).receipts;
    const payeeId = await refundPayee(of, company.admin);
    const paymentId = receipt?.id ?? '';
    const tooMuch = await refundRequest(of, request, { paymentId, payeeId, amount: '130.000001' });
    expect((await of.world.ask(refundPaymentRequest, tooMuch)).key).toBe('paymentRequestRefundTooHigh');
    const body = await refundRequest(of, request, { paymentId, payeeId, amount: '30' });
    const wrong = { ...body, body: { ...body.body, paymentId: body.body.id } };
    expect((await of.world.ask(refundPaymentRequest, wrong)).key).toBe('paymentRequestPaymentNotFound');
    await succeed(of.world, refundPaymentRequest, body);
    const refunded = await see(request);
    expect(refunded).toMatchObject({
      state: 'settled',
      paid: '100.000000',
      refunds: [{ amount: '30.000000', status: 'pending' }],
    });
    expect(refunded.receipts).toMatchObject([{ refunded: '30.000000', refundable: '100.000000' }]);
    await succeed(of.world, cancelTransfer, { as: company.admin, body: { id: body.body.id } });
    await work(of);
    expect(await see(request)).toMatchObject({ state: 'unresolved', causes: ['overpaid'], paid: '130.000000' });
    expect(await stepsOf(request)).toContain('refund_failed');
  });

  test('a late payment that is given back in full leaves the request expired', async () => {
    const request = await opened(of, company);
    await expire(of, request);
    await paid(of, request, 20n * usdt);
    await paid(of, await opened(of, company), 100n * usdt);
    const payeeId = await refundPayee(of, company.admin);
    const paymentId = (await see(request)).receipts[0]?.id ?? '';
    const body = await refundRequest(of, request, { paymentId, payeeId, amount: '20' });
    await succeed(of.world, refundPaymentRequest, body);
    expect(await see(request)).toMatchObject({ state: 'expired', paid: '0.000000' });
    // As the rail ends a payment that is final.
    const superuser = new pg.Client({ connectionString: of.db.superuserUrl });
    await superuser.connect();
    await superuser.query(
      `update causeway.transaction set status = 'completed', stage = 'completed', completed_at = now() where id = $1`,
      [body.body.id],
    );
    await superuser.end();
    for (let times = 2; times > 0; times -= 1) {
      await of.db.worker.withCompany(company.id, (tx) => noteTransaction(tx, body.body.id, of.ports.clock));
    }
    expect((await stepsOf(request)).filter((step) => step === 'refunded')).toHaveLength(1);
    expect(await see(request)).toMatchObject({ state: 'expired', refunds: [{ status: 'completed' }] });
  });
});

describe('cancelling', () => {
  test('takes its maker or a manager of the settings, and nothing that has come; what comes later is shown', async () => {
    const finance = await of.world.member(company, 'finance');
    const cancel = (request: Opened, as = company.admin) =>
      of.world.ask(calls.cancelPaymentRequest, { as, params: { id: request.id }, body: { reason: 'Sold elsewhere' } });
    const request = await opened(of, company);
    expect((await cancel(request, finance)).key).toBe('paymentRequestNotOwn');
    expect((await cancel(request)).status).toBe(200);
    expect(await see(request)).toMatchObject({ state: 'cancelled' });
    expect((await cancel(request)).key).toBe('paymentRequestNotCancellable');
    await paid(of, request, 100n * usdt);
    expect(await see(request)).toMatchObject({ state: 'unresolved', causes: ['after_cancel'] });
    expect((await accept(request)).status).toBe(200);
    expect(await see(request)).toMatchObject({ state: 'settled' });
    const coming = await opened(of, company);
    await pay(of, coming, 1n);
    expect((await cancel(coming)).key).toBe('paymentRequestNotCancellable');
  });
});

describe('reminders', () => {
  const payer = { name: 'Delta', email: 'pay@delta.example', language: 'zh_HK' as const };
  const remind = ({ id, company: { admin } }: Opened) =>
    of.world.ask(calls.remindOfPaymentRequest, { as: admin, params: { id } });

  test('go to the payer by hand once a day, and on the days that were chosen, until the payer stops them', async () => {
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'UTC' }).format(new Date());
    const inAWeek = new Date(Date.now() + 7 * 86_400_000);
    const dueOn = inAWeek.toISOString().slice(0, 10);
    const expiresAt = new Date(inAWeek.getTime() + 2 * 86_400_000).toISOString();
    const request = await opened(of, company, { payer, dueOn, expiresAt, reminderDays: [-3, 1] });
    expect((await remind(request)).status).toBe(200);
    expect((await remind(request)).key).toBe('paymentRequestReminded');
    await work(of, { times: 2 });
    const sent = of.mails.filter(({ to }) => to === payer.email);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ language: 'zh-HK' });
    expect(sent[0]?.text).toContain(`https://causeway.example/pay/${request.token}?lang=zh-hk`);
    expect(today < dueOn).toBe(true);
    const day = new Date(`${dueOn}T12:00:00+08:00`);
    const before = new Date(day.getTime() - 3 * 86_400_000);
    await tend(of, before);
    await tend(of, before);
    await work(of);
    const reminded = of.mails.filter(({ to }) => to === payer.email);
    expect(reminded).toHaveLength(2);
    expect(reminded[1]?.text).toContain(`將於 ${sayDay(dueOn, 'zh-hk')} 到期`);
    expect((await see(request)).reminders).toMatchObject({
      days: [-3, 1],
      sent: [
        { day: -3, by: null },
        { day: null, by: 'Ada Wong' },
      ],
    });
    await succeed(of.world, stopPaymentReminders, { body: { token: request.token } });
    expect((await read(request)).remindersStopped).toBe(true);
    expect((await remind(request)).key).toBe('paymentRequestRemindersStopped');
    await tend(of, new Date(day.getTime() + 86_400_000));
    await work(of);
    expect(of.mails.filter(({ to }) => to === payer.email)).toHaveLength(2);
  });

  test('of one company that cannot be queued keep those of no other back', async () => {
    const inAWeek = new Date(Date.now() + 7 * 86_400_000);
    const dueOn = inAWeek.toISOString().slice(0, 10);
    const expiresAt = new Date(inAWeek.getTime() + 2 * 86_400_000).toISOString();
    const other = await of.world.company();
    for (const [each, email] of [
      [company, 'one@delta.example'],
      [other, 'two@delta.example'],
    ] as const) {
      await opened(of, each, { payer: { ...payer, email }, dueOn, expiresAt, reminderDays: [-3] });
    }
    const day = new Date(new Date(`${dueOn}T12:00:00+08:00`).getTime() - 3 * 86_400_000);
    const mailed = () => of.mails.filter(({ to }) => to === 'one@delta.example' || to === 'two@delta.example').length;
    let failed: string | null = null;
    const withCompany: typeof of.db.worker.withCompany = (companyId, ...given) => {
      const isFirst = failed === null && [company.id, other.id].includes(companyId);
      if (!isFirst) return of.db.worker.withCompany(companyId, ...given);
      failed = companyId;
      return Promise.reject(new Error('the connection is gone'));
    };
    await tend(of, day, { ...of.db.worker, withCompany });
    await work(of);
    expect([failed === null, mailed()]).toEqual([false, 1]);
    await tend(of, day);
    await work(of);
    expect(mailed()).toBe(2);
  });

  test('need an address, and a request that can be paid', async () => {
    const request = await opened(of, company);
    expect((await remind(request)).key).toBe('paymentRequestNoEmail');
    await expire(of, request);
    expect((await remind(request)).key).toBe('paymentRequestEnded');
    const edit = { note: 'Thank you', payer, reminderDays: [] };
    const edited = await of.world.ask(calls.editPaymentRequest, {
      as: company.admin,
      params: { id: request.id },
      body: edit,
    });
    expect(edited.key).toBe('paymentRequestEnded');
    const other = await opened(of, company);
    await succeed(of.world, calls.editPaymentRequest, { as: company.admin, params: { id: other.id }, body: edit });
    expect(await see(other)).toMatchObject({ note: 'Thank you', payer });
  });
});

test('a request that is not there is said so', async () => {
  const nothing = await of.world.ask(calls.getPaymentRequest, { as: company.admin, params: { id: newId() } });
  expect(nothing.key).toBe('paymentRequestNotFound');
});

describe('what happened', () => {
  test('is an event to the company’s own systems, once, and a notice to its maker and to those who decide', async () => {
    const endpointId = newId();
    await of.db.app.withCompany(company.id, (tx) =>
      insertEndpoint(
        tx,
        {
          id: endpointId,
          url: 'https://books.example/hooks',
          description: '',
          events: null,
          createdBy: company.admin.session.userId,
        },
        20,
      ),
    );
    const finance = await of.world.member(company, 'finance');
    const viewer = await of.world.member(company, 'viewer');
    const request = await opened(of, company, { title: 'Freight 7' });
    const deposit = await pay(of, request, 100n * usdt);
    await credit(of, deposit);
    await work(of);
    const short = await opened(of, company, { title: 'Freight 8' });
    await paid(of, short, 30n * usdt);
    await expire(of, short);
    const none = await opened(of, company, { title: 'Freight 9' });
    await expire(of, none);
    const { rows } = await of.db.app.withCompany(company.id, (tx) =>
      sql<{ type: string; body: { data: Record<string, unknown> } }>`
        select e.type, e.body::jsonb as body from webhook_event e
        join webhook_delivery d on d.company_id = e.company_id and d.event_id = e.id
        where e.company_id = company_id() order by e.created_at, e.id`.execute(tx),
    );
    expect(rows.map(({ type, body: { data } }) => `${data['title']}: ${type.replace('payment_request.', '')}`)).toEqual(
      [
        'Freight 7: payment_seen',
        'Freight 7: settled',
        'Freight 8: payment_seen',
        'Freight 8: unresolved',
        'Freight 9: expired',
      ],
    );
    expect(rows[0]?.body.data).toMatchObject({
      requestId: request.id,
      payment: { asset: 'USDT', amount: '100.000000', hash: deposit.hash, accepted: true },
    });
    expect(rows[3]?.body.data).toMatchObject({ causes: ['underpaid'], paid: '30.000000', remaining: '70.000000' });
    const titles = async (as: Member) =>
      (await succeed(of.world, listNotices, { as })).data.items
        .map(({ title }) => title)
        .filter((title) => title.includes('Freight'));
    expect(await titles(company.admin)).toEqual([
      'Expired: Freight 9 (INV-0042)',
      'To be decided: Freight 8 (INV-0042)',
      'Paid: Freight 7 (INV-0042)',
    ]);
    expect(await titles(finance)).toEqual(['To be decided: Freight 8 (INV-0042)']);
    expect(await titles(viewer)).toEqual([]);
  });

  test('is in the list, by state, cause, coin and words, and in its file', async () => {
    const request = await opened(of, company, { title: 'Freight 10', reference: 'F-10' });
    await paid(of, request, 130n * usdt);
    await opened(of, company, { title: 'Freight 11' });
    const list = async (query: Record<string, string>) =>
      (await succeed(of.world, calls.listPaymentRequests, { as: company.admin, query })).data;
    const { counts, total } = await list({});
    expect([total, counts.open, counts.unresolved, counts.settled]).toEqual([2, 1, 1, 0]);
    for (const query of [{ state: 'unresolved' }, { cause: 'overpaid' }, { search: 'f-10' }]) {
      expect((await list(query as Record<string, string>)).items.map(({ id }) => id)).toEqual([request.id]);
    }
    expect((await list({ coin: 'USDT', chain: 'ethereum', kind: 'single' })).total).toBe(2);
    expect((await list({ coin: 'ETH' })).total).toBe(0);
    const file = await of.world.ask(calls.exportPaymentRequests, { as: company.admin });
    expect(file.raw.body).toContain('130.000000 USDT');
    const transaction = (await see(request)).receipts[0]?.id ?? '';
    const { data } = await succeed(of.world, getTransaction, { as: company.admin, params: { id: transaction } });
    expect(data.paymentRequest).toEqual({ id: request.id, title: 'Freight 10', reference: 'F-10' });
  });
});

test('a company has so many requests that are not ended, and no more', async () => {
  const { id } = await opened(of, company);
  const superuser = new pg.Client({ connectionString: of.db.superuserUrl });
  await superuser.connect();
  await superuser.query(
    `insert into causeway.payment_request (company_id, id, token, kind, pricing, asset_id, amount, title, expires_at, state, created_by, created_by_name)
     select company_id, gen_random_uuid(), replace(gen_random_uuid()::text, '-', ''), kind, pricing, asset_id, amount, title, expires_at, 'open', created_by, ''
     from causeway.payment_request, generate_series(1, $2) where id = $1`,
    [id, calls.mostOpenPaymentRequests - 1],
  );
  await superuser.end();
  const answer = await of.world.ask(calls.createPaymentRequest, { as: company.admin, body: asked() });
  expect(answer.key).toBe('paymentRequestTooMany');
});
