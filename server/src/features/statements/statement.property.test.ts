import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '../../platform/database/database.ts';
import type { TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { companyIn, legOf, periodsOf, postAll, setTimes, type Zone, zones } from '../../testing/statement-histories.ts';
import type { Movement } from './domain.ts';
import { movementsFrom } from './service/lines.ts';
import { ledgerBalance, openStatements, sumWallet, type WalletSpan } from './service/open.ts';

/**
 * Statements over random postings on a real PostgreSQL, recomputed from the entries by other means: at midnights of zones whose days
 * have 23, 24 and 25 hours, or begin at one o'clock, and with clocks that step back.
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

/** Sums of the ledger at every second or third posting, as they are kept of long books. */
async function keepSums(company: TestCompany, postings: number): Promise<void> {
  await superuser.query('begin');
  await superuser.query(`select set_config('causeway.company_id', $1, true)`, [company.id]);
  await superuser.query('select causeway.ledger_keep_flows($1, $2)', [company.wallets.USDT, 2 + (postings % 2)]);
  await superuser.query('commit');
}

interface EntryRow {
  kind: string;
  sequence: number;
  posting_id: string;
  amount: string;
  at: string;
}

test('closing is the opening of the next period, and all of it is what the entries say', {
  timeout: 240_000,
}, async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...(Object.keys(zones) as Zone[])),
    fc.array(legOf(10n ** 20n), { minLength: 1, maxLength: 30 }),
    fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    fc.boolean(),
    async (zone, legs, cuts, isSummed) => {
      const company = await companyIn({ db }, zone);
      await postAll({ db }, company.id, { id: company.wallets.USDT, outside: 'chain' }, legs);
      await setTimes({ superuser }, company.id, zone, legs);
      if (isSummed) await keepSums(company, legs.length);
      const entries = await readAll(company);
      const periods = periodsOf(zones[zone], cuts);
      let before: WalletSpan | null = null;
      for (const period of periods) {
        const { span, movements, opensAt, closesAt } = await statementOf(company, period);
        if (before !== null) expect(ledgerBalance(span.opening)).toBe(ledgerBalance(before.closing));
        await checkAgainst(entries, { opensAt, closesAt }, span, movements);
        before = span;
      }
      expect(before && ledgerBalance(before.closing)).toBe(total(entries));
      await checkPages(company, periods);
    },
  );
  await fc.assert(property, { numRuns: Number(process.env['PROOF_ROUNDS'] ?? 30) });
});

async function readAll(company: TestCompany): Promise<EntryRow[]> {
  const { rows } = await superuser.query<EntryRow>(
    `select a.kind, e.sequence::integer, e.posting_id, e.amount::text, e.created_at::text as at
     from causeway.ledger_entry e join causeway.ledger_account a on a.company_id = e.company_id and a.id = e.account_id
     where e.company_id = $1 and a.kind in ('available', 'outbound', 'fee') order by e.sequence`,
    [company.id],
  );
  return rows;
}

async function open(tx: Tx, company: TestCompany, period: { from: string; to: string }) {
  const context = { locale: 'en-us', clock: { now: () => new Date('2027-06-01T00:00:00Z') } } as const;
  const opened = await openStatements(tx, context, period, company.wallets.USDT);
  const [span] = opened.wallets;
  if (!span) throw new Error('the wallet is there');
  return { span, opensAt: opened.period.opensAt, closesAt: opened.period.closesAt };
}

async function statementOf(company: TestCompany, period: { from: string; to: string }) {
  return db.app.withCompany(company.id, async (tx) => {
    const found = await open(tx, company, period);
    const movements: Movement[] = [];
    const start = { place: found.span.span.from, ...found.span.opening };
    for await (const movement of movementsFrom((read) => read(tx), found.span, start)) movements.push(movement);
    const sums = await sumWallet(tx, found.span);
    expect(sums).toEqual({
      movements: movements.length,
      moneyInMinor: added(movements, ({ amountMinor }) => (amountMinor > 0n ? amountMinor : 0n)),
      moneyOutMinor: added(movements, ({ amountMinor }) => (amountMinor < 0n ? -amountMinor : 0n)),
      feesMinor: added(movements, ({ feeMinor }) => feeMinor),
    });
    return { ...found, movements };
  });
}

const added = (movements: readonly Movement[], figure: (movement: Movement) => bigint) =>
  movements.reduce((sum, movement) => sum + figure(movement), 0n);

const counted = (entries: readonly EntryRow[]) => entries.filter(({ kind }) => kind !== 'fee');
const total = (entries: readonly EntryRow[]) => counted(entries).reduce((sum, { amount }) => sum + BigInt(amount), 0n);

/** The same by adding up entries, without balances and without the order of the reader. */
async function checkAgainst(
  entries: readonly EntryRow[],
  { opensAt, closesAt }: { opensAt: Date; closesAt: Date },
  span: WalletSpan,
  movements: readonly Movement[],
): Promise<void> {
  const before = (instant: Date) => entries.filter(({ at }) => microseconds(at) < BigInt(instant.getTime()) * 1000n);
  expect(ledgerBalance(span.opening)).toBe(total(before(opensAt)));
  expect(ledgerBalance(span.closing)).toBe(total(before(closesAt)));
  const inside = counted(before(closesAt).slice()).filter((entry) => !before(opensAt).includes(entry));
  const nets = new Map<string, bigint>();
  for (const { posting_id, amount } of inside) nets.set(posting_id, (nets.get(posting_id) ?? 0n) + BigInt(amount));
  const expected = [...nets.values()].filter((net) => net !== 0n).sort();
  expect(movements.map(({ amountMinor }) => amountMinor).sort()).toEqual(expected);
  let balance = ledgerBalance(span.opening);
  let place = span.span.from;
  for (const movement of movements) {
    balance += movement.amountMinor;
    expect(movement.balanceMinor).toBe(balance);
    expect(movement.place.available).toBeGreaterThanOrEqual(place.available);
    expect(movement.place.onHold).toBeGreaterThanOrEqual(place.onHold);
    ({ place } = movement);
  }
  expect(balance).toBe(ledgerBalance(span.closing));
}

/** PostgreSQL's text of an instant (UTC) in microseconds since 1970. */
function microseconds(text: string): bigint {
  const [, seconds = '', fraction = ''] = /^(.{19})(?:\.(\d+))?/.exec(text) ?? [];
  expect(text).toMatch(/\+00$/);
  return BigInt(Date.parse(`${seconds.replace(' ', 'T')}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0'));
}

/** A reader who begins again at each movement finds the same ones. */
async function checkPages(company: TestCompany, periods: readonly { from: string; to: string }[]): Promise<void> {
  const first = periods[0];
  const last = periods.at(-1);
  if (!first || !last) return;
  const { span, movements } = await statementOf(company, { from: first.from, to: last.to });
  for (const [i, { place, balanceMinor }] of movements.entries()) {
    const rest: Movement[] = [];
    const onHoldMinor = balanceMinor - (await availableAt(company, span, place.available));
    const start = { place, availableMinor: balanceMinor - onHoldMinor, onHoldMinor };
    await db.app.withCompany(company.id, async (tx) => {
      for await (const movement of movementsFrom((read) => read(tx), span, start)) rest.push(movement);
    });
    expect(rest).toEqual(movements.slice(i + 1));
  }
}

async function availableAt(company: TestCompany, { accounts }: WalletSpan, sequence: number): Promise<bigint> {
  const { rows } = await superuser.query<{ balance: string }>(
    `select coalesce(sum(amount), 0)::text as balance from causeway.ledger_entry
     where company_id = $1 and account_id = $2 and sequence <= $3`,
    [company.id, accounts.availableId, sequence],
  );
  return BigInt(rows[0]?.balance ?? '0');
}
