import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sweepDue } from '../features/rails/sweeps/jobs.ts';
import { findRestoreMode } from '../platform/database/restore-mode.ts';
import { expectBooksToAgree } from '../testing/chain-books.ts';
import { balances, type ChainWorld, type Company, chainId, chainWorld, depth } from '../testing/chain-world.ts';
import { type ChainRequest, type ChainRequests, requestsOnChains } from '../testing/collection-chains.ts';
import { isProof } from '../testing/proof.ts';
import { createDrill, type Drill, untilReady } from '../testing/restore-drill.ts';

/**
 * A backup is put back, and payment requests that were made since are not there (docs/adr/0106). Their payers have their addresses: none of them is given out
 * again, whether restore mode began or not, and what reaches them, before the restore or after it, is in the company's wallet.
 */

vi.setConfig({ testTimeout: 240_000 });

let world: ChainWorld;
let requests: ChainRequests;
let drill: Drill;
beforeAll(async () => {
  world = await chainWorld({ rpcTimeoutMs: 30_000 });
  requests = await requestsOnChains(world);
  drill = createDrill(world);
});
afterAll(async () => {
  expect(requests.main.complaints).toEqual([]);
  await requests.close();
  await world.close();
});

const addressOf = ({ addresses }: ChainRequest) => addresses.get(chainId) as `0x${string}`;
const pay = (request: ChainRequest, amount: string) => world.chain.treasury.send('USDT', addressOf(request), amount);
const available = async (company: Company) => (await balances(world, company, 'USDT'))['available'] ?? 0n;
const heldAt = (address: string) => world.chain.treasury.balance('USDT', address as `0x${string}`);
const accepted = { chainId, coin: 'USDT' };

async function rounds(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    await sweepDue(world.db.worker);
    await drill.rounds(1);
  }
}

async function putBack(): Promise<void> {
  await world.stopSigner();
  await world.restore('requests');
  await world.startSigner();
}

test.runIf(isProof)(
  'the database went back, and no one says so: addresses are given once, and money at those of lost requests arrives',
  async () => {
    const company = await world.company();
    const other = await world.company();
    const [as, asOther] = [await requests.member(company), await requests.member(other)];
    const early = await requests.open(as, accepted, '10');
    await world.backUp('requests');
    const paid = await requests.open(as, accepted, '100');
    const shown = await requests.open(as, accepted, '50');
    const ofOther = await requests.open(asOther, accepted, '70');
    await pay(paid, '100');
    await world.advance(1);
    expect(await requests.detail(paid)).toMatchObject({ state: 'processing' });

    await putBack();
    // Nothing was signed since the backup: the journal has nothing that the database lacks.
    expect(await world.db.worker.withoutCompany(findRestoreMode)).toBeNull();
    const later = [await requests.open(as, accepted, '20'), await requests.open(asOther, accepted, '30')];
    const all = [early, paid, shown, ofOther, ...later].map(addressOf);
    expect(new Set(all).size).toBe(all.length);

    await pay(shown, '50');
    await pay(ofOther, '70');
    await world.advance(depth + 1);
    expect([await available(company), await available(other)]).toEqual([150_000_000n, 70_000_000n]);
    // They are deposits of the wallet; no request that there is has them.
    for (const request of [early, ...later]) expect(await requests.detail(request)).toMatchObject({ state: 'open' });
    expect(await drill.run('restore', 'status')).toContainEqual(
      expect.objectContaining({
        condition: expect.stringContaining('lost payment requests'),
        found: expect.stringMatching(/^3 /),
      }),
    );
    await rounds(3 * depth);
    expect(await Promise.all([paid, shown].map((request) => heldAt(addressOf(request))))).toEqual(['0', '0']);
    expect(await heldAt(company.address)).toBe('150');
    await expectBooksToAgree(world);
  },
);

test('what was paid, credited and swept since the backup is so after the restore, once', async () => {
  const company = await world.company();
  const as = await requests.member(company);
  await world.backUp('requests');
  const paid = await requests.open(as, accepted, '100');
  await pay(paid, '60');
  await rounds(3 * depth);
  expect(await heldAt(company.address)).toBe('60');
  await pay(paid, '40');
  await world.chain.engine.mine(1);

  await putBack();
  expect(await world.db.worker.withoutCompany(findRestoreMode)).toMatchObject({ cause: 'journal_ahead' });
  // While restore mode holds, lost addresses are opened all the same, and a new request waits.
  await world.follow();
  const waiting = await requests.open(as, accepted, '5');
  expect(await requests.detail(waiting)).toMatchObject({ state: 'preparing', addresses: [] });
  await untilReady(drill);
  expect(await available(company)).toBe(100_000_000n);
  await drill.run('restore', 'release', '--reason', 'the drill is over');
  await rounds(4 * depth);
  expect([await heldAt(addressOf(paid)), await heldAt(company.address)]).toEqual(['0', '100']);
  expect(await available(company)).toBe(100_000_000n);
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<{ amount: string }>`select quantity::text as amount from transaction
      where company_id = company_id() and type = 'chain_sweep' and status = 'completed' order by created_at`.execute(
      tx,
    ),
  );
  expect(rows.length).toBeGreaterThanOrEqual(1);
  await expectBooksToAgree(world);
});
