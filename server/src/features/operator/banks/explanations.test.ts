import { getProposal } from '@causeway/contract/operator.ts';
import { listQueue } from '@causeway/contract/operator-queue.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../../platform/process/log.ts';
import { suspenseOf } from '../../../testing/bank-intake.ts';
import { ours, type SettlingWorld, sentenceOf, settlingWorld } from '../../../testing/card-settling.ts';
import { dyingDatabase, eachDeath, Killed, killRounds } from '../../../testing/dying.ts';
import { present } from '../../../testing/present.ts';
import { race } from '../../../testing/race.ts';
import { sweep } from '../queue/sweep.ts';

/** What becomes of a booking that was explained as fees or as settled with the issuer of cards (docs/adr/0118-…). Cents. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 6);
let world: SettlingWorld;
beforeAll(async () => {
  world = await settlingWorld();
});
afterEach(() => world.verify());
afterAll(() => world.close());

const sum = (all: readonly bigint[]) => all.reduce((total, each) => total + each, 0n);

test('fees that the bank returns by its own word are the companies’ again, as old as they were', async () => {
  const { of, app, companies, paidFee, fees, booked, reversed, collect, stateOf } = world;
  const [one, two, three] = companies;
  await paidFee(one, 1_000n);
  await paidFee(two, 800n);
  await paidFee(one, 300n);
  const before = await world.balances();
  const id = await booked(1_500n);
  await collect(id);
  expect(await fees()).toEqual([300n, 300n, 0n]);
  await paidFee(three, 100n);
  const back = await reversed(id);
  expect(await fees()).toEqual([1_300n, 800n, 100n]);
  expect([await stateOf(id), await stateOf(back)]).toEqual(['fees', 'reversal']);
  expect(await suspenseOf(of.db, ours)).toEqual({});
  expect(await app.audited()).toContain('operator.takeBackFees');
  expect((await world.explanationOf(id)).explained).toMatchObject({
    about: 'fees',
    open: '0.00',
    returns: [{ id: back }],
  });
  expect((await world.explanationOf(back)).returned).toMatchObject({
    ...{ about: 'fees', money: { id } },
    shares: { companies: 2, items: [{ quantity: '10.00' }, { quantity: '5.00' }] },
  });
  // Once.
  expect(await stateOf(await reversed(id))).toBe('suspense');
  // The oldest first, as if nothing had been collected.
  await collect(await booked(1_001n));
  expect(await fees()).toEqual([300n, 799n, 100n]);
  expect((await world.balances()).slice(0, 2)).toEqual(before.slice(0, 2));
  await world.clear();
});

test('an explanation that was wrong is withdrawn by two operators: the debit is held again and can be explained as something else', async () => {
  const {
    of,
    app,
    administrator,
    treasury,
    companies,
    cleared,
    paidFee,
    owed,
    fees,
    booked,
    collect,
    settle,
    confirm,
  } = world;
  const [one, two] = companies;
  await paidFee(one, 700n);
  await paidFee(two, 900n);
  await cleared(one, 1_000n);
  await cleared(two, 400n);
  const id = await booked(1_200n);
  const held = await suspenseOf(of.db, ours);
  expect((await world.proposeWithdrawal(id)).key).toBe('bankExplanationOther');
  await collect(id);
  expect(await fees()).toEqual([0n, 400n, 0n]);
  expect((await world.proposeWithdrawal(id, await app.operator('support'))).key).toBe('noPermission');
  expect((await world.explanationOf(id)).withdrawal).toBe('possible');
  const { proposalId } = (await world.proposeWithdrawal(id)).data;
  expect((await world.proposeWithdrawal(id)).key).toBe('proposalOpen');
  const shown = (await app.ask(getProposal, { as: administrator, params: { id: proposalId } })).data;
  expect(shown.title).toBe('Withdraw what was recorded of 12.00 HKD');
  expect(shown.changes.slice(0, 2)).toEqual([
    { label: 'Belongs to', before: 'Our transfer of fees', after: 'Taken by the bank' },
    { label: 'Fees of companies at the bank', before: '4.00 HKD', after: '16.00 HKD' },
  ]);
  expect((await confirm(proposalId, treasury)).key).toBe('proposalOwn');
  expect((await confirm(proposalId)).status).toBe(200);
  await world.carryOut(proposalId);
  await world.carryOut(proposalId);
  expect(await fees()).toEqual([700n, 900n, 0n]);
  expect(await world.stateOf(id)).toBe('charged');
  expect(await suspenseOf(of.db, ours)).toEqual(held);
  expect(await app.audited()).toContain('operator.withdrawBankExplanation');
  expect(await world.explanationOf(id)).toMatchObject({ explained: null, returned: null, withdrawal: null });
  expect((await world.proposeWithdrawal(id)).key).toBe('bankExplanationOther');

  // As a settlement this time, and wrongly again: cards owe what they owed, company by company.
  await settle(id);
  expect(await owed()).toEqual([0n, 200n, 0n]);
  await world.withdraw(id);
  expect(await owed()).toEqual([1_000n, 400n, 0n]);
  await collect(id);
  expect(await fees()).toEqual([0n, 400n, 0n]);
  expect(await suspenseOf(of.db, ours)).not.toEqual(held);

  // What changed before it is confirmed makes it stale; before it is carried out, it is refused for good.
  const stale = (await world.proposeWithdrawal(id)).data.proposalId;
  await world.takeBack(await world.reversed(id, { named: false, part: 200n }), id);
  expect((await confirm(stale)).key).toBe('proposalStale');
  expect((await world.proposeWithdrawal(id)).key).toBe('bankExplanationOther');
  expect((await world.explanationOf(id)).withdrawal).toBe('returned');
  // A return of a settlement is none of fees, as which the booking was explained meanwhile.
  const changed = await booked(300n);
  await settle(changed);
  const meant = await world.agreed(
    world.proposeBack(await world.reversed(changed, { named: false, part: 100n }), changed),
  );
  await world.withdraw(changed);
  await collect(changed);
  await world.carryOut(meant);
  expect(await world.actOf(meant)).toMatchObject({ state: 'refused', refusal: sentenceOf('bankTakeBackDiffers') });
  expect(await owed()).toEqual([1_000n, 400n, 0n]);

  const other = await booked(300n);
  await collect(other);
  const late = await world.agreed(world.proposeWithdrawal(other));
  await world.reversed(other);
  await world.carryOut(late);
  expect(await world.actOf(late)).toMatchObject({ state: 'refused', refusal: sentenceOf('bankExplanationOther') });
  await world.clear();
});

test('a return of less than was paid is divided as it was taken, to the cent, and never above the whole', async () => {
  const { of, app, administrator, companies, cleared, owed, booked, reversed, settle, confirm } = world;
  const [one, two, three] = companies;
  await cleared(one, 100n);
  await cleared(two, 100n);
  await cleared(three, 101n);
  const id = await booked(301n);
  const start = await suspenseOf(of.db, ours);
  await settle(id);
  const first = await reversed(id, { named: false, part: 100n });
  // Of the same amount, it would name exactly this one.
  expect(await world.stateOf(first)).toBe('suspense');
  const { proposalId } = (await world.proposeBack(first, id)).data;
  const shown = (await app.ask(getProposal, { as: administrator, params: { id: proposalId } })).data;
  expect(shown.title).toBe('Record that the bank took back 1.00 HKD settled with the card issuer');
  expect(shown.changes.at(-1)).toEqual({ label: 'Returned of it', before: '0.00 HKD', after: '1.00 HKD' });
  expect((await confirm(proposalId)).status).toBe(200);
  await world.carryOut(proposalId);
  // 33.22, 33.22 and 33.55: the unit that is left is the third company's.
  expect(await owed()).toEqual([33n, 33n, 34n]);
  expect((await world.explanationOf(id)).explained).toMatchObject({ open: '2.01', returns: [{ id: first }] });
  expect((await world.explanationOf(first)).returned?.shares.items[0]?.quantity).toBe('0.34');
  const tooMuch = await reversed(id, { named: false, part: 202n });
  expect((await world.proposeBack(tooMuch, id)).key).toBe('bankTakeBackDiffers');
  // The whole, by the bank's own word, is more than what was not returned.
  expect(await world.stateOf(await reversed(id))).toBe('suspense');
  const second = await reversed(id, { named: false, part: 201n });
  await world.takeBack(second, id);
  expect(await owed()).toEqual([100n, 100n, 101n]);
  expect((await world.explanationOf(id)).explained).toMatchObject({
    open: '0.00',
    returns: [{ id: first }, { id: second }],
  });

  await sweep(of.db.console, createLog('test', 'silent'));
  const as = await app.operator('viewer');
  const queued = async () => (await app.ask(listQueue, { as, query: { kind: 'cardSettlementBack' } })).data.items;
  expect((await queued()).map(({ amount, link }) => [amount?.quantity, link])).toEqual([
    ['1.00', `/app/banks/moneys/${first}`],
    ['2.01', `/app/banks/moneys/${second}`],
  ]);

  // One that was recorded wrongly is withdrawn; what it had put back is paid already, and then it is not.
  await world.withdraw(second);
  expect(await owed()).toEqual([33n, 33n, 34n]);
  expect(await world.stateOf(second)).toBe('suspense');
  const late = await world.agreed(world.proposeWithdrawal(first));
  // The first company's is used in part.
  await settle(await booked(20n));
  await world.carryOut(late);
  expect(await world.actOf(late)).toMatchObject({ state: 'refused', refusal: sentenceOf('bankExplanationShort') });
  expect((await world.explanationOf(first)).withdrawal).toBe('short');
  expect((await world.proposeWithdrawal(first)).key).toBe('bankExplanationShort');
  expect(present((await suspenseOf(of.db, ours))['suspense'])).toBeGreaterThan(start['suspense'] ?? 0n);
  await world.clear();
});

test('returns, withdrawals and the bank’s own word at once: one of them wins, and no cent is owed twice', {
  timeout: 60_000 + rounds * 15_000,
}, async () => {
  const { of, companies, cleared, paidFee, owed, fees, booked, reversed, carryOut, agreed } = world;
  const [one, two] = companies;
  for (let round = 0; round < rounds; round += 1) {
    await cleared(one, 300n);
    await cleared(two, 500n);
    const id = await booked(700n);
    await world.settle(id);
    // Two parts that are more than the whole together.
    const parts = [await reversed(id, { named: false, part: 400n }), await reversed(id, { named: false, part: 350n })];
    const [a, b] = [
      await agreed(world.proposeBack(present(parts[0]), id)),
      await agreed(world.proposeBack(present(parts[1]), id)),
    ];
    await race(
      of.db,
      round,
      () => carryOut(a),
      () => carryOut(b),
    );
    const states = await Promise.all([a, b].map(async (act) => (await world.actOf(act))?.state));
    expect(states.toSorted()).toEqual(['done', 'refused']);
    expect(sum(await owed())).toBe(100n + (states[0] === 'done' ? 400n : 350n));
    await world.clear();

    await paidFee(one, 300n);
    await paidFee(two, 500n);
    const debit = await booked(600n);
    await world.collect(debit);
    const act = await agreed(world.proposeWithdrawal(debit));
    await race(
      of.db,
      round,
      () => Promise.all([carryOut(act), carryOut(act)]),
      () => reversed(debit),
    );
    expect(await fees()).toEqual([300n, 500n, 0n]);
    await world.clear();
  }
});

test('a worker that dies withdraws and returns once', { timeout: 60_000 + killRounds * 40_000 }, async () => {
  const { of, companies, paidFee, fees, booked, reversed, carryOut, agreed } = world;
  const [one, two] = companies;
  const dies = (act: string, database: typeof of.db.worker) =>
    carryOut(act, database).then(
      () => false,
      (error: unknown) => {
        expect(error).toBeInstanceOf(Killed);
        return true;
      },
    );
  for (let turn = 0; turn < killRounds; turn += 1) {
    for (const what of ['withdraw', 'return'] as const) {
      const deaths = await eachDeath(async (transactions, moment) => {
        await paidFee(one, 300n);
        await paidFee(two, 500n);
        const id = await booked(800n);
        await world.collect(id);
        const act = await agreed(
          what === 'withdraw'
            ? world.proposeWithdrawal(id)
            : world.proposeBack(await reversed(id, { named: false, part: 80n }), id),
        );
        const died = await dies(act, dyingDatabase(of.db.worker, transactions, moment) as typeof of.db.worker);
        await carryOut(act);
        expect(await fees()).toEqual(what === 'withdraw' ? [300n, 500n, 0n] : [30n, 50n, 0n]);
        await world.clear();
        return died;
      });
      expect(deaths).toBeGreaterThan(1);
    }
  }
});
