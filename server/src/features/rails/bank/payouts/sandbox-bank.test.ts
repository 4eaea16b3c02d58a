import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addBankPayee } from '@causeway/contract/bank-payees.ts';
import type { BankDetails } from '@causeway/contract/bank-rules.ts';
import { type Bank, startBank } from '@causeway/sandbox/bank/bank.ts';
import { collectingAccount, virtualNumber } from '@causeway/sandbox/bank/catalogue.ts';
import { BANK_USER, ensureBankSecrets } from '@causeway/sandbox/bank/connections.ts';
import { settingsOf } from '@causeway/sandbox/bank/ledger.ts';
import type { Payment } from '@causeway/sandbox/bank/model.ts';
import { announce } from '@causeway/sandbox/bank/outcomes.ts';
import { payIn } from '@causeway/sandbox/bank/pay-ins.ts';
import {
  delayPayment,
  reasonOf,
  refusePayment,
  returnPayment,
  settlePayment,
} from '@causeway/sandbox/bank/payments.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FilesConnection } from '../../../../platform/config/bank-connections.ts';
import { newId } from '../../../../platform/ids.ts';
import { createLog } from '../../../../platform/process/log.ts';
import { newBankAccount } from '../../../../testing/bank-payee-requests.ts';
import { openTestCollection } from '../../../../testing/banks.ts';
import { outgoingKinds } from '../../../../testing/chain-families.ts';
import {
  balancesOf,
  detailOf,
  endToEndOf,
  type PayingCompany,
  type PayoutWorld,
  payoutWorld,
  submitted,
  testBank,
} from '../../../../testing/payouts.ts';
import { succeed } from '../../../../testing/succeed.ts';
import {
  controlSumOf,
  fetchMessages,
  filesGateway,
  fingerprintOf,
  type PaymentInstruction,
  readMessages,
  writePain001,
} from '../../../banks/index.ts';
import { verifyLedger } from '../../../ledger/index.ts';
import type { BankTerms } from '../../../outgoing/index.ts';
import { applyStatuses, settleMoneys } from '../../index.ts';
import { bankOrders } from './due.ts';
import { instructionOf, serviceLevelOf } from './instruction.ts';

/** What we order, judged by the sandbox's own bank, a program that shares nothing with ours but the tables of the contract. */

let bank: Bank;
beforeAll(async () => {
  bank = await startBank({ everyMs: 50 });
  await bank.change((turn) => {
    turn.put('settings', 'now', { ...settingsOf(turn), payouts: { mode: 'accept', reason: 'MS03' } });
    for (const currency of ['HKD', 'CNY', 'USD', 'EUR', 'GBP']) {
      payIn(turn, {
        bank: 'harbour',
        to: virtualNumber(42),
        currency,
        amount: '10000.00',
        payer: { name: 'A Customer', bic: 'OTHRHKHH' },
      });
    }
  });
});
afterAll(() => bank.stop());

const paymentNamed = (endToEndId: string): Payment | undefined =>
  bank.records.all('payments').find((payment) => payment.endToEndId === endToEndId);

const town = { addressLine1: '1 High Street', town: 'Any Town' };
const long = 'a.person.with.a.long.name@accounts.example.com';
const ways: [way: string, country: string, currency: string, details: BankDetails, holder?: 'personal'][] = [
  ['hkFps', 'HK', 'HKD', { bankCode: '004', account: '808-123456-838' }],
  ['hkFps', 'HK', 'CNY', { bankCode: '004', account: '808-123456-838' }],
  ['hkFpsPhone', 'HK', 'CNY', { phone: '+852-9123 4567' }],
  ['hkFpsEmail', 'HK', 'HKD', { email: 'pay@example.com' }],
  ['hkFpsEmail', 'HK', 'HKD', { email: long }],
  ['hkFpsId', 'HK', 'HKD', { fpsId: '1234567' }],
  ['hkChats', 'HK', 'USD', { bic: 'HSBCHKHHHKH', account: '808123456838', ...town }],
  ['swift', 'IN', 'USD', { account: '50100012345678', bic: 'HDFCINBB', ifsc: 'HDFC0000001', ...town }],
  ['swift', 'MX', 'USD', { clabe: '032180000118359719', bic: 'BCMRMXMM', ...town }],
  [
    'usAch',
    'US',
    'USD',
    {
      routingNumber: '011000015',
      account: '12345678',
      accountType: 'checking',
      ...town,
      region: 'NY',
      postcode: '10001',
    },
  ],
  ['sepa', 'DE', 'EUR', { iban: 'DE89 3704 0044 0532 0130 00', ...town, postcode: '10115' }],
  ['gbFasterPayments', 'GB', 'GBP', { sortCode: '08-99-99', account: '66374958' }],
  ['swift', 'US', 'EUR', { account: '12345678', bic: 'CHASUS33', ...town, region: 'NY', postcode: '10001' }],
];

describe('the bank takes what we write for', () => {
  test.each(ways)('%s to %s in %s', async (way, country, currency, details, holder) => {
    const account = { version: newId(), endToEnd: newId().replaceAll('-', '').toUpperCase() };
    const terms: BankTerms = {
      versionId: account.version,
      customer: 'PC-000001',
      holder: holder ?? 'enterprise',
      name: 'Müller & Söhne <Handel>',
      nameSent: 'Muller & Sohne <Handel>',
      country,
      currency,
      way,
      details,
      charges: 'shared',
      purpose: 'GDDS',
      remittance: { text: 'Invoice 7 & 8' },
    };
    const payment: PaymentInstruction = {
      ...instructionOf(terms, { name: 'Harbour Trading' }),
      instructionId: account.endToEnd,
      endToEndId: account.endToEnd,
      uetr: crypto.randomUUID(),
      amount: { currency, minor: 12_345n },
    };
    const head = {
      messageId: account.endToEnd,
      batchId: account.endToEnd,
      createdAt: new Date(),
      executionDate: new Date(bank.now() + 8 * 3_600_000).toISOString().slice(0, 10),
      initiator: 'Client Money',
      payer: { name: 'Client Money', address: null },
      account: { number: collectingAccount('harbour', currency), currency },
      bank: { bic: 'HRBRHKHH' },
      serviceLevel: serviceLevelOf(terms),
      count: 1,
      controlSum: controlSumOf([payment.amount]),
    };
    const pieces: string[] = [];
    for await (const piece of writePain001(head, [payment])) pieces.push(piece);
    const name = `pain.001_${account.endToEnd}.xml`;
    await writeFile(join(bank.files.root, 'out', name), pieces.join(''));
    await expect
      .poll(() => bank.records.get('received', name) ?? bank.records.all('received').find((file) => file.name === name))
      .toMatchObject({
        outcome: '1 of 1 payments accepted',
      });
    expect(paymentNamed(account.endToEnd)).toMatchObject({
      state: 'accepted',
      amount: '12345',
      currency,
      payee: { name: terms.nameSent },
      text: 'Invoice 7 & 8',
    });
  });
});

describe('payments from their submission to the bank’s own books', () => {
  let payouts: PayoutWorld;
  let company: PayingCompany;
  let connection: FilesConnection;
  const log = createLog('test', 'silent');
  beforeAll(async () => {
    payouts = await payoutWorld();
    const superuser = new pg.Client({ connectionString: payouts.db.superuserUrl });
    await superuser.connect();
    await openTestCollection(payouts.db, collectingAccount('harbour', 'HKD'));
    company = await payouts.company('1015.00');
    await superuser.query("update causeway.bank_asset set collecting_account = $1 where asset_id = 'HKD'", [
      collectingAccount('harbour', 'HKD'),
    ]);
    await superuser.end();
    const secrets = await ensureBankSecrets(join(bank.dir, 'keys'));
    connection = {
      bank: testBank,
      kind: 'files',
      host: '127.0.0.1',
      port: bank.sftp.port,
      user: BANK_USER,
      privateKeyFile: join(bank.dir, 'keys', 'client-key'),
      hostKeyFingerprint: fingerprintOf(Buffer.from(secrets.hostPublicKey.split(' ')[1] ?? '', 'base64')),
      outgoing: '/out',
      incoming: '/in',
      pollIntervalMs: 1000,
      timeoutMs: 15_000,
      maxFileBytes: 10_000_000,
    };
  });
  beforeEach(async () => {
    await visit();
  });
  afterAll(() => payouts.close());

  /** A visit to the bank, and what comes of what it had for us. */
  async function visit(): Promise<void> {
    const { deliver } = bankOrders(payouts.db.worker, outgoingKinds);
    await fetchMessages({ database: payouts.db.worker, log, deliver }, filesGateway(connection));
    await readMessages(payouts.db.worker);
    await applyStatuses(payouts.db.worker, outgoingKinds);
    await settleMoneys(payouts.db.worker);
  }
  const stageOf = async (id: string) => (await detailOf(payouts, company, id)).stage;
  async function reaches(id: string, stage: string): Promise<void> {
    await expect
      .poll(async () => {
        await visit();
        return stageOf(id);
      })
      .toBe(stage);
  }
  async function sent(amount: string, payee = {}): Promise<string> {
    const id = await submitted(payouts, company, { amount, ...payee });
    await payouts.send(company.id, id);
    return id;
  }
  const does = (id: string, act: (...given: Parameters<typeof settlePayment>) => Payment) =>
    bank.change((turn) => announce(turn, [act(turn, paymentNamed(endToEndOf(id))?.id ?? '')]));
  const refused = (...[turn, id]: Parameters<typeof settlePayment>) => refusePayment(turn, id, reasonOf('AC06'));
  const returned = (...[turn, id]: Parameters<typeof settlePayment>) => returnPayment(turn, id, reasonOf('AC04'));
  const books = () => BigInt(bank.records.get('accounts', collectingAccount('harbour', 'HKD'))?.balance ?? 0);

  test('settled, refused, delayed, returned, and refused at once: what we hold is what the bank’s books say', async () => {
    const atBank = books();
    const before = await balancesOf(payouts, company);
    const [settled, wrong, late, back] = [
      await sent('10.01'),
      await sent('20.02'),
      await sent('30.03'),
      await sent('40.04'),
    ];
    const body = { id: newId(), label: 'Closed', ...newBankAccount() };
    const { account } = (await succeed(payouts.world, addBankPayee, { as: company.admin, body })).data;
    await bank.change((turn) =>
      turn.put('payees', account.account, { account: account.account, name: 'Closed Ltd', state: 'closed' }),
    );
    const closed = await sent('50.05', { payeeId: body.id, versionId: account.id });
    for (const id of [settled, wrong, late, back]) await reaches(id, 'accepted');
    await reaches(closed, 'failed');
    expect((await detailOf(payouts, company, closed)).failureReason).toBe('The payee’s account is closed');
    await does(late, delayPayment);
    for (const id of [settled, back]) await does(id, settlePayment);
    await does(wrong, refused);
    for (const id of [settled, back]) await reaches(id, 'completed');
    await reaches(wrong, 'failed');
    expect(await stageOf(late)).toBe('accepted');
    await does(back, returned);
    await reaches(back, 'returned');
    await does(late, settlePayment);
    await reaches(late, 'completed');
    expect(atBank - books()).toBe(4004n);
    const after = await balancesOf(payouts, company);
    expect((before['available'] ?? 0n) - (after['available'] ?? 0n)).toBe(4004n);
    expect(after['outbound']).toBe(0n);
    expect((await payouts.db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  });

  test('the server is full, cuts a file, is down, or its host key changed: the bank is asked once, when it can be', async () => {
    for (const mode of ['full', 'cutting', 'down'] as const) {
      await bank.sftp.change({ mode });
      const id = await sent('5');
      await visit();
      await visit();
      expect(paymentNamed(endToEndOf(id))).toBeUndefined();
      await bank.sftp.change({ mode: 'ok' });
      connection.port = bank.sftp.port;
      await reaches(id, 'accepted');
      expect(bank.records.all('payments').filter(({ endToEndId }) => endToEndId === endToEndOf(id))).toHaveLength(1);
      await does(id, settlePayment);
      await reaches(id, 'completed');
    }
    await bank.sftp.change({ hostKey: 'other' });
    const id = await sent('6');
    await visit();
    expect(paymentNamed(endToEndOf(id))).toBeUndefined();
    await bank.sftp.change({ hostKey: 'usual' });
    await reaches(id, 'accepted');
    await does(id, settlePayment);
    await reaches(id, 'completed');
  });
});
