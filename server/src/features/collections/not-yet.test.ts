import { cancelPaymentRequest, remindOfPaymentRequest } from '@causeway/contract/payment-requests.ts';
import { refundPaymentRequest } from '@causeway/contract/payment-requests-refund.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CollectionWorld,
  collectionWorld,
  credit,
  detail,
  opened,
  pay,
  refundPayee,
  refundRequest,
  usdt,
  work,
} from '../../testing/collections.ts';
import { credit as fund } from '../../testing/company.ts';
import { succeed } from '../../testing/succeed.ts';

/** What is not final yet, and what is over when its turn comes. */

let of: CollectionWorld;
beforeAll(async () => {
  of = await collectionWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await of.close();
});

test('a payment that is seen and not credited yet is not refunded, even where the wallet has the money', async () => {
  const company = await of.world.company();
  await fund(of.db, company, 'USDT', 500n * usdt);
  const request = await opened(of, company);
  const deposit = await pay(of, request, 130n * usdt);
  const payeeId = await refundPayee(of, company.admin);
  const paymentId = (await detail(of, company.admin, request.id)).receipts[0]?.id ?? '';
  const refund = await refundRequest(of, request, { paymentId, payeeId, amount: '30' });
  expect(await of.world.ask(refundPaymentRequest, refund)).toMatchObject({ key: 'paymentRequestPaymentNotFound' });
  await credit(of, deposit);
  expect(await of.world.ask(refundPaymentRequest, refund)).toMatchObject({ status: 200 });
});

test('a reminder that was queued is not mailed once the request is cancelled', async () => {
  const company = await of.world.company();
  const as = company.admin;
  const payer = { name: 'Delta', email: 'pay@delta.example', language: 'en_US' as const };
  const { id } = await opened(of, company, { payer });
  await succeed(of.world, remindOfPaymentRequest, { as, params: { id } });
  await succeed(of.world, cancelPaymentRequest, { as, params: { id }, body: { reason: '' } });
  await work(of);
  expect(of.mails.filter(({ to }) => to === payer.email)).toEqual([]);
});
