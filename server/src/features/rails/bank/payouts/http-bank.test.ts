import { createTransfer } from '@causeway/sandbox/bank/api-transfers.ts';
import { settingsOf } from '@causeway/sandbox/bank/ledger.ts';
import { announce } from '@causeway/sandbox/bank/outcomes.ts';
import {
  delayPayment,
  reasonOf,
  refusePayment,
  returnPayment,
  settlePayment,
} from '@causeway/sandbox/bank/payments.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { outgoingKinds } from '../../../../testing/chain-families.ts';
import { type HttpPayoutWorld, httpPayoutWorld } from '../../../../testing/http-payouts.ts';
import { balancesOf, detailOf, endToEndOf, type PayingCompany, submitted } from '../../../../testing/payouts.ts';
import { BankConnectionError, type OrderOutcome, type TransferDesk } from '../../../banks/index.ts';
import { insertEvent } from '../../../banks/intake/deposit-store.ts';
import { verifyLedger } from '../../../ledger/index.ts';
import { reconcileBanks } from '../../index.ts';
import { makeTransfers } from './orders.ts';
import { quietMs, sendTransfers } from './transferring.ts';

/** Payments out of the sandbox's bank with an HTTP API: every state, and answers that do not come. The bank's own books are the judge. */

let world: HttpPayoutWorld;
let company: PayingCompany;
beforeAll(async () => {
  world = await httpPayoutWorld();
  company = await world.company('SGD', '100000.00');
});
beforeEach(async () => {
  await world.http.bank.api.setMode('ok');
  await payouts('accept');
});
afterAll(async () => {
  await world.http.bank.api.setMode('ok');
  // A worker that was just started lists everything again, and keeps what the bank states.
  world.http.restart();
  await world.visit();
  expect(world.complaints).toEqual([]);
  expect((await world.db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  expect((await reconcileBanks(world.db.operator)).findings).toEqual([]);
  await world.close();
});

const payouts = (mode: 'accept' | 'settle' | 'delay' | 'refuse', reason = 'AC04') =>
  world.http.bank.change((turn) => {
    turn.put('settings', 'now', { ...settingsOf(turn), payouts: { mode, reason } });
  });

async function instructed(amount: string, payer = company): Promise<string> {
  const id = await submitted(world, payer, {
    amount,
    remittance: 'Invoice 7',
    ...(payer === company ? {} : { purpose: 'GDDS' }),
  });
  await world.send(payer.id, id);
  return id;
}
async function ordered(amount: string, payer = company): Promise<string> {
  const id = await instructed(amount, payer);
  await world.visit();
  return id;
}
const figures = async (payer = company) => {
  const { available = 0n, outbound = 0n } = await balancesOf(world, payer);
  return { available, outbound };
};
const detail = (id: string, payer = company) => detailOf(world, payer, id);
const transferOf = (id: string) =>
  world.http.bank.records.all('transfers').find(({ payment }) => payment === world.atBank(id)[0]?.id)?.id ?? '';
const event = (name: string, objectId: string, id = `${name} ${objectId} ${Math.random()}`) =>
  world.db.app.withoutCompany((tx) =>
    insertEvent(tx, { bank: 'meridian', id, name: `payout.transfer.${name}`, objectId, body: Buffer.from('{}') }),
  );

describe('a payment', () => {
  test('is ordered once, accepted, sent and booked', async () => {
    const before = await figures();
    const id = await ordered('100.10');
    expect(world.atBank(id)).toMatchObject([
      { amount: '10010', currency: 'SGD', text: 'Invoice 7', state: 'accepted' },
    ]);
    expect(await detail(id)).toMatchObject({
      stage: 'accepted',
      payout: { messageId: endToEndOf(id), fileName: null, transferId: transferOf(id), uetr: null },
    });
    expect(await figures()).toEqual({ available: before.available - 10010n, outbound: before.outbound + 10010n });
    await world.become(id, settlePayment);
    await world.visit();
    await world.visit();
    const made = await detail(id);
    expect(made).toMatchObject({ stage: 'completed', bankReference: expect.any(String) });
    expect(made.payout?.answers.map(({ status }) => status)).toEqual(['PROCESSING', 'PAID']);
    expect(await figures()).toEqual({ available: before.available - 10010n, outbound: before.outbound });
  });

  test('in yen is of whole yen', async () => {
    const inYen = await world.company('JPY', '500000');
    const id = await ordered('12345', inYen);
    expect(world.atBank(id)).toMatchObject([{ amount: '12345', currency: 'JPY' }]);
    await world.become(id, settlePayment);
    await world.visit();
    expect(await detail(id, inYen)).toMatchObject({ stage: 'completed' });
    expect(await figures(inYen)).toEqual({ available: 500000n - 12345n, outbound: 0n });
  });

  test('that the bank delays waits, and goes on', async () => {
    const id = await ordered('10');
    await world.become(id, delayPayment);
    await world.visit();
    expect(await detail(id)).toMatchObject({ stage: 'accepted' });
    await world.become(id, settlePayment);
    await world.visit();
    expect(await detail(id)).toMatchObject({ stage: 'completed' });
  });

  test.each(['at once', 'later'] as const)(
    'that the bank refuses %s gives the money back, with its reason',
    async (when) => {
      const before = await figures();
      if (when === 'at once') await payouts('refuse', 'AC04');
      const id = await ordered('20');
      if (when === 'later') await world.become(id, (turn, payment) => refusePayment(turn, payment, reasonOf('AC04')));
      await world.visit();
      const ended = await detail(id);
      expect(ended).toMatchObject({ stage: 'failed', failureReason: 'The payee’s account is closed' });
      expect(ended.payout?.answers.at(-1)).toMatchObject({
        status: 'FAILED',
        reason: 'ACCOUNT_CLOSED',
        words: expect.any(String),
      });
      expect(await figures()).toEqual(before);
    },
  );

  test('that the bank cancels gives the money back', async () => {
    const before = await figures();
    const id = await ordered('20');
    await world.become(id, (turn, payment) => refusePayment(turn, payment, reasonOf('CUST'), 'cancelled'));
    await world.visit();
    expect(await detail(id)).toMatchObject({ stage: 'failed', failureReason: 'The bank cancelled the payment' });
    expect(await figures()).toEqual(before);
  });

  test.each(['seen', 'not seen before'] as const)(
    'that comes back after it was sent (%s) is a refund of its own',
    async (seen) => {
      const before = await figures();
      const id = await ordered('30');
      await world.become(id, settlePayment);
      if (seen === 'seen') await world.visit();
      await world.become(id, (turn, payment) => returnPayment(turn, payment, reasonOf('AC04')));
      // What is at its end is asked about when an event names it, or when everything is listed again.
      if (seen === 'seen') await event('failed', transferOf(id));
      await world.visit();
      const back = await detail(id);
      expect(back).toMatchObject({ stage: 'returned' });
      // The bank says so of the transfer, in its own word.
      expect(back.payout?.answers.map(({ status }) => status)).not.toContain('RETURNED');
      expect(back.timeline.find(({ stage }) => stage === 'returned')?.reason).toBe('The payee’s account is closed');
      expect(await figures()).toEqual(before);
      const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
        sql<{ of: string }>`
        select related_id as of from transaction where company_id = company_id() and related_id = ${id}`.execute(tx),
      );
      expect(rows).toEqual([{ of: id }]);
    },
  );

  test('that a worker started anew finds returned comes back without an event', async () => {
    const before = await figures();
    const id = await ordered('30');
    await world.become(id, settlePayment);
    await world.visit();
    await world.become(id, (turn, payment) => returnPayment(turn, payment, reasonOf('AC01')));
    await world.visit();
    expect(await detail(id)).toMatchObject({ stage: 'completed' });
    world.http.restart();
    await world.visit();
    expect(await detail(id)).toMatchObject({ stage: 'returned' });
    expect(await figures()).toEqual(before);
  });

  test('whose order the bank refuses ends, with the bank’s words', async () => {
    const before = await figures();
    const id = await instructed('10');
    const desk = fakeDesk({
      order: async () => ({ outcome: 'refused', reason: 'insufficient_funds', words: 'not enough' }),
    });
    expect(await sendBy(desk)).toBe(1);
    const ended = await detail(id);
    expect(ended).toMatchObject({
      stage: 'failed',
      failureReason: 'The bank account of the operator had too little money',
    });
    expect(ended.payout?.answers).toMatchObject([{ status: 'REFUSED', words: 'not enough' }]);
    expect(await figures()).toEqual(before);
    await sendBy(fakeDesk({}));
    expect(world.atBank(id)).toEqual([]);
  });
});

describe('events', () => {
  test('change nothing that the bank does not say itself: forged, doubled, out of order, of others', async () => {
    const id = await ordered('40');
    const before = await figures();
    await event('paid', transferOf(id), 'doubled');
    await event('paid', transferOf(id), 'doubled');
    await event('failed', transferOf(id));
    await event('failed', 'no-such-transfer');
    await world.visit();
    expect(await detail(id)).toMatchObject({ stage: 'accepted' });
    expect(await figures()).toEqual(before);
    await world.become(id, settlePayment);
    await event('processing', transferOf(id));
    await world.visit();
    await event('sent', transferOf(id));
    await world.visit();
    expect(await detail(id)).toMatchObject({ stage: 'completed' });
    const open = await world.db.worker.withoutCompany((tx) =>
      sql`select from bank_event where asked_at is null`.execute(tx),
    );
    expect(open.rows).toEqual([]);
  });

  test('that are lost are made up for by asking', async () => {
    const id = await ordered('41');
    await world.become(id, settlePayment);
    await world.visit();
    expect(await detail(id)).toMatchObject({ stage: 'completed' });
  });

  test('about a transfer that we did not order: a charge of the installation, and no company’s', async () => {
    const before = await figures();
    const beneficiary = {
      entity_type: 'COMPANY',
      bank_details: {
        account_name: 'A Landlord',
        account_number: '123456789',
        account_currency: 'SGD',
        bank_country_code: 'SG',
        swift_code: 'DBSSSGSG',
      },
    };
    const transfer = await world.http.bank.change((turn) => {
      const body = { transfer_currency: 'SGD', transfer_amount: 12.5, beneficiary, reference: 'Rent', reason: 'rent' };
      const made = createTransfer(turn, { ...body, request_id: `console-${Math.random()}` });
      announce(turn, [settlePayment(turn, turn.get('transfers', made)?.payment ?? '')]);
      return made;
    });
    await event('paid', transfer);
    await world.visit();
    expect(await figures()).toEqual(before);
    const { rows } = await world.db.worker.withoutCompany((tx) =>
      sql<{ state: string }>`select state from bank_money where reference = ${transfer}`.execute(tx),
    );
    expect(rows).toEqual([{ state: 'charged' }]);
  });
});

/** Orders what waits, over a desk of the test's, at a time. @returns how many orders were made */
async function sendBy(desk: TransferDesk, now = new Date()): Promise<number> {
  const made = await makeTransfers(world.db.worker, 'meridian');
  await sendTransfers(world.db.worker, outgoingKinds, { bank: 'meridian', desk, now: () => now });
  return made;
}

function fakeDesk(given: Partial<TransferDesk>): TransferDesk & { sent: string[]; asked: string[] } {
  const [sent, asked]: string[][] = [[], []];
  return {
    kind: 'desk',
    sent: sent ?? [],
    asked: asked ?? [],
    async find(requestId) {
      asked?.push(requestId);
      return given.find ? given.find(requestId) : null;
    },
    async order(requestId, content): Promise<OrderOutcome> {
      sent?.push(requestId);
      return given.order ? given.order(requestId, content) : { outcome: 'taken', id: `t-${requestId}` };
    },
  };
}

describe('an order whose answer does not come', () => {
  test.each(['mute', 'half'] as const)('(%s) is asked about, and was carried out once', async (mode) => {
    const id = await instructed('50');
    // Signed in, and listed once: the next request is the order.
    await world.visit();
    expect(world.atBank(id)).toHaveLength(1);
    const second = await instructed('51');
    await world.http.bank.api.setMode(mode);
    await world.visit();
    await world.http.bank.api.setMode('ok');
    expect(await detail(second)).toMatchObject({ stage: 'instructed' });
    await world.visit();
    await world.visit();
    expect(world.atBank(second)).toHaveLength(1);
    expect(await detail(second)).toMatchObject({ stage: 'accepted' });
  });

  test.each(['down', 'failing', 'slow'] as const)('(%s) goes when the bank is there again', async (mode) => {
    const id = await instructed('52');
    await world.http.bank.api.setMode(mode, 10_000);
    await world.visit();
    await world.http.bank.api.setMode('ok');
    await world.visit();
    await sendByBank(new Date(Date.now() + quietMs + 1000));
    await world.visit();
    expect(world.atBank(id)).toHaveLength(1);
    expect(await detail(id)).toMatchObject({ stage: 'accepted' });
  });

  test('is not sent again while it may be on its way; then it is, under the same id', async () => {
    const id = await instructed('53');
    const start = Date.now();
    const lost = fakeDesk({ order: () => Promise.reject(new BankConnectionError('unreachable', 'no answer')) });
    await expect(sendBy(lost, new Date(start))).rejects.toThrow('no answer');
    expect(lost.sent).toEqual([endToEndOf(id)]);
    const quiet = fakeDesk({});
    await sendBy(quiet, new Date(start + quietMs - 1));
    expect(quiet).toMatchObject({ asked: [endToEndOf(id)], sent: [] });
    await sendByBank(new Date(start + quietMs));
    expect(world.atBank(id)).toHaveLength(1);
    await world.visit();
    expect(await detail(id)).toMatchObject({ stage: 'accepted' });
  });

  test('and that the bank then refuses is asked about once more', async () => {
    const id = await instructed('54');
    const start = Date.now();
    const lost = fakeDesk({ order: () => Promise.reject(new BankConnectionError('unreachable', 'no answer')) });
    await expect(sendBy(lost, new Date(start))).rejects.toThrow('no answer');
    let isThere = false;
    const late = fakeDesk({
      find: async (requestId) => (isThere ? { id: `t-${requestId}` } : null),
      async order() {
        isThere = true;
        return { outcome: 'refused', reason: 'validation_failed', words: 'no' };
      },
    });
    await sendBy(late, new Date(start + quietMs));
    expect(await detail(id)).toMatchObject({ stage: 'instructed', payout: { transferId: `t-${endToEndOf(id)}` } });
  });

  test('of two workers, the refusal that the other’s try has overtaken ends nothing', async () => {
    const id = await instructed('55');
    const start = Date.now();
    const slow = fakeDesk({
      async order() {
        await sendBy(
          fakeDesk({ order: () => Promise.reject(new BankConnectionError('unreachable', 'second')) }),
          new Date(start + quietMs),
        ).catch(() => undefined);
        return { outcome: 'refused', reason: 'validation_failed', words: 'no' };
      },
    });
    await sendBy(slow, new Date(start));
    expect(await detail(id)).toMatchObject({ stage: 'instructed' });
    await sendByBank(new Date(start + 3 * quietMs));
    await world.visit();
    expect(world.atBank(id)).toHaveLength(1);
    expect(await detail(id)).toMatchObject({ stage: 'accepted' });
  });
});

/** The orders that wait, to the bank itself. */
async function sendByBank(now: Date): Promise<void> {
  await world.http.visit({
    deliver: (_, orders) => (orders.kind === 'desk' ? sendBy(orders, now) : Promise.resolve()),
  });
}
