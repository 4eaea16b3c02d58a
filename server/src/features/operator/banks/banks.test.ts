import { confirmProposal, getProposal } from '@causeway/contract/operator.ts';
import { proposeBankReturn } from '@causeway/contract/operator-bank-debits.ts';
import * as calls from '@causeway/contract/operator-banks.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../../platform/process/log.ts';
import {
  dayStatement,
  depositsOf,
  figuresOf,
  moneysOf,
  notification,
  suspenseOf,
  takeIn,
} from '../../../testing/bank-intake.ts';
import { exampleBank, registerTestBanks } from '../../../testing/bank-registry.ts';
import { openTestBank, openTestBankWallet, openTestCollection } from '../../../testing/banks.ts';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';
import { present } from '../../../testing/present.ts';
import { verifyLedger } from '../../ledger/index.ts';
import { reconcileBanks, settleMoneys } from '../../rails/index.ts';
import { actJobs } from '../acts/jobs.ts';
import { causeLasts } from '../queue/sweep.ts';
import { bankActs } from './acts.ts';

/** Banks on the operator's pages, from the registry to a money in suspense that two operators credit. */

let app: OperatorApp;
let treasury: TestOperator;
let support: TestOperator;
let viewer: TestOperator;
let company: TestCompany;
let wallet: { id: string; number: string };
let account = 998_100_000_000_000;

beforeAll(async () => {
  const db = await testDatabase();
  await openTestBank(db);
  app = await operatorApp(db);
  [treasury, support, viewer] = [
    await app.operator('treasury'),
    await app.operator('support'),
    await app.operator('viewer'),
  ];
  company = await named('Pearl River Trading');
  wallet = await openTestBankWallet(db, company.id, 'HKD');
});
afterAll(async () => {
  expect(app.complaints).toEqual([]);
  expect((await app.db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  const { comparisons } = await reconcileBanks(app.db.operator);
  expect(comparisons.filter(({ differenceMinor }) => differenceMinor !== 0n)).toEqual([]);
  await app.close();
  await app.db.close();
});

async function named(name: string): Promise<TestCompany> {
  const opened = await openTestCompany(app.db);
  await app.db.app.withCompany(opened.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), ${name})`.execute(tx),
  );
  return opened;
}

/** Money of no company at an account of its own. @returns its id */
async function held(amount: string, more: { payer?: string; text?: string } = {}): Promise<string> {
  account += 1;
  await openTestCollection(app.db, String(account));
  const details = [{ payer: more.payer ?? 'Kowloon Mills', text: more.text ?? 'Invoice 7' }];
  await takeIn(app.db, notification([{ amount, ref: `H-${account}`, details }], { of: String(account) }));
  return present((await moneysOf(app.db, String(account)))[0]).id;
}

const propose = (id: string, companyId: string, as = treasury) =>
  app.ask(calls.proposeBankCredit, { as, params: { id }, body: { companyId, reason: 'The payer sent the advice' } });

async function confirm(id: string, as = support) {
  const { digest } = (await app.ask(getProposal, { as, params: { id } })).data;
  return app.ask(confirmProposal, { as, params: { id }, body: { digest, code: app.code(as.secret) } });
}

async function carryOut(proposalId: string): Promise<void> {
  const [job] = actJobs(bankActs);
  const log = createLog('test', 'silent');
  await present(job).run({ companyId: '', database: app.db.worker, log }, { proposalId });
}

const endOf = async (id: string) => (await app.ask(getProposal, { as: treasury, params: { id } })).data.act;

test('the registry is shown with its digest, its collecting accounts and what another file changed', async () => {
  await registerTestBanks(app.db);
  const before = (await app.ask(calls.getBanks, { as: viewer })).data;
  const first = before.banks.find(({ id }) => id === 'first');
  expect(first).toMatchObject({
    range: { prefix: '999001', used: 0, open: true },
    connection: null,
    currencies: expect.arrayContaining([
      expect.objectContaining({ asset: 'USD', collectingAccount: '999001000000002', fee: '10.00', companies: 0 }),
    ]),
  });
  const moved = exampleBank().currencies.map((each) =>
    each.currency === 'USD' ? { ...each, collectingAccount: '999001000000009' } : each,
  );
  await registerTestBanks(app.db, [exampleBank({ currencies: moved })]);
  const after = (await app.ask(calls.getBanks, { as: viewer })).data;
  expect(after.registry[0]?.digest).not.toBe(before.registry[0]?.digest);
  expect(after.registry[0]?.changes).toEqual([
    { bank: 'first', currency: 'USD', field: 'collectingAccount', before: '999001000000002', after: '999001000000009' },
  ]);
  const usd = after.banks.find(({ id }) => id === 'first')?.currencies.find(({ asset }) => asset === 'USD');
  expect(usd?.collectingSince).toBe(after.registry[0]?.at);
  expect(await app.audited()).toContain('operator.changeBankRegistry');
  // The first file is no change; the second one waits for a person.
  const isOpen = (subject: string) =>
    app.db.console.withoutCompany(async (tx) => {
      const { bankSources } = await import('../queue/bank-sources.ts');
      const causes = await present(bankSources.find(({ kind }) => kind === 'bankRegistryChanged')).find(tx);
      return causes.some((cause) => cause.subject === subject);
    });
  expect(await isOpen(present(after.registry[0]).id)).toBe(true);
  expect(await isOpen(present(before.registry[0]).id)).toBe(false);
  expect(
    await app.db.console.withoutCompany((tx) => causeLasts(tx, { kind: 'bankRegistryChanged', subject: 'x' })),
  ).toBe(false);
  // The same file again is no change.
  await registerTestBanks(app.db, [exampleBank({ currencies: moved })]);
  expect((await app.ask(calls.getBanks, { as: viewer })).data.registry).toHaveLength(after.registry.length);
  await registerTestBanks(app.db, []);
});

test('files are listed with why one was refused in the reader’s language, and shown with what came of them', async () => {
  account += 1;
  const of = String(account);
  await openTestCollection(app.db, of);
  await takeIn(app.db, 'no xml', 'bad.xml');
  await takeIn(
    app.db,
    dayStatement([{ amount: '12.50', ref: 'F-1', details: [{ payer: 'Mills', text: 'x &amp; y' }] }], { of }),
    'good.xml',
  );
  const list = async (headers = {}) =>
    (await app.ask(calls.listBankFiles, { as: viewer, query: { bank: 'harbour-hk' }, headers })).data.items;
  const [good, bad] = await list();
  expect(bad).toMatchObject({ name: 'bad.xml', state: 'refused', bytes: 6, source: 'files' });
  expect(good).toMatchObject({ name: 'good.xml', state: 'read', kind: 'camt.053', problem: null });
  const inHongKong = (await list({ 'accept-language': 'zh_HK' }))[1];
  expect(inHongKong?.problem).toMatch(/\p{Script=Han}/u);
  expect(bad?.problem).toMatch(/^[A-Z]/);
  expect((await app.ask(calls.listBankFiles, { as: viewer, query: { state: 'refused' } })).data.items).toHaveLength(1);

  const file = (await app.ask(calls.getBankFile, { as: viewer, params: { id: present(good).id } })).data;
  expect(file.text).toContain('<Ustrd>x &amp; y</Ustrd>');
  expect(file).toMatchObject({
    isCut: false,
    statements: [{ account: of, opening: '0.00', closing: '12.50', total: '12.50', difference: '0.00', entries: 1 }],
    moneys: [{ quantity: '12.50', state: 'suspense', payer: 'Mills' }],
  });
  const refused = await app.ask(calls.downloadBankFile, { as: viewer, params: { id: present(good).id } });
  expect(refused.status).toBe(403);
  const url = `/operator/bank-file/${present(good).id}/content`;
  const got = await app.app.inject({ url, headers: { authorization: `Bearer ${support.token}` } });
  expect(got.statusCode).toBe(200);
  expect(got.headers['content-disposition']).toContain('good.xml');
  expect(got.body).toContain('BkToCstmrStmt');
  expect(await app.audited()).toContain('operator.downloadBankFile');
});

test('the reconciliation has each account’s last statement, and leads to the row of a difference', async () => {
  account += 1;
  const of = String(account);
  await openTestCollection(app.db, of);
  await takeIn(app.db, dayStatement([{ amount: '40.00', ref: 'S-1' }], { of, closing: '45.00' }));
  const { places, findings, night } = (await app.ask(calls.getBankReconciliation, { as: viewer })).data;
  const hkd = present(places.find(({ bank, asset }) => bank === 'harbour-hk' && asset === 'HKD'));
  expect(hkd.accounts.find(({ number }) => number === of)?.statement).toMatchObject({
    opening: '0.00',
    total: '40.00',
    closing: '45.00',
    difference: '5.00',
  });
  expect(hkd.difference).toBe('5.00');
  const finding = present(findings.find((one) => one.account === of));
  expect(finding).toMatchObject({ kind: 'statementSum', difference: '-5.00' });
  expect(finding.fileId).not.toBeNull();
  expect(night).toBeNull();
  // The bank sends the day again as it should have been: nothing is left.
  await takeIn(
    app.db,
    dayStatement([{ amount: '5.00', ref: 'S-2', date: '2026-11-20' }], { of, opening: '40.00', id: `S2-${of}` }),
  );
});

test('money in suspense is credited once by two operators, at the price of every deposit', async () => {
  const id = await held('100.00', { text: 'for Pearl' });
  const detail = (await app.ask(calls.getBankMoney, { as: viewer, params: { id } })).data;
  expect(detail).toMatchObject({ money: { state: 'suspense', quantity: '100.00' }, suggestions: [], credited: null });
  const found = (
    await app.ask(calls.findBankCreditTargets, { as: viewer, params: { id }, query: { keyword: 'pearl' } })
  ).data;
  expect(found.targets).toEqual([
    {
      companyId: company.id,
      companyName: 'Pearl River Trading',
      walletId: wallet.id,
      accountNumber: wallet.number,
      frozen: false,
    },
  ]);
  expect((await propose(id, company.id, viewer)).status).toBe(403);
  const stranger = await named('No Account');
  expect((await propose(id, stranger.id)).key).toBe('bankWalletMissing');
  const { proposalId } = (await propose(id, company.id)).data;
  // One proposal about one money.
  expect((await propose(id, company.id, support)).key).toBe('proposalOpen');
  expect((await app.ask(calls.getBankMoney, { as: viewer, params: { id } })).data.proposalId).toBe(proposalId);
  expect((await confirm(proposalId, treasury)).key).toBe('proposalOwn');
  expect((await confirm(proposalId)).status).toBe(200);
  const before = (await figuresOf(app.db, company.id, wallet.id))['available'] ?? 0n;
  await carryOut(proposalId);
  await carryOut(proposalId);
  expect(await endOf(proposalId)).toMatchObject({ state: 'done' });
  expect((await figuresOf(app.db, company.id, wallet.id))['available']).toBe(before + 8500n);
  expect(await suspenseOf(app.db, String(account))).toEqual({});
  expect(await depositsOf(app.db, company.id)).toMatchObject([
    { quantity: 10_000n, fee: 1500n, description: 'for Pearl' },
  ]);
  const after = (await app.ask(calls.getBankMoney, { as: viewer, params: { id } })).data;
  expect(after).toMatchObject({
    money: { state: 'credited', matchedBy: 'operator' },
    credited: { companyId: company.id },
  });
  expect((await propose(id, company.id)).key).toBe('bankMoneySettled');
});

test('what the bank says meanwhile wins: the proposal is stale, or the act is refused', async () => {
  const id = await held('70.00');
  const { proposalId } = (await propose(id, company.id)).data;
  const details = [{ payer: 'Kowloon Mills', text: 'Invoice 7', to: wallet.number }];
  // The statement names the account that the notification left out.
  await takeIn(app.db, dayStatement([{ amount: '70.00', ref: `H-${account}`, details }], { of: String(account) }));
  expect(present((await moneysOf(app.db, String(account)))[0]).state).toBe('credited');
  expect((await confirm(proposalId)).key).toBe('proposalStale');

  const second = await held('71.00');
  const agreed = (await propose(second, company.id)).data.proposalId;
  expect((await confirm(agreed)).status).toBe(200);
  const more = [{ payer: 'Kowloon Mills', text: 'Invoice 7', to: wallet.number }];
  await takeIn(
    app.db,
    dayStatement([{ amount: '71.00', ref: `H-${account}`, details: more }], { of: String(account) }),
  );
  const credited = (await figuresOf(app.db, company.id, wallet.id))['available'];
  await carryOut(agreed);
  expect(await endOf(agreed)).toMatchObject({ state: 'refused', refusal: 'This money is not in suspense any more.' });
  expect((await figuresOf(app.db, company.id, wallet.id))['available']).toBe(credited);
});

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 6);

test(`the act and a match at the same moment credit a money once, ${rounds} times`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const id = await held('50.00');
    const agreed = (await propose(id, company.id)).data.proposalId;
    await confirm(agreed);
    await app.db.worker.withoutCompany((tx) =>
      sql`update bank_money set creditor_account = ${wallet.number}, unmatched = 'again' where id = ${id}`.execute(tx),
    );
    const before = (await figuresOf(app.db, company.id, wallet.id))['available'] ?? 0n;
    await Promise.all([carryOut(agreed), settleMoneys(app.db.worker)]);
    expect((await figuresOf(app.db, company.id, wallet.id))['available']).toBe(before + 3500n);
    expect(await suspenseOf(app.db, String(account))).toEqual({});
  }
});

test('a batch without details is not credited by hand', async () => {
  account += 1;
  await openTestCollection(app.db, String(account));
  await takeIn(app.db, notification([{ amount: '30.00', ref: `B-${account}`, batch: 3 }], { of: String(account) }));
  const money = present((await moneysOf(app.db, String(account)))[0]);
  expect(money.unmatched).toBe('undetailed');
  expect((await propose(money.id, company.id)).key).toBe('bankMoneyUndetailed');
  const listed = (await app.ask(calls.listBankMoneys, { as: viewer, query: { bank: 'harbour-hk' } })).data.items;
  expect(listed.map(({ id }) => id)).toContain(money.id);
  expect(listed.every(({ state }) => state === 'suspense')).toBe(true);
});

test('money that the bank sent back leaves suspense by its own debit, once', async () => {
  const id = await held('81.00');
  const of = String(account);
  const ask = (takenId: string, as = treasury) =>
    app.ask(proposeBankReturn, { as, params: { id }, body: { takenId, reason: 'Sent back at the counter' } });
  expect((await app.ask(calls.getBankMoney, { as: viewer, params: { id } })).data.returns).toEqual([]);
  expect((await ask(id)).key).toBe('bankReturnDiffers');
  await takeIn(app.db, notification([{ amount: '81.00', sign: 'DBIT', ref: `OUT-${of}` }], { of }));
  const words = 'Returned at the request of the payer';
  const sent = { to: of, payer: 'Unknown', returned: 'AC03', returnedWords: ['No such', 'account'] };
  const again = { amount: '81.00', sign: 'DBIT' as const, ref: `OUT2-${of}`, words, details: [sent] };
  await takeIn(app.db, notification([again], { of }));
  const [first, second] = (await app.ask(calls.getBankMoney, { as: viewer, params: { id } })).data.returns;
  expect(first).toMatchObject({ quantity: '-81.00', state: 'charged' });
  const said = (await app.ask(calls.getBankMoney, { as: viewer, params: { id: present(second).id } })).data;
  expect(said).toMatchObject({ money: { bankWords: words }, returnReason: 'AC03', returnWords: 'No such account' });
  const { proposalId } = (await ask(present(first).id)).data;
  // A money has one proposal, of either kind.
  expect((await propose(id, company.id)).key).toBe('proposalOpen');
  expect((await ask(present(second).id)).key).toBe('proposalOpen');
  expect((await confirm(proposalId)).status).toBe(200);
  await carryOut(proposalId);
  await carryOut(proposalId);
  expect(await endOf(proposalId)).toMatchObject({ state: 'done' });
  // What the second debit was for is still open.
  expect(await suspenseOf(app.db, of)).toEqual({ collecting: 8100n, charges: -8100n });
  expect((await moneysOf(app.db, of)).map(({ state }) => state)).toEqual(['returned', 'reversal', 'charged']);
  expect((await reconcileBanks(app.db.operator)).findings.filter((finding) => finding.account === of)).toEqual([]);
  expect((await ask(present(second).id)).key).toBe('bankMoneySettled');
});
