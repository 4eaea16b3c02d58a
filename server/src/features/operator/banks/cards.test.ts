import type { ErrorKey } from '@causeway/contract/errors.ts';
import { confirmProposal, getProposal } from '@causeway/contract/operator.ts';
import { getBankMoney } from '@causeway/contract/operator-banks.ts';
import * as calls from '@causeway/contract/operator-cards.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../../platform/process/log.ts';
import { translate } from '../../../platform/text/texts.ts';
import { moneysOf, notification, suspenseOf, takeIn } from '../../../testing/bank-intake.ts';
import { openTestCollection } from '../../../testing/banks.ts';
import { asking, type Carded, type CardWorld, carded, cardWorld, eventOf, moneyOf } from '../../../testing/cards.ts';
import { dyingDatabase, eachDeath, Killed, killRounds } from '../../../testing/dying.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';
import { present } from '../../../testing/present.ts';
import { race } from '../../../testing/race.ts';
import { takeInEvents } from '../../cards/service/take-in.ts';
import { verifyCards } from '../../cards/verify.ts';
import { verifyLedger } from '../../ledger/index.ts';
import { reconcileBanks } from '../../rails/index.ts';
import { actJobs } from '../acts/jobs.ts';
import { bankActs } from './acts.ts';

/** What the operator pays the issuer of cards from companies' bank account, or is paid by it, as the bank books it. Cents. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 6);
let of: CardWorld;
let app: OperatorApp;
let treasury: TestOperator;
let administrator: TestOperator;
const companies: Carded[] = [];
const ours = '998100000000778';
let lastRef = 0;

beforeAll(async () => {
  of = await cardWorld();
  app = await operatorApp(of.db);
  [treasury, administrator] = [await app.operator('treasury'), await app.operator('administrator')];
  await openTestCollection(of.db, ours);
  for (let count = 0; count < 3; count += 1) companies.push(await carded(of));
});
afterEach(async () => {
  expect((await of.db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  expect((await of.db.operator.withoutCompany(verifyCards)).mismatches).toEqual([]);
  const { findings } = await reconcileBanks(of.db.operator);
  // What the test put into wallets came from no bank.
  expect(findings.filter(({ line }) => /cards|bank\.held|bank\.released/.test(line))).toEqual([]);
});
afterAll(async () => {
  expect([...app.complaints, ...of.world.complaints]).toEqual([]);
  await app.close();
  await of.close();
});

const cleared = (card: Carded, amountMinor: bigint) =>
  takeInEvents(of.db.app, [eventOf(asking(card), { amountMinor, isLast: true })]);
const refunded = (card: Carded, amountMinor: bigint) =>
  takeInEvents(of.db.app, [eventOf(asking(card), { type: 'refunded', amountMinor })]);
const owedBy = async (card: Carded) => (await moneyOf(of, card))[2];
const owed = () => Promise.all(companies.map(owedBy));
const places = async () => (await app.ask(calls.listCardsOwed, { as: treasury })).data.places;
/** When cards cleared what, the oldest first. */
const clearedAt = () =>
  of.db.operator.withoutCompany(async (tx) => {
    const { rows } = await sql<{ at: Date }>`
      select e.created_at as at from ledger_entry e
      join ledger_account a on a.company_id = e.company_id and a.id = e.account_id and a.kind = 'card'
      where e.amount > 0 order by e.created_at`.execute(tx);
    return rows.map(({ at }) => at.toISOString());
  });
const whole = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;

/** A booking at our account. @returns the money */
async function booked(cents: bigint, sign: 'CRDT' | 'DBIT' = 'DBIT', more: { batch?: number } = {}): Promise<string> {
  lastRef += 1;
  await takeIn(of.db, notification([{ amount: whole(cents), sign, ref: `ISS-${lastRef}`, ...more }], { of: ours }));
  return present((await moneysOf(of.db, ours)).at(-1)).id;
}

const propose = (id: string, as = treasury) =>
  app.ask(calls.proposeCardSettlement, { as, params: { id }, body: { reason: 'Issuer, week 47' } });
const settlementOf = async (id: string) =>
  (await app.ask(calls.getCardSettlement, { as: treasury, params: { id } })).data;
const stateOf = async (id: string) => (await app.ask(getBankMoney, { as: treasury, params: { id } })).data.money.state;

async function confirm(id: string, as = administrator) {
  const { digest } = (await app.ask(getProposal, { as, params: { id } })).data;
  return app.ask(confirmProposal, { as, params: { id }, body: { digest, code: app.code(as.secret) } });
}

async function agree(id: string): Promise<string> {
  const { proposalId } = (await propose(id)).data;
  expect((await confirm(proposalId)).status).toBe(200);
  return proposalId;
}

async function carryOut(proposalId: string, database = of.db.worker): Promise<void> {
  const [job] = actJobs(bankActs);
  await present(job).run({ companyId: '', database, log: createLog('test', 'silent') }, { proposalId });
}

const sentenceOf = (key: ErrorKey) => translate('en-us', `error.${key}`);
const settle = async (id: string) => carryOut(await agree(id));
const actOf = async (id: string) => (await app.ask(getProposal, { as: treasury, params: { id } })).data.act;

/** Settles all that is owed, whichever way. */
async function settleAll(): Promise<void> {
  const sum = (await owed()).reduce((all, one) => all + one, 0n);
  if (sum !== 0n) await settle(await booked(sum < 0n ? -sum : sum, sum < 0n ? 'CRDT' : 'DBIT'));
  else if ((await owed()).some((one) => one !== 0n)) {
    await cleared(companies[0] as Carded, 1n);
    await settle(await booked(1n));
  }
  expect(await owed()).toEqual([0n, 0n, 0n]);
}

test('a part pays the oldest clearings first, and the rest what is owed to the cent', async () => {
  const [one, two, three] = companies as [Carded, Carded, Carded];
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
  const [one, two, three] = companies as [Carded, Carded, Carded];
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
  const [one] = companies as [Carded];
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
  const [one, two] = companies as [Carded, Carded];
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
  const [one, two] = companies as [Carded, Carded];
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

const happening = fc.record({
  company: fc.integer({ min: 0, max: 2 }),
  kind: fc.constantFrom('clear', 'clear', 'clear', 'refund', 'settle', 'settle'),
  cents: fc.bigInt({ min: 1n, max: 2_000n }),
});

/** The oldest first, by the rule of ADR 108: pure, and apart from the database's. */
function settledBy(lots: { company: number; minor: bigint }[], paid: bigint): { company: number; minor: bigint }[] {
  const balances = [0, 1, 2].map((company) =>
    lots.filter((lot) => lot.company === company).reduce((sum, { minor }) => sum + minor, 0n),
  );
  const sign = paid > 0n ? 1n : -1n;
  let left = paid * sign;
  for (const balance of balances) if (balance * sign < 0n) left -= balance * sign;
  const rest: { company: number; minor: bigint }[] = [];
  // What a company's balance is made of: its newest of that sign.
  const open = lots.map((lot) => ({ ...lot, minor: 0n }));
  for (const [company, balance] of balances.entries()) {
    let missing = balance * sign;
    for (let at = lots.length - 1; at >= 0 && missing > 0n; at -= 1) {
      const lot = lots[at];
      const mine = open[at];
      if (!lot || !mine || lot.company !== company || lot.minor * sign <= 0n) continue;
      mine.minor = lot.minor * sign < missing ? lot.minor * sign : missing;
      missing -= mine.minor;
    }
  }
  for (const lot of open) {
    const taken = lot.minor < left ? lot.minor : left;
    left -= taken;
    if (lot.minor > taken) rest.push({ company: lot.company, minor: (lot.minor - taken) * sign });
  }
  expect(left).toBe(0n);
  return rest;
}

test('any history: each settlement takes exactly what the bank booked, from the companies that the rule names', {
  timeout: 60_000 + rounds * 15_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 3, maxLength: 12 }), async (happenings) => {
      await settleAll();
      let lots: { company: number; minor: bigint }[] = [];
      for (const { company, kind, cents } of happenings) {
        const card = companies[company] as Carded;
        const sum = lots.reduce((all, { minor }) => all + minor, 0n);
        if (kind === 'clear') {
          await cleared(card, cents);
          lots.push({ company, minor: cents });
        } else if (kind === 'refund') {
          await refunded(card, cents);
          lots.push({ company, minor: -cents });
        } else if (sum !== 0n) {
          const size = sum < 0n ? -sum : sum;
          const paid = cents > size ? size : cents;
          await settle(await booked(paid, sum < 0n ? 'CRDT' : 'DBIT'));
          lots = settledBy(lots, sum < 0n ? -paid : paid);
        }
        const expected = [0, 1, 2].map((each) =>
          lots.filter((lot) => lot.company === each).reduce((all, { minor }) => all + minor, 0n),
        );
        expect(await owed()).toEqual(expected);
      }
    }),
    { numRuns: Math.min(rounds, 60) },
  );
});
