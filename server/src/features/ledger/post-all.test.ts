import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { explained } from '../../testing/plans.ts';
import { accountsByKind, findPosting, move, openAccounts, post, postAll, postBatch, verifyLedger } from './index.ts';

/** Postings of several companies in one call: as if each was posted by itself, but all or none. */

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const kinds = ['available', 'outbound', 'chain', 'fee'] as const;
type Kind = (typeof kinds)[number];

interface Company {
  id: string;
  account: Record<Kind, string>;
}

/** A company with 100 available. */
async function newCompany(): Promise<Company> {
  const id = newId();
  return db.app.withCompany(id, async (tx) => {
    const walletId = newId();
    await openAccounts(tx, walletId, 'USDT', kinds);
    const found = await accountsByKind(tx, walletId, kinds);
    const account = Object.fromEntries(kinds.map((kind) => [kind, found[kind].id])) as Record<Kind, string>;
    const legs = move(account.chain, account.available, 100n);
    await post(tx, { id: newId(), kind: 'opening', sourceId: newId(), description: '', legs });
    return { id, account };
  });
}

function posting(company: Company, from: Kind, to: Kind, amount: bigint, sourceId = newId()) {
  const legs = move(company.account[from], company.account[to], amount);
  return { companyId: company.id, id: newId(), kind: 'test', sourceId, description: 'A test', legs };
}

const postTogether = (companies: readonly Company[], postings: Parameters<typeof postAll>[1]) =>
  db.app.withCompanies(
    companies.map(({ id }) => id),
    (tx) => postAll(tx, postings),
  );

/** What a company's books say, without ids and times. */
async function booksOf({ id, account }: Company): Promise<unknown> {
  const names = new Map(kinds.map((kind) => [account[kind], kind]));
  return db.app.withCompany(id, async (tx) => {
    const accounts = await sql<{ id: string; balance: bigint; version: number }>`
      select id, balance, version from ledger_account where company_id = company_id()`.execute(tx);
    const entries = await sql<{ accountId: string; posting: string }>`
      select e.account_id as "accountId", e.sequence, e.asset_id, e.amount, e.balance_after, p.kind, p.description
      from ledger_entry e join ledger_posting p on p.company_id = e.company_id and p.id = e.posting_id
      where e.company_id = company_id() order by e.account_id, e.sequence`.execute(tx);
    const named = entries.rows.map(({ accountId, ...entry }) => ({ account: names.get(accountId), ...entry }));
    return {
      accounts: Object.fromEntries(accounts.rows.map((one) => [names.get(one.id), [one.balance, one.version]])),
      entries: kinds.map((kind) => named.filter((entry) => entry.account === kind)),
    };
  });
}

const mismatches = async () => (await db.operator.withoutCompany(verifyLedger)).mismatches;

const companyCount = 3;
const step = fc
  .record({
    company: fc.nat(companyCount - 1),
    // Most from where there is something, so that most runs are posted.
    from: fc.constantFrom('available', 'available', 'available', 'chain', 'chain', 'chain', ...kinds),
    to: fc.constantFrom(...kinds),
    amount: fc.oneof({ weight: 8, arbitrary: fc.bigInt(1n, 12n) }, { weight: 1, arbitrary: fc.bigInt(1n, 150n) }),
  })
  .filter(({ from, to }) => from !== to);

test('posts what posting one by one would post, or nothing when one of them would be refused', async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const together = await Promise.all(Array.from({ length: companyCount }, newCompany));
      const alone = await Promise.all(Array.from({ length: companyCount }, newCompany));
      const before = await Promise.all(together.map(booksOf));
      const postingsOf = (companies: readonly Company[]) =>
        steps.map(({ company, from, to, amount }) => posting(companies[company] as Company, from, to, amount));
      let expected = 'posted';
      for (const one of postingsOf(alone)) {
        const refused = await db.app.withCompany(one.companyId, (tx) => post(tx, one)).catch((error) => error);
        if (refused) expected = refused.key;
        if (refused) break;
      }
      const outcome = await postTogether(together, postingsOf(together)).then(
        () => 'posted',
        (error: unknown) => (error instanceof DomainError ? error.key : String(error)),
      );
      expect(outcome).toBe(expected);
      const after = await Promise.all(together.map(booksOf));
      expect(after).toEqual(outcome === 'posted' ? await Promise.all(alone.map(booksOf)) : before);
      outcomes.add(outcome);
    }),
    { numRuns: 40 },
  );
  expect(outcomes).toEqual(new Set(['posted', 'insufficientBalance']));
  expect(await mismatches()).toEqual([]);
});

describe('refuses all of them', () => {
  test('when one names an account of another company, also of one in the same batch', async () => {
    const [one, other] = [await newCompany(), await newCompany()];
    const crossing = {
      ...posting(one, 'available', 'outbound', 5n),
      legs: move(one.account.chain, other.account.available, 5n),
    };
    const foreign = { ...posting(one, 'available', 'outbound', 5n), companyId: other.id };
    for (const wrong of [crossing, foreign]) {
      const attempt = postTogether([one, other], [posting(other, 'available', 'fee', 1n), wrong]);
      await expect(attempt).rejects.toMatchObject({ code: 'CW003' });
    }
    expect(await booksOf(one)).toMatchObject({ accounts: { available: [100n, 1] } });
    expect(await booksOf(other)).toMatchObject({ accounts: { available: [100n, 1] } });
  });

  test('when one belongs to a company that the transaction was not begun for', async () => {
    const [one, other] = [await newCompany(), await newCompany()];
    const postings = [posting(one, 'available', 'fee', 1n), posting(other, 'available', 'fee', 1n)];
    await expect(postTogether([one], postings)).rejects.toMatchObject({ code: '42501' });
    await expect(db.app.withCompany(one.id, (tx) => postAll(tx, postings))).rejects.toMatchObject({ code: '42501' });
    await expect(db.worker.withCompany(one.id, (tx) => postAll(tx, postings))).rejects.toMatchObject({ code: '42501' });
    expect(await booksOf(other)).toMatchObject({ accounts: { available: [100n, 1] } });
  });

  test('when the source of one has had this kind of posting, before or in the same call', async () => {
    const [one, other] = [await newCompany(), await newCompany()];
    const source = newId();
    await postTogether([one], [posting(one, 'available', 'fee', 1n, source)]);
    // Another company's source is another source.
    await postTogether([other], [posting(other, 'available', 'fee', 1n, source)]);
    const repeated = postTogether(
      [one, other],
      [posting(other, 'available', 'fee', 1n), posting(one, 'available', 'fee', 1n, source)],
    );
    const constraint = 'ledger_posting_company_id_source_id_kind_key';
    await expect(repeated).rejects.toMatchObject({ code: '23505', constraint });
    const twice = newId();
    const within = postTogether(
      [one],
      [posting(one, 'available', 'fee', 1n, twice), posting(one, 'available', 'fee', 1n, twice)],
    );
    await expect(within).rejects.toMatchObject({ code: '23505', constraint });
    expect(await booksOf(one)).toMatchObject({ accounts: { available: [99n, 2] } });
  });

  test('when one does not sum to zero, whatever the others make up for', async () => {
    const [one, other] = [await newCompany(), await newCompany()];
    const raw = (companies: Company[], amounts: string[]) =>
      sql`select ledger_post_all(${companies.map(({ id }) => id)}::uuid[], ${companies.map(() => newId())}::uuid[], '{a,b}',
        ${companies.map(() => newId())}::uuid[], '{a,b}', '{1,1,2,2}',
        ${companies.flatMap(({ account }) => [account.available, account.fee])}::uuid[], ${amounts}::numeric[])`;
    const attempt = (amounts: string[]) =>
      db.app.withCompanies([one.id, other.id], (tx) => raw([one, other], amounts).execute(tx));
    await expect(attempt(['-2', '3', '-3', '2'])).rejects.toMatchObject({ code: 'CW002' });
    await attempt(['-2', '2', '-3', '3']);
    expect(await mismatches()).toEqual([]);
  });

  test('a batch has no other way to write the ledger', async () => {
    const company = await newCompany();
    for (const statement of [
      sql`update ledger_account set balance = balance + 1`,
      sql`insert into ledger_posting (company_id, id, kind, source_id, description)
        values (${company.id}, ${newId()}, 'x', ${newId()}, '')`,
      sql`select ledger_post(${newId()}, 'x', ${newId()}, '', null, '{}', '{}')`,
      sql`set local role causeway_ledger`,
    ]) {
      const attempt = db.app.withCompanies([company.id], (tx) => statement.execute(tx));
      await expect(attempt).rejects.toMatchObject({ code: '42501' });
    }
  });
});

test('in a transaction of one company it posts as that company, for the server and for the worker', async () => {
  const company = await newCompany();
  const postings = [posting(company, 'available', 'fee', 10n), posting(company, 'fee', 'outbound', 4n)];
  await db.app.withCompany(company.id, (tx) => postAll(tx, postings));
  await db.worker.withCompany(company.id, (tx) => postAll(tx, [posting(company, 'available', 'fee', 1n)]));
  await db.app.withCompany(company.id, (tx) => postAll(tx, []));
  expect(await booksOf(company)).toMatchObject({
    accounts: { available: [89n, 3], fee: [7n, 3], outbound: [4n, 1], chain: [-100n, 1] },
  });
  const [first] = postings;
  const found = await db.app.withCompany(company.id, (tx) => findPosting(tx, first?.sourceId ?? '', 'test'));
  expect(found).toBe(first?.id);
});

test('a batch reads the balances of its companies alone', async () => {
  const [one, other, absent] = [await newCompany(), await newCompany(), await newCompany()];
  const { rows } = await db.app.withCompanies([one.id, other.id], (tx) =>
    sql<{ company_id: string }>`select distinct company_id from ledger_account order by company_id`.execute(tx),
  );
  expect(rows.map(({ company_id }) => company_id)).toEqual([one.id, other.id].toSorted());
  expect(rows.map(({ company_id }) => company_id)).not.toContain(absent.id);
});

test('transactions that post to the same accounts in opposite order wait for each other on one side only', async () => {
  const companies = await Promise.all(Array.from({ length: 4 }, newCompany));
  const [first] = companies as [Company];
  const count = 40;
  // A deadlock would run its transaction again.
  let runs = 0;
  const together = (turn: number) => {
    const there = companies.map((company) => posting(company, 'available', 'outbound', 1n));
    const back = companies.map((company) => posting(company, 'chain', 'available', 3n));
    const postings = turn % 2 === 0 ? [...there, ...back] : [...back.toReversed(), ...there.toReversed()];
    return db.app.withCompanies(
      companies.map(({ id }) => id),
      (tx) => {
        runs += 1;
        return postAll(tx, postings);
      },
    );
  };
  const batch = () =>
    db.app.withCompany(first.id, (tx) => {
      runs += 1;
      return postBatch(tx, [posting(first, 'available', 'fee', 1n), posting(first, 'fee', 'available', 1n)]);
    });
  await Promise.all(Array.from({ length: count }, (_, turn) => [together(turn), batch()]).flat());
  expect(runs).toBe(2 * count);
  for (const company of companies) {
    const batched = company === first ? count : 0;
    expect(await booksOf(company)).toMatchObject({
      accounts: {
        available: [BigInt(100 + 2 * count), 1 + 2 * count + 2 * batched],
        outbound: [BigInt(count), count],
        chain: [BigInt(-100 - 3 * count), 1 + count],
        fee: [0n, 2 * batched],
      },
    });
  }
  expect(await mismatches()).toEqual([]);
});

test('an account that another transaction is changing is read as that transaction left it', async () => {
  const [one, other] = [await newCompany(), await newCompany()];
  const gate = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const first = db.app.withCompany(one.id, async (tx) => {
    await post(tx, posting(one, 'available', 'outbound', 60n));
    written.resolve();
    await gate.promise;
  });
  await written.promise;
  const fitting = postTogether(
    [one, other],
    [posting(other, 'available', 'fee', 1n), posting(one, 'available', 'fee', 40n)],
  );
  await expect.poll(() => waiting()).toBe(1);
  const beyond = postTogether(
    [one, other],
    [posting(other, 'available', 'fee', 1n), posting(one, 'available', 'fee', 41n)],
  );
  const refused = expect(beyond).rejects.toMatchObject({ key: 'insufficientBalance' });
  gate.resolve();
  await Promise.all([first, fitting, refused]);
  expect(await booksOf(one)).toMatchObject({ accounts: { available: [0n, 3], outbound: [60n, 1], fee: [40n, 1] } });
  expect(await mismatches()).toEqual([]);
});

/** How many calls of ledger_post_all wait for a lock. */
async function waiting(): Promise<number> {
  const { client } = await explained(db);
  const { rows } = await client.query(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%ledger_post_all%'`,
  );
  await client.end();
  return rows[0].count;
}

test('plans that were made when the tables were analyzed empty read only the accounts that are named', async () => {
  const fresh = await testDatabase();
  const plans = await explained(fresh);
  const { client } = plans;
  const call = (name: string, companies: readonly string[], accounts: readonly string[]) => {
    const ids = companies.map(() => newId());
    const items = companies.flatMap((_, index) => [index + 1, index + 1]);
    const shared = [
      ids,
      companies.map(() => 'x'),
      ids,
      companies.map(() => ''),
      items,
      accounts,
      items.map((_, i) => (i % 2 ? 1 : -1)),
    ];
    const types = ['uuid', 'text', 'uuid', 'text', 'integer', 'uuid', 'numeric'];
    const values = name === 'ledger_post_all' ? [companies, ...shared] : shared;
    const all = name === 'ledger_post_all' ? ['uuid', ...types] : types;
    return client.query(`select ${name}(${all.map((type, i) => `$${i + 1}::${type}[]`).join()})`, values);
  };
  try {
    await client.query('analyze');
    const companies = Array.from({ length: 3 }, newId);
    const open = (many: number, each: number) =>
      client.query<{ company_id: string; ids: string[] }>(
        `with opened as (
           insert into ledger_account (company_id, id, owner_id, kind, asset_id, normal)
           select c, gen_random_uuid(), gen_random_uuid(), 'deficit', 'USDT', 'any'
           from (select unnest($1::uuid[]) union all select gen_random_uuid() from generate_series(1, $2)) as t (c),
             generate_series(1, $3) returning company_id, id)
         select company_id, array_agg(id) as ids from opened where company_id = any ($1) group by company_id`,
        [companies, many, each],
      );
    const { rows } = await open(0, 2);
    const ids = rows.map(({ company_id }) => company_id);
    const accounts = rows.flatMap((row) => row.ids);
    const [single = ''] = ids;
    await plans.actAs(single);
    await client.query("select set_config('causeway.company_ids', $1, false)", [`{${ids.join()}}`]);
    const run = async () => {
      plans.takePlans();
      await call('ledger_post_all', ids, accounts);
      await call('ledger_post_batch', [single], accounts.slice(0, 2));
      return plans.takePlans();
    };
    // Kept from the first run on: the functions force generic plans.
    const small = await run();
    await client.query('reset role');
    await client.query('set auto_explain.log_min_duration = -1');
    await open(2000, 20);
    await client.query('set auto_explain.log_min_duration = 0');
    await client.query('set role causeway_app');
    for (const plan of [small, await run()]) {
      expect(plan).toMatch(/Index Scan using ledger_account_pkey on ledger_account o/);
      expect(plan).toMatch(/Index Scan using ledger_account_pkey on ledger_account a/);
      expect(plan).not.toMatch(/Seq Scan|Bitmap|Hash Join|Merge Join|ledger_account_company_id_owner_id_kind_key/);
      // Without a condition, an index scan would read them all.
      const scans = plan.match(/Index Scan using ledger_account_pkey/g) ?? [];
      const conditions = plan.match(/Index Cond: \(\(company_id = [^\n]*\) AND \(id = /g) ?? [];
      expect(conditions).toHaveLength(scans.length);
    }
  } finally {
    await client.end();
    await fresh.close();
  }
});
