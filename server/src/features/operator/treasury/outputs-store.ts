import { listOutputSets, listOutputs } from '@causeway/contract/operator-outputs.ts';
import type { OutputState } from '@causeway/contract/operator-outputs-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { contains, defineList } from '../../../platform/database/list.ts';
import { dustThreshold, feeOf, treasuryOwner, vsizeOf } from '../../chains/index.ts';

/** Outputs on Bitcoin's chains, across companies, as blocks and mempools have them. Amounts in satoshis. */

/** Virtual bytes that one more input adds to a transaction. */
const inputVsize = vsizeOf(2, ['p2wpkh']) - vsizeOf(1, ['p2wpkh']);

/** What spending one output costs at a rate, in thousandths of a satoshi per virtual byte. */
export const spendingCostMinor = (rate: number): bigint => feeOf(inputVsize, BigInt(rate));

export interface OutputSetRow {
  companyId: string;
  companyName: string;
  chainId: string;
  chainName: string;
  explorerUrl: string | null;
  coin: string;
  decimals: number;
  confirmedCount: number;
  confirmedMinor: bigint;
  waitingCount: number;
  waitingMinor: bigint;
  leavingCount: number;
  leavingMinor: bigint;
  dust: number;
  /** Null while no rate is known. */
  small: number | null;
  /** Thousandths of a satoshi per virtual byte; null while none is known. */
  rate: number | null;
  oldestAt: Date | null;
  heldMinor: bigint;
  /** Null for the treasury, which is in no ledger. */
  bookedMinor: bigint | null;
}

const unspent = sql`o.spent_block is null`;

/**
 * An owner's outputs on a chain, and what its wallet there comes to by the ledger: what is posted, less deposits that wait for a block, and with the
 * effect of payments that a block has and that are not final.
 */
const sets = sql`
  select s.*, coalesce(y.name, '') as company_name, c.name as chain_name, c.explorer_url, c.native_coin as coin, a.decimals, r.normal as rate, u.*,
    l.booked - coalesce(d.waiting, 0) + coalesce(p.moved, 0) as booked, md5(s.chain_id || '/' || s.company_id)::uuid as id
  from (select w.company_id, w.chain_id, w.id as wallet_id from wallet w join chain k on k.id = w.chain_id and k.native_coin = w.asset_id
      where k.family = 'bitcoin'
    union all select t.company_id, t.chain_id, null from chain_address t join chain k on k.id = t.chain_id
      where k.family = 'bitcoin' and t.company_id = ${treasuryOwner}::uuid) s
  join chain c on c.id = s.chain_id join asset a on a.id = c.native_coin
  left join company y on y.company_id = s.company_id
  left join bitcoin_fee_rate r on r.chain_id = s.chain_id
  cross join lateral (
    select count(*) filter (where o.spent_by is null and o.block_number is not null)::integer as confirmed_count,
      coalesce(sum(o.amount) filter (where o.spent_by is null and o.block_number is not null), 0) as confirmed,
      count(*) filter (where o.spent_by is null and o.block_number is null)::integer as waiting_count,
      coalesce(sum(o.amount) filter (where o.spent_by is null and o.block_number is null), 0) as waiting,
      count(*) filter (where o.spent_by is not null)::integer as leaving_count,
      coalesce(sum(o.amount) filter (where o.spent_by is not null), 0) as leaving,
      coalesce(sum(o.amount) filter (where o.block_number is not null), 0) as held,
      count(*) filter (where o.amount <= ${dustThreshold('p2wpkh')})::integer as dust,
      case when r.normal is not null then count(*) filter (where o.amount * 1000 <= ${inputVsize} * r.normal::bigint)::integer end as small,
      min(o.seen_at) as oldest_at
    from bitcoin_output o where o.company_id = s.company_id and o.chain_id = s.chain_id and ${unspent}) u
  left join lateral (select sum(b.balance) as booked from ledger_account b where b.company_id = s.company_id and b.owner_id = s.wallet_id
    and b.kind in ('available', 'outbound', 'inbound', 'escrow', 'fee', 'gas', 'deficit', 'fx')) l on s.wallet_id is not null
  left join lateral (select sum(t.quantity) as waiting from deposit e
    join transaction t on t.company_id = e.company_id and t.id = e.transaction_id
    where e.company_id = s.company_id and e.chain_id = s.chain_id and e.state = 'inbound' and e.block_number is null) d on s.wallet_id is not null
  left join lateral (
    select sum(case when t.type = 'fx_settlement_in' then x.amount else -x.amount - (x.plan ->> 'feeMinor')::numeric end) as moved
    from chain_send x join transaction t on t.company_id = x.company_id and t.id = x.transfer_id
    where x.company_id = s.company_id and x.chain_id = s.chain_id and x.final_at is null and x.mined_block is not null) p on s.wallet_id is not null`;

const setColumns =
  sql`q.company_id as "companyId", q.company_name as "companyName", q.chain_id as "chainId", q.chain_name as "chainName",
  q.explorer_url as "explorerUrl", q.coin, q.decimals, q.confirmed_count as "confirmedCount", q.confirmed as "confirmedMinor",
  q.waiting_count as "waitingCount", q.waiting as "waitingMinor", q.leaving_count as "leavingCount", q.leaving as "leavingMinor", q.dust,
  q.small, q.rate, q.oldest_at as "oldestAt", q.held as "heldMinor", q.booked as "bookedMinor"` as RawBuilder<OutputSetRow>;

/** What each owner has, the most first. */
export const outputSetList = defineList(listOutputSets, {
  from: () => sql`(${sets}) q`,
  where: () => sql`true`,
  filters: {
    chain: (chain) => sql`q.chain_id = ${chain}`,
    keyword: (keyword) => contains(sql`q.company_name`, keyword),
  },
  columns: () => setColumns,
  orders: { amount: { by: sql`lpad(q.held::text, 20, '0')`, kind: 'text' } },
  first: { sort: 'amount', order: 'desc' },
  id: sql`q.id`,
});

/** Null where the owner has no wallet, and the platform no treasury, on this chain. */
export async function findOutputSet(tx: PlatformTx, chainId: string, companyId: string): Promise<OutputSetRow | null> {
  const { rows } = await sql<OutputSetRow>`
    select ${setColumns} from (${sets}) q where q.chain_id = ${chainId} and q.company_id = ${companyId}::uuid`.execute(
    tx,
  );
  return rows[0] ?? null;
}

export interface OutputRow {
  id: string;
  hash: string;
  index: number;
  address: string;
  amountMinor: bigint;
  state: OutputState;
  isChange: boolean;
  block: number | null;
  seenAt: Date;
  paymentId: string | null;
  spentBy: string | null;
}

const states: Record<OutputState, RawBuilder<unknown>> = {
  confirmed: sql`o.spent_by is null and o.payment_id is null and o.block_number is not null`,
  waiting: sql`o.spent_by is null and o.payment_id is null and o.block_number is null`,
  reserved: sql`o.spent_by is null and o.payment_id is not null`,
  leaving: sql`o.spent_by is not null`,
};

const hashForm = /^[0-9a-f]{64}$/;

/** What no block has spent, the oldest first. */
export const outputList = defineList(listOutputs, {
  from: () => sql`bitcoin_output o`,
  where: () => unspent,
  filters: {
    companyId: (companyId) => sql`o.company_id = ${companyId}::uuid`,
    chainId: (chainId) => sql`o.chain_id = ${chainId}`,
    keyword(keyword) {
      const sought = keyword.trim();
      if (sought === '') return null;
      const lower = sought.toLowerCase();
      return hashForm.test(lower) ? sql`o.hash = ${lower}` : sql`o.address in (${sought}, ${lower})`;
    },
    state: (state) => states[state],
    origin: (origin) => sql`o.is_change = ${origin === 'change'}`,
  },
  columns: () =>
    sql`o.id, o.hash, o.index, o.address, o.amount as "amountMinor", o.is_change as "isChange", o.block_number as block,
      o.seen_at as "seenAt", o.payment_id as "paymentId", o.spent_by as "spentBy",
      case when o.spent_by is not null then 'leaving' when o.payment_id is not null then 'reserved'
        when o.block_number is null then 'waiting' else 'confirmed' end as state` as RawBuilder<OutputRow>,
  orders: { time: { by: sql`o.seen_at`, kind: 'time' }, amount: { by: sql`o.amount`, kind: 'number' } },
  first: { sort: 'time', order: 'asc' },
  id: sql`o.id`,
});
