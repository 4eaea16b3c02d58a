import { createPaymentRequest } from '@causeway/contract/payment-requests.ts';
import { refundPaymentRequest } from '@causeway/contract/payment-requests-refund.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  asked,
  type CollectionWorld,
  credit,
  detail,
  opened,
  paid,
  pay,
  refundPayee,
  refundRequest,
  requestsOf,
  tend,
  usdt,
  work,
} from '../../testing/collections.ts';
import { expectLedgerToAgree } from '../../testing/company-books.ts';
import { testDatabase } from '../../testing/database.ts';
import {
  dyingDatabase,
  eachDeath,
  Killed,
  killRounds,
  type Moment,
  type MortalDatabase,
  mortalDatabase,
} from '../../testing/dying.ts';
import { killEachTransaction } from '../../testing/killed-requests.ts';
import { mainApp, type Tenant } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';
import { verifyRequests } from './store/verifying.ts';

/** The worker dies while it opens addresses and while it follows deposits, and the company's process while it refunds. */

const timeout = 1_200_000;
async function repeat(work: () => Promise<void>): Promise<void> {
  for (let left = killRounds; left > 0; left -= 1) await work();
}

let of: CollectionWorld;
let mortal: MortalDatabase;
beforeAll(async () => {
  const db = await testDatabase();
  mortal = mortalDatabase(db.app);
  of = requestsOf(await mainApp({ ...db, app: mortal }));
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await expectLedgerToAgree(of.db);
  await of.close();
  await of.db.close();
});

/** Works once with a worker that dies, and then with another. @returns whether it died */
async function workDying(transactions: number, moment: Moment): Promise<boolean> {
  const dying = dyingDatabase(of.db.worker, transactions, moment);
  await work(of, { database: dying }).catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error;
  });
  await work(of);
  return dying.life.isOver;
}

test('a request has its addresses once, whenever the worker died', { timeout }, () =>
  repeat(async () => {
    const company = await of.world.company();
    const deaths = await eachDeath(async (transactions, moment) => {
      const { id } = (await succeed(of.world, createPaymentRequest, { as: company.admin, body: asked() })).data;
      const died = await workDying(transactions, moment);
      expect(await detail(of, company.admin, id)).toMatchObject({
        state: 'open',
        addresses: [{ chainId: 'ethereum' }],
      });
      return died;
    });
    expect(deaths).toBeGreaterThanOrEqual(2);
    const { rows } = await of.db.worker.withCompany(company.id, (tx) =>
      sql<{ opened: number; known: number }>`
      select (select count(*) from chain_further_address where company_id = company_id()) as opened,
        (select count(*) from payment_request_address where company_id = company_id()) as known`.execute(tx),
    );
    expect(rows[0]?.opened).toBe(rows[0]?.known);
  }),
);

test('a payment is followed once, whenever the worker died', { timeout }, () =>
  repeat(async () => {
    const company = await of.world.company();
    const deaths = await eachDeath(async (transactions, moment) => {
      const request = await opened(of, company);
      await credit(of, await pay(of, request, 100n * usdt, { follow: false }), false);
      const died = await workDying(transactions, moment);
      const { state, timeline, payments } = await detail(of, company.admin, request.id);
      expect({ state, payments }).toEqual({ state: 'settled', payments: 1 });
      expect(timeline.map(({ step }) => step)).toEqual(['created', 'opened', 'seen', 'credited', 'settled']);
      return died;
    });
    expect(deaths).toBeGreaterThanOrEqual(2);
  }),
);

test('a refund is there once or not at all, whenever the process died', { timeout }, () =>
  repeat(async () => {
    const company: Tenant = await of.world.company();
    const payeeId = await refundPayee(of, company.admin);
    const deaths = await killEachTransaction({ world: of.world, mortal, call: refundPaymentRequest }, async () => {
      const request = await opened(of, company);
      await paid(of, request, 130n * usdt);
      const paymentId = (await detail(of, company.admin, request.id)).receipts[0]?.id ?? '';
      return {
        request: await refundRequest(of, request, { paymentId, payeeId, amount: '30' }),
        async look() {
          const { refunds, state } = await detail(of, company.admin, request.id);
          expect(state).toBe(refunds.length === 0 ? 'unresolved' : 'settled');
          expect(refunds.length).toBeLessThanOrEqual(1);
          return refunds.length === 0 ? 'none' : 'whole';
        },
      };
    });
    expect(deaths).toBeGreaterThanOrEqual(2);
  }),
);

test('no address is opened in restore mode; it is once that has ended', async () => {
  const company = await of.world.company();
  const superuser = new pg.Client({ connectionString: of.db.superuserUrl });
  await superuser.connect();
  await superuser.query(
    `insert into causeway.restore_mode (cause, reason, begun_by) values ('operator', 'test', 'ada')`,
  );
  const { id } = (await succeed(of.world, createPaymentRequest, { as: company.admin, body: asked() })).data;
  await work(of);
  await tend(of);
  expect(await detail(of, company.admin, id)).toMatchObject({ state: 'preparing', addresses: [], actor: 'worker' });
  await superuser.query(
    `update causeway.restore_mode set released_at = now(), released_by = 'ada', release_reason = 'test'`,
  );
  await tend(of);
  expect((await detail(of, company.admin, id)).state).toBe('open');

  // What is kept of a request is held against its deposits.
  const request = await opened(of, company);
  await paid(of, request, 40n * usdt);
  const verify = async () => (await of.db.operator.withoutCompany(verifyRequests)).mismatches;
  expect(await verify()).toEqual([]);
  await superuser.query('set session_replication_role = replica');
  const longAgo = `now() - interval '1 hour'`;
  await superuser.query(`update causeway.payment_request set paid = 1, updated_at = ${longAgo} where id = $1`, [
    request.id,
  ]);
  await superuser.query(
    `update causeway.transaction set updated_at = ${longAgo}, created_at = ${longAgo} where company_id = $1`,
    [company.id],
  );
  expect(await verify()).toEqual([{ companyId: company.id, id: request.id, problem: 'paid' }]);
  await superuser.query('delete from causeway.payment_request_payment where request_id = $1', [request.id]);
  const problems = (await verify()).map(({ problem }) => problem);
  expect(problems.toSorted()).toEqual(['missing', 'paid']);
  await superuser.query('update causeway.payment_request set paid = 0 where id = $1', [request.id]);
  await superuser.end();
});
