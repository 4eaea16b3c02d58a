import { getProposal } from '@causeway/contract/operator.ts';
import { listQueue } from '@causeway/contract/operator-queue.ts';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../../platform/process/log.ts';
import { suspenseOf } from '../../../testing/bank-intake.ts';
import {
  type CardLot,
  ours,
  type SettlingWorld,
  sentenceOf,
  settledBy,
  settlingWorld,
} from '../../../testing/card-settling.ts';
import { type Carded, moneyOf } from '../../../testing/cards.ts';
import { dyingDatabase, eachDeath, Killed, killRounds } from '../../../testing/dying.ts';
import { race } from '../../../testing/race.ts';
import { sweep } from '../queue/sweep.ts';

/** A bank that takes back what was settled with the issuer of cards, in either direction. Cents. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 6);
let world: SettlingWorld;
beforeAll(async () => {
  world = await settlingWorld();
});
afterEach(() => world.verify());
afterAll(() => world.close());

async function queued() {
  const { of, app } = world;
  await sweep(of.db.console, createLog('test', 'silent'));
  const as = await app.operator('viewer');
  return (await app.ask(listQueue, { as, query: { kind: 'cardSettlementBack' } })).data.items;
}

test('by the bank’s own word what was settled is owed again, as old as it was', async () => {
  const { of, app, companies, cleared, owed, places, clearedAt, booked, reversed, settle, stateOf } = world;
  const [one, two] = companies;
  await cleared(one, 1_000n);
  await cleared(two, 2_000n);
  await cleared(one, 500n);
  const [first] = await clearedAt();
  const id = await booked(1_234n);
  await settle(id);
  await cleared(two, 300n);
  const before = await Promise.all(companies.map((card) => moneyOf(of, card)));
  const back = await reversed(id);
  expect(await owed()).toEqual([1_500n, 2_300n, 0n]);
  expect((await places())[0]).toMatchObject({ owed: '38.00', since: first });
  // What companies have is as it was.
  const after = await Promise.all(companies.map((card) => moneyOf(of, card)));
  expect(after.map(([available]) => available)).toEqual(before.map(([available]) => available));
  expect([await stateOf(id), await stateOf(back)]).toEqual(['cards', 'reversal']);
  expect(await suspenseOf(of.db, ours)).toEqual({});
  expect((await world.explanationOf(id)).explained).toMatchObject({
    ...{ about: 'cards', open: '0.00' },
    returns: [{ id: back, quantity: '12.34', takenBack: false }],
  });
  expect((await world.explanationOf(back)).returned).toMatchObject({
    ...{ about: 'cards', money: { id, quantity: '-12.34', takenBack: true } },
  });
  expect((await world.explanationOf(back)).withdrawal).toBe('bank');
  expect(await app.audited()).toContain('operator.takeBackCards');
  // Once: the same word again finds nothing to take back.
  const again = await reversed(id);
  expect(await stateOf(again)).toBe('suspense');
  expect(await owed()).toEqual([1_500n, 2_300n, 0n]);
  expect((await world.proposeBack(again, id)).key).toBe('bankTakeBackDiffers');

  const [item] = await queued();
  expect(item).toMatchObject({ urgency: 'urgent', amount: { quantity: '12.34' }, link: `/app/banks/moneys/${back}` });
  expect(item?.nextStep).toContain('pay the issuer again');
  // The oldest first, as if it had never been settled.
  await settle(await booked(1_233n));
  expect(await owed()).toEqual([500n, 2_067n, 0n]);
  expect(await queued()).toHaveLength(1);
  await settle(await booked(1n));
  expect(await owed()).toEqual([500n, 2_066n, 0n]);
  expect(await queued()).toEqual([]);
  await world.settleAll();
});

test('what the issuer paid and its bank took back is owed by it again; refunds that a debit had settled come back with it', async () => {
  const { companies, cleared, refunded, owed, booked, reversed, settle, stateOf } = world;
  const [one, two, three] = companies;
  await refunded(three, 700n);
  await cleared(one, 1_000n);
  await cleared(two, 900n);
  const paid = await booked(500n);
  await settle(paid);
  expect(await owed()).toEqual([0n, 700n, 0n]);
  await refunded(one, 2_000n);
  const received = await booked(1_300n, 'CRDT');
  await settle(received);
  expect(await owed()).toEqual([0n, 0n, 0n]);
  await reversed(paid);
  expect(await owed()).toEqual([1_000n, 200n, -700n]);
  expect(await stateOf(await reversed(received))).toBe('reversal');
  expect(await owed()).toEqual([-1_000n, 900n, -700n]);
  expect((await queued()).map(({ amount, nextStep }) => [amount?.quantity, nextStep.split('.')[0]])).toEqual([
    ['5.00', 'The card issuer is owed it again'],
    ['13.00', 'The card issuer owes it again'],
  ]);
  await world.settleAll();
});

test('where the bank does not say of which, two operators record it, with both bookings before them', async () => {
  const { app, administrator, treasury, companies, cleared, owed, booked, reversed, settle, confirm } = world;
  const [one, two] = companies;
  await cleared(one, 1_000n);
  await cleared(two, 1_000n);
  const [a, b, other] = [await booked(400n), await booked(400n), await booked(401n)];
  for (const id of [a, b, other]) await settle(id);
  expect(await owed()).toEqual([0n, 799n, 0n]);
  const back = await reversed(b, { named: false });
  const { returnable } = await world.explanationOf(back);
  // Of the others, which were larger, it would be a part; of those that were returned, nothing is.
  expect(returnable.slice(0, 3).map(({ money, open }) => [money.id, open])).toEqual([
    [b, '4.00'],
    [a, '4.00'],
    [other, '4.01'],
  ]);
  expect((await world.proposeBack(back, back)).key).toBe('bankTakeBackDiffers');
  expect((await world.proposeBack(back, b, await app.operator('support'))).key).toBe('noPermission');
  const { proposalId } = (await world.proposeBack(back, b)).data;
  expect((await world.proposeBack(back, a)).key).toBe('proposalOpen');
  const shown = (await app.ask(getProposal, { as: administrator, params: { id: proposalId } })).data;
  expect(shown.title).toBe('Record that the bank took back 4.00 HKD settled with the card issuer');
  expect(shown.changes.slice(0, 2)).toEqual([
    { label: 'Belongs to', before: 'In suspense', after: 'Our payment to the card issuer, which came back' },
    { label: 'Owed to the card issuer at the bank', before: '7.99 HKD', after: '11.99 HKD' },
  ]);
  const chinese = (
    await app.ask(getProposal, {
      as: administrator,
      params: { id: proposalId },
      headers: { 'accept-language': 'zh-hk' },
    })
  ).data;
  expect(chinese.changes[2]?.after).toMatch(/^海港銀行 [\d ]+$/);
  expect((await confirm(proposalId, treasury)).key).toBe('proposalOwn');
  expect((await confirm(proposalId)).status).toBe(200);
  await world.carryOut(proposalId);
  await world.carryOut(proposalId);
  // The second 4.00 had settled the first company's.
  expect(await owed()).toEqual([400n, 799n, 0n]);
  expect((await queued()).map(({ link }) => link)).toContain(`/app/banks/moneys/${back}`);

  // The bank's word comes in between: by another booking, the act is refused for good; before that, the proposal is stale.
  const unnamed = await reversed(a, { named: false });
  const late = await world.agreed(world.proposeBack(unnamed, a));
  await reversed(a);
  await world.carryOut(late);
  expect(await world.actOf(late)).toMatchObject({ state: 'refused', refusal: sentenceOf('bankTakeBackDiffers') });
  expect(await owed()).toEqual([800n, 799n, 0n]);
  const stale = await reversed(other, { named: false });
  const open = (await world.proposeBack(stale, other)).data.proposalId;
  await reversed(other);
  expect((await confirm(open)).key).toBe('proposalStale');
  await world.settleAll();
});

test('taken back twice at once, and while another debit settles: each cent once', {
  timeout: 60_000 + rounds * 10_000,
}, async () => {
  const { of, companies, cleared, owed, booked, reversed, settle, agree, carryOut } = world;
  const [one, two] = companies;
  const sum = async () => (await owed()).reduce((all, each) => all + each);
  for (let round = 0; round < rounds; round += 1) {
    await cleared(one, 300n);
    await cleared(two, 500n);
    const first = await booked(600n);
    await settle(first);
    const back = await reversed(first, { named: false });
    const act = await world.agreed(world.proposeBack(back, first));
    const more = await agree(await booked(150n));
    await race(
      of.db,
      round,
      () => Promise.all([carryOut(act), carryOut(act)]),
      () => carryOut(more),
    );
    expect(await sum()).toBe(650n);
    await race(
      of.db,
      round,
      () => reversed(first),
      () => cleared(one, 50n),
    );
    expect(await sum()).toBe(700n);
    await world.settleAll();
  }
});

test('a worker that dies takes back once', { timeout: 60_000 + killRounds * 30_000 }, async () => {
  const { of, companies, cleared, owed, booked, reversed, settle, carryOut } = world;
  const [one, two] = companies;
  for (let turn = 0; turn < killRounds; turn += 1) {
    const deaths = await eachDeath(async (transactions, moment) => {
      await cleared(one, 300n);
      await cleared(two, 500n);
      const first = await booked(800n);
      await settle(first);
      const act = await world.agreed(world.proposeBack(await reversed(first, { named: false }), first));
      const dying = dyingDatabase(of.db.worker, transactions, moment) as typeof of.db.worker;
      const died = await carryOut(act, dying).then(
        () => false,
        (error: unknown) => {
          expect(error).toBeInstanceOf(Killed);
          return true;
        },
      );
      await carryOut(act);
      expect(await owed()).toEqual([300n, 500n, 0n]);
      await world.settleAll();
      return died;
    });
    expect(deaths).toBeGreaterThan(1);
  }
});

const happening = fc.record({
  company: fc.integer({ min: 0, max: 2 }),
  kind: fc.constantFrom('clear', 'clear', 'clear', 'refund', 'settle', 'settle', 'back', 'back'),
  cents: fc.bigInt({ min: 1n, max: 2_000n }),
  named: fc.boolean(),
});

test('any history: what is settled and taken back is what the rule names, to the cent', {
  timeout: 60_000 + rounds * 20_000,
}, async () => {
  const { companies, cleared, refunded, owed, booked, reversed, settle } = world;
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 3, maxLength: 12 }), async (happenings) => {
      await world.settleAll();
      const lots: CardLot[] = [];
      const expected = [0n, 0n, 0n];
      const add = (parts: readonly bigint[], sign: bigint) => {
        for (const [company, part] of parts.entries()) expected[company] = (expected[company] ?? 0n) + part * sign;
      };
      const settlements: { id: string; parts: bigint[] }[] = [];
      for (const { company, kind, cents, named } of happenings) {
        const card = companies[company] as Carded;
        const sum = expected.reduce((all, minor) => all + minor, 0n);
        const of = (minor: bigint) => [0, 1, 2].map((each) => (each === company ? minor : 0n));
        if (kind === 'clear' || kind === 'refund') {
          const minor = kind === 'clear' ? cents : -cents;
          await (kind === 'clear' ? cleared(card, cents) : refunded(card, cents));
          lots.push({ company, minor });
          add(of(minor), 1n);
        } else if (kind === 'settle' && sum !== 0n) {
          const size = sum < 0n ? -sum : sum;
          const paid = cents > size ? size : cents;
          const id = await booked(paid, sum < 0n ? 'CRDT' : 'DBIT');
          await settle(id);
          const parts = settledBy(lots, expected, sum < 0n ? -paid : paid);
          settlements.push({ id, parts });
          add(parts, -1n);
        } else if (kind === 'back') {
          const [settlement] = settlements.splice(company % Math.max(settlements.length, 1), 1);
          if (!settlement) continue;
          const back = await reversed(settlement.id, { named });
          if (!named) await world.carryOut(await world.agreed(world.proposeBack(back, settlement.id)));
          add(settlement.parts, 1n);
        }
        expect(await owed()).toEqual(expected);
      }
    }),
    { numRuns: Math.min(rounds, 60) },
  );
});
