import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import {
  type AccountKind,
  accountsByKind,
  flowsSince,
  keepFlowsJob,
  openAccounts,
  post,
  sumBetween,
  verifyLedger,
} from './index.ts';

/**
 * What was paid in and out, over random postings on a real PostgreSQL: with sums kept at any time and at any distance it is what the
 * entries make, added up here by other means.
 */
let db: TestDatabase;
let superuser: pg.Client;
beforeAll(async () => {
  db = await testDatabase();
  superuser = new pg.Client({ connectionString: db.superuserUrl });
  await superuser.connect();
  await superuser.query('alter table causeway.ledger_entry disable trigger append_only');
});
afterAll(async () => {
  await superuser.end();
  await db.close();
});

const kinds = ['available', 'outbound', 'chain', 'fee'] as const satisfies AccountKind[];
type Kind = (typeof kinds)[number];

const step = fc.record({
  from: fc.constantFrom<Kind>('available', 'outbound', 'chain'),
  to: fc.constantFrom(...kinds),
  amount: fc.oneof(fc.bigInt(1n, 20n), fc.bigInt(1n, 10n ** 30n)),
  kind: fc.constantFrom('deposit', 'payment', 'hold'),
  fee: fc.boolean(),
  corrects: fc.boolean(),
});
/** What is posted, then perhaps summed with so many postings between two cuts. */
const phase = fc.record({
  steps: fc.array(
    step.filter(({ from, to }) => from !== to),
    { minLength: 1, maxLength: 14 },
  ),
  every: fc.option(fc.integer({ min: 1, max: 5 })),
});

interface Wallet {
  companyId: string;
  id: string;
  accountId: Record<Kind, string>;
}

async function newWallet(): Promise<Wallet> {
  const [companyId, id] = [newId(), newId()];
  return db.app.withCompany(companyId, async (tx) => {
    await openAccounts(tx, id, 'USDT', kinds);
    const accounts = await accountsByKind(tx, id, kinds);
    const accountId = Object.fromEntries(kinds.map((kind) => [kind, accounts[kind].id])) as Record<Kind, string>;
    return { companyId, id, accountId };
  });
}

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Each step in a transaction of its own, several at once; one that an account cannot pay moves nothing. */
async function postAll(wallet: Wallet, steps: readonly Step[]): Promise<void> {
  await Promise.all(
    steps.map(async ({ from, to, amount, kind, fee, corrects }) => {
      const taken = fee && to !== 'fee' ? amount / 7n : 0n;
      const legs: [Kind, bigint][] = [
        [from, -amount],
        [to, amount - taken],
        ['fee', taken],
      ];
      const posting = { kind, sourceId: newId(), description: '' };
      await db.app
        .withCompany(wallet.companyId, async (tx) => {
          const first = newId();
          const legged = legs.map(([of, amountMinor]) => ({ accountId: wallet.accountId[of], amountMinor }));
          await post(tx, { ...posting, id: first, legs: legged });
          if (corrects) await post(tx, { ...posting, sourceId: newId(), id: newId(), legs: legged, correctsId: first });
        })
        .catch((error: unknown) => expect(String(error)).toContain('insufficientBalance'));
    }),
  );
}

async function keep(wallet: Wallet, every: number): Promise<void> {
  await db.worker.withCompany(wallet.companyId, (tx) =>
    sql`select ledger_keep_flows(${wallet.id}, ${every}::integer)`.execute(tx),
  );
}

/** Spreads the entries over an hour, those of one posting apart; within an account time never runs backwards. */
async function spread(wallet: Wallet, seed: number): Promise<void> {
  await superuser.query(
    `update causeway.ledger_entry e set created_at = timestamptz '2026-01-01' + m.at * interval '1 second'
     from (
       select account_id, sequence, max(abs(hashint8extended(sequence, $2)) % 3600) over (partition by account_id order by sequence) as at
       from causeway.ledger_entry where company_id = $1
     ) m where e.company_id = $1 and e.account_id = m.account_id and e.sequence = m.sequence`,
    [wallet.companyId, seed],
  );
}

interface Row {
  account_id: string;
  sequence: number;
  posting_id: string;
  kind: string;
  correcting: boolean;
  amount: string;
  at: Date;
}

async function readAll({ companyId }: Wallet): Promise<Row[]> {
  const { rows } = await superuser.query<Row>(
    `select e.account_id, e.sequence::integer, e.posting_id, p.kind, p.corrects_id is not null as correcting, e.amount::text,
       e.created_at as at
     from causeway.ledger_entry e join causeway.ledger_posting p on p.company_id = e.company_id and p.id = e.posting_id
     where e.company_id = $1`,
    [companyId],
  );
  return rows;
}

function byPosting(rows: readonly Row[]): Row[][] {
  const postings = new Map<string, Row[]>();
  for (const row of rows) postings.set(row.posting_id, [...(postings.get(row.posting_id) ?? []), row]);
  return [...postings.values()];
}

const sumOf = (rows: readonly Row[]) => rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

/** As `flowsSince` says it. */
function expectedFlows({ accountId, id }: Wallet, rows: readonly Row[], from: readonly Date[]) {
  const own = rows.filter(({ account_id }) => [accountId.available, accountId.outbound].includes(account_id));
  const flows = new Map<string, { inMinor: bigint; outMinor: bigint }>();
  for (const posting of byPosting(own)) {
    const amount = sumOf(posting);
    const at = Math.min(...posting.map((row) => row.at.getTime()));
    const span = from.filter((instant) => instant.getTime() <= at).length - 1;
    if (amount === 0n || span < 0) continue;
    const key = JSON.stringify([id, span, posting[0]!.kind, posting[0]!.correcting]);
    const flow = flows.get(key) ?? { inMinor: 0n, outMinor: 0n };
    flows.set(
      key,
      amount > 0n ? { ...flow, inMinor: flow.inMinor + amount } : { ...flow, outMinor: flow.outMinor - amount },
    );
  }
  return flows;
}

test('flows and sums between places are what the entries make, wherever sums were kept', {
  timeout: 240_000,
}, async () => {
  const property = fc.asyncProperty(
    fc.array(phase, { minLength: 1, maxLength: 5 }),
    fc.array(fc.integer({ min: 0, max: 3700 }), { minLength: 1, maxLength: 5 }),
    fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat()), { minLength: 1, maxLength: 4 }),
    fc.integer(),
    async (phases, seconds, places, seed) => {
      const wallet = await newWallet();
      for (const { steps, every } of phases) {
        await postAll(wallet, steps);
        if (every !== null) await keep(wallet, every);
      }
      await spread(wallet, seed);
      const rows = await readAll(wallet);
      const { available, outbound, fee } = wallet.accountId;
      const from = seconds.toSorted((a, b) => a - b).map((second) => new Date(Date.UTC(2026, 0, 1) + second * 1000));
      const flows = await db.app.withCompany(wallet.companyId, (tx) => flowsSince(tx, [wallet.id], from));
      expect(
        new Map(
          flows.map(({ ownerId, span, kind, correcting, inMinor, outMinor }) => [
            JSON.stringify([ownerId, span, kind, correcting]),
            { inMinor, outMinor },
          ]),
        ),
      ).toEqual(expectedFlows(wallet, rows, from));

      const countOf = (account: string) => rows.filter(({ account_id }) => account_id === account).length;
      for (const [a, b, c, d] of places) {
        const ends = (one: number, other: number, count: number) =>
          [one % (count + 1), other % (count + 1)].toSorted((x, y) => x - y) as [number, number];
        const [fromAvailable, toAvailable] = ends(a, b, countOf(available));
        const [fromOutbound, toOutbound] = ends(c, d, countOf(outbound));
        const between = rows.filter(
          ({ account_id, sequence }) =>
            (account_id === available && sequence > fromAvailable && sequence <= toAvailable) ||
            (account_id === outbound && sequence > fromOutbound && sequence <= toOutbound),
        );
        const moved = byPosting(between).filter((posting) => sumOf(posting) !== 0n);
        const total = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);
        const amounts = moved.map(sumOf);
        const ids = new Set(moved.map(([row]) => row!.posting_id));
        const sums = await db.app.withCompany(wallet.companyId, (tx) =>
          sumBetween(
            tx,
            wallet.id,
            { available: fromAvailable, outbound: fromOutbound },
            { available: toAvailable, outbound: toOutbound },
          ),
        );
        expect(sums).toEqual({
          moneyInMinor: total(amounts.filter((amount) => amount > 0n)),
          moneyOutMinor: -total(amounts.filter((amount) => amount < 0n)),
          feesMinor: sumOf(rows.filter((row) => row.account_id === fee && ids.has(row.posting_id))),
          movements: moved.length,
        });
      }
      const { mismatches } = await db.operator.withoutCompany(verifyLedger);
      expect(mismatches.filter(({ companyId }) => companyId === wallet.companyId)).toEqual([]);
    },
  );
  await fc.assert(property, { numRuns: Number(process.env['PROOF_ROUNDS'] ?? 20) });
});

test('a job keeps the sums of every wallet that has moved enough, and of no other', async () => {
  expect(keepFlowsJob().schedule).toBe('* * * * *');
  const [busy, quiet] = [await newWallet(), await newWallet()];
  const deposits = (count: number): Step[] =>
    Array.from({ length: count }, () => ({
      from: 'chain',
      to: 'available',
      amount: 5n,
      kind: 'deposit',
      fee: false,
      corrects: false,
    }));
  await postAll(busy, deposits(100));
  await postAll(quiet, deposits(63));
  const run = () =>
    keepFlowsJob().run({ database: db.worker, log: pino({ level: 'silent' }), signal: new AbortController().signal });
  const kept = async (wallet: Wallet) => {
    const { rows } = await superuser.query<{ available: string; in_minor: string }>(
      'select available::text, in_minor::text from causeway.ledger_flow where company_id = $1 order by ledger_flow.available, outbound',
      [wallet.companyId],
    );
    return rows.map(({ available, in_minor }) => [available, in_minor]);
  };
  await run();
  await run();
  expect(await kept(busy)).toEqual([16, 32, 48, 64, 80, 96].map((place) => [String(place), String(place * 5)]));
  expect(await kept(quiet)).toEqual([]);
});

test('the verifier finds a kept sum that the entries do not make, and a cut within a posting', async () => {
  const wallet = await newWallet();
  const base = { kind: 'deposit' as const, fee: false, corrects: false, amount: 5n };
  for (let i = 0; i < 6; i++) {
    await postAll(wallet, [{ ...base, from: 'chain', to: 'available' }]);
    await postAll(wallet, [{ ...base, from: 'available', to: 'outbound' }]);
  }
  await keep(wallet, 2);
  const problems = async () =>
    (await db.operator.withoutCompany(verifyLedger)).mismatches
      .filter(({ companyId }) => companyId === wallet.companyId)
      .map(({ id }) => id);
  expect(await problems()).toEqual([]);
  const change = (text: string) =>
    superuser.query(`update causeway.ledger_flow set ${text} and company_id = $1`, [wallet.companyId]);
  await change('in_minor = in_minor + 1 where available = 4');
  expect(await problems()).toEqual([wallet.id]);
  await change('in_minor = in_minor - 1, outbound = outbound + 1 where available = 4');
  expect((await problems()).length).toBeGreaterThan(0);
  await change('outbound = outbound - 1, movements = movements + 1 where available = 4');
  expect(await problems()).toEqual([wallet.id]);
});
