import { cancelPayout, fiatTransferOut } from '@causeway/contract/payments.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../../../platform/database/database.ts';
import { outgoingKinds } from '../../../../testing/chain-families.ts';
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
  payoutRequest,
  payoutWorld,
  sentBack,
  statusReport,
  submitted,
  type TestFolder,
  testBank,
} from '../../../../testing/payouts.ts';
import { present } from '../../../../testing/present.ts';
import { succeed } from '../../../../testing/succeed.ts';
import { type OrderFolder, readMessages } from '../../../banks/index.ts';
import { verifyLedger } from '../../../ledger/index.ts';
import { applyStatuses, reconcileBanks, settleMoneys } from '../../index.ts';
import { deliverOrders } from './delivering.ts';
import { makeOrders } from './orders.ts';

/** Payments out of a bank where two do the same at once, or one undoes what the other does: one succeeds, and the bank is asked once. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 2);
const each = Array.from({ length: rounds }, (_, index) => index);
vi.setConfig({ testTimeout: 60_000 + rounds * 20_000 });

let payouts: PayoutWorld;
let company: PayingCompany;
let superuser: pg.Client;
beforeAll(async () => {
  payouts = await payoutWorld();
  superuser = new pg.Client({ connectionString: payouts.db.superuserUrl });
  await superuser.connect();
});
beforeEach(async () => {
  company = await payouts.company('100015.00');
});
afterEach(async () => {
  payouts.folder.take();
  expect(payouts.world.complaints.splice(0)).toEqual([]);
  expect(payouts.complaints.splice(0)).toEqual([]);
  expect((await payouts.db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  expect((await reconcileBanks(payouts.db.operator)).findings).toEqual([]);
});
afterAll(async () => {
  await superuser.end();
  await payouts.close();
});

const stageOf = async (id: string) => (await detailOf(payouts, company, id)).stage;
const balances = () => balancesOf(payouts, company);
const available = async () => (await balances())['available'] ?? 0n;
const worker = () => payouts.db.worker;
const make = () => makeOrders(worker(), testBank, new Date());
/** How often the bank is asked to make a payment, in the files that it took. */
const asked = (texts: readonly string[], id: string) =>
  texts.join('').split(`<EndToEndId>${endToEndOf(id)}</EndToEndId>`).length - 1;
const taken = () => payouts.folder.take().map(({ text }) => text);
async function count(query: string, id: string): Promise<number> {
  const { rows } = await superuser.query(`select count(*)::int as count from causeway.${query}`, [id]);
  return rows[0].count;
}
async function linesOf(id: string): Promise<{ state: string; orders: number }[]> {
  const { rows } = await superuser.query(
    `select state, (select count(*)::int from causeway.bank_order o where o.id = l.order_id) as orders
     from causeway.bank_order_line l where transaction_id = $1`,
    [id],
  );
  return rows;
}

describe(`before the bank is asked, ${rounds} times`, () => {
  test('two payments of the whole balance: one is held, the other refused', async () => {
    const whole = await available();
    const amount = (Number(whole) / 100).toFixed(2);
    for (const _ of each) {
      const requests = [
        await payoutRequest(payouts, company, { amount }),
        await payoutRequest(payouts, company, { amount }),
      ];
      const answers = await Promise.all(requests.map((request) => payouts.world.ask(fiatTransferOut, request)));
      const won = answers.findIndex(({ status }) => status === 200);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(['insufficientBalance', 'amountAboveBalanceMinusFee']).toContain(answers[1 - won]?.key);
      expect(await balances()).toMatchObject({ available: 0n, outbound: whole });
      const { as, body } = present(requests[won]);
      await succeed(payouts.world, cancelPayout, { as: present(as), body: { id: body.id } });
      expect(await balances()).toMatchObject({ available: whole, outbound: 0n });
    }
  });

  test('cancelled or handed over: the money is back, or the bank is asked, never both', async () => {
    for (const round of each) {
      const before = await available();
      const id = await submitted(payouts, company, { amount: '10' });
      const cancel = () => payouts.world.ask(cancelPayout, { as: company.admin, body: { id } });
      const send = () => payouts.send(company.id, id);
      const both = round % 2 === 0 ? [cancel(), send()] : [send(), cancel()];
      const answer = (await Promise.all(both)).find((outcome) => outcome !== undefined);
      await send();
      await payouts.order();
      const isCancelled = answer?.status === 200;
      if (!isCancelled) expect(answer?.key).toBe('payoutNotCancellable');
      expect(await stageOf(id)).toBe(isCancelled ? 'cancelled' : 'instructed');
      expect(asked(taken(), id)).toBe(isCancelled ? 0 : 1);
      expect(await available()).toBe(isCancelled ? before : before - 1000n);
    }
  });

  test('two workers hand one payment over, and make and deliver orders at once: it is in one line, one order, one file', async () => {
    for (const _ of each) {
      const ids = [
        await submitted(payouts, company, { amount: '3' }),
        await submitted(payouts, company, { amount: '4' }),
      ];
      await Promise.all([...ids, ...ids].map((id) => payouts.send(company.id, id)));
      await Promise.all([make(), make()]);
      for (const id of ids) expect(await linesOf(id)).toEqual([{ state: 'ordered', orders: 1 }]);
      const bank = greedy();
      await Promise.all([1, 2].map(() => deliverOrders(worker(), testBank, bank)));
      await deliverOrders(worker(), testBank, bank);
      for (const id of ids) expect(asked(bank.texts, id)).toBe(1);
      const { rows } = await superuser.query("select from causeway.bank_order where state <> 'delivered'");
      expect(rows).toHaveLength(0);
    }
  });

  test('payouts switched off and an order: what waits when they are off is in no order', async () => {
    const other = new pg.Client({ connectionString: payouts.db.superuserUrl });
    await other.connect();
    for (const _ of each) {
      const id = await submitted(payouts, company, { amount: '5' });
      await payouts.send(company.id, id);
      const switchOff = async () => {
        await other.query('begin');
        await other.query("select pg_advisory_xact_lock(causeway.switch_lock('banks'))");
        await other.query(`update causeway.bank_asset set payouts_off = true where bank_id = $1`, [testBank]);
        await other.query('select pg_sleep(random() * 0.02)');
        const { rowCount } = await other.query(
          'select from causeway.bank_order_line where order_id is not null and transaction_id = $1',
          [id],
        );
        await other.query('commit');
        return rowCount;
      };
      const [orderedThen] = await Promise.all([switchOff(), make()]);
      await make();
      expect((await linesOf(id))[0]?.orders).toBe(orderedThen);
      await other.query('update causeway.bank_asset set payouts_off = false where bank_id = $1', [testBank]);
      await payouts.order();
      expect((await linesOf(id))[0]?.orders).toBe(1);
    }
    await other.end();
  });

  test('a freeze and an order: what waits when the freeze holds is in no order', async () => {
    const other = new pg.Client({ connectionString: payouts.db.superuserUrl });
    await other.connect();
    for (const round of each) {
      const [id, later] = [
        await submitted(payouts, company, { amount: '5' }),
        await submitted(payouts, company, { amount: '6' }),
      ];
      await payouts.send(company.id, id);
      const freeze = async () => {
        await other.query('begin');
        await other.query('select pg_advisory_xact_lock(causeway.freeze_lock($1))', [company.id]);
        await other.query('update causeway.company set frozen_at = now() where company_id = $1', [company.id]);
        await other.query('select pg_sleep(random() * 0.02)');
        const { rows } = await other.query(
          'select transaction_id as id from causeway.bank_order_line where order_id is not null and transaction_id = any ($1)',
          [[id, later]],
        );
        await other.query('commit');
        return rows.map((row) => row.id);
      };
      const [left] = await Promise.all([freeze(), make(), payouts.send(company.id, later), round % 2 ? make() : null]);
      await make();
      const states = await Promise.all([id, later].map(linesOf));
      for (const [index, payment] of [id, later].entries()) {
        expect(states[index]?.[0]?.orders ?? 0).toBe(left.includes(payment) ? 1 : 0);
      }
      await other.query('update causeway.company set frozen_at = null where company_id = $1', [company.id]);
      await payouts.send(company.id, later);
      await payouts.order();
    }
    await other.end();
  });
});

describe(`what the bank says, ${rounds} times`, () => {
  test('a refusal read and applied by two workers gives the money back once, of one payment and of a whole order', async () => {
    for (const round of each) {
      const before = await available();
      const id = await ordered(payouts, company, { amount: '7' });
      const said = round % 2 ? {} : { endToEnd: endToEndOf(id) };
      const file = statusReport(await messageOf(payouts, id), [{ ...said, status: 'RJCT', reason: 'AC04' }]);
      await Promise.all([keepFile(payouts.db, file), keepFile(payouts.db, file)]);
      const work = async () => {
        await readMessages(worker());
        await applyStatuses(worker(), outgoingKinds);
      };
      await Promise.all([work(), work()]);
      await work();
      expect(await stageOf(id)).toBe('failed');
      expect(await available()).toBe(before);
      expect(await count('payout_answer where transaction_id = $1', id)).toBe(1);
      expect(await count("transaction where related_id = $1 and type = 'failed_refund'", id)).toBe(1);
    }
  });

  test('a refusal and a booking at once: it was paid, and paid for once', async () => {
    for (const _ of each) {
      const before = await available();
      const id = await ordered(payouts, company, { amount: '8' });
      await keepFile(payouts.db, notification([paid(id, '8.00')]));
      await keepFile(
        payouts.db,
        statusReport(await messageOf(payouts, id), [{ endToEnd: endToEndOf(id), status: 'RJCT' }]),
      );
      await readMessages(worker());
      await Promise.all([applyStatuses(worker(), outgoingKinds), settleMoneys(worker())]);
      expect(await stageOf(id)).toBe('completed');
      expect(await balances()).toMatchObject({ available: before - 800n, outbound: 0n });
    }
  });

  test('a booking and what came back, each in a file that comes twice, read and posted by two workers: each is posted once', async () => {
    for (const _ of each) {
      const before = await available();
      const id = await ordered(payouts, company, { amount: '9' });
      const files = [notification([paid(id, '9.00')]), notification([sentBack(id, '8.50')])];
      await Promise.all([...files, ...files].map((file) => keepFile(payouts.db, file)));
      const work = async () => {
        await readMessages(worker());
        await settleMoneys(worker());
      };
      await Promise.all([work(), work()]);
      await work();
      expect(await stageOf(id)).toBe('returned');
      expect(await balances()).toMatchObject({ available: before - 50n, outbound: 0n });
      expect(await count('payout_money where transaction_id = $1', id)).toBe(2);
    }
  });

  test('two returns of one payment: one is the company’s, the other waits for an operator', async () => {
    for (const round of each) {
      const before = await available();
      const id = await ordered(payouts, company, { amount: '9' });
      await payouts.bankSays(notification([paid(id, '9.00')]));
      const two = ['A', 'B'].map((name) => sentBack(id, '9.00', `${name}-${round}-${id.slice(-8)}`));
      for (const one of two) await keepFile(payouts.db, notification([one]));
      await readMessages(worker());
      await Promise.all([settleMoneys(worker()), settleMoneys(worker())]);
      expect(await available()).toBe(before);
      expect(
        await count("bank_money where end_to_end = $1 and state = 'suspense' and unmatched = 'payout'", endToEndOf(id)),
      ).toBe(1);
    }
  });

  test.each([4, 5].flatMap((ours) => [4, 5].map((theirs) => [ours, theirs])))(
    'what came back is looked at before transaction %i while another worker books the payment up to its transaction %i: it is not left in suspense',
    async (ours, theirs) => {
      const before = await available();
      const id = await ordered(payouts, company, { amount: '9' });
      await keepFile(payouts.db, notification([sentBack(id, '9.00')]));
      await readMessages(worker());
      const [isBooked, isHeld] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let other = Promise.resolve(0);
      const slow = interrupted(worker(), ours, async () => {
        await keepFile(payouts.db, notification([paid(id, '9.00')]));
        await readMessages(worker());
        const booking = interrupted(worker(), theirs, async () => {
          isBooked.resolve();
          await isHeld.promise;
        });
        other = settleMoneys(booking);
        await isBooked.promise;
      });
      await settleMoneys(slow);
      isHeld.resolve();
      await other;
      await settleMoneys(worker());
      expect(await stageOf(id)).toBe('returned');
      expect(await available()).toBe(before);
    },
  );
});

test('a payer who writes a payment’s reference on what another company is to get pays that company', async () => {
  const other = await payouts.company('115.00');
  const id = await ordered(payouts, company, { amount: '50' });
  await payouts.bankSays(notification([paid(id, '50.00')]));
  const before = [await available(), (await balancesOf(payouts, other))['available']];
  const details = [{ e2e: endToEndOf(id), to: other.accountNumber, payer: 'The payee' }];
  await payouts.bankSays(notification([{ amount: '40.00', ref: `OWN-${id.slice(-8)}`, details }]));
  expect(await stageOf(id)).toBe('completed');
  expect([await available(), (await balancesOf(payouts, other))['available']]).toEqual([
    before[0],
    (before[1] ?? 0n) + 2500n,
  ]);
});

/** Does something else before one of its transactions. */
function interrupted(database: Database, transaction: number, work: () => Promise<void>): Database {
  let begun = 0;
  const turn = async () => {
    begun += 1;
    if (begun === transaction) await work();
  };
  return {
    ...database,
    withoutCompany: async (inner) => {
      await turn();
      return database.withoutCompany(inner);
    },
    withCompany: async (companyId, inner, options) => {
      await turn();
      return database.withCompany(companyId, inner, options);
    },
  };
}

/** A bank that takes a file away as soon as it has its name. */
function greedy(): OrderFolder & { texts: string[]; folder: TestFolder } {
  const { folder } = payouts;
  const texts: string[] = [];
  const pause = () => worker().withoutCompany((tx) => sql`select`.execute(tx));
  return {
    kind: 'folder',
    texts,
    folder,
    async look(name) {
      await pause();
      return folder.look(name);
    },
    async put(name, content) {
      await pause();
      await folder.put(name, content);
      await pause();
    },
    async finish(name) {
      await pause();
      await folder.finish(name);
      texts.push(...taken());
    },
  };
}
