import { confirmProposal, getProposal } from '@causeway/contract/operator.ts';
import { proposeBankFile } from '@causeway/contract/operator-bank-uploads.ts';
import { listBankFiles } from '@causeway/contract/operator-banks.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../../platform/process/log.ts';
import { dayStatement, depositsOf, notification, takeIn } from '../../../testing/bank-intake.ts';
import { openTestBank, openTestBankWallet } from '../../../testing/banks.ts';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';
import { present } from '../../../testing/present.ts';
import { readMessages } from '../../banks/index.ts';
import { settleMoneys } from '../../rails/index.ts';
import { actJobs } from '../acts/jobs.ts';
import { bankActs } from './acts.ts';

/** A bank's file taken in by hand: what was understood is shown to both operators, and the same content has an effect once. */

let app: OperatorApp;
let treasury: TestOperator;
let support: TestOperator;
let company: TestCompany;
let wallet: { id: string; number: string };

beforeAll(async () => {
  const db = await testDatabase();
  await openTestBank(db);
  app = await operatorApp(db);
  [treasury, support] = [await app.operator('treasury'), await app.operator('support')];
  company = await openTestCompany(db);
  wallet = await openTestBankWallet(db, company.id, 'HKD');
});
afterAll(async () => {
  expect(app.complaints).toEqual([]);
  await app.close();
  await app.db.close();
});

async function upload(text: string, { as = treasury, bank = 'harbour-hk', name = 'today.xml' } = {}) {
  const boundary = 'boundary-of-the-test';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/xml\r\n\r\n`;
  const response = await app.app.inject({
    method: 'POST',
    url: `/operator/bank/${bank}/upload`,
    headers: {
      authorization: `Bearer ${as.token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'accept-language': 'en-US',
    },
    payload: Buffer.concat([Buffer.from(head), Buffer.from(text), Buffer.from(`\r\n--${boundary}--\r\n`)]),
  });
  return { status: response.statusCode, ...response.json() };
}

const propose = (id: string, as = treasury) =>
  app.ask(proposeBankFile, { as, params: { id }, body: { reason: 'The connection is down' } });

async function confirm(id: string, as = support) {
  const { digest } = (await app.ask(getProposal, { as, params: { id } })).data;
  return app.ask(confirmProposal, { as, params: { id }, body: { digest, code: app.code(as.secret) } });
}

async function carryOut(proposalId: string): Promise<void> {
  const [job] = actJobs(bankActs);
  await present(job).run({ companyId: '', database: app.db.worker, log: createLog('test', 'silent') }, { proposalId });
}

const filesOf = async () => (await app.ask(listBankFiles, { as: treasury, query: {} })).data.items;

test('what was understood is shown to both; one alone takes nothing in; then it is read and posted as from the bank', async () => {
  const text = notification([{ amount: '100.00', details: [{ to: wallet.number }], ref: 'HAND-1' }]);
  const { data } = await upload(text);
  expect(data).toMatchObject({
    name: 'today.xml',
    understood: {
      messages: [{ name: 'camt.054.001.08' }],
      statements: [
        { kind: 'notification', entries: 1, sums: [{ currency: 'HKD', credits: '100.00', debits: '0.00' }] },
      ],
    },
  });
  expect(await filesOf()).toEqual([]);
  const { proposalId } = (await propose(data.id)).data;
  expect((await propose(data.id)).key).toBe('proposalOpen');
  // The same content, uploaded again, is one proposal too.
  expect((await propose((await upload(text)).data.id)).key).toBe('proposalOpen');
  const shown = (await app.ask(getProposal, { as: support, params: { id: proposalId } })).data;
  expect(shown.title).toBe('Take in the file today.xml · Harbour Bank');
  const lines = Object.fromEntries(shown.changes.map(({ label, after }) => [label, after]));
  expect(lines['SHA-256']).toBe(data.sha256);
  expect(lines['Notification']).toContain('1 entry');
  expect(lines['Notification']).toContain('+100.00 HKD');
  for (const [locale, bank] of [
    ['zh-hk', '海港銀行'],
    ['zh-cn', '海港银行'],
  ] as const) {
    const said = (
      await app.ask(getProposal, { as: support, params: { id: proposalId }, headers: { 'accept-language': locale } })
    ).data;
    expect(said.title).toContain(`today.xml · ${bank}`);
    expect(said.subject.name).toBe(`today.xml · ${bank}`);
    expect(said.changes.map(({ after }) => after)).toContain(bank);
  }
  expect((await confirm(proposalId, treasury)).key).toBe('proposalOwn');
  expect(await filesOf()).toEqual([]);
  const third = await app.operator('administrator');
  const outcomes = await Promise.all([confirm(proposalId), confirm(proposalId, third)]);
  expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
  await Promise.all([carryOut(proposalId), carryOut(proposalId)]);
  expect(await filesOf()).toMatchObject([{ name: 'today.xml', source: 'hand', state: 'received' }]);
  await readMessages(app.db.worker);
  await settleMoneys(app.db.worker);
  expect(await depositsOf(app.db, company.id)).toHaveLength(1);
  // It comes from the bank after all: nothing is credited again.
  await takeIn(app.db, text, 'from-the-bank.xml');
  expect(await depositsOf(app.db, company.id)).toHaveLength(1);
  expect((await upload(text)).key).toBe('bankFileKnown');
});

test('a file that came from the bank meanwhile makes the proposal stale; after the confirmation, the act is refused', async () => {
  const text = dayStatement([], { date: '2026-11-20', opening: '0.00' });
  const { proposalId } = (await propose((await upload(text, { name: 'late.xml' })).data.id)).data;
  await takeIn(app.db, text, 'late.xml');
  expect((await confirm(proposalId)).key).toBe('proposalStale');
  const other = notification([{ amount: '5.00', details: [{ to: wallet.number }], ref: 'HAND-2' }]);
  const second = (await propose((await upload(other)).data.id)).data.proposalId;
  expect((await confirm(second)).status).toBe(200);
  await takeIn(app.db, other, 'quicker.xml');
  const before = await depositsOf(app.db, company.id);
  await carryOut(second);
  expect((await app.ask(getProposal, { as: support, params: { id: second } })).data.act).toMatchObject({
    state: 'refused',
    refusal: 'The same content was taken in before, as quicker.xml. Nothing was done.',
  });
  expect(await depositsOf(app.db, company.id)).toEqual(before);
});

test('what cannot be read, is empty, or of no bank is refused and not kept; who may not is refused', async () => {
  const broken = await upload('<Document');
  expect(broken).toMatchObject({ status: 400, key: 'bankFileUnreadable' });
  expect((await upload('')).key).toBe('fileEmpty');
  expect((await upload(notification([]), { bank: 'nowhere' })).key).toBe('bankUnknown');
  expect((await upload(notification([]), { as: await app.operator('viewer') })).key).toBe('noPermission');
  const { rows } = await app.db.operator.pool.query('select count(*)::int as count from operator_bank_upload');
  expect(rows).toEqual([{ count: 4 }]);
});
