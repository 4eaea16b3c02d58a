import { editBankPayee } from '@causeway/contract/bank-payees.ts';
import { cancelPayout, createPayment, fiatTransferOut, foreseePayout } from '@causeway/contract/payments.ts';
import { getPeriodStatement } from '@causeway/contract/statements.ts';
import { getStatement } from '@causeway/contract/wallets.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { newBankAccount } from '../../testing/bank-payee-requests.ts';
import {
  balancesOf,
  detailOf,
  endToEndOf,
  messageOf,
  notification,
  ordered,
  type PayingCompany,
  type PayoutWorld,
  paid,
  payoutRequest,
  payoutWorld,
  sentBack,
  statusReport,
  submitted,
} from '../../testing/payouts.ts';
import { enact, forbidding } from '../../testing/risk.ts';
import { succeed } from '../../testing/succeed.ts';
import { verifyLedger } from '../ledger/index.ts';
import { reconcileBanks } from '../rails/index.ts';

/** Payments out of a bank, from their submission to what the bank's own messages say of them. */

let payouts: PayoutWorld;
let company: PayingCompany;
let superuser: pg.Client;
beforeAll(async () => {
  payouts = await payoutWorld();
  company = await payouts.company('10015.00');
  superuser = new pg.Client({ connectionString: payouts.db.superuserUrl });
  await superuser.connect();
});
afterAll(async () => {
  expect((await payouts.db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  expect((await reconcileBanks(payouts.db.operator)).findings).toEqual([]);
  await superuser.end();
  await payouts.close();
});
afterEach(() => expect(payouts.world.complaints.splice(0)).toEqual([]));

const stageOf = async (id: string) => (await detailOf(payouts, company, id)).stage;
const available = async () => (await balancesOf(payouts, company))['available'];

describe('a payment that the bank makes', () => {
  test('is held, ordered with the ids of its authorised content, accepted, and completed by the booking alone', async () => {
    const before = await balancesOf(payouts, company);
    const id = await submitted(payouts, company, { amount: '250.50', remittance: 'Invoice 7 für Müller' });
    expect(await balancesOf(payouts, company)).toMatchObject({
      available: (before['available'] ?? 0n) - 25_050n,
      outbound: 25_050n,
    });
    await payouts.send(company.id, id);
    expect(await stageOf(id)).toBe('instructed');
    await payouts.order();
    const [file, ...others] = payouts.folder.take();
    expect(others).toEqual([]);
    const detail = await detailOf(payouts, company, id);
    expect(file?.name).toBe(detail.payout?.fileName);
    for (const part of [
      `<MsgId>${detail.payout?.messageId}</MsgId>`,
      `<EndToEndId>${endToEndOf(id)}</EndToEndId>`,
      `<UETR>${detail.payout?.uetr}</UETR>`,
      '<InstdAmt Ccy="HKD">250.50</InstdAmt>',
      '<UltmtDbtr><Nm>Harbour Trading</Nm></UltmtDbtr>',
      `<Othr><Id>${company.payee.account}</Id></Othr>`,
      '<MmbId>004</MmbId>',
      '<Ustrd>Invoice 7 für Müller</Ustrd>',
    ]) {
      expect(file?.text).toContain(part);
    }
    const messageId = await messageOf(payouts, id);
    await payouts.bankSays(statusReport(messageId, [{ status: 'ACTC' }, { endToEnd: endToEndOf(id), status: 'ACSP' }]));
    expect(await stageOf(id)).toBe('accepted');
    // The bank says that it is settled: the booking is still to come.
    await payouts.bankSays(statusReport(messageId, [{ endToEnd: endToEndOf(id), status: 'ACSC' }]));
    expect(await stageOf(id)).toBe('accepted');
    expect(await balancesOf(payouts, company)).toMatchObject({ outbound: 25_050n });
    await superuser.query("delete from causeway.outbox where name = 'live'");
    await payouts.bankSays(notification([paid(id, '250.50')]));
    const live = await superuser.query("select payload->>'id' as id from causeway.outbox where name = 'live'");
    expect(live.rows).toEqual(expect.arrayContaining([{ id }, { id: company.walletId }]));
    const done = await detailOf(payouts, company, id);
    expect(done).toMatchObject({ stage: 'completed', status: 'completed', bankReference: `D-${id.slice(-12)}` });
    expect(done.payout?.answers.map(({ status }) => status)).toEqual(['ACSP', 'ACSC']);
    expect(await balancesOf(payouts, company)).toMatchObject({
      available: (before['available'] ?? 0n) - 25_050n,
      outbound: 0n,
    });
    // Its postings are those of a transfer; both statements call it a payment.
    const [as, params] = [company.admin, { id: company.walletId }];
    const short = await succeed(payouts.world, getStatement, { as, params });
    const query = { from: '2026-01-01', to: '2030-01-01' };
    const whole = await succeed(payouts.world, getPeriodStatement, { as, params, query });
    const of = (items: readonly { transactionId: string | null; description: string }[]) =>
      items.filter(({ transactionId }) => transactionId === id).map(({ description }) => description);
    expect([of(short.data.items), of(whole.data.items)]).toEqual([['Held for payment'], ['Payment sent']]);
    // Again in the day's statement, and the same file twice: one money.
    await payouts.bankSays(notification([paid(id, '250.50')], { id: 'again' }));
    expect((await balancesOf(payouts, company))['available']).toBe((before['available'] ?? 0n) - 25_050n);
  });

  test('several that wait travel in one order, and an order is delivered once', async () => {
    const ids = [
      await submitted(payouts, company, { amount: '2' }),
      await submitted(payouts, company, { amount: '3' }),
    ];
    for (const id of ids) await payouts.send(company.id, id);
    await payouts.order();
    await payouts.order();
    const files = payouts.folder.take();
    expect(files).toHaveLength(1);
    expect(files[0]?.text).toContain('<NbOfTxs>2</NbOfTxs><CtrlSum>5</CtrlSum>');
    await payouts.bankSays(notification(ids.map((id, index) => paid(id, `${index + 2}.00`))));
    expect(await Promise.all(ids.map(stageOf))).toEqual(['completed', 'completed']);
  });

  test('with a reference of the payee’s, which travels in its field; as a payment', async () => {
    const id = await ordered(payouts, company, { amount: '5', form: 'payment', remittance: 'RF18 5390 0754 7034' });
    const [file] = payouts.folder.take();
    expect(file?.text).toContain('<Ref>RF18539007547034</Ref>');
    expect((await detailOf(payouts, company, id)).payout).toMatchObject({
      form: 'payment',
      remittance: 'RF18539007547034',
      charges: 'shared',
    });
    await payouts.bankSays(notification([paid(id, '5.00')]));
  });
});

describe('a payment that the bank does not make', () => {
  test('is refused with the bank’s reason, and the money is back at once', async () => {
    const before = await available();
    const id = await ordered(payouts, company, { amount: '40' });
    payouts.folder.take();
    await payouts.bankSays(
      statusReport(await messageOf(payouts, id), [
        { endToEnd: endToEndOf(id), status: 'RJCT', reason: 'AC04', words: 'Account is closed' },
      ]),
    );
    const detail = await detailOf(payouts, company, id);
    expect(detail).toMatchObject({ stage: 'failed', failureReason: 'The payee’s account is closed' });
    expect(detail.payout?.answers).toMatchObject([
      { status: 'RJCT', reason: 'AC04', sentence: 'The payee’s account is closed', words: 'Account is closed' },
    ]);
    expect(detail.relatedId).not.toBeNull();
    expect(await available()).toBe(before);
  });

  test('with its whole order', async () => {
    const before = await available();
    const id = await ordered(payouts, company, { amount: '41' });
    payouts.folder.take();
    await payouts.bankSays(statusReport(await messageOf(payouts, id), [{ status: 'RJCT', reason: 'FF01' }]));
    expect(await stageOf(id)).toBe('failed');
    expect(await available()).toBe(before);
  });

  test('a duplicate of what the bank has is no refusal', async () => {
    const id = await ordered(payouts, company, { amount: '42' });
    payouts.folder.take();
    const messageId = await messageOf(payouts, id);
    await payouts.bankSays(statusReport(messageId, [{ status: 'RJCT', reason: 'DUPL' }]));
    expect(await stageOf(id)).toBe('instructed');
    await payouts.bankSays(statusReport(messageId, [{ endToEnd: endToEndOf(id), status: 'RJCT', reason: 'DUPL' }]));
    expect(await stageOf(id)).toBe('accepted');
    await payouts.bankSays(notification([paid(id, '42.00')]));
    expect(await stageOf(id)).toBe('completed');
  });

  test('one that it refused and makes after all is paid from what is available', async () => {
    const before = (await available()) ?? 0n;
    const id = await ordered(payouts, company, { amount: '43' });
    payouts.folder.take();
    const refused = statusReport(await messageOf(payouts, id), [
      { endToEnd: endToEndOf(id), status: 'RJCT', reason: 'MS03' },
    ]);
    await payouts.bankSays(refused);
    await payouts.bankSays(notification([paid(id, '43.00')]));
    expect(await stageOf(id)).toBe('completed');
    expect(await available()).toBe(before - 4300n);
  });
});

describe('a payment that comes back', () => {
  test('is a transaction of its own, for as much as came back, and the two point to each other', async () => {
    const before = (await available()) ?? 0n;
    const id = await ordered(payouts, company, { amount: '100' });
    payouts.folder.take();
    await payouts.bankSays(notification([paid(id, '100.00')]));
    await payouts.bankSays(notification([sentBack(id, '92.00')]));
    const detail = await detailOf(payouts, company, id);
    expect(detail).toMatchObject({
      stage: 'returned',
      status: 'failed',
      failureReason: 'The payee’s account is closed',
    });
    const refund = await detailOf(payouts, company, detail.relatedId ?? '');
    expect(refund).toMatchObject({ type: 'failed_refund', quantity: '92.00', relatedId: id });
    expect(await available()).toBe(before - 800n);
  });

  test('the payee’s own payment under our reference is no return', async () => {
    const id = await ordered(payouts, company, { amount: '80' });
    payouts.folder.take();
    await payouts.bankSays(notification([paid(id, '80.00')]));
    const before = await available();
    await payouts.bankSays(notification([{ amount: '0.01', ref: 'Y-1', details: [{ e2e: endToEndOf(id) }] }]));
    expect(await stageOf(id)).toBe('completed');
    expect(await available()).toBe(before);
    const { rows } = await superuser.query("select state, unmatched from causeway.bank_money where reference = 'Y-1'");
    expect(rows).toEqual([{ state: 'suspense', unmatched: 'payout' }]);
  });

  test('before its booking was read: it waits for it', async () => {
    const before = (await available()) ?? 0n;
    const id = await ordered(payouts, company, { amount: '60' });
    payouts.folder.take();
    await payouts.bankSays(notification([sentBack(id, '60.00')]));
    expect(await stageOf(id)).toBe('instructed');
    await payouts.bankSays(notification([paid(id, '60.00')]));
    expect(await stageOf(id)).toBe('returned');
    expect(await available()).toBe(before);
  });

  test('a second return, a second booking, or one of another amount or currency waits in suspense for an operator', async () => {
    const id = await ordered(payouts, company, { amount: '70' });
    payouts.folder.take();
    const inYen = notification([paid(id, '7000', 'X-0')], { of: '998001000000002' }).replaceAll('HKD', 'JPY');
    for (const other of [inYen, notification([paid(id, '70.01', 'X-1')])]) await payouts.bankSays(other);
    expect(await stageOf(id)).toBe('instructed');
    await payouts.bankSays(notification([paid(id, '70.00')]));
    const before = await available();
    await payouts.bankSays(notification([paid(id, '70.00', 'X-2')]));
    expect(await available()).toBe(before);
    await payouts.bankSays(notification([sentBack(id, '70.00')]));
    await payouts.bankSays(notification([sentBack(id, '70.00', 'X-3')]));
    expect(await available()).toBe((before ?? 0n) + 7000n);
    const { rows } = await superuser.query(
      "select state, amount::text from causeway.bank_money where unmatched = 'payout' and reference like 'X-%' order by reference",
    );
    expect(rows).toEqual([
      { state: 'charged', amount: '-7000' },
      { state: 'charged', amount: '-7001' },
      { state: 'charged', amount: '-7000' },
      { state: 'suspense', amount: '7000' },
    ]);
  });
});

describe('what may not leave', () => {
  const ask = async (wish: Parameters<typeof payoutRequest>[2], changes: Record<string, unknown> = {}) => {
    const request = await payoutRequest(payouts, company, wish);
    return (await payouts.world.ask(fiatTransferOut, { ...request, body: { ...request.body, ...changes } })).key;
  };

  test('an order is made of the authorised content alone', async () => {
    const id = await submitted(payouts, company, { amount: '9' });
    await superuser.query(
      `update causeway.payout set terms = replace(terms, '"bankCode":"004"', '"bankCode":"012"') where transaction_id = $1`,
      [id],
    );
    await payouts.send(company.id, id);
    await payouts.order();
    expect(payouts.folder.take()).toEqual([]);
    expect(await stageOf(id)).toBe('refused');
    expect(payouts.complaints.splice(0).join()).toContain('not what was authorised');
  });

  test('a payment waits while its bank or the payments in its currency are off, or its wallet is frozen, and goes on after', async () => {
    for (const [off, on] of [
      [
        "update causeway.bank_asset set payouts_paused = true where asset_id = 'HKD'",
        'update causeway.bank_asset set payouts_paused = false',
      ],
      ['update causeway.bank set enabled = false', 'update causeway.bank set enabled = true'],
      [
        `update causeway.wallet set frozen_at = now(), frozen_reason = 'test' where id = '${company.walletId}'`,
        `update causeway.wallet set frozen_at = null, frozen_reason = null where id = '${company.walletId}'`,
      ],
    ] as const) {
      const id = await submitted(payouts, company, { amount: '8' });
      await superuser.query(off);
      await payouts.send(company.id, id);
      expect(await stageOf(id)).toBe('approved');
      await superuser.query(on);
      await payouts.send(company.id, id);
      expect(await stageOf(id)).toBe('instructed');
      await payouts.order();
      await payouts.bankSays(notification([paid(id, '8.00')]));
    }
    expect(payouts.folder.take()).toHaveLength(3);
  });

  test('one that was handed over leaves in no order while its wallet is frozen', async () => {
    const id = await submitted(payouts, company, { amount: '7' });
    await payouts.send(company.id, id);
    await superuser.query(
      `update causeway.wallet set frozen_at = now(), frozen_reason = 'test' where id = '${company.walletId}'`,
    );
    await payouts.order();
    expect(payouts.folder.take()).toEqual([]);
    await superuser.query(
      `update causeway.wallet set frozen_at = null, frozen_reason = null where id = '${company.walletId}'`,
    );
    await payouts.order();
    expect(payouts.folder.take()).toHaveLength(1);
    await payouts.bankSays(notification([paid(id, '7.00')]));
  });

  test('a cancelled payment gives its money back, and one that the bank has is not cancelled', async () => {
    const before = await available();
    const id = await submitted(payouts, company, { amount: '6' });
    await succeed(payouts.world, cancelPayout, { as: company.admin, body: { id } });
    await payouts.send(company.id, id);
    await payouts.order();
    expect(payouts.folder.take()).toEqual([]);
    expect(await available()).toBe(before);
    const sent = await ordered(payouts, company, { amount: '6' });
    payouts.folder.take();
    const other = await payouts.world.member(company, 'finance');
    expect((await payouts.world.ask(cancelPayout, { as: other, body: { id: sent } })).key).toBe('payoutNotOwn');
    const query = { form: 'transfer', walletId: company.wallets.USDT, payeeId: company.payee.id };
    expect((await payouts.world.ask(foreseePayout, { as: company.admin, query })).key).toBe('payoutNotAtBank');
    const answer = await payouts.world.ask(cancelPayout, { as: company.admin, body: { id: sent } });
    expect(answer.key).toBe('payoutNotCancellable');
    await payouts.bankSays(notification([paid(sent, '6.00')]));
  });

  test('what breaks a rule is refused by it, and the code stays good', async () => {
    expect(await ask({ amount: '20000' })).toBe('amountAboveBalanceMinusFee');
    expect(await ask({ amount: '2' }, { fee: '1' })).toBe('feeChanged');
    expect(await ask({ amount: '2' }, { fee: '0.001' })).toBe('amountTooManyDecimals');
    expect(await ask({ amount: '2', remittance: 'x'.repeat(140) })).toBeNull();
    expect(await ask({ amount: '2', remittance: 'RF18 5390 0754 7035' })).toBeNull();
    expect(await ask({ amount: '2', charges: 'payer' })).toBe('chargesNotOffered');
    expect(await ask({ amount: '2' }, { versionId: newId() })).toBe('payeeNotFound');
    expect(await ask({ amount: '2' }, { remittance: 'changed after the code' })).toBe('transferCodeMismatch');
    expect(await ask({ amount: '2' }, { walletId: company.wallets.USDT })).toBe('walletNotFound');
  });

  test('risk sees currency, amount, frequency and country of payments', async () => {
    const own = await payouts.company('1015.00');
    const refused = async (content: Parameters<typeof forbidding>[0]) => {
      await enact(payouts.db, own.id, { ...forbidding(content), business: 'payment' });
      const request = await payoutRequest(payouts, own, { amount: '10' });
      return (await payouts.world.ask(fiatTransferOut, request)).key;
    };
    expect(await refused({ dimension: 'payment_region', countries: ['GB'] })).toBeNull();
    expect(await refused({ dimension: 'payment_region', countries: ['HK'] })).toBe('riskRefused');
  });

  test('a changed account: the old one cannot be paid, the new one is marked beside the old', async () => {
    const own = await payouts.company('1015.00');
    const { id, versionId } = own.payee;
    const stale = await payoutRequest(payouts, own, { amount: '10' });
    const body = { id, versionId, ...newBankAccount() };
    const { account } = (await succeed(payouts.world, editBankPayee, { as: own.admin, body })).data;
    expect((await payouts.world.ask(fiatTransferOut, stale)).key).toBe('payeeAccountChanged');
    const query = { form: 'transfer', walletId: own.walletId, payeeId: id, amount: '10' };
    const outlook = (await succeed(payouts.world, foreseePayout, { as: own.admin, query })).data;
    expect(outlook).toMatchObject({ account: { id: account.id }, before: { id: versionId } });
    expect(outlook.changedUntil).not.toBeNull();
    const paidId = await submitted(payouts, own, { amount: '10', versionId: account.id });
    const detail = await detailOf(payouts, own, paidId);
    expect(detail.payout).toMatchObject({ accountBefore: { account: own.payee.account } });
    expect(detail.payout?.changedUntil).not.toBeNull();
  });

  test('a voucher that is no PDF', async () => {
    const request = await payoutRequest(payouts, company, { amount: '2', form: 'payment', attachmentIds: [newId()] });
    expect((await payouts.world.ask(createPayment, request)).key).toBe('notFound');
  });
});

test('the day’s statement agrees with the books, to the last unit', async () => {
  const own = await payouts.company('500.00');
  const id = await ordered(payouts, own, { amount: '100' });
  payouts.folder.take();
  await payouts.bankSays(notification([paid(id, '100.00')]));
  const { comparisons, findings } = await reconcileBanks(payouts.db.operator);
  expect(findings).toEqual([]);
  expect(comparisons.map(({ asset }) => asset)).toContain('HKD');
  expect(comparisons.filter(({ differenceMinor }) => differenceMinor !== 0n)).toEqual([]);
});
