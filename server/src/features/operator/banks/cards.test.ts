import { getProposal } from '@causeway/contract/operator.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { suspenseOf } from '../../../testing/bank-intake.ts';
import { ours, type SettlingWorld, sentenceOf, settlingWorld } from '../../../testing/card-settling.ts';
import { moneyOf } from '../../../testing/cards.ts';
import { dyingDatabase, eachDeath, Killed, killRounds } from '../../../testing/dying.ts';
import { race } from '../../../testing/race.ts';

/** What the operator pays the issuer of cards from companies' bank account, or is paid by it, as the bank books it. Cents. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 6);
let world: SettlingWorld;
beforeAll(async () => {
  world = await settlingWorld();
});
afterEach(() => world.verify());
afterAll(() => world.close());

test('a part pays the oldest clearings first, and the rest what is owed to the cent', async () => {
  const {
    of,
    app,
    treasury,
    administrator,
    companies,
    cleared,
    owed,
    places,
    clearedAt,
    booked,
    propose,
    settlementOf,
    stateOf,
    confirm,
    carryOut,
    settle,
  } = world;
  const [one, two, three] = companies;
  await cleared(one, 1_000n);
  await cleared(two, 2_000n);
  await cleared(one, 500n);
  expect(await places()).toMatchObject([
    {
      ...{ bank: 'harbour-hk', asset: 'HKD', owed: '35.00', payments: '35.00', refunds: '0.00', companies: 2 },
      items: [
        { companyId: two.company.id, quantity: '20.00' },
        { companyId: one.company.id, quantity: '15.00' },
      ],
    },
  ]);
  const [first, second] = await clearedAt();
  expect((await places())[0]?.since).toBe(first);
  const before = await Promise.all(companies.map((card) => moneyOf(of, card)));
  const id = await booked(1_234n);
  expect((await settlementOf(id)).possible).toEqual({ owed: '35.00', covered: true });
  expect((await propose(id, await app.operator('support'))).key).toBe('noPermission');
  const { proposalId } = (await propose(id)).data;
  expect((await propose(id, administrator)).key).toBe('proposalOpen');
  const shown = (await app.ask(getProposal, { as: administrator, params: { id: proposalId } })).data;
  expect(shown.title).toBe('Record 12.34 HKD as settled with the card issuer');
  expect(shown.changes.slice(0, 2)).toEqual([
    { label: 'Belongs to', before: 'Taken by the bank', after: 'Paid to the card issuer' },
    { label: 'Owed to the card issuer at the bank', before: '35.00 HKD', after: '22.66 HKD' },
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
  await carryOut(proposalId);
  await carryOut(proposalId);
  expect(await owed()).toEqual([500n, 1_766n, 0n]);
  expect((await places())[0]?.since).toBe(second);
  // What companies have is as it was.
  const after = await Promise.all(companies.map((card) => moneyOf(of, card)));
  expect(after.map(([available]) => available)).toEqual(before.map(([available]) => available));
  expect(await stateOf(id)).toBe('cards');
  expect(await suspenseOf(of.db, ours)).toEqual({});
  expect(await settlementOf(id)).toMatchObject({
    possible: null,
    shares: {
      companies: 2,
      items: [
        { companyId: one.company.id, quantity: '10.00' },
        { companyId: two.company.id, quantity: '2.34' },
      ],
    },
  });
  expect((await propose(id)).key).toBe('cardSettlementOther');
  expect(await app.audited()).toContain('operator.settleCards');
  await cleared(three, 1n);
  await settle(await booked(2_267n));
  expect(await owed()).toEqual([0n, 0n, 0n]);
  expect(await places()).toEqual([]);
});

test('refunds are deducted first, and where they prevail the issuer pays', async () => {
  const {
    app,
    administrator,
    companies,
    cleared,
    refunded,
    owed,
    places,
    booked,
    propose,
    settlementOf,
    confirm,
    carryOut,
    settle,
    settleAll,
  } = world;
  const [one, two, three] = companies;
  await refunded(three, 700n);
  await cleared(one, 1_000n);
  await cleared(two, 900n);
  expect(await places()).toMatchObject([{ owed: '12.00', payments: '19.00', refunds: '7.00', companies: 3 }]);
  const most = await booked(1_201n);
  expect((await settlementOf(most)).possible).toEqual({ owed: '12.00', covered: false });
  const refused = await propose(most);
  expect(refused.key).toBe('cardSettlementShort');
  expect(refused.errors[0]).toContain('12.00 HKD');
  // 5.00 of the bank and 7.00 of the refund pay all of the first, and 2.00 of the second.
  const part = await booked(500n);
  await settle(part);
  expect(await owed()).toEqual([0n, 700n, 0n]);
  expect((await settlementOf(part)).shares?.items.map(({ quantity }) => quantity)).toEqual(['10.00', '-7.00', '2.00']);
  await refunded(one, 2_000n);
  await refunded(three, 100n);
  expect(await owed()).toEqual([-2_000n, 700n, -100n]);
  // Nothing is owed to the issuer now: it owes 14.00.
  expect((await propose(await booked(1n))).key).toBe('cardSettlementShort');
  const back = await booked(1_350n, 'CRDT');
  expect((await settlementOf(back)).possible).toEqual({ owed: '-14.00', covered: true });
  const { proposalId } = (await propose(back)).data;
  const shown = (await app.ask(getProposal, { as: administrator, params: { id: proposalId } })).data;
  expect(shown.changes[0]).toMatchObject({ before: 'In suspense', after: 'Paid by the card issuer' });
  await confirm(proposalId);
  await carryOut(proposalId);
  expect(await owed()).toEqual([0n, 0n, -50n]);
  expect((await propose(await booked(51n, 'CRDT'))).key).toBe('cardSettlementShort');
  await settleAll();
});

test('what changed meanwhile is stale when confirmed, or refused for good by the worker', async () => {
  const {
    companies,
    cleared,
    owed,
    booked,
    propose,
    settlementOf,
    stateOf,
    confirm,
    agree,
    carryOut,
    settle,
    actOf,
    settleAll,
  } = world;
  const [one] = companies;
  await cleared(one, 1_000n);
  const [all, cent] = [await booked(1_000n), await booked(1n)];
  const stale = (await propose(all)).data.proposalId;
  await settle(cent);
  expect((await confirm(stale)).key).toBe('proposalStale');
  const [rest, another] = [await booked(999n), await booked(1n)];
  const first = await agree(rest);
  const second = await agree(another);
  await carryOut(second);
  await carryOut(first);
  expect(await actOf(first)).toMatchObject({
    state: 'refused',
    refusal: sentenceOf('cardSettlementChanged'),
  });
  expect(await stateOf(rest)).toBe('charged');
  expect(await owed()).toEqual([998n, 0n, 0n]);
  const batch = await booked(1n, 'DBIT', { batch: 3 });
  expect((await settlementOf(batch)).possible).toBeNull();
  expect((await propose(batch)).key).toBe('cardSettlementOther');
  await settleAll();
});

test('two settlements of one debit, two debits at once, and a clearing at the same time: no cent twice', {
  timeout: 60_000 + rounds * 10_000,
}, async () => {
  const { of, companies, cleared, refunded, owed, booked, agree, carryOut, actOf, settleAll } = world;
  const [one, two] = companies;
  for (let round = 0; round < rounds; round += 1) {
    await cleared(one, 300n);
    await cleared(two, 500n);
    const [a, b] = [await agree(await booked(350n)), await agree(await booked(250n))];
    await race(
      of.db,
      round,
      () => Promise.all([carryOut(a), carryOut(a)]),
      () => carryOut(b),
    );
    expect((await owed()).reduce((sum, each) => sum + each)).toBe(200n);
    const c = await agree(await booked(200n));
    await race(
      of.db,
      round,
      () => carryOut(c),
      () => cleared(one, 70n),
    );
    expect((await owed()).reduce((sum, each) => sum + each)).toBe(70n);
    const d = await agree(await booked(70n));
    // A refund in front leaves less to pay, and the debit waits for another explanation.
    await race(
      of.db,
      round,
      () => carryOut(d),
      () => refunded(two, 10n),
    );
    const sum = (await owed()).reduce((all, each) => all + each);
    expect((await actOf(d))?.state === 'done' ? sum === -10n : sum === 60n).toBe(true);
    await settleAll();
  }
});

test('a worker that dies settles once', { timeout: 60_000 + killRounds * 30_000 }, async () => {
  const { of, companies, cleared, owed, booked, agree, carryOut } = world;
  const [one, two] = companies;
  for (let turn = 0; turn < killRounds; turn += 1) {
    const deaths = await eachDeath(async (transactions, moment) => {
      await cleared(one, 300n);
      await cleared(two, 500n);
      const proposalId = await agree(await booked(800n));
      const dying = dyingDatabase(of.db.worker, transactions, moment) as typeof of.db.worker;
      const died = await carryOut(proposalId, dying).then(
        () => false,
        (error: unknown) => {
          expect(error).toBeInstanceOf(Killed);
          return true;
        },
      );
      await carryOut(proposalId);
      expect(await owed()).toEqual([0n, 0n, 0n]);
      return died;
    });
    expect(deaths).toBeGreaterThan(1);
  }
});
