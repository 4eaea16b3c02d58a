import type { ErrorKey } from '@causeway/contract/errors.ts';
import { confirmProposal, getProposal } from '@causeway/contract/operator.ts';
import { proposeBankFees } from '@causeway/contract/operator-bank-debits.ts';
import * as calls from '@causeway/contract/operator-banks.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../../platform/process/log.ts';
import { translate } from '../../../platform/text/texts.ts';
import { figuresOf, moneysOf, notification, suspenseOf, takeIn } from '../../../testing/bank-intake.ts';
import { openTestBank, openTestBankWallet, openTestCollection } from '../../../testing/banks.ts';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';
import { present } from '../../../testing/present.ts';
import { verifyLedger } from '../../ledger/index.ts';
import { reconcileBanks } from '../../rails/index.ts';
import { actJobs } from '../acts/jobs.ts';
import { bankActs } from './acts.ts';

/**
 * The firm's transfer of collected fees to itself, as the bank books it: two operators explain it, and it is set off against companies' fees, the oldest first.
 * A deposit has a fee of 15.00.
 */

interface Payer extends TestCompany {
  wallet: { id: string; number: string };
}

let app: OperatorApp;
let treasury: TestOperator;
let administrator: TestOperator;
const companies: Payer[] = [];
const ours = '998100000000777';
let lastDebit = 0;

beforeAll(async () => {
  const db = await testDatabase();
  await openTestBank(db);
  app = await operatorApp(db);
  [treasury, administrator] = [await app.operator('treasury'), await app.operator('administrator')];
  await openTestCollection(db, ours);
  for (const name of ['Early Trading', 'Late Trading', 'No Fees']) {
    const opened = await openTestCompany(db);
    await db.app.withCompany(opened.id, (tx) =>
      sql`insert into company (company_id, name) values (company_id(), ${name})`.execute(tx),
    );
    companies.push({ ...opened, wallet: await openTestBankWallet(db, opened.id, 'HKD') });
  }
});
afterEach(async () => {
  expect((await app.db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  const { comparisons, findings } = await reconcileBanks(app.db.operator);
  expect(comparisons.filter(({ differenceMinor }) => differenceMinor !== 0n)).toEqual([]);
  expect(findings).toEqual([]);
});
afterAll(async () => {
  expect(app.complaints).toEqual([]);
  await app.close();
  await app.db.close();
});

let lastDeposit = 0;

/** A deposit of 100.00 each, in their order. */
async function deposits(...of: Payer[]): Promise<void> {
  for (const { wallet } of of) {
    lastDeposit += 1;
    const details = [{ to: wallet.number, payer: 'Customer' }];
    await takeIn(app.db, notification([{ amount: '100.00', ref: `IN-${lastDeposit}`, details }]));
  }
}

/** What the bank took from our account. @returns the money */
async function debit(amount: string, more: { sign?: 'CRDT' | 'DBIT'; batch?: number } = {}): Promise<string> {
  lastDebit += 1;
  const ref = `FEES-${lastDebit}`;
  await takeIn(app.db, notification([{ amount, sign: 'DBIT', ref, ...more }], { of: ours }));
  return present((await moneysOf(app.db, ours)).at(-1)).id;
}

const propose = (id: string, as = treasury) =>
  app.ask(proposeBankFees, { as, params: { id }, body: { reason: 'Fees of November' } });

async function confirm(id: string, as = administrator) {
  const { digest } = (await app.ask(getProposal, { as, params: { id } })).data;
  return app.ask(confirmProposal, { as, params: { id }, body: { digest, code: app.code(as.secret) } });
}

async function carryOut(proposalId: string): Promise<void> {
  const [job] = actJobs(bankActs);
  await present(job).run({ companyId: '', database: app.db.worker, log: createLog('test', 'silent') }, { proposalId });
}

/** Agrees on a debit and carries it out. */
async function collect(id: string): Promise<void> {
  const { proposalId } = (await propose(id)).data;
  expect((await confirm(proposalId)).status).toBe(200);
  await carryOut(proposalId);
}

const sentenceOf = (key: ErrorKey) => translate('en-us', `error.${key}`);
const detailOf = async (id: string) => (await app.ask(calls.getBankMoney, { as: treasury, params: { id } })).data;
const feesOf = async ({ id, wallet }: Payer) => (await figuresOf(app.db, id, wallet.id))['fee'] ?? 0n;
const allFees = async () => Promise.all(companies.map(feesOf));
const heldAtBank = async () =>
  (await app.ask(calls.getBanks, { as: treasury })).data.banks
    .find(({ id }) => id === 'harbour-hk')
    ?.currencies.find(({ asset }) => asset === 'HKD')?.feesHeld;

test('a debit is set off against the oldest fees, to the last unit, and takes no company’s balance', async () => {
  const [early, late] = companies as [Payer, Payer];
  await deposits(early, late, early, late);
  expect(await allFees()).toEqual([3000n, 3000n, 0n]);
  const before = await Promise.all([early, late].map(({ id, wallet }) => figuresOf(app.db, id, wallet.id)));
  // The first fee of each company, and 2.34 of the second of the first.
  const id = await debit('32.34');
  expect((await detailOf(id)).fees).toEqual({ held: '60.00', covered: true });
  expect((await propose(id, await app.operator('support'))).key).toBe('noPermission');
  const { proposalId } = (await propose(id)).data;
  expect((await propose(id, administrator)).key).toBe('proposalOpen');
  const shown = (await app.ask(getProposal, { as: administrator, params: { id: proposalId } })).data;
  expect(shown.title).toBe('Record 32.34 HKD as fees collected');
  expect(shown.changes.slice(0, 2)).toEqual([
    { label: 'Belongs to', before: 'Taken by the bank', after: 'Our transfer of fees' },
    { label: 'Fees of companies at the bank', before: '60.00 HKD', after: '27.66 HKD' },
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
  expect(await allFees()).toEqual([3000n - 1734n, 1500n, 0n]);
  const after = await Promise.all(
    [early, late].map(({ id: company, wallet }) => figuresOf(app.db, company, wallet.id)),
  );
  expect(after.map(({ available }) => available)).toEqual(before.map(({ available }) => available));
  expect(await suspenseOf(app.db, ours)).toEqual({});
  expect(await detailOf(id)).toMatchObject({
    money: { state: 'fees', matchedBy: 'operator', unmatched: null },
    fees: null,
    shares: {
      companies: 2,
      items: [
        { companyId: early.id, companyName: 'Early Trading', quantity: '17.34' },
        { companyId: late.id, companyName: 'Late Trading', quantity: '15.00' },
      ],
    },
  });
  expect(await heldAtBank()).toBe('27.66');
  expect((await propose(id)).key).toBe('bankDebitOther');
  expect(await app.audited()).toContain('operator.collectBankFees');
});

test('what is collected later is the next oldest, down to nothing', async () => {
  const [early, late, none] = companies as [Payer, Payer, Payer];
  await deposits(none);
  await collect(await debit('12.66'));
  expect(await allFees()).toEqual([0n, 1500n, 1500n]);
  await collect(await debit('30.00'));
  expect(await allFees()).toEqual([0n, 0n, 0n]);
  await deposits(late, early);
  await collect(await debit('15.01'));
  expect(await allFees()).toEqual([1499n, 0n, 0n]);
});

test('never beyond what fees there are: refused when proposed, stale when confirmed, and refused for good by the worker', async () => {
  const [early, late] = companies as [Payer, Payer];
  await deposits(late);
  expect(await allFees()).toEqual([1499n, 1500n, 0n]);
  const more = await debit('30.00');
  expect((await detailOf(more)).fees).toEqual({ held: '29.99', covered: false });
  const refused = await propose(more);
  expect(refused.key).toBe('bankFeesShort');
  expect(refused.errors[0]).toContain('29.99 HKD');

  const [first, second] = [await debit('29.99'), await debit('0.01')];
  const [all, one] = [(await propose(first)).data.proposalId, (await propose(second)).data.proposalId];
  await confirm(all);
  await confirm(one);
  await carryOut(one);
  await carryOut(all);
  expect(await allFees()).toEqual([1498n, 1500n, 0n]);
  const { act } = (await app.ask(getProposal, { as: treasury, params: { id: all } })).data;
  expect(act).toMatchObject({ state: 'refused' });
  expect(act?.refusal).toBe(sentenceOf('bankFeesChanged'));
  expect((await detailOf(first)).money.state).toBe('charged');

  await deposits(early);
  const waiting = await debit('44.98');
  const stale = (await propose(waiting)).data.proposalId;
  await collect(await debit('1.00'));
  expect((await confirm(stale)).key).toBe('proposalStale');
});

test('two debits at once take no unit twice, and what is no plain debit is not fees', async () => {
  const [early, late, none] = companies as [Payer, Payer, Payer];
  await deposits(early, late, none);
  const sum = (await allFees()).reduce((total, fee) => total + fee, 0n);
  const ids = [await debit('20.00'), await debit('21.00'), await debit('22.00')];
  const agreed = [];
  for (const id of ids) {
    const { proposalId } = (await propose(id)).data;
    await confirm(proposalId);
    agreed.push(proposalId);
  }
  await Promise.all([...agreed, ...agreed].map(carryOut));
  expect((await allFees()).reduce((total, fee) => total + fee, 0n)).toBe(sum - 6300n);
  const batch = await debit('1.00', { batch: 3 });
  expect((await detailOf(batch)).fees).toBeNull();
  expect((await propose(batch)).key).toBe('bankDebitOther');
  const incoming = await debit('1.00', { sign: 'CRDT' });
  expect((await propose(incoming)).key).toBe('bankDebitOther');
});
