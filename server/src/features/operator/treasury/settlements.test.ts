import { afterAll, beforeAll, expect, test } from 'vitest';
import { executedExchange } from '../../../testing/chain-exchanges.ts';
import { approvedTransfer, newPayee, registeredCompany } from '../../../testing/chain-transfers.ts';
import {
  type ChainWorld,
  type Company,
  chainId,
  chainWorld,
  depth,
  treasuryPerDay,
  walletOf,
} from '../../../testing/chain-world.ts';
import { settleWallet } from '../../rails/settlement/making.ts';
import { readSituation } from '../exceptions/situations.ts';
import { settlementSources } from '../queue/settlement-sources.ts';
import { findStuck } from '../store.ts';
import { shownTreasury } from './settlements.ts';
import { findTreasuryCoins } from './settlements-store.ts';

/** What operators see of the treasury while a company's payment waits for it. */

let world: ChainWorld;
let company: Company;
beforeAll(async () => {
  world = await chainWorld();
  company = await registeredCompany(world);
});
afterAll(() => world.close());

const causes = () =>
  world.db.console.withoutCompany(async (tx) =>
    (await Promise.all(settlementSources.map(({ find }) => find(tx)))).flat(),
  );
const coin = async (name: string) => {
  const rows = await world.db.console.withoutCompany(findTreasuryCoins);
  return shownTreasury(rows, () => null)?.coins.find((each) => each.coin === name);
};

test('the queue names what is missing and where to send it; the page, what is owed and on the way', async () => {
  await executedExchange(world, company, {
    sell: 'USDT',
    soldMinor: 50_000_000n,
    buy: 'USDC',
    boughtMinor: 49_000_000n,
  });
  expect(await coin('USDC')).toMatchObject({
    owed: '49.000000',
    due: '0.000000',
    underWayIn: '0.000000',
    missing: null,
  });
  expect(await coin('USDT')).toMatchObject({ owed: '0.000000', due: '50.000000' });
  await world.chain.treasury.send('USDC', world.treasury, '9');
  await world.advance(depth + 1);
  await approvedTransfer(world, company, { coin: 'USDC', amountMinor: 20_000_000n, payee: newPayee() });
  await world.work();
  expect(await coin('USDC')).toMatchObject({ underWayIn: '49.000000', missing: '40.000000' });
  expect(await causes()).toEqual([
    {
      subject: `${chainId}:USDC`,
      companyId: null,
      since: expect.any(Date),
      money: { asset: 'USDC', decimals: 6, minor: 40_000_000n },
      facts: { chain: chainId, address: world.treasury, payments: '1' },
    },
  ]);
  const stuck = () =>
    world.db.operator.withoutCompany(async (tx) =>
      (await findStuck(tx, { minutes: 30, most: 10, withApprovals: false })).filter(
        ({ quantityMinor }) => quantityMinor === 49_000_000n,
      ),
    );
  const wait = () =>
    world.asSuperuser(`update causeway.transaction set stage_at = now() - interval '1 hour' where status = 'pending'`);
  await wait();
  // It has the item of the treasury.
  expect(await stuck()).toEqual([]);
  await world.chain.treasury.send('USDC', world.treasury, '40');
  // What no final block has may vanish: it is not promised yet.
  await world.advance(depth);
  await world.tend();
  expect(await causes()).toMatchObject([{ money: { minor: 40_000_000n } }]);
  await world.advance(1);
  await world.tend();
  // The network fee comes first.
  await world.advance(1);
  await wait();
  const [settlement] = await stuck();
  expect(settlement).toMatchObject({ fromAddress: world.treasury, missingMinor: 0n, isHeld: false });
  const situation = await world.db.operator.withoutCompany((tx) =>
    readSituation(tx, 'transaction', settlement?.id ?? ''),
  );
  expect(situation?.whyNot('payment.speedUp')).toBeNull();
  expect(situation?.whyNot('payment.replaceEmpty')).toBe('settlement');
  await world.advance(4 * depth);
  expect(await causes()).toEqual([]);
  expect(await coin('USDC')).toMatchObject({ owed: '0.000000', underWayIn: '0.000000', missing: null });
});

test('beyond what the signer lets leave the treasury in a day, a settlement waits, and the operator sees why', async () => {
  const usual = treasuryPerDay.get('USDC') ?? 0n;
  // 49 have left today.
  treasuryPerDay.set('USDC', 55_000_000n);
  await world.chain.treasury.send('USDC', world.treasury, '20');
  await world.advance(depth + 1);
  await executedExchange(world, company, {
    sell: 'USDT',
    soldMinor: 7_000_000n,
    buy: 'USDC',
    boughtMinor: 7_000_000n,
  });
  await world.db.worker.withCompany(company.id, (tx) => settleWallet(tx, walletOf(company, 'USDC'), 'nightly'));
  await world.advance(2);
  expect(await causes()).toEqual([
    {
      subject: `${chainId}:USDC`,
      companyId: null,
      since: expect.any(Date),
      money: { asset: 'USDC', decimals: 6, minor: 7_000_000n },
      facts: { chain: chainId },
    },
  ]);
  treasuryPerDay.set('USDC', usual);
  await world.tend();
  await world.advance(2 * depth);
  expect(await causes()).toEqual([]);
  expect(await coin('USDC')).toMatchObject({ owed: '0.000000', underWayIn: '0.000000' });
});

test('a settlement that has failed is an item until a person closes it', async () => {
  await world.asSuperuser(`update causeway.transaction set status = 'failed', stage = 'failed'
    where company_id = '${company.id}' and type = 'fx_settlement_in' and quantity = 49000000`);
  expect(await causes()).toMatchObject([{ companyId: company.id, money: { asset: 'USDC', minor: 49_000_000n } }]);
});
