import { cancelTransfer } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { dyingDatabase } from '../../testing/dying.ts';
import { race } from '../../testing/race.ts';
import { failedRelease, sentRelease, settledRelease, tradeMessages } from '../../testing/seller-payments.ts';
import { succeed } from '../../testing/succeed.ts';
import {
  asSuperuser,
  confirmed,
  escrowMismatches,
  figures,
  followReleases,
  released,
  type TradeWorld,
  type Trading,
  tradeDetail,
  tradeWorld,
  trading,
} from '../../testing/trades.ts';
import { followReleasesJob, verifyTrades } from './index.ts';

/** Payments to sellers whose end no job of an event has followed: the sweep does it, with the worker's rights. */

let of: TradeWorld;
beforeAll(async () => {
  of = await tradeWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  expect((await of.db.operator.withoutCompany(verifyTrades)).mismatches).toEqual([]);
  await of.close();
});

async function paying(amount: string): Promise<{ trade: Trading; id: string }> {
  const trade = await trading(of);
  await confirmed(of, trade.company.admin, trade.said.id);
  return { trade, id: await released(of, trade, amount) };
}
const cancelled = ({ company }: Trading, id: string) =>
  succeed(of.world, cancelTransfer, { as: company.admin, body: { id } });

/** As where their jobs were discarded. */
const loseEvents = () => asSuperuser(of, `delete from causeway.outbox where name = 'transaction.reached'`);
/** As though the payment had reached its stage three minutes earlier. */
const age = (id: string) =>
  asSuperuser(of, `update causeway.transaction set stage_at = stage_at - interval '3 minutes' where id = '${id}'`);

/** A round of the sweep. @returns the payments that it wrote of in the log, by message */
async function sweep(database: Database = of.db.worker): Promise<Record<string, string[]>> {
  const said: Record<string, string[]> = {};
  const write = (text: string) => {
    const { msg, transactionId } = JSON.parse(text) as { msg: string; transactionId: string };
    said[msg] = [...(said[msg] ?? []), transactionId];
  };
  await followReleasesJob().run({ database, log: pino({}, { write }), signal: new AbortController().signal });
  return said;
}
const late = 'the end of a payment to a seller was followed late';

const stepsOf = async ({ company, said }: Trading) =>
  (await tradeDetail(of, company.admin, said.id)).timeline.map(({ step }) => step).slice(2);
const typesOf = async (trade: Trading) => (await tradeMessages(of, trade)).map(({ type }) => type).slice(2);

test('one that came to nothing and whose event is lost is followed when its job had two minutes, and once', async () => {
  const { trade, id } = await paying('600');
  await cancelled(trade, id);
  await loseEvents();
  expect(await sweep()).toEqual({});
  expect(await stepsOf(trade)).toEqual(['released']);
  await age(id);
  expect(await sweep()).toEqual({ [late]: [id] });
  expect(await stepsOf(trade)).toEqual(['released', 'release_failed', 'refrozen']);
  expect(await typesOf(trade)).toEqual(['trade.release_failed']);
  expect(await figures(of, trade.company)).toEqual({ available: '4000', escrow: '1000', outbound: '0' });
  expect(await sweep()).toEqual({});
});

test('one that was made after all is followed, whether its failure had been followed or not; what is under way and what was made is left alone', async () => {
  const { trade, id } = await paying('600');
  await sentRelease(of, trade, id);
  await age(id);
  expect(await sweep()).toEqual({});
  await failedRelease(of, trade, id);
  await followReleases(of);
  await settledRelease(of, trade, id);
  const other = await paying('600');
  await sentRelease(of, other.trade, other.id);
  await failedRelease(of, other.trade, other.id);
  await settledRelease(of, other.trade, other.id);
  const made = await paying('600');
  await sentRelease(of, made.trade, made.id);
  await settledRelease(of, made.trade, made.id);
  await loseEvents();
  for (const each of [id, other.id, made.id]) await age(each);
  expect(
    Object.values(await sweep())
      .flat()
      .sort(),
  ).toEqual([id, other.id].sort());
  for (const each of [trade, other.trade]) {
    expect(await stepsOf(each)).toContain('release_paid');
    expect(await typesOf(each)).toEqual(['trade.release_failed', 'trade.release_paid']);
    expect(await figures(of, each.company)).toEqual({ available: '3999', escrow: '400', outbound: '0' });
  }
  expect(await stepsOf(made.trade)).toEqual(['released']);
  expect(await sweep()).toEqual({});
});

test('one that came to nothing before what came out of escrow went back there is frozen out of what is available', async () => {
  const { trade, id } = await paying('600');
  await asSuperuser(of, `update causeway.transaction set from_escrow = null where id = '${id}'`);
  await cancelled(trade, id);
  await loseEvents();
  await age(id);
  expect(await figures(of, trade.company)).toEqual({ available: '4600', escrow: '400', outbound: '0' });
  expect(await sweep()).toEqual({ [late]: [id] });
  expect(await figures(of, trade.company)).toEqual({ available: '4000', escrow: '1000', outbound: '0' });
  expect((await tradeMessages(of, trade)).at(-1)).toMatchObject({
    data: { amount: '600.000000', frozen: '1000.000000' },
  });
});

test('one that cannot be followed keeps no other from its turn, and is tried again', async () => {
  const { trade, id } = await paying('400');
  const again = await released(of, trade, '300');
  for (const each of [id, again]) {
    await cancelled(trade, each);
    await age(each);
  }
  await loseEvents();
  const companies = await of.db.worker.withoutCompany((tx) =>
    sql<{ id: string }>`select distinct company_id as id from trade_release order by 1`.execute(tx),
  );
  // The list of companies, one look into each until this one's, and then the first payment.
  const before = companies.rows.findIndex((row) => row.id === trade.company.id) + 1;
  const dying = dyingDatabase(of.db.worker, before + 2, 'before commit');
  expect(await sweep(dying)).toEqual({
    'the end of a payment to a seller could not be followed': [id],
    [late]: [again],
  });
  expect(await sweep()).toEqual({ [late]: [id] });
  expect(await figures(of, trade.company)).toEqual({ available: '4000', escrow: '1000', outbound: '0' });
});

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 4);
test(
  'the sweep and the event’s own job together follow it once',
  async () => {
    for (let round = 0; round < rounds; round++) {
      const { trade, id } = await paying('1000');
      await cancelled(trade, id);
      await age(id);
      await race(of.db, round, () => followReleases(of), sweep);
      expect(await stepsOf(trade)).toEqual(['released', 'release_failed', 'refrozen']);
      expect(await typesOf(trade)).toEqual(['trade.release_failed']);
      expect(await figures(of, trade.company)).toEqual({ available: '4000', escrow: '1000', outbound: '0' });
      expect(await escrowMismatches(of, trade.company.id)).toEqual([]);
    }
  },
  Math.max(60_000, rounds * 20_000),
);
