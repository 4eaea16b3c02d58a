import * as calls from '@causeway/contract/payment-requests.ts';
import { refundPaymentRequest } from '@causeway/contract/payment-requests-refund.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CollectionWorld,
  collectionWorld,
  detail,
  opened,
  paid,
  refundPayee,
  refundRequest,
  usdt,
  work,
} from '../../testing/collections.ts';
import { expectLedgerToAgree } from '../../testing/company-books.ts';
import { present } from '../../testing/present.ts';
import { race } from '../../testing/race.ts';
import { verifyRequests } from './store/verifying.ts';

/** Members decide on one request at the same instant: whatever the order, one decision each, and no payment is given back twice. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 6);
const timeout = 1_200_000;

let of: CollectionWorld;
beforeAll(async () => {
  of = await collectionWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  expect((await of.db.operator.withoutCompany(verifyRequests)).mismatches).toEqual([]);
  await expectLedgerToAgree(of.db);
  await of.close();
});

/** A request to which more came than was asked, and what a decision on it names. */
async function overpaid() {
  const company = await of.world.company();
  const request = await opened(of, company);
  await paid(of, request, 130n * usdt);
  const { version, receipts } = await detail(of, company.admin, request.id);
  const paymentId = present(receipts[0]).id;
  const payeeId = await refundPayee(of, company.admin);
  const params = { id: request.id };
  return { request, as: company.admin, params, version, paymentId, payeeId };
}

test('accepting what came against giving a part of it back', { timeout }, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { request, as, params, version, paymentId, payeeId } = await overpaid();
    const refund = await refundRequest(of, request, { paymentId, payeeId, amount: '30' });
    const [accepted, refunded] = await race(
      of.db,
      round,
      () => of.world.ask(calls.acceptPaymentRequest, { as, params, body: { version, paymentId: null, note: '' } }),
      () => of.world.ask(refundPaymentRequest, refund),
    );
    await work(of);
    // Each is right by itself; an acceptance names what was read, so it does not cover what has changed.
    expect(refunded.key).toBeNull();
    expect([null, 'paymentRequestChanged']).toContain(accepted.key);
    const { state, refunds, timeline } = await detail(of, as, request.id);
    expect({ state, refunds: refunds.map(({ amount }) => amount) }).toEqual({
      state: 'settled',
      refunds: ['30.000000'],
    });
    expect(timeline.filter(({ step }) => step === 'accepted')).toHaveLength(accepted.key === null ? 1 : 0);
  }
});

test('two members give the same payment back', { timeout }, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { request, as, paymentId, payeeId } = await overpaid();
    const [one, other] = [
      await refundRequest(of, request, { paymentId, payeeId, amount: '80' }),
      await refundRequest(of, request, { paymentId, payeeId, amount: '80' }),
    ];
    const answers = await race(
      of.db,
      round,
      () => of.world.ask(refundPaymentRequest, one),
      () => of.world.ask(refundPaymentRequest, other),
    );
    expect(answers.map(({ key }) => key).toSorted()).toEqual([null, 'paymentRequestRefundTooHigh']);
    const { refunds, receipts } = await detail(of, as, request.id);
    expect(refunds).toHaveLength(1);
    expect(receipts).toMatchObject([{ refunded: '80.000000', refundable: '50.000000' }]);
  }
});

test('two members decide, each something else', { timeout }, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const company = await of.world.company();
    const request = await opened(of, company);
    await paid(of, request, 40n * usdt);
    const [as, colleague] = [company.admin, await of.world.member(company, 'administrator')];
    const { version } = await detail(of, as, request.id);
    const params = { id: request.id };
    const expiresAt = new Date(Date.now() + 7_200_000).toISOString();
    const accept = () =>
      of.world.ask(calls.acceptPaymentRequest, { as, params, body: { version, paymentId: null, note: '' } });
    const askRest = () =>
      of.world.ask(calls.askRestOfPaymentRequest, { as: colleague, params, body: { version, expiresAt, note: '' } });
    const byHand = () =>
      of.world.ask(calls.settlePaymentRequestByHand, { as: colleague, params, body: { version, reason: 'In cash' } });
    const answers = await race<{ key: string | null }, { key: string | null }>(
      of.db,
      round,
      accept,
      round % 4 < 2 ? askRest : byHand,
    );
    expect(answers.map(({ key }) => key).toSorted()).toEqual([null, 'paymentRequestChanged']);
    const { state, timeline } = await detail(of, as, request.id);
    const decisions = timeline.filter(({ step }) => ['accepted', 'rest_asked', 'settled_by_hand'].includes(step));
    expect(decisions).toHaveLength(1);
    expect(state).toBe(present(decisions[0]).step === 'rest_asked' ? 'open' : 'settled');
  }
});
