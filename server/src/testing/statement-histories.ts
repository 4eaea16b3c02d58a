import fc from 'fast-check';
import { sql } from 'kysely';
import type pg from 'pg';
import { type AccountKind, accountsByKind, post } from '../features/ledger/index.ts';
import { newId } from '../platform/ids.ts';
import { openTestCompany, type TestCompany } from './company.ts';
import type { TestDatabase } from './database.ts';

/** Random postings of wallets around midnights of zones whose days have 23, 24 and 25 hours, and the periods between them. */

/** `outside` is the contra account: the chain or the bank. */
const kinds = ['available', 'outbound', 'inbound', 'outside', 'fee'] as const;
type Kind = (typeof kinds)[number];

export interface HistoryWorld {
  db: TestDatabase;
  superuser: pg.Client;
}

/** A wallet and its contra account. */
export interface HistoryWallet {
  id: string;
  outside: 'chain' | 'bank';
}

/** Days around a change of the clocks, by zone; in Beirut and Havana it is midnight that is missing or comes twice. */
export const zones = {
  'Asia/Hong_Kong': '2026-10-30',
  'America/New_York': '2026-10-31',
  'Europe/London': '2026-03-28',
  'Asia/Beirut': '2026-03-28',
  'America/Havana': '2026-10-31',
  'Australia/Lord_Howe': '2026-04-04',
  'Pacific/Kiritimati': '2026-12-31',
} as const;
export type Zone = keyof typeof zones;

interface Moment {
  /** Midnights after the zone's first day. */
  day: number;
  /** Microseconds from there; 0 is the midnight itself. */
  microseconds: number;
}

const moment: fc.Arbitrary<Moment> = fc.record({
  day: fc.integer({ min: 0, max: 3 }),
  microseconds: fc.oneof(
    fc.constantFrom(0, -1, 1, -1000, 3_600_000_000),
    fc.integer({ min: -40_000_000_000, max: 40_000_000_000 }),
  ),
});
export interface HistoryLeg {
  from: Kind;
  to: Kind;
  fee: boolean;
  amount: bigint;
  at: Moment;
}

export const legOf = (most: bigint): fc.Arbitrary<HistoryLeg> =>
  fc.record({
    from: fc.constantFrom(...kinds),
    to: fc.constantFrom(...kinds),
    fee: fc.boolean(),
    amount: fc.bigInt(1n, most),
    at: moment,
  });

export async function companyIn({ db }: Pick<HistoryWorld, 'db'>, timeZone: Zone): Promise<TestCompany> {
  const company = await openTestCompany(db);
  await db.app.withCompany(company.id, (tx) =>
    sql`with company as (insert into company (company_id, name) values (company_id(), 'Far Voyage') returning company_id)
      insert into company_setting (company_id, time_zone, code_recipient)
      select company_id, ${timeZone}, 'initiator' from company`.execute(tx),
  );
  return company;
}

/** Moves what an account has, or what comes from outside; some postings take a fee as well. */
export async function postAll(
  { db }: Pick<HistoryWorld, 'db'>,
  companyId: string,
  wallet: HistoryWallet,
  legs: readonly HistoryLeg[],
): Promise<void> {
  const accountKind = (kind: Kind): AccountKind => (kind === 'outside' ? wallet.outside : kind);
  await db.worker.withCompany(companyId, async (tx) => {
    const accounts = await accountsByKind(tx, wallet.id, kinds.map(accountKind));
    const balance = new Map<Kind, bigint>(kinds.map((kind) => [kind, 0n]));
    const change = (kind: Kind, minor: bigint) => balance.set(kind, (balance.get(kind) ?? 0n) + minor);
    for (const { from, to, fee, amount } of legs) {
      const has = from === 'outside' ? amount : (balance.get(from) ?? 0n);
      const most = to === 'outside' ? -(balance.get('outside') ?? 0n) : amount;
      const moved = [amount, has, most].reduce((least, some) => (some < least ? some : least));
      if (moved <= 0n || from === to) continue;
      const taken = fee && to !== 'fee' && moved > 1n ? moved / 3n : 0n;
      const moves: [Kind, bigint][] = [
        [from, -moved],
        [to, moved - taken],
        ['fee', taken],
      ];
      for (const [kind, minor] of moves) change(kind, minor);
      const posting = { id: newId(), kind: 'test.moved', sourceId: newId(), description: 'moved' };
      await post(tx, {
        ...posting,
        legs: moves.map(([kind, minor]) => ({ accountId: accounts[accountKind(kind)].id, amountMinor: minor })),
      });
    }
  });
}

/** Gives each posting its moment; as in the ledger, an account's time never runs backwards although the clock does. */
export async function setTimes(
  { superuser }: Pick<HistoryWorld, 'superuser'>,
  companyId: string,
  zone: Zone,
  legs: readonly { at: Moment }[],
): Promise<void> {
  const { rows } = await superuser.query<{ id: string }>(
    'select id from causeway.ledger_posting where company_id = $1 order by id',
    [companyId],
  );
  await superuser.query(
    `with clock as (
       select p.id, ($2::date + p.day)::timestamp at time zone $3 + p.microseconds * interval '1 microsecond' as at
       from unnest($4::uuid[], $5::integer[], $6::bigint[]) as p (id, day, microseconds)
     ), moved as (
       select e.account_id, e.sequence, max(clock.at) over (partition by e.account_id order by e.sequence) as at
       from causeway.ledger_entry e join clock on clock.id = e.posting_id where e.company_id = $1
     )
     update causeway.ledger_entry e set created_at = moved.at from moved
     where e.company_id = $1 and e.account_id = moved.account_id and e.sequence = moved.sequence`,
    [
      companyId,
      zones[zone],
      zone,
      rows.map(({ id }) => id),
      rows.map((_, i) => legs[i]?.at.day ?? 0),
      rows.map((_, i) => legs[i]?.at.microseconds ?? 0),
    ],
  );
}

/** Periods without gaps from the day before the first to the day after the last, cut at some midnights. */
export function periodsOf(firstDay: string, cuts: readonly boolean[]): { from: string; to: string }[] {
  const day = (offset: number) => new Date(Date.parse(firstDay) + offset * 86_400_000).toISOString().slice(0, 10);
  const periods = [{ from: day(-2), to: day(-2) }];
  for (const [i, cut] of cuts.entries()) {
    const last = periods.at(-1);
    if (cut || last === undefined) periods.push({ from: day(i - 1), to: day(i - 1) });
    else last.to = day(i - 1);
  }
  return periods;
}
