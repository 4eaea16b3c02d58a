import { freezeSubject } from '@causeway/contract/operator-freezing.ts';
import { fiatTransferOut } from '@causeway/contract/payments.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { creditAtBank } from '../../testing/banks.ts';
import { asking, eventOf, insertTestCard, moneyOf } from '../../testing/cards.ts';
import { expectLedgerToAgree } from '../../testing/company-books.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../testing/operator-app.ts';
import { type PayingCompany, type PayoutWorld, payoutRequest, payoutWorld } from '../../testing/payouts.ts';
import { race } from '../../testing/race.ts';
import { authorize } from './service/authorize.ts';
import { takeInEvents } from './service/take-in.ts';
import { verifyCards } from './verify.ts';

/** Authorisations at the same time as what else moves or stops the wallet's money. `PROOF_ROUNDS=200` for the proof. Cents. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 6);
const timeout = 60_000 + rounds * 10_000;
let world: PayoutWorld;
let console: OperatorApp;
let operator: TestOperator;
beforeAll(async () => {
  world = await payoutWorld();
  console = await operatorApp(world.db);
  operator = await console.operator('compliance');
});
afterAll(async () => {
  expect(world.world.complaints).toEqual([]);
  await expectLedgerToAgree(world.db);
  expect((await world.db.operator.withoutCompany(verifyCards)).mismatches).toEqual([]);
  await console.close();
  await world.close();
});

const log = { error: () => undefined, warn: () => undefined };
const ask = (asked: Parameters<typeof authorize>[1]) =>
  authorize({ database: world.db.app, clock: systemClock, log, deadlineMs: 30_000 }, asked);

async function cardOf(company: PayingCompany) {
  const { cardId, token } = await insertTestCard(world.db, company, company.walletId);
  const card = { company, walletId: company.walletId, cardId, token };
  return { ...card, money: () => moneyOf(world, card) };
}

test('an increment against a reversal of what it is added to', { timeout }, async () => {
  const company = await world.company('500');
  for (let round = 0; round < rounds; round += 1) {
    const card = await cardOf(company);
    await creditAtBank(world.db, company.id, company.walletId, 30_000n);
    const [before] = await card.money();
    const first = asking(card);
    await ask(first);
    // By the issuer's clock the reversal is of the first part alone.
    const reversed = eventOf(first, {
      type: 'reversed',
      amountMinor: 10_000n,
      at: new Date(first.at.getTime() + 1000),
    });
    const more = {
      ...first,
      token: newId(),
      kind: 'incremental' as const,
      amountMinor: 4_000n,
      at: new Date(first.at.getTime() + 2000),
    };
    const [answer] = await race(
      world.db,
      round,
      () => ask(more),
      () => takeInEvents(world.db.app, [reversed]),
    );
    expect(answer).toMatchObject({ outcome: 'approved', approvedMinor: 4_000n });
    const [available, held] = await card.money();
    expect([available, held]).toEqual([before - 4_000n, 4_000n]);
    await takeInEvents(world.db.app, [
      eventOf(first, { amountMinor: 4_000n, isLast: true, at: new Date(first.at.getTime() + 3000) }),
    ]);
    expect(await card.money()).toMatchObject({ 0: before - 4_000n, 1: 0n, 3: 0n });
  }
});

test('an authorisation against the freeze of its wallet: declined behind it, held before it', { timeout }, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const company = await world.company('500');
    const card = await cardOf(company);
    const freeze = () =>
      console.ask(freezeSubject, {
        as: operator,
        params: { id: company.id },
        body: { kind: 'wallet', subjectId: company.walletId, reason: 'compromise', note: 'at the same time' },
      });
    const [answer, frozen] = await race(world.db, round, () => ask(asking(card)), freeze);
    expect(frozen.status).toBe(200);
    expect((await card.money())[1]).toBe(answer.outcome === 'approved' ? 10_000n : 0n);
    expect(await ask(asking(card))).toMatchObject({ outcome: 'declined' });
  }
});

test('an authorisation against a payment of the whole balance: one of them', { timeout }, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const company = await world.company('500');
    const card = await cardOf(company);
    const [balance] = await card.money();
    const request = await payoutRequest(world, company, {
      amount: `${balance / 100n}.${String(balance % 100n).padStart(2, '0')}`,
    });
    const pay = () => world.world.ask(fiatTransferOut, request);
    const [answer, paid] = await race(world.db, round, () => ask(asking(card)), pay);
    const isPaid = paid.status === 200;
    if (!isPaid) expect(['insufficientBalance', 'amountAboveBalanceMinusFee']).toContain(paid.key);
    expect([answer.outcome, isPaid]).toEqual(answer.outcome === 'approved' ? ['approved', false] : ['declined', true]);
    expect(await card.money()).toEqual(isPaid ? [0n, balance, 0n, 0n] : [balance - 10_000n, 10_000n, 0n, 0n]);
  }
});
