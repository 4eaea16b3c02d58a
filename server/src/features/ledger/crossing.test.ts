import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import {
  accountsByKind,
  type Crossing,
  move,
  openAccounts,
  type Posting,
  post,
  postAll,
  postBatch,
  watchBelow,
} from './index.ts';

/** A watched balance announces that it falls below its threshold, and that it is back: once for each crossing, however it is posted. */

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

interface Company {
  id: string;
  chain: string;
  available: string;
  walletId: string;
}

async function newCompany(): Promise<Company> {
  const id = newId();
  return db.app.withCompany(id, async (tx) => {
    const walletId = newId();
    await openAccounts(tx, walletId, 'USDT', ['available', 'chain']);
    const { available, chain } = await accountsByKind(tx, walletId, ['available', 'chain']);
    await post(tx, posting({ chain: chain.id, available: available.id }, 100n));
    await watchBelow(tx, available.id, 50n);
    return { id, walletId, chain: chain.id, available: available.id };
  });
}

/** What comes in, or with a negative amount goes out. */
function posting({ chain, available }: Pick<Company, 'chain' | 'available'>, amount: bigint): Posting {
  const legs = amount > 0n ? move(chain, available, amount) : move(available, chain, -amount);
  return { id: newId(), kind: 'test', sourceId: newId(), description: '', legs };
}

const moveMoney = (company: Company, amount: bigint) =>
  db.app.withCompany(company.id, (tx) => post(tx, posting(company, amount)));

/** What has been announced since the last look, in its order. */
async function announced(company: Company): Promise<Crossing[]> {
  const { rows } = await db.worker.withCompany(company.id, (tx) =>
    sql<{ payload: Crossing }>`
      with taken as (delete from outbox where company_id = company_id() and name = 'ledger.crossed' returning id, payload)
      select payload from taken order by id`.execute(tx),
  );
  return rows.map(({ payload }) => payload);
}

let company: Company;
beforeEach(async () => {
  company = await newCompany();
});

describe('a watched balance', () => {
  test('announces one fall below its threshold, and one return, whatever moves it in between', async () => {
    await moveMoney(company, -50n);
    expect(await announced(company)).toEqual([]);
    await moveMoney(company, -1n);
    await moveMoney(company, -9n);
    await moveMoney(company, 5n);
    expect(await announced(company)).toEqual([
      {
        crossingId: expect.any(String),
        accountId: company.available,
        ownerId: company.walletId,
        isBelow: true,
        balanceMinor: '49',
        watchBelowMinor: '50',
      },
    ]);
    await moveMoney(company, 5n);
    await moveMoney(company, -20n);
    const again = await announced(company);
    expect(again.map(({ isBelow, balanceMinor }) => [isBelow, balanceMinor])).toEqual([
      [false, '50'],
      [true, '30'],
    ]);
  });

  test('crosses once when many transfers leave at the same time', async () => {
    await Promise.all(Array.from({ length: 10 }, () => moveMoney(company, -10n)));
    expect((await announced(company)).map(({ balanceMinor }) => balanceMinor)).toEqual(['40']);
  });

  test('announces a posting of any number of legs, in any order, and its correction', async () => {
    const fee = await db.app.withCompany(company.id, async (tx) => {
      await openAccounts(tx, company.walletId, 'USDT', ['fee']);
      return (await accountsByKind(tx, company.walletId, ['fee'])).fee.id;
    });
    const given = { id: newId(), kind: 'test', sourceId: newId(), description: '' };
    const legs = [
      { accountId: fee, amountMinor: 1n },
      { accountId: company.available, amountMinor: -60n },
      { accountId: company.chain, amountMinor: 59n },
    ];
    await db.app.withCompany(company.id, (tx) => post(tx, { ...given, legs }));
    expect((await announced(company)).map(({ isBelow, balanceMinor }) => [isBelow, balanceMinor])).toEqual([
      [true, '40'],
    ]);
    const back = legs.map(({ accountId, amountMinor }) => ({ accountId, amountMinor: -amountMinor }));
    await db.app.withCompany(company.id, (tx) =>
      post(tx, { ...given, id: newId(), sourceId: newId(), legs: back, correctsId: given.id }),
    );
    expect((await announced(company)).map(({ isBelow, balanceMinor }) => [isBelow, balanceMinor])).toEqual([
      [false, '100'],
    ]);
  });

  test('announces nothing of a posting that is rolled back', async () => {
    const failing = db.app.withCompany(company.id, async (tx) => {
      await post(tx, posting(company, -90n));
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    expect(await announced(company)).toEqual([]);
  });

  test('is looked at after a batch, not within it', async () => {
    await db.app.withCompany(company.id, (tx) =>
      postBatch(tx, [posting(company, -80n), posting(company, 60n), posting(company, -10n)]),
    );
    expect(await announced(company)).toEqual([]);
    await db.app.withCompany(company.id, (tx) => postBatch(tx, [posting(company, -10n), posting(company, -11n)]));
    expect((await announced(company)).map(({ balanceMinor }) => balanceMinor)).toEqual(['49']);
  });

  test('is announced to its own company when several are posted together', async () => {
    const other = await newCompany();
    const both = [company, other].map((each) => ({ companyId: each.id, ...posting(each, -60n) }));
    await db.app.withCompanies([company.id, other.id], (tx) => postAll(tx, both));
    expect((await announced(company)).map(({ ownerId }) => ownerId)).toEqual([company.walletId]);
    expect((await announced(other)).map(({ ownerId }) => ownerId)).toEqual([other.walletId]);
  });
});

describe('a threshold', () => {
  const watch = (belowMinor: bigint | null, of = company) =>
    db.app.withCompany(company.id, (tx) => watchBelow(tx, of.available, belowMinor));

  test('above the balance is a crossing at once, and a higher one is none', async () => {
    await watch(150n);
    expect((await announced(company)).map(({ isBelow, watchBelowMinor }) => [isBelow, watchBelowMinor])).toEqual([
      [true, '150'],
    ]);
    await watch(200n);
    expect(await announced(company)).toEqual([]);
  });

  test('that is taken away ends what was below it', async () => {
    await watch(150n);
    await watch(null);
    expect((await announced(company)).map(({ isBelow }) => isBelow)).toEqual([true, false]);
    await moveMoney(company, -100n);
    expect(await announced(company)).toEqual([]);
  });

  test('cannot be set on another company’s account', async () => {
    const other = await newCompany();
    await watch(150n, other);
    expect(await announced(other)).toEqual([]);
  });
});
