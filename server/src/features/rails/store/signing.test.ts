import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { utxoFamily } from '../../../testing/utxo/family.ts';
import { river } from '../../../testing/utxo/signer-world.ts';
import { familiesByName, openFurtherAddress } from '../../chains/index.ts';
import { registerChains } from '../../chains/registry.ts';
import { readOwnAddresses } from './signing.ts';

/** The signer's role may read the addresses of every company: what it takes for a company's own, its query alone decides. */

const lake = 'lake';
const [company, other] = [newId(), newId()];
/** The address of the gas tank is no company's. */
const noCompany = '00000000-0000-0000-0000-000000000000';

let db: TestDatabase;
let signer: Database;
beforeAll(async () => {
  db = await testDatabase();
  signer = openDatabase(db.urlFor('causeway_signer'), { poolSize: 1, applicationName: 'test-signer' });
  await registerChains(db.superuserUrl, familiesByName([utxoFamily]), [river, { ...river, id: lake, name: 'Lake' }]);
  for (const chainId of [river.id, lake]) {
    await open(company, chainId, 4);
    await open(other, chainId, 5);
    await open(noCompany, chainId, null);
  }
});
afterAll(async () => {
  await signer.close();
  await db.close();
});

const addressOf = (companyId: string, chainId: string, ordinal: number) => `${companyId} ${chainId} ${ordinal}`;

/** An account on a chain with one further address. */
async function open(companyId: string, chainId: string, derivationIndex: number | null): Promise<void> {
  await db.worker.withCompany(companyId, async (tx) => {
    await sql`insert into chain_address (company_id, chain_id, address, derivation_index)
      values (company_id(), ${chainId}, ${addressOf(companyId, chainId, 0)}, ${derivationIndex})`.execute(tx);
    await openFurtherAddress(tx, chainId, { address: addressOf(companyId, chainId, 1), ordinal: 1 });
  });
}

async function own(companyId: string, named: readonly string[] | null) {
  const rows = await signer.withoutCompany((tx) => readOwnAddresses(tx, { companyId, chainId: river.id }, named));
  return rows.sort((a, b) => Number(a.ordinal) - Number(b.ordinal));
}

const account = { address: addressOf(company, river.id, 0), derivationIndex: 4, ordinal: 0 };
const further = { address: addressOf(company, river.id, 1), derivationIndex: 4, ordinal: 1 };

test('the addresses of a company are those of its account on this chain, with its index in the tree of keys', async () => {
  expect(await own(company, null)).toEqual([account]);
});

test('of the addresses that a plan names, only those are the company’s', async () => {
  expect(await own(company, [further.address])).toEqual([further]);
  const foreign = [
    addressOf(other, river.id, 0),
    addressOf(other, river.id, 1),
    addressOf(company, lake, 0),
    addressOf(company, lake, 1),
    addressOf(noCompany, river.id, 0),
    'the payee',
  ];
  expect(await own(company, foreign)).toEqual([]);
  expect(await own(company, [account.address, ...foreign])).toEqual([account]);
});

test('an account without an index in the tree of keys has no address to sign for', async () => {
  expect(await own(noCompany, null)).toEqual([]);
});
