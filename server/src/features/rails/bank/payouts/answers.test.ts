import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestBooking } from '../../../../testing/bank-intake.ts';
import { openTestBankWallet } from '../../../../testing/banks.ts';
import { outgoingKinds } from '../../../../testing/chain-families.ts';
import { openTestCompany } from '../../../../testing/company.ts';
import {
  balancesOf,
  detailOf,
  endToEndOf,
  keepFile,
  messageOf,
  notification,
  ordered,
  type PayingCompany,
  type PayoutWorld,
  paid,
  payoutWorld,
  sentBack,
  statusReport,
  submitted,
} from '../../../../testing/payouts.ts';
import { present } from '../../../../testing/present.ts';
import { readMessages } from '../../../banks/index.ts';
import { applyStatuses } from '../../index.ts';
import { unsettledMoneys } from '../store.ts';
import { bookPayout, holdStrange, payoutsOf } from './booking.ts';

/** What a bank's messages do to a payment in every state, by whichever name they call it. */

let payouts: PayoutWorld;
let company: PayingCompany;
let superuser: pg.Client;
/** What the company had before the test. */
let before: bigint;
beforeAll(async () => {
  payouts = await payoutWorld();
  company = await payouts.company('10015.00');
  superuser = new pg.Client({ connectionString: payouts.db.superuserUrl });
  await superuser.connect();
});
beforeEach(async () => {
  payouts.folder.take();
  before = await available();
});
afterAll(async () => {
  await superuser.end();
  await payouts.close();
});

const detail = (id: string) => detailOf(payouts, company, id);
const stageOf = async (id: string) => (await detail(id)).stage;
const available = async () => (await balancesOf(payouts, company))['available'] ?? 0n;
/** What the test has changed of it. */
const change = async () => (await available()) - before;
const rowsOf = async (text: string, values: unknown[] = []) => (await superuser.query(text, values)).rows as unknown[];
const uetrOf = async (id: string) => (await detail(id)).payout?.uetr ?? '';
/** What has become of the newest statuses that the bank sent, the oldest of them first. */
const outcomes = async (count: number) =>
  (
    (await rowsOf('select outcome from causeway.bank_status order by id desc limit $1', [count])) as {
      outcome: string;
    }[]
  )
    .map(({ outcome }) => outcome)
    .reverse();
const says = async (id: string, ...statuses: Parameters<typeof statusReport>[1]) =>
  payouts.bankSays(statusReport(await messageOf(payouts, id), statuses));

describe('a status', () => {
  test.each([
    ['ACSC', 'accepted'],
    ['PART', 'accepted'],
    ['ACTC', 'accepted'],
    ['PDNG', 'instructed'],
    ['RCVD', 'instructed'],
    ['RJCT', 'failed'],
    ['BLCK', 'failed'],
    ['CANC', 'failed'],
  ])('%s of a payment that was ordered: %s, and open pages learn of it', async (status, stage) => {
    const id = await ordered(payouts, company, { amount: '10' });
    await rowsOf('delete from causeway.outbox');
    await says(id, { endToEnd: endToEndOf(id), status });
    expect(await stageOf(id)).toBe(stage);
    expect(await outcomes(1)).toEqual(['applied']);
    expect(await change()).toBe(stage === 'failed' ? 0n : -1000n);
    expect(await rowsOf("select payload from causeway.outbox where name = 'live'")).toContainEqual({
      payload: { topic: 'transaction', id },
    });
    if (status === 'CANC') expect((await detail(id)).failureReason).toBe('The bank cancelled the payment');
    await rowsOf('delete from causeway.outbox');
    await payouts.bankSays(notification([paid(id, '10.00')]));
    expect([await stageOf(id), await change()]).toEqual(['completed', -1000n]);
    const shown = await rowsOf("select payload from causeway.outbox where name = 'live'");
    for (const payload of [
      { topic: 'transaction', id },
      { topic: 'balance', id: company.walletId },
    ])
      expect(shown).toContainEqual({ payload });
  });

  test('is found by the id of the instruction and by the UETR alone; one that names two payments is of neither', async () => {
    const [one, other] = [
      await ordered(payouts, company, { amount: '10' }),
      await ordered(payouts, company, { amount: '11' }),
    ];
    await says(one, { instruction: endToEndOf(one), endToEnd: endToEndOf(other), status: 'RJCT' });
    expect([await stageOf(one), await stageOf(other), await outcomes(1)]).toEqual([
      'instructed',
      'instructed',
      ['unknown'],
    ]);
    await says(one, { instruction: endToEndOf(one), status: 'ACSP' });
    await says(other, { uetr: await uetrOf(other), status: 'ACSP' });
    expect([await stageOf(one), await stageOf(other), await outcomes(2)]).toEqual([
      'accepted',
      'accepted',
      ['applied', 'applied'],
    ]);
  });

  test('of nothing of ours changes nothing, of a payment as of an order', async () => {
    const id = await ordered(payouts, company, { amount: '10' });
    await payouts.bankSays(statusReport('NOT-OURS', [{ status: 'RJCT' }]));
    await payouts.bankSays(statusReport('NOT-OURS', [{ endToEnd: 'NOT-OURS', status: 'RJCT' }]));
    expect([await stageOf(id), await outcomes(2)]).toEqual(['instructed', ['unknown', 'unknown']]);
  });

  test('after the booking is kept as an answer, and changes neither stage nor money', async () => {
    const id = await ordered(payouts, company, { amount: '10' });
    await payouts.bankSays(notification([paid(id, '10.00')]));
    await says(id, { endToEnd: endToEndOf(id), status: 'RJCT', reason: 'AC04' });
    const { stage, payout } = await detail(id);
    expect([stage, payout?.answers.map(({ status }) => status)]).toEqual(['completed', ['RJCT']]);
    expect(await change()).toBe(-1000n);
    // The payment is still one that was made: no second debit is its, and what comes back is.
    await says(id, { endToEnd: endToEndOf(id), status: 'ACSC' });
    await payouts.bankSays(notification([paid(id, '10.00', `2-${id}`), sentBack(id, '10.00')]));
    expect([await stageOf(id), await change()]).toEqual(['returned', 0n]);
  });

  test('of an earlier message is applied before those of a later one, whatever they are of', async () => {
    const id = await ordered(payouts, company, { amount: '10' });
    const messageId = await messageOf(payouts, id);
    for (const said of [
      { status: 'RJCT', reason: 'FF01' },
      { endToEnd: endToEndOf(id), status: 'ACSP' },
    ])
      await keepFile(payouts.db, statusReport(messageId, [said]));
    await readMessages(payouts.db.worker);
    expect(await applyStatuses(payouts.db.worker, outgoingKinds)).toBe(2);
    const { stage, payout } = await detail(id);
    expect([stage, payout?.answers.map(({ status }) => status)]).toEqual(['failed', ['RJCT', 'ACSP']]);
    expect(await change()).toBe(0n);
  });

  test('that two workers have read is applied once', async () => {
    const id = await ordered(payouts, company, { amount: '10' });
    await keepFile(
      payouts.db,
      statusReport(await messageOf(payouts, id), [{ endToEnd: endToEndOf(id), status: 'ACSP' }]),
    );
    await readMessages(payouts.db.worker);
    const other = payouts.db.worker;
    // This one has read it when the other applies it.
    const late: typeof other = {
      ...other,
      withCompany: async (companyId, work, options) => {
        await applyStatuses(other, outgoingKinds);
        return other.withCompany(companyId, work, options);
      },
    };
    expect(await applyStatuses(late, outgoingKinds)).toBe(1);
    const { stage, payout } = await detail(id);
    expect([stage, payout?.answers.map(({ status }) => status), await outcomes(1)]).toEqual([
      'accepted',
      ['ACSP'],
      ['applied'],
    ]);
  });

  test('of a whole order that is refused is of each payment that is still open, and the order is refused', async () => {
    const ids: string[] = [];
    for (const amount of ['10', '11', '12']) ids.push(await submitted(payouts, company, { amount }));
    for (const id of ids) await payouts.send(company.id, id);
    await payouts.order();
    const [booked = '', open = '', another = ''] = ids;
    await payouts.bankSays(notification([paid(booked, '10.00')]));
    await says(open, { status: 'RJCT', reason: 'FF01' });
    expect([await stageOf(booked), await stageOf(open), await stageOf(another)]).toEqual([
      'completed',
      'failed',
      'failed',
    ]);
    expect((await detail(booked)).payout?.answers).toEqual([]);
    expect(await change()).toBe(-1000n);
    const [order] = await rowsOf('select state from causeway.bank_order where message_id = $1', [
      await messageOf(payouts, open),
    ]);
    expect(order).toEqual({ state: 'refused' });
  });

  test('of a payment in the report that refuses its order comes first: the payment has its own reason, and one answer', async () => {
    const ids: string[] = [];
    for (const amount of ['10', '11']) ids.push(await submitted(payouts, company, { amount }));
    for (const id of ids) await payouts.send(company.id, id);
    await payouts.order();
    const [own = '', other = ''] = ids;
    const words = 'Account is closed';
    await says(
      own,
      { status: 'RJCT', reason: 'FF01' },
      { endToEnd: endToEndOf(own), status: 'RJCT', reason: 'AC04', words },
    );
    const [of, ofOther] = [await detail(own), await detail(other)];
    expect([of.bankReason, of.payout?.answers.length]).toEqual([
      { code: 'AC04', words, sentence: of.failureReason },
      1,
    ]);
    expect([ofOther.bankReason?.code, ofOther.payout?.answers.length, await change()]).toEqual(['FF01', 1, 0n]);
  });

  test('of a whole order that is not refused, or is a duplicate, leaves its payments as they are', async () => {
    const id = await ordered(payouts, company, { amount: '10' });
    await says(id, { status: 'ACCP' });
    await says(id, { status: 'RJCT', reason: 'AM05' });
    expect([await stageOf(id), await outcomes(2)]).toEqual(['instructed', ['applied', 'repeated']]);
    const [order] = await rowsOf('select state from causeway.bank_order where message_id = $1', [
      await messageOf(payouts, id),
    ]);
    expect(order).toEqual({ state: 'delivered' });
    expect((await detail(id)).payout?.answers).toEqual([]);
  });

  test('that calls an accepted payment a duplicate is an answer; only a refusal can', async () => {
    const id = await ordered(payouts, company, { amount: '10' });
    await says(id, { endToEnd: endToEndOf(id), status: 'PDNG', reason: 'DU01' });
    expect([await stageOf(id), await outcomes(1)]).toEqual(['instructed', ['applied']]);
    await says(id, { endToEnd: endToEndOf(id), status: 'RJCT', reason: 'DU01' });
    expect([await stageOf(id), await outcomes(1)]).toEqual(['accepted', ['repeated']]);
  });

  test('is counted once it is applied, and none is applied once the worker is to stop', async () => {
    const id = await ordered(payouts, company, { amount: '10' });
    await payouts.bankSays(statusReport('NOT-OURS', [{ status: 'RJCT' }]));
    await superuser.query("update causeway.bank_status set outcome = null where original_message = 'NOT-OURS'");
    const count = (await rowsOf("select from causeway.bank_status where original_message = 'NOT-OURS'")).length;
    expect(await applyStatuses(payouts.db.worker, outgoingKinds, AbortSignal.abort())).toBe(0);
    expect(await applyStatuses(payouts.db.worker, outgoingKinds, new AbortController().signal)).toBe(count);
    expect(await applyStatuses(payouts.db.worker, outgoingKinds)).toBe(0);
    expect(await stageOf(id)).toBe('instructed');
  });
});

describe('a booking', () => {
  const byUetr = (uetr: string, amount: string, sign: 'CRDT' | 'DBIT', ref: string): TestBooking => ({
    amount,
    sign,
    ref,
    details: [{ uetr }],
  });
  const unmatched = (ref: string) =>
    rowsOf('select state, unmatched, suggestions from causeway.bank_money where reference = $1', [ref]);

  test('is the payment’s by its UETR alone, and what comes back by it is its return', async () => {
    const id = await ordered(payouts, company, { amount: '10' });
    const uetr = await uetrOf(id);
    await payouts.bankSays(notification([byUetr(uetr, '10.00', 'DBIT', `U-${id}`)]));
    expect(await stageOf(id)).toBe('completed');
    await rowsOf('delete from causeway.outbox');
    await payouts.bankSays(notification([byUetr(uetr, '10.00', 'CRDT', `V-${id}`)]));
    expect([await stageOf(id), await change()]).toEqual(['returned', 0n]);
    expect(await rowsOf("select payload from causeway.outbox where name = 'transaction.reached'")).toContainEqual({
      payload: { transactionId: id, stage: 'returned' },
    });
    expect(
      await rowsOf(
        "select actor_kind, actor_id, detail from causeway.audit_event where action = 'payments.returned' and subject_id = $1",
        [id],
      ),
    ).toEqual([
      { actor_kind: 'system', actor_id: 'transfers', detail: { reason: expect.stringMatching(/^stage\.reason\./) } },
    ]);
    const { relatedId } = await detail(id);
    expect(await detail(relatedId ?? '')).toMatchObject({ bankReference: `V-${id}`, type: 'failed_refund' });
    // Payment and refund are known by the bank's names of the payment.
    expect(
      await rowsOf('select uetr, end_to_end from causeway.transaction where id in ($1, $2)', [id, relatedId]),
    ).toEqual([
      { uetr, end_to_end: endToEndOf(id) },
      { uetr, end_to_end: endToEndOf(id) },
    ]);
  });

  test('of what is paid to the account of another company here is the payment’s, and the other’s when it arrives', async () => {
    const id = await ordered(payouts, company, { amount: '10' });
    const other = await openTestCompany(payouts.db);
    const { number: to } = await openTestBankWallet(payouts.db, other.id, 'HKD');
    await payouts.bankSays(notification([{ ...paid(id, '10.00'), details: [{ e2e: endToEndOf(id), to }] }]));
    expect([await stageOf(id), await change()]).toEqual(['completed', -1000n]);
  });

  test('that brings it back is its return, and never in suspense, where a file has it before the payment', async () => {
    const id = await ordered(payouts, company, { amount: '10' });
    await payouts.bankSays(notification([sentBack(id, '10.00', `B-${id}`), paid(id, '10.00')]));
    expect([await stageOf(id), await change()]).toEqual(['returned', 0n]);
    expect(
      await rowsOf(
        `select from causeway.ledger_posting p join causeway.bank_money m on m.id = p.source_id
         where m.reference = $1 and p.kind = 'bank.held'`,
        [`B-${id}`],
      ),
    ).toEqual([]);
  });

  test('of what came back before the payment was booked is given free of suspense; the bank’s words are on the payment', async () => {
    const id = await ordered(payouts, company, { amount: '10' });
    await payouts.bankSays(notification([sentBack(id, '10.00', `B-${id}`, ['Closed', 'in May'])]));
    await payouts.bankSays(notification([paid(id, '10.00')]));
    expect(
      await rowsOf(
        `select p.kind from causeway.ledger_posting p join causeway.bank_money m on m.id = p.source_id
         where m.reference = $1 order by p.kind`,
        [`B-${id}`],
      ),
    ).toEqual([{ kind: 'bank.held' }, { kind: 'bank.released' }]);
    const { bankReason, payout, relatedId } = await detail(id);
    expect(bankReason).toMatchObject({ code: 'AC04', words: 'Closed in May' });
    expect(payout?.answers).toMatchObject([{ status: 'RETURNED', reason: 'AC04', words: 'Closed in May' }]);
    expect(await detail(relatedId ?? '')).toMatchObject({
      payer: { name: 'Bank supplier', account: company.payee.account },
    });
  });

  test('that another worker posts meanwhile is looked at again before what came back of it is held', async () => {
    const id = await ordered(payouts, company, { amount: '10' });
    const { worker } = payouts.db;
    for (const booking of [sentBack(id, '10.00'), paid(id, '10.00')])
      await keepFile(payouts.db, notification([booking]));
    await readMessages(worker);
    const moneys = await worker.withoutCompany((tx) => unsettledMoneys(tx, null, 10));
    const lines = await worker.withoutCompany((tx) => payoutsOf(tx, moneys));
    const [back, made] = [present(moneys[0]), present(moneys[1])];
    const line = present(lines.get(back.id));
    expect(await bookPayout(worker, back.id, line)).toBe(false);
    expect(await bookPayout(worker, made.id, line)).toBe(true);
    expect(await holdStrange(worker, back, line)).toBe(false);
    expect(await bookPayout(worker, back.id, line)).toBe(true);
    // Both are posted: the worker that had read them does nothing more.
    expect([await bookPayout(worker, back.id, line), await holdStrange(worker, back, line)]).toEqual([false, true]);
    expect([await stageOf(id), await change()]).toEqual(['returned', 0n]);
  });

  test('that brings back more than was paid waits for an operator', async () => {
    const id = await ordered(payouts, company, { amount: '10' });
    await payouts.bankSays(notification([paid(id, '10.00')]));
    await payouts.bankSays(notification([sentBack(id, '10.01', `M-${id}`)]));
    expect([await stageOf(id), await change()]).toEqual(['completed', -1000n]);
    expect(await unmatched(`M-${id}`)).toEqual([{ state: 'suspense', unmatched: 'payout', suggestions: [] }]);
  });

  test('with a UETR that is none is looked at by its other names', async () => {
    const id = await ordered(payouts, company, { amount: '10' });
    const own = await uetrOf(id);
    for (const uetr of ['NOT-A-UETR', `x${own}`, `${own}x`])
      await payouts.bankSays(notification([{ ...paid(id, '10.00', uetr), details: [{ e2e: endToEndOf(id), uetr }] }]));
    expect(await stageOf(id)).toBe('completed');
  });

  test('to the account of another company is that company’s, whatever it names; to the payer’s own it is a return', async () => {
    const id = await ordered(payouts, company, { amount: '10' });
    const other = await openTestCompany(payouts.db);
    const { number, id: walletId } = await openTestBankWallet(payouts.db, other.id, 'HKD');
    await payouts.bankSays(notification([paid(id, '10.00')]));
    const back = (to: string, ref: string): TestBooking => ({
      ...sentBack(id, '10.00', ref),
      details: [{ e2e: endToEndOf(id), returned: 'AC04', to }],
    });
    await payouts.bankSays(notification([back(number, `O-${id}`)]));
    expect(await stageOf(id)).toBe('completed');
    expect((await balancesOf(payouts, { ...company, id: other.id, walletId }))['bank']).toBe(-1000n);
    await payouts.bankSays(notification([back(company.accountNumber, `P-${id}`)]));
    expect([await stageOf(id), await change()]).toEqual(['returned', 0n]);
  });

  test('without the bank’s own reference is known by that of the transaction', async () => {
    const id = await ordered(payouts, company, { amount: '10' });
    const { ref: _, ...bare } = paid(id, '10.00');
    await payouts.bankSays(notification([{ ...bare, details: [{ e2e: endToEndOf(id), tx: `T-${id.slice(-9)}` }] }]));
    expect(await detail(id)).toMatchObject({ stage: 'completed', bankReference: `T-${id.slice(-9)}` });
    const { ref: _ref, ...back } = sentBack(id, '10.00');
    await payouts.bankSays(
      notification([{ ...back, details: [{ e2e: endToEndOf(id), tx: `S-${id.slice(-9)}`, returned: 'AC04' }] }]),
    );
    const { relatedId } = await detail(id);
    expect(await detail(relatedId ?? '')).toMatchObject({ bankReference: `S-${id.slice(-9)}` });
  });
});
