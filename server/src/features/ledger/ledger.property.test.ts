import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type AccountKind, accountsOf, move, openAccounts, post } from './index.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const kinds = ['available', 'outbound', 'inbound', 'chain', 'fee'] as const satisfies AccountKind[];
type Kind = (typeof kinds)[number];

interface World {
  companyId: string;
  walletId: string;
  accountId: Record<Kind, string>;
}

async function newWorld(): Promise<World> {
  const companyId = newId();
  const walletId = newId();
  const accounts = await db.app.withCompany(companyId, async (tx) => {
    await openAccounts(tx, walletId, 'USDT', kinds);
    return accountsOf(tx, [walletId]);
  });
  const accountId = Object.fromEntries(accounts.map((account) => [account.kind, account.id])) as Record<Kind, string>;
  return { companyId, walletId, accountId };
}

async function balances(world: World): Promise<Record<Kind, bigint>> {
  const accounts = await db.app.withCompany(world.companyId, (tx) => accountsOf(tx, [world.walletId]));
  return Object.fromEntries(accounts.map((account) => [account.kind, account.balanceMinor])) as Record<Kind, bigint>;
}

/** What must hold after anything: entries add up to balances, running balances and sequences have no gap. */
async function checkBooks(companyId: string): Promise<void> {
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  const { rows } = await client.query(
    `select a.id,
       a.balance::text as balance, coalesce(sum(e.amount), 0)::text as summed, a.version::int as version, count(e.*)::int as entries,
       coalesce(bool_and(e.expected_sequence = e.sequence and e.expected_balance = e.balance_after), true) as running
     from causeway.ledger_account a
     left join (
       select *, row_number() over w as expected_sequence, sum(amount) over w as expected_balance
       from causeway.ledger_entry window w as (partition by company_id, account_id order by sequence)
     ) e on e.company_id = a.company_id and e.account_id = a.id
     where a.company_id = $1 group by a.company_id, a.id`,
    [companyId],
  );
  await client.end();
  for (const row of rows) {
    expect(row.summed).toBe(row.balance);
    expect(row.entries).toBe(row.version);
    expect(row.running).toBe(true);
  }
  expect(rows.reduce((sum, row) => sum + BigInt(row.balance), 0n)).toBe(0n);
}

const amount = fc.oneof(fc.bigInt(1n, 50n), fc.bigInt(1n, 10n ** 30n));
const step = fc.record({ from: fc.constantFrom(...kinds), to: fc.constantFrom(...kinds), amount });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function allows(model: Record<Kind, bigint>, { from, to, amount: value }: Step): boolean {
  const after = { ...model, [from]: model[from] - value };
  after[to] += value;
  return kinds.every((kind) => (kind === 'chain' ? after[kind] <= 0n : after[kind] >= 0n));
}

function applied(model: Record<Kind, bigint>, { from, to, amount: value }: Step): Record<Kind, bigint> {
  const after = { ...model, [from]: model[from] - value };
  after[to] += value;
  return after;
}

async function attempt(world: World, { from, to, amount: value }: Step): Promise<boolean> {
  try {
    await db.app.withCompany(world.companyId, (tx) =>
      post(tx, {
        id: newId(),
        kind: 'test',
        sourceId: newId(),
        description: '',
        legs: move(world.accountId[from], world.accountId[to], value),
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.key === 'insufficientBalance') return false;
    throw error;
  }
}

describe('the ledger against a model', () => {
  test('accepts exactly what the model accepts, and agrees to the last unit', async () => {
    const steps = fc.array(
      step.filter(({ from, to }) => from !== to),
      { minLength: 1, maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const world = await newWorld();
        let model: Record<Kind, bigint> = { available: 0n, outbound: 0n, inbound: 0n, chain: 0n, fee: 0n };
        for (const one of sequence) {
          const expected = allows(model, one);
          expect(await attempt(world, one)).toBe(expected);
          if (expected) model = applied(model, one);
        }
        expect(await balances(world)).toEqual(model);
        await checkBooks(world.companyId);
      }),
      { numRuns: 25 },
    );
  });

  test('conserves money under concurrency, in whatever order accounts are named', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          step.filter(({ from, to }) => from !== to),
          { minLength: 20, maxLength: 80 },
        ),
        async (steps) => {
          const world = await newWorld();
          await attempt(world, { from: 'chain', to: 'available', amount: 1000n });
          const small = steps.map((one) => ({ ...one, amount: (one.amount % 200n) + 1n }));
          await Promise.all(small.map((one) => attempt(world, one)));
          await checkBooks(world.companyId);
        },
      ),
      { numRuns: 8 },
    );
  });

  test('of many that spend the whole balance at once, exactly one wins', async () => {
    for (let round = 0; round < 20; round++) {
      const world = await newWorld();
      await attempt(world, { from: 'chain', to: 'available', amount: 77n });
      const spend: Step = { from: 'available', to: 'outbound', amount: 77n };
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => attempt(world, spend)));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      await checkBooks(world.companyId);
    }
  });
});

describe('the database itself refuses', () => {
  test('entries written past the posting function, by every role of the product', async () => {
    const world = await newWorld();
    for (const role of ['causeway_app', 'causeway_worker', 'causeway_operator', 'causeway_signer']) {
      const client = new pg.Client({ connectionString: db.urlFor(role) });
      await client.connect();
      await client.query(`select set_config('causeway.company_id', '${world.companyId}', false)`);
      for (const statement of [
        `update ledger_account set balance = balance + 1`,
        `insert into ledger_entry select * from ledger_entry`,
        `delete from ledger_entry`,
        `truncate ledger_entry`,
      ]) {
        await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
      }
      await client.end();
    }
  });

  test('an unbalanced posting, and a change of what is written, even by the owner of the tables', async () => {
    const world = await newWorld();
    await attempt(world, { from: 'chain', to: 'available', amount: 5n });
    const unbalanced = db.app.withCompany(world.companyId, (tx) =>
      sql`select ledger_post(${newId()}, 'x', ${newId()}, '', null, ${[world.accountId.available]}::uuid[], ${['3']}::numeric[])`.execute(
        tx,
      ),
    );
    await expect(unbalanced).rejects.toMatchObject({ code: 'CW002' });
    const client = new pg.Client({ connectionString: db.superuserUrl });
    await client.connect();
    await expect(client.query('update causeway.ledger_entry set amount = amount + 1')).rejects.toMatchObject({
      code: 'CW001',
    });
    await expect(client.query('delete from causeway.ledger_posting')).rejects.toMatchObject({ code: 'CW001' });
    await client.end();
  });
});
