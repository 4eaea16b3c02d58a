import { afterAll, beforeAll, expect, test } from 'vitest';
import { executedExchange } from '../../../testing/chain-exchanges.ts';
import { approvedTransfer, newPayee, registeredCompany } from '../../../testing/chain-transfers.ts';
import { type ChainWorld, type Company, chainId, chainWorld, depth } from '../../../testing/chain-world.ts';
import { settlementSources } from '../queue/settlement-sources.ts';
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
  await world.advance(1);
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
  await world.chain.treasury.send('USDC', world.treasury, '40');
  await world.advance(1);
  await world.tend();
  await world.advance(4 * depth);
  expect(await causes()).toEqual([]);
  expect(await coin('USDC')).toMatchObject({ owed: '0.000000', underWayIn: '0.000000', missing: null });
});

test('a settlement that has failed is an item until a person closes it', async () => {
  await world.asSuperuser(`update causeway.transaction set status = 'failed', stage = 'failed'
    where company_id = '${company.id}' and type = 'fx_settlement_in'`);
  expect(await causes()).toMatchObject([{ companyId: company.id, money: { asset: 'USDC', minor: 49_000_000n } }]);
});
