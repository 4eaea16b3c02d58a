import { createServer } from 'node:http';
import { confirmTrade, releaseTrade } from '@causeway/contract/trades.ts';
import { cancelTransfer } from '@causeway/contract/transfers.ts';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { chainFamilies } from '../../testing/chain-families.ts';
import {
  dyingDatabase,
  eachDeath,
  Killed,
  killRounds,
  type MortalDatabase,
  mortalDatabase,
} from '../../testing/dying.ts';
import { killEachTransaction } from '../../testing/killed-requests.ts';
import { isProof } from '../../testing/proof.ts';
import { succeed } from '../../testing/succeed.ts';
import {
  confirmation,
  confirmed,
  escrowMismatches,
  figures,
  followReleases,
  released,
  releaseRequest,
  saidOf,
  type TradeWorld,
  tradeDetail,
  tradeWorld,
  trading,
} from '../../testing/trades.ts';
import { verifyLedger } from '../ledger/index.ts';
import { takeIn, tradeJobs, verifyTrades } from './index.ts';
import { deliverTradeMessages } from './service/deliver.ts';

/** Processes die at each step of a trade's life: what was begun is not there or wholly there, and is repeated to one end. */

vi.setConfig({ testTimeout: killRounds * 120_000 });

let of: TradeWorld;
let mortal: MortalDatabase;
beforeAll(async () => {
  of = await tradeWorld((database) => {
    mortal = mortalDatabase(database);
    return mortal;
  });
});
afterAll(async () => {
  expect((await of.db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  expect((await of.db.operator.withoutCompany(verifyTrades)).mismatches).toEqual([]);
  await of.close();
});
afterEach(() => expect(of.world.complaints).toEqual([]));

const rounds = Array.from({ length: killRounds }, (_, index) => index + 1);

test.each(rounds)('a confirmation (round %i)', async () => {
  const deaths = await killEachTransaction({ world: of.world, mortal, call: confirmTrade }, async () => {
    const { company, said } = await trading(of);
    const request = await confirmation(of, company.admin, said.id);
    const look = async () => {
      const { state, messages } = await tradeDetail(of, company.admin, said.id);
      const isWhole = state === 'in_progress';
      expect(messages).toHaveLength(isWhole ? 1 : 0);
      const whole = { available: '4000', escrow: '1000', outbound: '0' };
      expect(await figures(of, company)).toEqual(isWhole ? whole : { available: '5000', escrow: '0', outbound: '0' });
      return isWhole ? ('whole' as const) : ('none' as const);
    };
    return { request, look };
  });
  expect(deaths).toBe(2);
});

test.each(rounds)('a payment to the seller (round %i)', async () => {
  const deaths = await killEachTransaction({ world: of.world, mortal, call: releaseTrade }, async () => {
    const trade = await trading(of);
    const { company, said } = trade;
    await confirmed(of, company.admin, said.id);
    const request = await releaseRequest(of, trade, '400');
    const look = async () => {
      const { releases, messages } = await tradeDetail(of, company.admin, said.id);
      const isWhole = releases.length === 1;
      expect(messages).toHaveLength(isWhole ? 2 : 1);
      const whole = { available: '3999', escrow: '600', outbound: '401' };
      expect(await figures(of, company)).toEqual(
        isWhole ? whole : { available: '4000', escrow: '1000', outbound: '0' },
      );
      return isWhole ? ('whole' as const) : ('none' as const);
    };
    return { request, look };
  });
  expect(deaths).toBe(2);
});

test.runIf(isProof).each(rounds)('what follows a payment to the seller that came to nothing (round %i)', async () => {
  const deaths = await eachDeath(async (transactions, moment) => {
    const trade = await trading(of);
    const { company, said } = trade;
    await confirmed(of, company.admin, said.id);
    const id = await released(of, trade, '400');
    await succeed(of.world, cancelTransfer, { as: company.admin, body: { id } });
    const dying = dyingDatabase(of.db.worker, transactions, moment);
    await followReleases({ db: { ...of.db, worker: dying } }).catch((error: unknown) => {
      expect(error).toBeInstanceOf(Killed);
    });
    // What a dead worker had taken is taken by another one.
    const [job] = tradeJobs().filter(({ name }) => name === 'trades.followRelease');
    for (let time = 0; time < 2; time += 1) {
      await job?.run(
        { companyId: company.id, database: of.db.worker, log: pino({ level: 'silent' }) },
        { transactionId: id },
      );
    }
    expect(await figures(of, company)).toEqual({ available: '4000', escrow: '1000', outbound: '0' });
    const { timeline, messages } = await tradeDetail(of, company.admin, said.id);
    expect(timeline.filter(({ step }) => step === 'refrozen')).toHaveLength(1);
    expect(messages.map(({ type }) => type)).toEqual(['trade.confirmed', 'trade.released', 'trade.release_failed']);
    return dying.life.isOver;
  });
  // Where the event is taken, where it is asked whom it concerns, and in the job; and the same for the seller's pages, in four steps: each
  // before and after the commit.
  expect(deaths).toBe(14);
});

test.each(rounds)('an event between two companies, which the platform repeats (round %i)', async () => {
  const deaths = await eachDeath(async (transactions, moment) => {
    const seller = await of.world.company('Delta Textiles');
    const { company, said } = await trading(of, {}, seller.address);
    await confirmed(of, company.admin, said.id);
    const data = { ...saidOf(company.address, seller.address), ...said, version: 2, refunded: '300' };
    const body = JSON.stringify({ type: 'trade.updated', timestamp: new Date().toISOString(), data });
    const arrived = { messageId: `msg_${newId()}`, body };
    const parts = { families: chainFamilies, clock: systemClock };
    const dying = dyingDatabase(of.db.app, transactions, moment);
    const first = await takeIn({ database: dying, ...parts }, arrived).catch((error: unknown) => error);
    expect(first instanceof Killed).toBe(dying.life.isOver);
    expect(await escrowMismatches(of, company.id)).toEqual([]);
    for (let time = 0; time < 2; time += 1) await takeIn({ database: of.db.app, ...parts }, arrived);
    const bought = await tradeDetail(of, company.admin, said.id);
    const sold = await tradeDetail(of, seller.admin, said.id);
    expect([bought.version, sold.version, sold.refunded]).toEqual([2, 2, '300.000000']);
    expect(bought.timeline.filter(({ step }) => step === 'returned')).toHaveLength(1);
    expect(sold.timeline).toHaveLength(2);
    expect(await figures(of, company)).toEqual({ available: '4300', escrow: '700', outbound: '0' });
    return dying.life.isOver;
  });
  // What it is about, then one transaction for each company.
  expect(deaths).toBe(6);
});

test.each(rounds)('a message to the platform, which gets it again under the same id (round %i)', async () => {
  const taken: string[] = [];
  const platform = createServer((request, response) => {
    taken.push(String(request.headers['webhook-id']));
    request.resume().on('end', () => response.writeHead(200).end());
  });
  await new Promise<void>((done) => platform.listen(0, '127.0.0.1', done));
  const address = platform.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  const parts = { log: pino({ level: 'silent' }), url, secret: `whsec_${Buffer.alloc(32, 3).toString('base64')}` };
  const after = (ms: number) => ({ now: () => new Date(Date.now() + ms) });
  // What earlier tests left is out of the way.
  while ((await deliverTradeMessages({ database: of.db.worker, clock: after(3_600_000), ...parts })) > 0);
  const deaths = await eachDeath(async (transactions, moment) => {
    const { company, said } = await trading(of);
    await confirmed(of, company.admin, said.id);
    taken.length = 0;
    const dying = dyingDatabase(of.db.worker, transactions, moment);
    await deliverTradeMessages({ database: dying, clock: after(0), ...parts }).catch((error: unknown) => {
      expect(error).toBeInstanceOf(Killed);
    });
    // A later worker, when the lease of the dead one has run out.
    await deliverTradeMessages({ database: of.db.worker, clock: after(61_000), ...parts });
    expect(await deliverTradeMessages({ database: of.db.worker, clock: after(3_600_000), ...parts })).toBe(0);
    expect(new Set(taken).size).toBe(1);
    const { messages } = await tradeDetail(of, company.admin, said.id);
    expect(messages.map(({ deliveredAt }) => deliveredAt !== null)).toEqual([true]);
    return dying.life.isOver;
  });
  expect(deaths).toBe(4);
  await new Promise((done) => platform.close(done));
});
