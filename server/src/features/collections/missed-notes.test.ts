import { refundPaymentRequest } from '@causeway/contract/payment-requests-refund.ts';
import { cancelTransfer } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CollectionWorld,
  collectionWorld,
  credit,
  detail,
  type Opened,
  opened,
  paid,
  pay,
  refundPayee,
  refundRequest,
  usdt,
  work,
} from '../../testing/collections.ts';
import { race } from '../../testing/race.ts';
import { succeed } from '../../testing/succeed.ts';
import { asSuperuser } from '../../testing/trades.ts';
import { noteMissedJob } from './index.ts';
import { verifyRequests } from './store/verifying.ts';

/** Deposits and refunds that no job of an event has noted: the sweep does it, with the worker's rights. */

let of: CollectionWorld;
beforeAll(async () => {
  of = await collectionWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  expect((await of.db.operator.withoutCompany(verifyRequests)).mismatches).toEqual([]);
  await of.close();
});

/** As where their jobs were discarded. */
const loseEvents = () => asSuperuser(of, `delete from causeway.outbox where name = 'transaction.reached'`);
/** As though every transaction had reached its stage three minutes earlier. */
const age = () => asSuperuser(of, `update causeway.transaction set stage_at = stage_at - interval '3 minutes'`);
const see = (request: Opened) => detail(of, request.company.admin, request.id);
const stepsOf = async (request: Opened) => (await see(request)).timeline.map(({ step }) => step).slice(2);

const late = 'a payment or a refund of a payment request was noted late';

/** A round of the sweep. @returns what it wrote into the log, how often */
async function sweep(): Promise<Record<string, number>> {
  const said: Record<string, number> = {};
  const write = (text: string) => {
    const { msg } = JSON.parse(text) as { msg: string };
    said[msg] = (said[msg] ?? 0) + 1;
  };
  const context = { database: of.db.worker, log: pino({}, { write }), signal: new AbortController().signal };
  await noteMissedJob(of.ports).run(context);
  return said;
}

test('a deposit whose event is lost is noted when its job had two minutes, and once; so is its crediting', async () => {
  const request = await opened(of, await of.world.company());
  const deposit = await pay(of, request, 100n * usdt, { follow: false });
  await loseEvents();
  expect(await sweep()).toEqual({});
  expect(await stepsOf(request)).toEqual([]);
  await age();
  expect(await sweep()).toEqual({ [late]: 1 });
  expect(await stepsOf(request)).toEqual(['seen']);
  await credit(of, deposit, false);
  await loseEvents();
  await age();
  expect(await sweep()).toEqual({ [late]: 1 });
  expect(await see(request)).toMatchObject({ state: 'settled', paid: '100.000000' });
  expect(await stepsOf(request)).toEqual(['seen', 'credited', 'settled']);
  expect(await sweep()).toEqual({});
});

test('the end of a refund whose event is lost is noted; deposits elsewhere are left alone', async () => {
  const company = await of.world.company();
  await paid(of, await opened(of, company), 100n * usdt);
  const request = await opened(of, company);
  await paid(of, request, 130n * usdt);
  const payeeId = await refundPayee(of, company.admin);
  const paymentId = (await see(request)).receipts[0]?.id ?? '';
  const body = await refundRequest(of, request, { paymentId, payeeId, amount: '30' });
  await succeed(of.world, refundPaymentRequest, body);
  await work(of);
  await pay(of, { company, address: company.address }, 7n * usdt);
  await succeed(of.world, cancelTransfer, { as: company.admin, body: { id: body.body.id } });
  await loseEvents();
  await age();
  expect(await sweep()).toEqual({ [late]: 1 });
  expect(await stepsOf(request)).toContain('refund_failed');
  expect(await see(request)).toMatchObject({ state: 'unresolved', causes: ['overpaid'] });
  expect(await sweep()).toEqual({});
});

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 4);
test(
  'the sweep and the event’s own job together note it once',
  async () => {
    for (let round = 0; round < rounds; round++) {
      const request = await opened(of, await of.world.company());
      await credit(of, await pay(of, request, 100n * usdt, { follow: false }), false);
      await age();
      await race(of.db, round, () => work(of), sweep);
      expect(await stepsOf(request)).toEqual(['seen', 'credited', 'settled']);
      const { rows } = await of.db.app.withCompany(request.company.id, (tx) =>
        sql`select from payment_request_payment where company_id = company_id() and request_id = ${request.id}`.execute(
          tx,
        ),
      );
      expect(rows).toHaveLength(1);
    }
  },
  Math.max(60_000, rounds * 20_000),
);
