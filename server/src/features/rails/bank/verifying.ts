import type { BankFindingKind } from '@causeway/contract/operator-banks-rules.ts';
import { sql } from 'kysely';
import type { Database, PlatformTx } from '../../../platform/database/database.ts';

/**
 * Compares the books with the banks' own statements, which are the judge. Of each account of the installation: opening and entries lead to
 * closing, and one closing is the next opening; every entry is explained by its moneys and each of them by a posting, and every posting
 * at a bank by a money. Of each currency at a bank: what its statements close with, and what was announced since, is what the books have.
 * A bank with an HTTP API sends no statements: there the balance that it states is what its moneys that were stored by then come to.
 */
export interface BankComparison {
  bank: string;
  asset: string;
  /** The closing balances, and what was announced as booked since; minor units. */
  statedMinor: bigint;
  /** What companies and the installation have there by the ledger. */
  bookedMinor: bigint;
  /** Stated less booked. */
  differenceMinor: bigint;
  entries: number;
}

/** A row that does not agree. */
export interface BankFinding {
  kind: BankFindingKind;
  /** Of the statement, entry, money or posting; of a deposit that of its transaction. */
  id: string;
  bank: string;
  asset: string;
  /** The account of the installation; null where the row is in a company's wallet. */
  account: string | null;
  /** Whose books it is in; null where it is the bank's word. */
  companyId: string | null;
  /** What a posting is for. */
  sourceId: string | null;
  /** Minor units, signed. */
  differenceMinor: bigint;
  /** As the command line says it. */
  line: string;
}

export interface BankReconciliation {
  comparisons: BankComparison[];
  findings: BankFinding[];
}

/** What a ledger has at banks: of one company, or of all for a role that reads across companies. */
interface Books {
  sums: { bank: string; asset: string; minor: bigint }[];
  findings: BankFinding[];
}

/** By a role that reads across companies. */
export async function reconcileBanks(database: Database): Promise<BankReconciliation> {
  return database.withoutCompany(async (tx) => compare(await readStatements(tx), [await readBooks(tx)]));
}

/** By the worker, which sees one company at a time; null when it was cut short. */
export async function reconcileBanksByCompany(
  database: Database,
  companyIds: readonly string[],
  signal?: AbortSignal,
): Promise<BankReconciliation | null> {
  const books: Books[] = [];
  for (const companyId of companyIds) {
    if (signal?.aborted) return null;
    books.push(await database.withCompany(companyId, readBooks));
  }
  return compare(await database.withoutCompany(readStatements), books);
}

interface Stated {
  sums: { bank: string; asset: string; minor: bigint; entries: number }[];
  findings: BankFinding[];
}

async function readStatements(tx: PlatformTx): Promise<Stated> {
  const { rows } = await sql<Stated['sums'][number]>`
    select c.bank_id as bank, c.asset_id as asset, sum(coalesce(last.closing, 0) + since.amount) as minor, sum(counted.entries)::bigint as entries
    from bank_collection c
    left join lateral (select s.closing, s.closed_on from bank_statement s
      where s.collection_id = c.id and s.kind = 'statement' and s.copy_of is null and s.closing is not null
      order by s.closed_on desc, s.opened_on desc, s.id desc limit 1) last on true
    cross join lateral (select coalesce(sum(m.amount), 0) as amount from bank_money m
      where m.collection_id = c.id and m.booked_entry_id is null and m.state <> 'detailed'
        and (last.closed_on is null or m.booked_on is null or m.booked_on > last.closed_on)) since
    cross join lateral (select coalesce(sum(s.entries), 0) as entries from bank_statement s
      where s.collection_id = c.id and s.kind = 'statement' and s.copy_of is null) counted
    group by 1, 2 order by 1, 2`.execute(tx);
  return { sums: rows, findings: await findInStatements(tx) };
}

async function findInStatements(tx: PlatformTx): Promise<BankFinding[]> {
  const { rows } = await sql<BankFinding>`
    with told as (
      select s.*, c.bank_id || ' ' || c.number || ' ' || c.asset_id as account,
        lag(s.closing) over (partition by s.collection_id order by s.closed_on, s.opened_on, s.id) as closed_before
      from bank_statement s join bank_collection c on c.id = s.collection_id
      where s.kind = 'statement' and s.copy_of is null and s.opening is not null and s.closing is not null
    ), part as (
      select e.id, s.collection_id, e.amount, coalesce(sum(m.amount), 0) as moneys from bank_entry e
      join bank_statement s on s.id = e.statement_id and s.kind = 'statement' and s.copy_of is null
      left join bank_money m on m.booked_entry_id = e.id and m.state <> 'detailed'
      where not e.is_repeat group by e.id, s.collection_id, e.amount
    ), found as (
      select 'statementSum' as kind, id, collection_id, opening + total - closing as difference,
        account || ' statement ' || reference || ': opening and entries less closing' as said
      from told where opening + total <> closing
      union all select 'statementGap', id, collection_id, opening - closed_before,
        account || ' statement ' || reference || ': opening less the closing before it'
      from told where opening <> closed_before
      union all select 'entryMoneys', id, collection_id, amount - moneys, 'entry ' || id || ': its moneys come to ' || moneys || ' of ' || amount
      from part where amount <> moneys
      union all select 'moneyNotPosted', id, collection_id, amount, 'money ' || id || ': read and not posted'
      from bank_money where state = 'new'
      union all select x.about || 'NotPosted', m.id, m.collection_id, sum(x.amount), 'money ' || m.id || ': its explanations and its state disagree'
      from bank_explanation x join bank_money m on m.id = x.money_id group by x.about, m.id
      having case when m.state = x.about then sum(x.amount) * sign(-m.amount) not between 0 and abs(m.amount)
        or (sum(x.amount) = 0) <> (m.reversed_by_id is not null) else sum(x.amount) <> 0 end
      union all select m.state || 'NotPosted', m.id, m.collection_id, m.amount, 'money ' || m.id || ': its state has no explanation'
      from bank_money m where m.state in ('fees', 'cards') and not exists (select from bank_explanation x where x.money_id = m.id and x.about = m.state
        and x.step = 'explained' and not exists (select from bank_explanation w where w.withdraws_id = x.id))
      union all select x.about || 'NotPosted', m.id, m.collection_id, x.amount - coalesce(k.amount, 0),
        'money ' || m.id || ' (' || x.step || '): the companies’ shares come to ' || coalesce(k.amount, 0) || ' of ' || x.amount
      from bank_explanation x join bank_money m on m.id = x.money_id
      left join lateral (select sum(s.amount) as amount from bank_explained_share s where s.explanation_id = x.id) k on true
      where k.amount is distinct from x.amount
      union all select 'moneyNotBooked', m.id, m.collection_id, -m.amount, 'money ' || m.id || ': announced, and not in the statement of its day'
      from bank_money m
      where m.booked_entry_id is null and m.state <> 'detailed' and exists (select from told t
        where t.collection_id = m.collection_id and t.closed_on >= m.booked_on)
      union all select 'balanceStated', own.id, own.id, s.amount - held.amount,
        s.bank_id || ' ' || s.asset_id || ': the bank states ' || s.amount || ', its moneys come to ' || held.amount
      from bank_stated s
      join lateral (select c.id from bank_collection c
        where c.bank_id = s.bank_id and c.asset_id = s.asset_id order by c.id limit 1) own on true
      cross join lateral (select coalesce(sum(m.amount), 0) as amount from bank_money m
        join bank_collection c on c.id = m.collection_id and c.bank_id = s.bank_id and c.asset_id = s.asset_id
        join bank_entry e on e.id = m.announced_entry_id join bank_statement a on a.id = e.statement_id
        join bank_message f on f.id = a.message_id and f.received_at <= s.stated_at
        where m.state <> 'detailed') held
      where s.amount <> held.amount
        and not exists (select from bank_message f where f.bank_id = s.bank_id and f.state = 'received')
    )
    select f.kind, f.id, c.bank_id as bank, c.asset_id as asset, c.number as account, null as "companyId", null as "sourceId",
      f.difference as "differenceMinor", f.said || ', difference ' || f.difference as line
    from found f join bank_collection c on c.id = f.collection_id order by line limit 1000`.execute(tx);
  return rows;
}

async function readBooks(tx: PlatformTx): Promise<Books> {
  const { rows: sums } = await sql<Books['sums'][number]>`
    select place.bank_id as bank, place.asset_id as asset, -sum(a.balance) as minor
    from ledger_account a
    left join wallet w on w.company_id = a.company_id and w.id = a.owner_id
    left join bank_collection c on c.id = a.owner_id
    cross join lateral (select coalesce(w.bank_id, c.bank_id) as bank_id, a.asset_id) place
    where a.kind in ('bank', 'collecting') and place.bank_id is not null group by 1, 2`.execute(tx);
  const { rows: findings } = await sql<BankFinding>`
    with at_bank as (
      select e.company_id, e.posting_id, p.kind, p.source_id, e.amount, a.kind as account, coalesce(w.bank_id, c.bank_id) as bank_id,
        a.asset_id, c.number
      from ledger_entry e
      join ledger_account a on a.company_id = e.company_id and a.id = e.account_id and a.kind in ('bank', 'collecting')
      join ledger_posting p on p.company_id = e.company_id and p.id = e.posting_id
      left join wallet w on w.company_id = a.company_id and w.id = a.owner_id
      left join bank_collection c on c.id = a.owner_id
    ), hold as (
      -- A money is held once, and again after each withdrawal of what it was explained as.
      select money_id, source_id, lead(source_id) over (partition by money_id order by at, source_id) is not null as is_over
      from (select id as money_id, id as source_id, created_at as at from bank_money
        union all select coalesce(by_id, money_id), id, created_at from bank_explanation where step = 'withdrawn') h
    ), found as (
      select 'postingUnexplained' as kind, b.posting_id as id, b.bank_id, b.asset_id, b.number, b.company_id, b.source_id, -b.amount as difference,
        b.company_id || ' posting ' || b.posting_id || ' (' || b.kind || '): no money of a bank explains it' as said
      from at_bank b
      where not exists (select from bank_credit k join bank_money m on m.id = k.money_id
          left join bank_money r on r.id = m.reversed_by_id
          where k.company_id = b.company_id and k.transaction_id = b.source_id
            and ((b.kind = 'deposit.credited' and b.amount = -m.amount) or (b.kind = 'deposit.reversed' and b.amount = -r.amount)))
        and not exists (select from hold h join bank_money m on m.id = h.money_id where b.account = 'collecting' and h.source_id = b.source_id
          and ((b.kind = 'bank.held' and b.amount = -m.amount)
            or (b.kind = 'bank.released' and b.amount = m.amount and (h.is_over
              or m.state in ('credited', 'returned', 'reversal', 'detailed', 'paid', 'sentBack', 'fees', 'cards')))))
        and not exists (select from bank_explained_share k join bank_explanation x on x.id = k.explanation_id join bank_money m on m.id = x.money_id
          where k.company_id = b.company_id and k.posting_id = b.posting_id and b.amount = k.amount
            and b.kind = x.about || case x.step when 'withdrawn' then '.withdrawn' when 'returned' then '.takenBack'
              else case x.about when 'fees' then '.collected' else '.settled' end end)
        and not exists (select from payout_money k join bank_money m on m.id = k.money_id
          where k.company_id = b.company_id and k.transaction_id = b.source_id and b.amount = -m.amount
            and ((k.kind = 'paid' and b.kind = 'transfer.settle') or (k.kind = 'returned' and b.kind = 'payout.returned')))
      union all
      select 'payoutNotPosted', k.transaction_id, p.bank_id, p.asset_id, null, k.company_id, k.transaction_id, m.amount,
        k.company_id || ' payment ' || k.transaction_id || ': its money ' || k.money_id || ' (' || k.kind || ') is not posted'
      from payout_money k join bank_money m on m.id = k.money_id
      join payout p on p.company_id = k.company_id and p.transaction_id = k.transaction_id
      where not exists (select from at_bank b where b.company_id = k.company_id and b.source_id = k.transaction_id
        and b.kind = case k.kind when 'paid' then 'transfer.settle' else 'payout.returned' end)
      union all
      select 'depositNotPosted', k.transaction_id, k.bank_id, k.asset_id, null, k.company_id, k.transaction_id, m.amount,
        k.company_id || ' deposit ' || k.transaction_id || ': its money ' || m.id || ' is not posted'
      from bank_credit k join bank_money m on m.id = k.money_id
      where not exists (select from at_bank b where b.company_id = k.company_id and b.source_id = k.transaction_id and b.kind = 'deposit.credited')
        or (m.reversed_by_id is not null
          and not exists (select from at_bank b where b.company_id = k.company_id and b.source_id = k.transaction_id and b.kind = 'deposit.reversed'))
      union all
      select x.about || 'NotPosted', coalesce(x.by_id, x.money_id), c.bank_id, c.asset_id, c.number, k.company_id, x.money_id, -k.amount,
        k.company_id || case x.about when 'fees' then ' fees' else ' cards' end || ' of money ' || x.money_id || ' (' || x.step || '): not posted'
      from bank_explained_share k join bank_explanation x on x.id = k.explanation_id join bank_money m on m.id = x.money_id
      join bank_collection c on c.id = m.collection_id
      where not exists (select from at_bank b
        where b.company_id = k.company_id and b.posting_id = k.posting_id and b.amount = k.amount)
    )
    select kind, id, coalesce(bank_id, '') as bank, asset_id as asset, number as account, company_id as "companyId", source_id as "sourceId",
      difference as "differenceMinor", said || ', difference ' || difference as line
    from found order by line limit 1000`.execute(tx);
  return { sums, findings };
}

function compare(stated: Stated, books: readonly Books[]): BankReconciliation {
  const booked = new Map<string, bigint>();
  for (const { bank, asset, minor } of books.flatMap(({ sums }) => sums)) {
    booked.set(`${bank}/${asset}`, (booked.get(`${bank}/${asset}`) ?? 0n) + minor);
  }
  const statedBy = new Map(stated.sums.map((sum) => [`${sum.bank}/${sum.asset}`, sum]));
  const places = new Set([
    ...statedBy.keys(),
    ...[...booked].filter(([, minor]) => minor !== 0n).map(([place]) => place),
  ]);
  const comparisons = [...places].sort().map((place): BankComparison => {
    const [bank = '', asset = ''] = place.split('/');
    const statedMinor = statedBy.get(place)?.minor ?? 0n;
    const bookedMinor = booked.get(place) ?? 0n;
    const entries = statedBy.get(place)?.entries ?? 0;
    return { bank, asset, statedMinor, bookedMinor, differenceMinor: statedMinor - bookedMinor, entries };
  });
  return { comparisons, findings: [...stated.findings, ...books.flatMap(({ findings }) => findings)] };
}

/** The comparison of a currency at a bank as a line; null where it agrees. */
export function sayDifference({
  bank,
  asset,
  statedMinor,
  bookedMinor,
  differenceMinor,
}: BankComparison): string | null {
  if (differenceMinor === 0n) return null;
  return `${bank} ${asset}: statements ${statedMinor}, ledger ${bookedMinor}, difference ${differenceMinor}`;
}
