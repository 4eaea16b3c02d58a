import type { PriceKind } from '@causeway/contract/operator-prices-rules.ts';
import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { insertTestTransaction } from '../../../testing/transactions.ts';
import { nilCompany } from '../../identity/index.ts';
import { priceAt, type SetPrice, stateOf, trialOf } from './domain.ts';
import { insertPrice, sumPast } from './store.ts';

/** The schedule in the database against the rule that says which price holds, and the trial of a price against a naive count. */

let db: TestDatabase;
let company: TestCompany;
let owner: pg.Client;
let operatorId: string;
const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);

beforeAll(async () => {
  db = await testDatabase();
  owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
  company = await openTestCompany(db);
  operatorId = newId();
  await db.console.withoutCompany((tx) =>
    sql`insert into operator_account (id, email, name, role, state, language)
      values (${operatorId}, 'p@example.com', 'P', 'treasury', 'invited', 'en_US')`.execute(tx),
  );
});
afterAll(async () => {
  await owner.end();
  await db.close();
});

const hourMs = 3_600_000;
const day = new Date(Math.ceil(Date.now() / hourMs) * hourMs + 24 * hourMs);
const instantOf = (hour: number) => new Date(day.getTime() + hour * hourMs);

/** As the database has it, of one company. */
async function held(
  companyId: string,
  { kind, asset }: { kind: PriceKind; asset: string },
  chain: string | null,
  at: Date,
) {
  const { rows } = await db.operator.withoutCompany((tx) =>
    sql<{ value: bigint | null }>`
      select ${sql.ref(kind)} as value from prices_at(${companyId}, ${asset}, ${chain}, ${at})`.execute(tx),
  );
  return rows[0]?.value ?? null;
}

const step = fc.record({
  own: fc.boolean(),
  hour: fc.nat({ max: 12 }),
  value: fc.option(fc.bigInt(0n, 5n), { freq: 6 }),
  withdraws: fc.boolean(),
});

test('in whatever order prices are set and taken back, that in force is the latest that has begun, the company’s own before everyone’s', async () => {
  const assets = ['USDT', 'USDC', 'HKDT', 'ETH'];
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      await owner.query('delete from causeway.operator_price');
      const key = {
        kind: 'withdrawal_fee',
        asset: assets[run % assets.length] ?? 'USDT',
        chain: 'ethereum',
        bank: null,
      } as const;
      run += 1;
      const set: (SetPrice & { id: string })[] = [];
      for (const { own, hour, value, withdraws } of steps) {
        const companyId = own ? company.id : null;
        const last = set.at(-1);
        if (withdraws && last) {
          await withdraw(last.id);
          set.pop();
          continue;
        }
        const validFrom = instantOf(hour);
        if (set.some((one) => one.companyId === companyId && one.validFrom.getTime() === validFrom.getTime())) continue;
        const price = { ...key, companyId, value, validFrom, id: newId() };
        await db.operator.withCompany(companyId ?? nilCompany, (tx) =>
          insertPrice(tx, { ...price, validFrom: validFrom.toISOString(), proposalId: null, setBy: 'test' }),
        );
        set.push(price);
      }
      for (let hour = -1; hour <= 13; hour += 1) {
        for (const companyId of [company.id, nilCompany]) {
          const expected = priceAt(
            set,
            { ...key, companyId: companyId === nilCompany ? null : companyId },
            instantOf(hour),
          );
          expect(await held(companyId, key, 'ethereum', instantOf(hour)), `hour ${hour}`).toBe(expected);
        }
      }
    }),
    { numRuns: rounds },
  );
});

async function withdraw(id: string): Promise<void> {
  await db.console.withCompany(nilCompany, (tx) =>
    sql`update operator_price set withdrawn_at = now(), withdrawn_by = ${operatorId}, withdrawal_reason = 'x' where id = ${id}`.execute(
      tx,
    ),
  );
}

test('of many set at once, the ranges neither overlap nor leave a gap', async () => {
  await owner.query('delete from causeway.operator_price');
  await Promise.all(
    Array.from({ length: 12 }, (_, hour) =>
      db.operator.withCompany(nilCompany, (tx) =>
        insertPrice(tx, {
          id: newId(),
          kind: 'spread',
          asset: 'USDT',
          chain: null,
          bank: null,
          companyId: null,
          value: BigInt(hour),
          validFrom: instantOf(hour).toISOString(),
          proposalId: null,
          setBy: 'test',
        }),
      ),
    ),
  );
  const { rows } = await db.operator.pool.query<{ gap: boolean }>(
    `select lead(valid_from, 1, 'infinity') over (order by valid_from) <> valid_until as gap from operator_price`,
  );
  expect(rows.map(({ gap }) => gap)).toEqual(Array.from({ length: 12 }, () => false));
});

test('a price is not set for the past, nor withdrawn once it holds', async () => {
  const setAt = (tx: Tx, validFrom: RawBuilder<unknown>, id = newId()) =>
    sql`insert into operator_price (id, company_id, kind, asset_id, value, valid_from, set_by)
      values (${id}, ${nilCompany}, 'spread', 'USDC', 1, ${validFrom}, 'test')`.execute(tx);
  const past = db.operator.withCompany(nilCompany, (tx) => setAt(tx, sql`now() - interval '1 millisecond'`));
  await expect(past).rejects.toMatchObject({ code: 'CW001' });
  const id = newId();
  await db.operator.withCompany(nilCompany, (tx) => setAt(tx, sql`now()`, id));
  await expect(withdraw(id)).rejects.toMatchObject({ code: 'CW001' });
});

test('states follow the instants', () => {
  const now = new Date('2026-06-01T00:00:00Z');
  const [before, after] = [new Date('2026-05-01T00:00:00Z'), new Date('2026-07-01T00:00:00Z')];
  expect(stateOf({ validFrom: after, validUntil: null, withdrawnAt: null }, now)).toBe('planned');
  expect(stateOf({ validFrom: before, validUntil: null, withdrawnAt: null }, now)).toBe('inForce');
  expect(stateOf({ validFrom: before, validUntil: after, withdrawnAt: null }, now)).toBe('inForce');
  expect(stateOf({ validFrom: before, validUntil: now, withdrawnAt: null }, now)).toBe('ended');
  expect(stateOf({ validFrom: after, validUntil: after, withdrawnAt: now }, now)).toBe('withdrawn');
});

test('a trial counts what a naive look at every withdrawal counts', async () => {
  const other = await openTestCompany(db);
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * hourMs).toISOString();
  const withdrawal = fc.record({
    of: fc.constantFrom(company, other),
    quantityMinor: fc.bigInt(1n, 6n),
    feeMinor: fc.bigInt(0n, 3n),
    days: fc.constantFrom(1, 60, 89, 91),
    status: fc.constantFrom('completed', 'completed', 'failed', 'pending'),
    type: fc.constantFrom('chain_withdraw', 'chain_withdraw', 'chain_deposit'),
  });
  const made: (typeof withdrawal extends fc.Arbitrary<infer W> ? W : never)[] = [];
  await fc.assert(
    fc.asyncProperty(
      fc.array(withdrawal, { maxLength: 6 }),
      fc.constantFrom<PriceKind>('withdrawal_fee', 'withdrawal_minimum', 'transfer_limit'),
      fc.bigInt(0n, 6n),
      fc.constantFrom('all', 'one', 'exempt'),
      async (more, kind, value, whose) => {
        for (const { of, days, ...rest } of more) {
          await insertTestTransaction(db, of, { coin: 'USDC', createdAt: daysAgo(days), ...rest });
        }
        made.push(...more);
        const companyId = whose === 'one' ? other.id : null;
        const exempt = whose === 'exempt' ? [other.id] : [];
        const key = {
          kind,
          asset: 'USDC',
          chain: kind === 'withdrawal_fee' ? 'ethereum' : null,
          bank: null,
          companyId,
        };
        const past = await db.console.withoutCompany((tx) => sumPast(tx, key, { value, days: 90, exempt }));
        const seen = made.filter(
          ({ of, days, status, type }) =>
            type === 'chain_withdraw' &&
            status === 'completed' &&
            days < 90 &&
            (whose === 'all' || (of === other) === (whose === 'one')),
        );
        const isRefused = ({ quantityMinor: quantity }: (typeof seen)[number]) =>
          kind === 'withdrawal_minimum' ? quantity <= value : kind === 'transfer_limit' && quantity > value;
        const sum = (rows: typeof seen) => rows.reduce((total, { feeMinor }) => total + feeMinor, 0n);
        const kept = seen.filter((one) => !isRefused(one));
        expect(trialOf(kind, value, past)).toEqual({
          transfers: seen.length,
          earnedMinor: sum(seen),
          refused: seen.length - kept.length,
          keptMinor: sum(kept),
          wouldEarnMinor: kind === 'withdrawal_fee' ? value * BigInt(seen.length) : sum(kept),
          companies: new Set(seen.map(({ of }) => of.id)).size,
        });
      },
    ),
    { numRuns: rounds * 2 },
  );
});
