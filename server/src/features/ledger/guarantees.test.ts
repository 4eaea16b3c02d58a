import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { accountsByKind, balancesAt, move, openAccounts, post, postBatch, verifyLedger } from './index.ts';

/** What the posting functions keep themselves since migration 0013: each rule, on each of their ways. */

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const kinds = ['available', 'outbound', 'chain', 'fee', 'deficit'] as const;

/** A company with accounts in two coins and 100 available of the first. */
async function world() {
  const companyId = newId();
  const usdt = await db.app.withCompany(companyId, async (tx) => {
    const walletId = newId();
    await openAccounts(tx, walletId, 'USDT', kinds);
    return accountsByKind(tx, walletId, kinds);
  });
  const hkdt = await db.app.withCompany(companyId, async (tx) => {
    const walletId = newId();
    await openAccounts(tx, walletId, 'HKDT', kinds);
    return accountsByKind(tx, walletId, kinds);
  });
  const legs = move(usdt.chain.id, usdt.available.id, 100n);
  await db.app.withCompany(companyId, (tx) =>
    post(tx, { id: newId(), kind: 'opening', sourceId: newId(), description: '', legs }),
  );
  return { companyId, usdt, hkdt };
}

type RawLeg = readonly [accountId: string, amount: string];

const uuids = (values: readonly string[]) => sql`${[...values]}::uuid[]`;
const byAccount = (legs: readonly RawLeg[]) => legs.toSorted(([one], [other]) => (one < other ? -1 : 1));

function postRaw(tx: Tx, legs: readonly RawLeg[], correctsId: string | null = null): Promise<unknown> {
  return sql`select ledger_post(${newId()}, 'raw', ${newId()}, '', ${correctsId}, ${uuids(legs.map(([id]) => id))},
    ${legs.map(([, amount]) => amount)}::numeric[])`.execute(tx);
}

/** The four ways a posting can go: two legs in order, two out of order, three legs, and a batch of one. */
const ways: Record<string, (tx: Tx, legs: readonly RawLeg[], spare: RawLeg[]) => Promise<unknown>> = {
  'two legs in order': (tx, legs) => postRaw(tx, byAccount(legs)),
  'two legs out of order': (tx, legs) => postRaw(tx, byAccount(legs).toReversed()),
  'more legs': (tx, legs, spare) => postRaw(tx, [...legs, ...spare]),
  batch: (tx, legs) =>
    sql`select ledger_post_batch(${uuids([newId()])}, array['raw'], ${uuids([newId()])}, array[''], ${legs.map(() => 1)}::integer[],
      ${uuids(legs.map(([id]) => id))}, ${legs.map(([, amount]) => amount)}::numeric[])`.execute(tx),
};

describe.each(Object.entries(ways))('%s', (name, way) => {
  async function attempt(of: Awaited<ReturnType<typeof world>>, legs: readonly RawLeg[]): Promise<string> {
    const spare: RawLeg[] = [
      [of.hkdt.chain.id, '-1'],
      [of.hkdt.outbound.id, '1'],
    ];
    const outcome = await db.app
      .withCompany(of.companyId, (tx) => way(tx, legs, spare) as Promise<{ rows: { ledger_post_batch?: string[] }[] }>)
      .then(
        ({ rows }) => rows[0]?.ledger_post_batch?.[0] ?? 'posted',
        (error: unknown) => {
          if (error instanceof pg.DatabaseError) return error.constraint ?? error.code ?? '';
          throw error;
        },
      );
    const { mismatches } = await db.operator.withoutCompany(verifyLedger);
    expect(mismatches).toEqual([]);
    return outcome;
  }
  const refused = name === 'batch' ? 'insufficient' : 'ledger_account_balance';

  test('posts what is right', async () => {
    const of = await world();
    expect(
      await attempt(of, [
        [of.usdt.available.id, '-100'],
        [of.usdt.outbound.id, '100'],
      ]),
    ).toBe('posted');
  });

  test('refuses what does not sum to zero', async () => {
    const of = await world();
    expect(
      await attempt(of, [
        [of.usdt.available.id, '-3'],
        [of.usdt.outbound.id, '2'],
      ]),
    ).toBe('CW002');
  });

  test('refuses what sums to zero over two coins', async () => {
    const of = await world();
    expect(
      await attempt(of, [
        [of.usdt.available.id, '-3'],
        [of.hkdt.available.id, '3'],
      ]),
    ).toBe('CW002');
  });

  test('refuses a balance of the wrong sign, on either side', async () => {
    const of = await world();
    expect(
      await attempt(of, [
        [of.usdt.available.id, '-101'],
        [of.usdt.outbound.id, '101'],
      ]),
    ).toBe(refused);
    expect(
      await attempt(of, [
        [of.usdt.outbound.id, '-1'],
        [of.usdt.available.id, '1'],
      ]),
    ).toBe(refused);
    expect(
      await attempt(of, [
        [of.usdt.available.id, '-101'],
        [of.usdt.chain.id, '101'],
      ]),
    ).toBe(refused);
  });

  test('refuses a debit account whose balance would turn positive while every other keeps its sign', async () => {
    const of = await world();
    const beyond = (amount: bigint) =>
      attempt(of, [
        [of.usdt.deficit.id, `${-amount}`],
        [of.usdt.chain.id, `${amount}`],
      ]);
    expect(await beyond(101n)).toBe(refused);
    // To nothing is as far as it may go.
    expect(await beyond(100n)).toBe('posted');
  });

  test('refuses accounts of another company, and those that are nowhere', async () => {
    const of = await world();
    const other = await world();
    for (const foreign of [other.usdt.available.id, newId()]) {
      expect(
        await attempt(of, [
          [of.usdt.available.id, '-1'],
          [foreign, '1'],
        ]),
      ).toBe('CW003');
      expect(
        await attempt(of, [
          [foreign, '-1'],
          [of.usdt.available.id, '1'],
        ]),
      ).toBe('CW003');
    }
  });

  test('refuses an amount of nothing', async () => {
    const of = await world();
    expect(
      await attempt(of, [
        [of.usdt.available.id, '0'],
        [of.usdt.outbound.id, '0'],
      ]),
    ).toMatch(/ledger_amount_check|23514/);
  });
});

test('an account named twice, no leg at all, and fewer amounts than accounts are refused', async () => {
  const { companyId, usdt } = await world();
  const attempt = (work: (tx: Tx) => Promise<unknown>) => db.app.withCompany(companyId, work);
  const twice: RawLeg[] = [
    [usdt.available.id, '-1'],
    [usdt.available.id, '1'],
  ];
  await expect(attempt((tx) => postRaw(tx, twice))).rejects.toMatchObject({ code: 'CW003' });
  await expect(attempt((tx) => postRaw(tx, []))).rejects.toMatchObject({ code: 'CW003' });
  const [low = '', high = ''] = [usdt.available.id, usdt.outbound.id].toSorted();
  const short = (ids: string[]) => (tx: Tx) =>
    sql`select ledger_post(${newId()}, 'raw', ${newId()}, '', null, ${uuids(ids)}, '{-1}')`.execute(tx);
  await expect(attempt(short([low, high]))).rejects.toThrow();
  await expect(attempt(short([high, low]))).rejects.toThrow();
  expect((await db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
});

test('a correction must point to a posting of its company', async () => {
  const mine = await world();
  const other = await world();
  const legs: RawLeg[] = [
    [mine.usdt.available.id, '-1'],
    [mine.usdt.outbound.id, '1'],
  ];
  const foreign = await db.operator.withoutCompany((tx) =>
    sql<{ id: string }>`select id from ledger_posting where company_id = ${other.companyId}`.execute(tx),
  );
  for (const target of [newId(), foreign.rows[0]?.id ?? '']) {
    const attempt = db.app.withCompany(mine.companyId, (tx) => postRaw(tx, legs, target));
    await expect(attempt).rejects.toMatchObject({ code: '23503' });
  }
});

describe('nobody writes past the posting functions', () => {
  const tables = ['ledger_account', 'ledger_posting', 'ledger_entry'];

  test('no role but the owner of the tables and that of ledger_post_all has a right to write them, not even one column', async () => {
    const client = new pg.Client({ connectionString: db.superuserUrl });
    await client.connect();
    const { rows } = await client.query(
      `select r.rolname, t.name, p.privilege
       from pg_roles r, unnest($1::text[]) as t (name), unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']) as p (privilege)
       where not r.rolsuper and r.rolname not in ('causeway_owner', 'causeway_ledger') and r.rolname not like 'pg\\_%'
         and (has_table_privilege(r.oid, 'causeway.' || t.name, p.privilege)
           or p.privilege in ('INSERT', 'UPDATE') and has_any_column_privilege(r.oid, 'causeway.' || t.name, p.privilege))`,
      [tables],
    );
    const signingIn = await client.query(
      `select r.rolname from pg_roles r, unnest(array['causeway_owner', 'causeway_ledger']) as t (name)
       where not r.rolsuper and r.rolcanlogin and pg_has_role(r.oid, t.name, 'member')`,
    );
    const owned = await client.query(
      `select p.proname from pg_proc p where p.proowner = 'causeway_ledger'::regrole
       union all select c.relname from pg_class c where c.relowner = 'causeway_ledger'::regrole order by 1`,
    );
    await client.end();
    expect(rows).toEqual([]);
    expect(signingIn.rows).toEqual([]);
    expect(owned.rows).toEqual([{ proname: 'ledger_post_all' }]);
  });

  test('the parts of the posting functions cannot be called by themselves', async () => {
    const { companyId, usdt } = await world();
    const legs = uuids([usdt.available.id, usdt.outbound.id]);
    for (const call of [
      sql`select ledger_write_legs(null, ${newId()}, ${legs}, '{-1,1}')`,
      sql`select ledger_batch_fresh('{raw}', ${uuids([newId()])})`,
      sql`select ledger_batch_lock(${legs})`,
    ]) {
      await expect(db.app.withCompany(companyId, (tx) => call.execute(tx))).rejects.toMatchObject({ code: '42501' });
      await expect(db.worker.withCompany(companyId, (tx) => call.execute(tx))).rejects.toMatchObject({ code: '42501' });
      await expect(db.app.withCompanies([companyId], (tx) => call.execute(tx))).rejects.toMatchObject({
        code: '42501',
      });
    }
  });
});

/** How many batches wait for a lock in this file's database. */
async function waitingBatches(): Promise<number> {
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  const { rows } = await client.query(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%ledger_post_batch%'`,
  );
  await client.end();
  return rows[0].count;
}

describe('batches', () => {
  const one = (legs: ReturnType<typeof move>, sourceId = newId()) => ({
    id: newId(),
    kind: 'batched',
    sourceId,
    description: '',
    legs,
  });

  test('accounts that are nowhere are refused even when an item names no other', async () => {
    const { companyId } = await world();
    const attempt = db.app.withCompany(companyId, (tx) => postBatch(tx, [one(move(newId(), newId(), 1n))]));
    await expect(attempt).rejects.toMatchObject({ code: 'CW003' });
  });

  test('a batch that finds its sources being posted by another waits, and posts the others', async () => {
    const { companyId, usdt } = await world();
    const shared = newId();
    const legs = move(usdt.chain.id, usdt.available.id, 1n);
    const gate = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const first = db.app.withCompany(companyId, async (tx) => {
      const outcomes = await postBatch(tx, [one(legs, shared)]);
      written.resolve();
      await gate.promise;
      return outcomes;
    });
    await written.promise;
    const second = db.app.withCompany(companyId, (tx) => postBatch(tx, [one(legs), one(legs, shared), one(legs)]));
    await expect.poll(() => waitingBatches()).toBe(1);
    gate.resolve();
    expect(await first).toEqual(['posted']);
    expect(await second).toEqual(['posted', 'repeated', 'posted']);
    const after = await db.app.withCompany(companyId, (tx) => accountsByKind(tx, usdt.available.ownerId, kinds));
    expect([after.available.balanceMinor, after.available.version]).toEqual([103n, 4]);
  });

  test('of many at the same time with the same sources, each source is posted once', async () => {
    const { companyId, usdt } = await world();
    const sources = Array.from({ length: 20 }, () => newId());
    const attempts = Array.from({ length: 6 }, (_, turn) => {
      const mine = turn % 2 === 0 ? sources : sources.toReversed();
      return db.app.withCompany(companyId, (tx) =>
        postBatch(
          tx,
          mine.map((sourceId) => one(move(usdt.chain.id, usdt.available.id, 1n), sourceId)),
        ),
      );
    });
    const outcomes = (await Promise.all(attempts)).flat();
    expect(outcomes.filter((outcome) => outcome === 'posted')).toHaveLength(sources.length);
    expect(outcomes.filter((outcome) => outcome === 'repeated')).toHaveLength(sources.length * 5);
    const after = await db.app.withCompany(companyId, (tx) => accountsByKind(tx, usdt.available.ownerId, kinds));
    expect(after.available.balanceMinor).toBe(120n);
    expect((await db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  });
});

test('the balance at an instant is the one that the entries before it make, whatever their number', async () => {
  const { companyId, usdt } = await world();
  for (const size of [1, 62, 1, 1, 200]) {
    const postings = Array.from({ length: size }, (_, i) => ({
      id: newId(),
      kind: 'step',
      sourceId: newId(),
      description: '',
      legs: move(usdt.chain.id, usdt.available.id, BigInt(i + 1)),
    }));
    await db.app.withCompany(companyId, (tx) => postBatch(tx, postings));
  }
  const { rows } = await db.app.withCompany(companyId, (tx) =>
    sql<{ at: Date; micros: string }>`
      select date_trunc('milliseconds', created_at) + interval '1 millisecond' as at, created_at::text as micros
      from ledger_entry where company_id = company_id() and account_id = ${usdt.available.id} order by sequence`.execute(
      tx,
    ),
  );
  expect(rows).toHaveLength(266);
  expect(rows.map(({ micros }) => micros)).toEqual(rows.map(({ micros }) => micros).toSorted());
  const instants = [new Date(0), ...new Set(rows.map(({ at }) => at.getTime()))].map((at) => new Date(at));
  const found = await db.app.withCompany(companyId, (tx) => balancesAt(tx, [usdt.available.id, usdt.fee.id], instants));
  const expected = await db.app.withCompany(companyId, (tx) =>
    sql<{ at: Date; balanceMinor: bigint }>`
      select t.at, coalesce(sum(e.amount), 0) as "balanceMinor" from unnest(${instants}::timestamptz[]) as t (at)
      left join ledger_entry e on e.company_id = company_id() and e.account_id = ${usdt.available.id} and e.created_at < t.at
      group by t.at order by t.at`.execute(tx),
  );
  const own = found.filter(({ accountId }) => accountId === usdt.available.id);
  expect(own.map(({ at, balanceMinor }) => ({ at, balanceMinor }))).toEqual(expected.rows);
  expect(
    found.filter(({ accountId }) => accountId === usdt.fee.id).every(({ balanceMinor }) => balanceMinor === 0n),
  ).toBe(true);
});
