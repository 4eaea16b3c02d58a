import { freezeSubject } from '@causeway/contract/operator-freezing.ts';
import { confirmTrade, declineTrade, disputeTrade, releaseTrade } from '@causeway/contract/trades.ts';
import { cancelTransfer, transferOut } from '@causeway/contract/transfers.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectLedgerToAgree } from '../../testing/company-books.ts';
import type { Answer } from '../../testing/envelope.ts';
import { type OperatorApp, operatorApp } from '../../testing/operator-app.ts';
import { race } from '../../testing/race.ts';
import {
  confirmation,
  confirmed,
  escrowMismatches,
  figures,
  followReleases,
  releaseRequest,
  type Said,
  sendEvent,
  type TradeWorld,
  type Trading,
  tradeDetail,
  tradeWorld,
  trading,
} from '../../testing/trades.ts';
import { transferContent, transferRequest } from '../../testing/valid-requests.ts';
import { verifyTrades } from './index.ts';

/** Random histories and races of trades: nothing is created, lost or left in escrow when its cause has ended. */

let of: TradeWorld;
let operators: OperatorApp;
beforeAll(async () => {
  of = await tradeWorld();
  operators = await operatorApp(of.db);
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  expect(operators.complaints).toEqual([]);
  await operators.close();
  await expectLedgerToAgree(of.db);
  expect((await of.db.operator.withoutCompany(verifyTrades)).mismatches).toEqual([]);
  await of.close();
});

const runs = Number(process.env['PROOF_ROUNDS'] ?? 12);
const rounds = Number(process.env['PROOF_ROUNDS'] ?? 12);
const timeout = Math.max(300_000, rounds * 20_000);

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('event' as const),
      by: fc.integer({ min: -1, max: 3 }),
      change: fc.record(
        {
          phase: fc.constantFrom('agreed', 'shipped', 'inspected', 'disputed', 'closed'),
          refunded: fc.constantFrom('0', '0', '100', '350', '1000', '1001'),
          quantity: fc.constantFrom('1000', '1000', '1000', '900'),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('release' as const),
      amount: fc.constantFrom('100', '400', '650', '1000'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pay' as const), amount: fc.constantFrom('50', '700', '3999') }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'confirm' as const }) },
  { weight: 2, arbitrary: fc.constantFrom({ kind: 'cancelTransfer' as const }, { kind: 'follow' as const }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ kind: 'cancel' as const }, { kind: 'dispute' as const }, { kind: 'decline' as const }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Whole coins of a wallet, wherever they are in it, in millionths. */
const minor = (text: string) => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
};

async function expectSound({ company, said }: Trading): Promise<void> {
  expect(await escrowMismatches(of, company.id)).toEqual([]);
  const { available, escrow, outbound } = await figures(of, company);
  expect(minor(available) + minor(escrow) + minor(outbound)).toBe(minor('5000'));
  const trade = await tradeDetail(of, company.admin, said.id);
  const [quantity, frozen, paid, paying, refunded] = [
    trade.quantity,
    trade.frozen,
    trade.paid,
    trade.paying,
    trade.refunded,
  ].map((amount) => minor(amount ?? '0')) as [bigint, bigint, bigint, bigint, bigint];
  expect(minor(escrow)).toBe(frozen);
  expect(frozen + paid + paying + refunded <= quantity || trade.state === 'cancelled').toBe(true);
  if (trade.state === 'success' || trade.state === 'cancelled') expect(frozen).toBe(0n);
}

/** Does one step; what the rules refuse is refused, and nothing fails otherwise. */
async function take(trade: Trading, taken: Step, state: { said: Said; transfers: string[] }): Promise<void> {
  const { company, said } = trade;
  const as = company.admin;
  const ask = async (answer: Promise<Answer>) => expect((await answer).status).toBeLessThan(500);
  if (taken.kind === 'event' || taken.kind === 'cancel') {
    const version = (await tradeDetail(of, as, said.id)).version + (taken.kind === 'event' ? taken.by : 1);
    if (version < 1) return;
    const change = taken.kind === 'cancel' ? { status: 'cancelled' as const } : taken.change;
    state.said = { ...state.said, ...change, version };
    const sent = [sendEvent(of, state.said), sendEvent(of, state.said)];
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);
    return;
  }
  const body = { id: said.id, reason: 'because' };
  if (taken.kind === 'decline') return ask(of.world.ask(declineTrade, { as, body }));
  if (taken.kind === 'dispute') return ask(of.world.ask(disputeTrade, { as, body }));
  if (taken.kind === 'confirm') {
    if (!(await tradeDetail(of, as, said.id)).can.confirm) return;
    return ask(of.world.ask(confirmTrade, await confirmation(of, as, said.id)));
  }
  if (taken.kind === 'follow') return followReleases(of);
  if (taken.kind === 'cancelTransfer') {
    const id = state.transfers.pop();
    return id === undefined ? undefined : ask(of.world.ask(cancelTransfer, { as, body: { id } }));
  }
  // Codes are limited by member.
  const sender = await of.world.member(company, 'finance');
  if (taken.kind === 'pay') {
    const content = { ...(await transferContent(of.world, company)), amount: taken.amount };
    const paid = await of.world.ask(transferOut, await transferRequest(of.world, company, content, sender));
    expect(paid.status).toBeLessThan(500);
    if (paid.status === 200) state.transfers.push(content.id);
    return;
  }
  const request = await releaseRequest(of, trade, taken.amount, null, sender);
  const answer = await of.world.ask(releaseTrade, request);
  expect(answer.status).toBeLessThan(500);
  if (answer.status === 200) state.transfers.push(request.body.id);
}

test(
  'whatever happens in whatever order, escrow is what trades say is frozen, and an ended trade has none',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
        const trade = await trading(of);
        const state = { said: trade.said, transfers: [] };
        for (const taken of [{ kind: 'confirm' as const }, ...steps]) {
          await take(trade, taken, state);
          await expectSound(trade);
        }
        await followReleases(of);
        await expectSound(trade);
        await take(trade, { kind: 'cancel' }, { said: { ...trade.said, refunded: '1000' }, transfers: [] });
        await expectSound(trade);
      }),
      { numRuns: runs },
    );
  },
  timeout,
);

test(
  'of a payment and the platform’s cancelling, the money goes one way',
  async () => {
    for (let round = 0; round < rounds; round++) {
      const trade = await trading(of);
      await confirmed(of, trade.company.admin, trade.said.id);
      const request = await releaseRequest(of, trade, '1000');
      const [paid, cancelled] = await Promise.all([
        of.world.ask(releaseTrade, request),
        sendEvent(of, { ...trade.said, version: 2, status: 'cancelled', phase: 'closed' }),
      ]);
      expect(cancelled.status).toBe(200);
      const after = await figures(of, trade.company);
      if (paid.status === 200) expect(after).toEqual({ available: '3999', escrow: '0', outbound: '1001' });
      else {
        expect(paid.key).toBe('tradeNotFrozen');
        expect(after).toEqual({ available: '5000', escrow: '0', outbound: '0' });
      }
      expect(await escrowMismatches(of, trade.company.id)).toEqual([]);
    }
  },
  timeout,
);

test(
  'of two confirmations, of two payments of the whole, and of confirming and declining, one happens',
  async () => {
    for (let round = 0; round < rounds / 3; round++) {
      const trade = await trading(of);
      const { company, said } = trade;
      const finance = await of.world.member(company, 'finance');
      const requests = [await confirmation(of, company.admin, said.id), await confirmation(of, finance, said.id)];
      const answers = await Promise.all(requests.map((request) => of.world.ask(confirmTrade, request)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const payments = [
        await releaseRequest(of, trade, '1000'),
        await releaseRequest(of, trade, '1000', null, finance),
      ];
      const paid = await Promise.all(payments.map((request) => of.world.ask(releaseTrade, request)));
      expect(paid.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await figures(of, company)).toEqual({ available: '3999', escrow: '0', outbound: '1001' });
      const other = await trading(of);
      const yes = await confirmation(of, other.company.admin, other.said.id);
      const no = { as: other.company.admin, body: { id: other.said.id, reason: '' } };
      const both = await Promise.all([of.world.ask(confirmTrade, yes), of.world.ask(declineTrade, no)]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await escrowMismatches(of, other.company.id)).toEqual([]);
    }
  },
  timeout,
);

test(
  'of a confirmation and an event that changes or cancels the trade, what was shown is confirmed or nothing is',
  async () => {
    for (let round = 0; round < rounds; round++) {
      const { company, said } = await trading(of);
      const isCancelled = round % 3 === 2;
      const change = isCancelled ? { status: 'cancelled' as const } : { quantity: '900' };
      const request = await confirmation(of, company.admin, said.id);
      const [answer, event] = await race(
        of.db,
        round,
        () => of.world.ask(confirmTrade, request),
        () => sendEvent(of, { ...said, version: 2, ...change }),
      );
      expect(event.status).toBe(200);
      const trade = await tradeDetail(of, company.admin, said.id);
      const after = await figures(of, company);
      if (answer.status !== 200) {
        expect(answer.key).toBe(isCancelled ? 'tradeNotConfirmable' : 'tradeChanged');
        expect(after).toEqual({ available: '5000', escrow: '0', outbound: '0' });
      } else if (isCancelled) {
        expect([trade.state, after.available]).toEqual(['cancelled', '5000']);
      } else {
        expect(trade).toMatchObject({ quantity: '1000.000000', contradiction: { fields: ['quantityMinor'] } });
        expect(after).toEqual({ available: '4000', escrow: '1000', outbound: '0' });
      }
      expect(await escrowMismatches(of, company.id)).toEqual([]);
    }
  },
  timeout,
);

test(
  'of a payment and a freeze of the company, the money is held for the payment or stays in escrow, and nothing is paid after the freeze',
  async () => {
    const compliance = await operators.operator('compliance');
    for (let round = 0; round < rounds / 3; round++) {
      const trade = await trading(of);
      const { company, said } = trade;
      await confirmed(of, company.admin, said.id);
      const request = await releaseRequest(of, trade, '600');
      const [paid, frozen] = await race(
        of.db,
        round,
        () => of.world.ask(releaseTrade, request),
        () =>
          operators.ask(freezeSubject, {
            as: compliance,
            params: { id: company.id },
            body: { kind: 'company', subjectId: company.id, reason: 'compromise', note: 'seen in the logs' },
          }),
      );
      expect(frozen.key).toBeNull();
      const after = await figures(of, company);
      if (paid.status === 200) expect(after).toEqual({ available: '3999', escrow: '400', outbound: '601' });
      else {
        expect(paid.key).toBe('companyFrozen');
        expect(after).toEqual({ available: '4000', escrow: '1000', outbound: '0' });
      }
      expect(await of.world.ask(releaseTrade, await releaseRequest(of, trade, '400'))).toMatchObject({
        key: 'companyFrozen',
      });
      expect(await figures(of, company)).toEqual(after);
    }
  },
  timeout,
);
