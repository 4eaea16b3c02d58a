import { cancellableStages } from '@causeway/contract/transactions-lives.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { attemptsOf } from '../features/chains/index.ts';
import { release } from '../features/outgoing/service/release.ts';
import { releaseUnsent } from '../features/rails/index.ts';
import { lockTransaction } from '../features/transactions/index.ts';
import { strangersAddress } from '../testing/bitcoin/addresses.ts';
import type { BitcoinChain } from '../testing/bitcoin/chain.ts';
import { bitcoin } from '../testing/bitcoin/signer-world.ts';
import { type BitcoinWorld, bitcoinWorld } from '../testing/bitcoin/world.ts';
import { transactions } from '../testing/chain-transfers.ts';
import { present } from '../testing/present.ts';
import type { SignedCompany } from '../testing/signer-world.ts';

/** Races on a Bitcoin chain, each round of a company of its own. The companies of a batch have their blocks together, so that many rounds are cheap. */

const fee = 20_000n;
const depth = bitcoin.confirmations;
const rounds = Math.min(Number(process.env['PROOF_ROUNDS'] ?? 4), 200);
const batch = Math.min(rounds, 8);
const batches = Array.from({ length: Math.ceil(rounds / batch) }, (_, index) => index);
vi.setConfig({ testTimeout: 60_000 + rounds * 10_000 });

let world: BitcoinWorld;
let chain: BitcoinChain;
beforeAll(async () => {
  world = await bitcoinWorld();
  chain = world.chain;
});
afterAll(() => world.close());

let payees = 0;
function newPayee(): string {
  payees += 1;
  return strangersAddress(`racing payee ${payees}`);
}

/** Each has these coins, deep enough. @param isRich in the books beyond its coins, which would refuse a second payment otherwise */
async function companies(coins: readonly bigint[], isRich = false): Promise<SignedCompany[]> {
  const all: SignedCompany[] = [];
  // As the worker does: two hundred rounds take longer than rates are valid.
  await world.askRates();
  // One after another: all at once would wait for connections.
  for (let left = batch; left > 0; left -= 1) all.push(await world.company({ isFunded: isRich }));
  for (const { addresses } of all) {
    for (const [place, amountMinor] of coins.entries()) chain.fund([{ address: addresses[place] ?? '', amountMinor }]);
  }
  await world.advance(depth + 1);
  return all;
}

/** A reader that lost a race starts again. */
async function readAgain(): Promise<void> {
  await world.follow();
  await world.advance(depth + 1);
}

test('a replacement against the block that takes the first attempt: the payee is paid once, and what was not used comes back', async () => {
  const ends = new Set<string>();
  for (const round of batches) {
    const cases = [];
    for (const company of await companies([100_000n])) {
      const payee = newPayee();
      cases.push({ company, payee, id: await world.promised(company, payee, 50_000n, 2_000n) });
    }
    await world.work();
    await world.look();
    for (const { company, id } of cases) await world.raise(company, id);
    const blocks = async () => {
      // Some replacements are out by then, and some are not.
      for (let left = round % 5; left > 0; left -= 1) await world.look();
      chain.mine();
      await world.followBlocks();
    };
    await Promise.allSettled([world.tend(), world.look(), blocks()]);
    await world.tend();
    await readAgain();
    for (const { company, payee, id } of cases) {
      expect(await world.transaction(company, id)).toMatchObject({ stage: 'completed' });
      const [paid, ...more] = chain.received(payee);
      expect([paid?.amountMinor, more]).toEqual([50_000n, []]);
      const feeMinor = (await chain.gateway.receipt(paid?.hash ?? ''))?.networkFeeMinor ?? 0n;
      ends.add(feeMinor === 2_000n ? 'first' : 'replacement');
      expect(await world.balances(company)).toMatchObject({ available: 50_000n - feeMinor, outbound: 0n, fee: 0n });
    }
  }
  if (rounds >= 100) expect(ends).toEqual(new Set(['first', 'replacement']));
  await world.expectBooks();
});

test('a deposit that its payer replaces at one node while a block is made is what the block has, once', async () => {
  for (const round of batches) {
    const all = await companies([]);
    const shown = all.map(({ address }) => chain.fund([{ address, amountMinor: 30_000n }], { isReplaceable: true }));
    await world.look();
    for (const company of all) expect(await world.balances(company)).toMatchObject({ inbound: 30_000n });
    for (const [place, hash] of shown.entries()) {
      const address = place % 2 === 0 ? (all[place]?.address ?? '') : newPayee();
      chain.refund(hash, [{ address, amountMinor: 29_000n }], 1);
    }
    chain.miner = round % 2 === 0 ? 1 : 0;
    const blocks = async () => {
      chain.mine();
      await world.followBlocks();
    };
    await Promise.allSettled([world.look(), blocks(), world.look()]);
    await readAgain();
    for (const company of all) {
      const arrived = chain.received(company.address).map(({ amountMinor }) => amountMinor);
      const available = arrived.reduce((sum, amountMinor) => sum + amountMinor, 0n);
      expect(arrived.length).toBeLessThan(2);
      expect(await world.balances(company)).toMatchObject({ inbound: 0n, available });
      const credited = (await transactions(world, company)).filter(({ stage }) => stage === 'credited');
      expect(credited.map(({ quantity }) => quantity)).toEqual(arrived);
    }
  }
  await world.expectBooks();
});

test('blocks and mempools that bring the same deposit at once make one of it', async () => {
  for (const _ of batches) {
    const all = await companies([]);
    for (const { address } of all) chain.fund([{ address, amountMinor: 30_000n }]);
    const { mempool } = chain.gateway;
    // Read before the block, written after it.
    const view = await mempool({ among: async (addresses) => new Set(addresses) });
    chain.gateway.mempool = async () => view;
    chain.mine();
    await Promise.allSettled([world.look(), world.followBlocks()]);
    chain.gateway.mempool = mempool;
    await readAgain();
    for (const company of all) {
      expect(await world.balances(company)).toMatchObject({ inbound: 0n, available: 30_000n });
      expect(await transactions(world, company)).toHaveLength(1);
    }
  }
  await world.expectBooks();
});

test('of two payments of the whole wallet one is paid; the other waits and is never made from coins that are spent', async () => {
  for (const _ of batches) {
    const cases = [];
    for (const company of await companies([60_000n, 40_000n], true)) {
      const whole = 100_000n - fee;
      const payments = [newPayee(), newPayee()].map((payee) => world.promised(company, payee, whole, fee));
      cases.push({ company, ids: await Promise.all(payments) });
    }
    await Promise.all([world.work(), world.tend(), world.tend()]);
    await readAgain();
    for (const { company, ids } of cases) {
      const stages = (await transactions(world, company))
        .filter(({ id }) => ids.includes(id))
        .map(({ stage }) => stage);
      expect(stages.filter((stage) => stage === 'completed')).toHaveLength(1);
    }
  }
});

test('two operators give a payment up against the block that brings its coin back: it is paid or given back, and never both', async () => {
  const ends = new Set<string>();
  const enough = Array.from({ length: Math.ceil(Math.max(rounds, 20) / batch) }, (_, index) => index);
  for (const round of enough) {
    const all = await companies([100_000n]);
    const { height } = present(chain.transaction(present(chain.unspent(all[0]?.address ?? '')[0]).hash));
    const cases = [];
    chain.isFull = true;
    for (const company of all) {
      const payee = newPayee();
      cases.push({ company, payee, id: await world.promised(company, payee, 50_000n, 2_000n) });
    }
    await world.work();
    chain.reorganise((await chain.gateway.head()) - height + 1, 'lost');
    await world.follow();
    await world.tend();
    await world.advance(depth + 1);
    await world.tend();
    const acts = cases.map(({ company, id }) => world.giveUp(company, id));
    const blocks = async () => {
      // Some are carried out by then, and some are not.
      if (round % 4 > 0) await acts[(round % 4) * 2 - 1];
      chain.repeatLost();
      chain.isFull = false;
      if (round % 2 === 0) await world.look();
      chain.mine();
      await world.followBlocks();
    };
    const [, , ...given] = await Promise.allSettled([blocks(), world.tend(), ...acts]);
    await world.follow();
    // Of some that were given up a stranger has the bytes, and offers them once the coin is back.
    for (const [place, { company, id }] of cases.entries()) {
      if (place % 2 === 0) await chain.gateway.broadcast(await signedBytes(company, id));
    }
    for (const _ of [1, 2]) {
      await world.look();
      await world.tend();
      await readAgain();
    }
    for (const [place, { company, payee, id }] of cases.entries()) {
      const { stage } = await world.transaction(company, id);
      const wasGiven = given[place]?.status === 'fulfilled' && given[place].value === true;
      ends.add(`${wasGiven ? 'given up' : 'kept'}, ${stage}`);
      const isPaid = stage === 'completed';
      expect([stage, isPaid]).toEqual([wasGiven && !isPaid ? 'failed' : 'completed', isPaid]);
      expect(chain.received(payee).map(({ amountMinor }) => amountMinor)).toEqual(isPaid ? [50_000n] : []);
      const { available = 0n, outbound, inbound, deficit = 0n } = await world.balances(company);
      expect([available + deficit, outbound, inbound]).toEqual([isPaid ? 48_000n : 100_000n, 0n, 0n]);
      const refunds = (await transactions(world, company)).filter(({ type }) => type === 'failed_refund');
      expect(refunds).toHaveLength(wasGiven ? 1 : 0);
    }
  }
  expect([...ends]).toContain('given up, completed');
  if (rounds >= 100) expect(ends.size).toBeGreaterThanOrEqual(3);
  await world.expectBooks();
});

async function signedBytes({ id: companyId }: SignedCompany, id: string): Promise<string> {
  const [send] = await world.db.worker.withCompany(companyId, (tx) => attemptsOf(tx, id));
  return send?.raw ?? '';
}

test('a payment of several is cancelled, or ended by operators, while they are planned together: it is paid or given back, and the others are paid', async () => {
  const ends = new Set<string>();
  for (const round of batches) {
    const cases: { company: SignedCompany; payees: string[]; ids: string[] }[] = [];
    for (const company of await companies([400_000n])) {
      const payees = [newPayee(), newPayee(), newPayee()];
      const ids: string[] = [];
      for (const payee of payees) ids.push(await world.promised(company, payee, 50_000n, 2_000n));
      cases.push({ company, payees, ids });
    }
    // Of every other company its initiator cancels one, and of the others operators release one.
    const ending = async ({ company, ids }: (typeof cases)[number], place: number) => {
      const id = ids[1 + (place % 2)] ?? '';
      const isInitiator = place % 2 === 0;
      await (isInitiator ? world.db.app : world.db.worker).withCompany(company.id, async (tx) => {
        // Some planners are ahead of it.
        for (let left = (round + place) % 4; left > 0; left -= 1) await sql`select 1`.execute(tx);
        if (!isInitiator) return void (await releaseUnsent(tx, world.parts(), id));
        const payment = await lockTransaction(tx, id);
        const end = { stage: 'cancelled', reason: 'stage.reason.cancelled' } as const;
        if (payment) await release(tx, payment, cancellableStages(payment.type), end);
      });
    };
    await Promise.allSettled([world.tend(), world.work(), ...cases.map(ending)]);
    for (let again = 0; again < 2; again += 1) {
      await world.tend();
      await readAgain();
    }
    for (const { company, payees, ids } of cases) {
      const hashes = new Set<string>();
      let spentMinor = 0n;
      for (const [place, id] of ids.entries()) {
        const { stage } = await world.transaction(company, id);
        const [paid, ...more] = chain.received(payees[place] ?? '');
        expect([paid !== undefined, more]).toEqual([stage === 'completed', []]);
        ends.add(stage);
        if (!paid) continue;
        spentMinor += 50_000n;
        hashes.add(paid.hash);
      }
      for (const hash of hashes) spentMinor += (await chain.gateway.receipt(hash))?.networkFeeMinor ?? 0n;
      if (hashes.size === 1) ends.add('together');
      expect(await world.balances(company)).toMatchObject({ available: 400_000n - spentMinor, outbound: 0n, fee: 0n });
    }
  }
  // In each round someone comes first, and in some of them it is not the worker.
  expect([...ends].sort()).toEqual(['cancelled', 'completed', 'failed', 'together']);
  await world.expectBooks();
});

test('several that were sent together are raised while a block takes them: each is paid once, and what was not used comes back', async () => {
  const ends = new Set<string>();
  for (const round of batches) {
    const cases = [];
    for (const company of await companies([400_000n])) {
      const payees = [newPayee(), newPayee(), newPayee()];
      const ids = [];
      for (const payee of payees) ids.push(await world.promised(company, payee, 50_000n, 600n));
      cases.push({ company, payees, ids });
    }
    await world.tend();
    await world.look();
    for (const [place, { company, ids }] of cases.entries()) await world.raise(company, ids[place % 3] ?? '');
    const blocks = async () => {
      // From at once to after replacements have been sent.
      for (let left = [0, 2, 8, 20, 40][round % 5] ?? 0; left > 0; left -= 1) await world.look();
      chain.mine();
      await world.followBlocks();
    };
    await Promise.allSettled([world.tend(), world.look(), blocks()]);
    await world.tend();
    await readAgain();
    for (const { company, payees, ids } of cases) {
      for (const id of ids) expect(await world.transaction(company, id)).toMatchObject({ stage: 'completed' });
      const paid = payees.map((payee) => chain.received(payee));
      expect(paid.map((outputs) => outputs.map(({ amountMinor }) => amountMinor))).toEqual([
        [50_000n],
        [50_000n],
        [50_000n],
      ]);
      const hashes = new Set(paid.flatMap((outputs) => outputs.map(({ hash }) => hash)));
      expect(hashes.size).toBe(1);
      const [hash = ''] = hashes;
      const feeMinor = (await chain.gateway.receipt(hash))?.networkFeeMinor ?? 0n;
      ends.add(feeMinor < 1_800n ? 'first' : 'replacement');
      expect(await world.balances(company)).toMatchObject({ available: 250_000n - feeMinor, outbound: 0n, fee: 0n });
    }
  }
  if (rounds >= 100) expect(ends).toEqual(new Set(['first', 'replacement']));
  await world.expectBooks();
});
