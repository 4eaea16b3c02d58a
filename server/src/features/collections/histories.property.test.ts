import * as calls from '@causeway/contract/payment-requests.ts';
import { refundPaymentRequest } from '@causeway/contract/payment-requests-refund.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CollectionWorld,
  collectionWorld,
  credit,
  type Deposit,
  detail,
  expire,
  type Opened,
  opened,
  pay,
  refundPayee,
  refundRequest,
  reorganise,
  tend,
  usdt,
  work,
} from '../../testing/collections.ts';
import { credit as creditWallet } from '../../testing/company.ts';
import { expectLedgerToAgree } from '../../testing/company-books.ts';
import { race } from '../../testing/race.ts';
import { noteTransaction } from './service/note.ts';
import { verifyRequests } from './store/verifying.ts';

/** Random histories and races of requests, against a reckoning in whole coins that knows nothing of the program. */

let of: CollectionWorld;
beforeAll(async () => {
  of = await collectionWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await expectLedgerToAgree(of.db);
  await of.close();
});

const runs = Number(process.env['PROOF_HISTORIES'] ?? 8);
const rounds = Number(process.env['PROOF_ROUNDS'] ?? 6);

interface Paid {
  amount: number;
  ok: boolean;
  late: boolean;
  state: 'seen' | 'credited' | 'gone';
  decided: boolean;
  refunded: boolean;
  deposit: Deposit;
}
interface Reckoning {
  paid: Paid[];
  over: boolean;
  cancelled: boolean;
  closed: null | 'accepted' | 'by_hand';
  accepted: number;
}

const sumOf = (some: readonly Paid[]) => some.reduce((sum, { amount }) => sum + amount, 0);

/** What a person with paper would say of a request for 100 coins. */
function reckon({ paid, over, cancelled, closed, accepted }: Reckoning) {
  const there = paid.filter(({ state, refunded }) => state !== 'gone' && !refunded);
  const good = there.filter(({ ok }) => ok);
  const booked = good.filter(({ state }) => state === 'credited');
  const causes = new Set<string>();
  for (const { ok, late } of there.filter(({ state, decided }) => state === 'credited' && !decided)) {
    if (!ok) causes.add('wrong_coin');
    else if (cancelled && closed === null) causes.add('after_cancel');
    else if (late) causes.add('late');
    else if (closed !== null) causes.add('overpaid');
  }
  const kept = sumOf(paid.filter(({ ok, decided, state }) => ok && decided && state !== 'gone'));
  if (closed === 'accepted' && kept < accepted) causes.add('underpaid');
  if (closed === null && !cancelled) {
    if (sumOf(booked) > 100) causes.add('overpaid');
    if (sumOf(booked) < 100 && over && booked.length > 0 && booked.length === good.length) causes.add('underpaid');
  }
  const order = ['underpaid', 'overpaid', 'late', 'wrong_coin', 'after_cancel'];
  const state =
    causes.size > 0
      ? 'unresolved'
      : closed !== null
        ? 'settled'
        : cancelled
          ? 'cancelled'
          : sumOf(booked) === 100
            ? 'settled'
            : there.some((each) => each.state === 'seen')
              ? 'processing'
              : over
                ? 'expired'
                : 'open';
  return { state, causes: order.filter((cause) => causes.has(cause)), paid: `${sumOf(booked)}.000000` };
}

const index = fc.nat(7);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      amount: fc.constantFrom(10, 40, 60, 100, 130),
      ok: fc.constantFrom(true, true, true, false),
      follow: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('credit' as const), index, follow: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reorganise' as const), index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const), index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refund' as const), index }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('expire', 'accept', 'askRest', 'byHand', 'cancel', 'tend') }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function play(request: Opened, reckoning: Reckoning, taken: Step, payeeId: string): Promise<void> {
  const { company, id } = request;
  const { paid } = reckoning;
  const see = () => detail(of, company.admin, id);
  const ask = async (call: Parameters<typeof of.world.ask>[0], body: Record<string, unknown>) => {
    await work(of);
    const { version } = await see();
    return of.world.ask(call, { as: company.admin, params: { id }, body: { version, ...body } });
  };
  const decide = (which: (each: Paid) => boolean) => {
    for (const each of paid.filter(which)) each.decided = true;
  };
  if (taken.kind === 'pay') {
    const { amount, ok } = taken;
    const deposit = await pay(of, request, BigInt(amount) * usdt, { coin: ok ? 'USDT' : 'USDC', follow: taken.follow });
    paid.push({ amount, ok, late: reckoning.over, state: 'seen', decided: false, refunded: false, deposit });
  } else if (taken.kind === 'credit') {
    const one = paid.filter(({ state }) => state === 'seen')[taken.index];
    if (!one) return;
    await credit(of, one.deposit, taken.follow);
    one.state = 'credited';
  } else if (taken.kind === 'reorganise') {
    // What was refunded stays, so that its wallet is not short.
    const stays = paid.filter((each, place) => each.refunded || place % 2 === taken.index % 2);
    await reorganise(
      of,
      company,
      stays.map(({ deposit }) => deposit.blockHash),
    );
    for (const each of paid) if (!stays.includes(each)) each.state = 'gone';
  } else if (taken.kind === 'again') {
    const one = paid.filter(({ state }) => state === 'gone')[taken.index];
    if (!one) return;
    await work(of);
    one.deposit = await pay(of, request, BigInt(one.amount) * usdt, {
      coin: one.ok ? 'USDT' : 'USDC',
      hash: one.deposit.hash,
    });
    Object.assign(one, { state: 'seen', decided: false });
  } else if (taken.kind === 'refund') {
    await work(of);
    const one = paid.filter(({ state, ok, refunded }) => state === 'credited' && ok && !refunded)[taken.index];
    if (!one) return;
    const receipt = (await see()).receipts.find(({ hash, state }) => hash === one.deposit.hash && state === 'credited');
    const asking = await refundRequest(of, request, {
      paymentId: receipt?.id ?? '',
      payeeId,
      amount: String(one.amount),
    });
    expect((await of.world.ask(refundPaymentRequest, asking)).status).toBe(200);
    one.refunded = true;
  } else if (taken.kind === 'expire') {
    if (reckoning.over) return;
    await work(of);
    await expire(of, request, false);
    reckoning.over = true;
  } else if (taken.kind === 'tend') {
    await tend(of);
  } else if (taken.kind === 'accept') {
    if ((await ask(calls.acceptPaymentRequest, { paymentId: null, note: '' })).status !== 200) return;
    decide(({ state }) => state !== 'gone');
    reckoning.closed = 'accepted';
    reckoning.accepted = sumOf(paid.filter(({ ok, decided, state }) => ok && decided && state !== 'gone'));
  } else if (taken.kind === 'byHand') {
    if ((await ask(calls.settlePaymentRequestByHand, { reason: 'Cash' })).status !== 200) return;
    decide(() => true);
    reckoning.closed = 'by_hand';
  } else if (taken.kind === 'askRest') {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    if ((await ask(calls.askRestOfPaymentRequest, { expiresAt, note: '' })).status !== 200) return;
    decide(({ state, ok, late, refunded }) => state === 'credited' && ok && late && !refunded);
    reckoning.over = false;
  } else if ((await ask(calls.cancelPaymentRequest, { reason: '' })).status === 200) {
    reckoning.cancelled = true;
  }
}

test('any history ends where a reckoning on paper does; its sums are those of its deposits', {
  timeout: 1_200_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const company = await of.world.company();
      await creditWallet(of.db, company, 'USDT', 2_000n * usdt);
      const payeeId = await refundPayee(of, company.admin);
      const request = await opened(of, company);
      const reckoning: Reckoning = { paid: [], over: false, cancelled: false, closed: null, accepted: 0 };
      for (const taken of steps) await play(request, reckoning, taken, payeeId);
      await work(of, { times: 2 });
      await tend(of);
      const { state, causes, paid, timeline } = await detail(of, company.admin, request.id);
      expect({ state, causes, paid }).toEqual(reckon(reckoning));
      // The list has what was kept, which is the same.
      const { items } = (await of.world.ask(calls.listPaymentRequests, { as: company.admin })).data;
      expect(items).toMatchObject([{ state, causes, paid }]);
      expect(timeline.filter(({ step: each }) => each === 'seen').length).toBeGreaterThanOrEqual(
        new Set(reckoning.paid.map(({ deposit }) => deposit.hash)).size,
      );
    }),
    { numRuns: runs },
  );
  expect((await of.db.operator.withoutCompany(verifyRequests)).mismatches).toEqual([]);
});

const note = (company: { id: string }, transactionId: string) =>
  of.db.worker.withCompany(company.id, (tx) => noteTransaction(tx, transactionId, of.ports.clock));

async function depositIds(company: { id: string }): Promise<string[]> {
  const { sql } = await import('kysely');
  const { rows } = await of.db.app.withCompany(company.id, (tx) =>
    sql<{
      id: string;
    }>`select id from transaction where company_id = company_id() and type = 'chain_deposit' order by id`.execute(tx),
  );
  return rows.map(({ id }) => id);
}

test('two payments at once, a payment against a cancel, and the end of the period against a payment: one after the other', {
  timeout: 1_200_000,
}, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const company = await of.world.company();
    const both = await opened(of, company);
    for (let left = 2; left > 0; left -= 1) await credit(of, await pay(of, both, 50n * usdt, { follow: false }), false);
    const [one = '', other = ''] = await depositIds(company);
    await race(
      of.db,
      round,
      () => note(company, one),
      () => note(company, other),
    );
    expect(await detail(of, company.admin, both.id)).toMatchObject({
      state: 'settled',
      paid: '100.000000',
      payments: 2,
    });

    const cancelled = await opened(of, await of.world.company());
    await credit(of, await pay(of, cancelled, 100n * usdt, { follow: false }), false);
    const [coming = ''] = await depositIds(cancelled.company);
    const { admin } = cancelled.company;
    const [answer] = await race(
      of.db,
      round,
      () => of.world.ask(calls.cancelPaymentRequest, { as: admin, params: { id: cancelled.id }, body: { reason: '' } }),
      () => note(cancelled.company, coming),
    );
    const ended = await detail(of, admin, cancelled.id);
    if (answer.status === 200) expect(ended).toMatchObject({ state: 'unresolved', causes: ['after_cancel'] });
    else expect([answer.key, ended.state]).toEqual(['paymentRequestNotCancellable', 'settled']);

    const ending = await opened(of, await of.world.company());
    await credit(of, await pay(of, ending, 40n * usdt));
    await expire(of, ending, false);
    await credit(of, await pay(of, ending, 60n * usdt, { follow: false }), false);
    const last = (await depositIds(ending.company)).at(-1) ?? '';
    await race(
      of.db,
      round,
      () => tend(of),
      () => note(ending.company, last),
    );
    const end = await detail(of, ending.company.admin, ending.id);
    expect(end).toMatchObject({ state: 'unresolved', causes: ['late'], paid: '100.000000' });
    expect(end.receipts).toHaveLength(2);
  }
});
