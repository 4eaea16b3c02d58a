import { decideApprovals } from '@causeway/contract/approvals.ts';
import { cancelPayout, createCryptoPayment } from '@causeway/contract/payments.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { decision } from '../../../testing/approval-requests.ts';
import { credit } from '../../../testing/company.ts';
import {
  type CryptoPayoutWorld,
  cryptoPayoutWorld,
  paidWithCoins,
  quotedPayout,
} from '../../../testing/crypto-payouts.ts';
import type { Answer } from '../../../testing/envelope.ts';
import { balancesOf as coinBalances, moveExpiry, pendingTask, transactionOf } from '../../../testing/exchange-world.ts';
import type { Member } from '../../../testing/main-app.ts';
import { balancesOf, type PayingCompany } from '../../../testing/payouts.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { verifyLedger } from '../../ledger/index.ts';

/** Each race is run so often; a company and its members serve only so many rounds, since codes are limited by member. */
const rounds = Number(process.env['PROOF_ROUNDS'] ?? 3);
const roundsPerCompany = 12;
const usdt = (whole: number) => BigInt(whole) * 1_000_000n;

let payouts: CryptoPayoutWorld;
beforeAll(async () => {
  payouts = await cryptoPayoutWorld();
});
afterAll(async () => {
  expect((await payouts.db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  await payouts.close();
});
afterEach(() => expect(payouts.world.complaints.splice(0)).toEqual([]));

interface Racer {
  company: PayingCompany;
  as: Member;
  approver: Member;
}

/** Runs all rounds, each with 100 USDT more in the wallet. */
async function race(reviewed: boolean, round: (racer: Racer) => Promise<void>): Promise<void> {
  let racer: Racer | null = null;
  for (let index = 0; index < rounds; index++) {
    if (racer === null || index % roundsPerCompany === 0) {
      const company = await payouts.company(100n);
      const [as, approver] = [
        await payouts.world.member(company, 'finance'),
        await payouts.world.member(company, 'approver'),
      ];
      racer = { company, as, approver };
      if (reviewed) await reviewOf(payouts.world, company)(true);
    } else await credit(payouts.db, racer.company, 'USDT', usdt(100));
    await round(racer);
  }
}

const coins = ({ company }: Racer) => coinBalances(payouts.db, company, 'USDT');
const held = async ({ company }: Racer) => (await balancesOf(payouts, company))['outbound'] ?? 0n;

function onlyOne(answers: readonly Answer[], refusals: readonly string[]): void {
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { key } of answers.filter(({ status }) => status !== 200)) expect(refusals).toContain(key);
}

test('one quote accepted twice at once pays once', async () => {
  await race(false, async (racer) => {
    const before = await coins(racer);
    const one = await quotedPayout(payouts, racer.company, { amount: '312.50', as: racer.as });
    const other = await quotedPayout(payouts, racer.company, { amount: '312.50', as: racer.as });
    const second = { ...other.request, body: { ...other.request.body, quoteId: one.quote.id } };
    onlyOne(
      await Promise.all([one.request, second].map((request) => payouts.world.ask(createCryptoPayment, request))),
      ['quoteUsed'],
    );
    expect((await coins(racer)).available).toBe(before.available - usdt(40));
  });
});

test('a quote that expires while it is accepted is either paid at, or refused and unused', async () => {
  await race(false, async (racer) => {
    const [before, heldBefore] = [await coins(racer), await held(racer)];
    const { quote, request } = await quotedPayout(payouts, racer.company, { amount: '312.50', as: racer.as });
    const [answer] = await Promise.all([
      payouts.world.ask(createCryptoPayment, request),
      moveExpiry(payouts.db, quote.id, '-1 second'),
    ]);
    const isDone = answer.status === 200;
    if (!isDone) expect(answer.key).toBe('quoteExpired');
    expect((await coins(racer)).available).toBe(before.available - (isDone ? usdt(40) : 0n));
    expect(await held(racer)).toBe(heldBefore + (isDone ? 31_250n : 0n));
  });
});

test('of two payments out of the same whole balance one is made', async () => {
  await race(false, async (racer) => {
    const { available } = await coins(racer);
    const heldBefore = await held(racer);
    // 100 USDT are 781.25 HKD.
    const amountMinor = (available * 78_125n) / usdt(100);
    const amount = `${amountMinor / 100n}.${String(amountMinor % 100n).padStart(2, '0')}`;
    const requests = [
      await quotedPayout(payouts, racer.company, { amount, as: racer.as }),
      await quotedPayout(payouts, racer.company, { amount, as: racer.as }),
    ];
    onlyOne(await Promise.all(requests.map(({ request }) => payouts.world.ask(createCryptoPayment, request))), [
      'insufficientBalance',
      'amountAboveBalanceMinusFee',
    ]);
    expect((await coins(racer)).available).toBe(0n);
    expect(await held(racer)).toBe(heldBefore + amountMinor);
  });
});

test('of the last approval and a cancel exactly one succeeds', async () => {
  await race(true, async (racer) => {
    const [before, heldBefore] = [await coins(racer), await held(racer)];
    const id = await paidWithCoins(payouts, racer.company, { amount: '312.50', as: racer.as });
    const approval = await decision(payouts.world, racer.approver, [await pendingTask(payouts.world, racer.approver)]);
    const [approved, cancelled] = await Promise.all([
      payouts.world.ask(decideApprovals, approval),
      payouts.world.ask(cancelPayout, { as: racer.as, body: { id } }),
    ]);
    expect([approved.status, cancelled.status].filter((status) => status === 200)).toHaveLength(1);
    const { stage } = await transactionOf(payouts.world, racer.company, id);
    const isPaid = approved.status === 200;
    expect([stage, (await coins(racer)).outbound]).toEqual([isPaid ? 'approved' : 'cancelled', 0n]);
    expect((await coins(racer)).available).toBe(before.available - (isPaid ? usdt(40) : 0n));
    expect(await held(racer)).toBe(heldBefore + (isPaid ? 31_250n : 0n));
  });
});
