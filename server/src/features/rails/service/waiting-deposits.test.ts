import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { insertTestTransaction } from '../../../testing/transactions.ts';
import { waitingOf } from './waiting-deposits.ts';

let db: TestDatabase;
let company: TestCompany;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  company = await openTestCompany(db);
  await publish(null);
});

/** The cheapest rate of the chain, in thousandths of a satoshi per virtual byte; null: none is published. */
async function publish(economy: number | null): Promise<void> {
  await db.worker.withoutCompany((tx) =>
    economy === null
      ? sql`update bitcoin_fee_rate set economy = 1, normal = 1, urgent = 1 where chain_id = 'ethereum'`.execute(tx)
      : sql`insert into bitcoin_fee_rate (chain_id, economy, normal, urgent, minimum)
          values ('ethereum', ${economy}, ${economy * 2}, ${economy * 3}, 1000)
          on conflict (chain_id) do update set economy = excluded.economy, normal = excluded.normal, urgent = excluded.urgent`.execute(
          tx,
        ),
  );
}

async function deposit({
  replaceable = false,
  feeRate = null,
  block = null,
}: {
  replaceable?: boolean | null;
  feeRate?: number | null;
  block?: number | null;
}): Promise<string> {
  const id = await insertTestTransaction(db, company, { status: 'pending', stage: 'seen' });
  const hash = id.replaceAll('-', '').padEnd(64, '0');
  await db.worker.withCompany(company.id, (tx) =>
    sql`insert into deposit (company_id, chain_id, hash, output, transaction_id, block_number, block_hash, replaceable, fee_rate, state)
      values (company_id(), 'ethereum', ${hash}, 'vout:0', ${id}, ${block}::bigint, ${block === null ? null : hash}::text,
        ${replaceable}, ${feeRate}, 'inbound')`.execute(tx),
  );
  return id;
}

const terms = (id: string, as = company.id) => db.app.withCompany(as, (tx) => waitingOf(tx, id));

test('a deposit without a block has the terms that its payer gave it', async () => {
  expect(await terms(await deposit({ replaceable: true, feeRate: 1500 }))).toMatchObject({
    replaceable: true,
    feeRate: '1.500',
    isLow: false,
  });
  expect(await terms(await deposit({ feeRate: null }))).toEqual({
    replaceable: false,
    feeRate: null,
    isLow: false,
    accelerationId: null,
    canAccelerate: false,
  });
});

test('what it pays is low below the cheapest rate that is published, and not at it', async () => {
  await publish(2000);
  expect(await terms(await deposit({ feeRate: 1999 }))).toMatchObject({ isLow: true });
  expect(await terms(await deposit({ feeRate: 2000 }))).toMatchObject({ isLow: false });
});

test('what a block has, waits for nothing', async () => {
  expect(await terms(await deposit({ replaceable: true, feeRate: 1500, block: 12 }))).toBeNull();
});

test('where deposits are seen in blocks alone there are no terms, nor for another company', async () => {
  expect(await terms(await deposit({ replaceable: null }))).toBeNull();
  const other = await openTestCompany(db);
  expect(await terms(await deposit({ replaceable: true }), other.id)).toBeNull();
});
