import type { Stage, TransactionStatus, TransactionType } from '@causeway/contract/transactions-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import type { PlaceNames } from '../../banks/index.ts';
import type { Pair } from './keyword.ts';

/** Transactions as the operator's list and export show them; amounts in minor units. */

export interface ListRow {
  id: string;
  companyId: string;
  company: string;
  type: TransactionType;
  status: TransactionStatus;
  stage: Stage;
  createdAt: Date;
  completedAt: Date | null;
  coin: string;
  decimals: number;
  chainId: string | null;
  place: PlaceNames;
  quantityMinor: bigint;
  feeMinor: bigint;
  /** The deposit that an acceleration spends; its quantity as digits. */
  accelerated: { id: string; hash: string; quantityMinor: string } | null;
  direction: 'in' | 'out';
  valueUsdCents: bigint | null;
  payerName: string | null;
  payerAccount: string | null;
  payeeName: string | null;
  payeeAccount: string | null;
  hash: string | null;
  confirmations: number | null;
  confirmationsNeeded: number | null;
  invoiceNumber: string | null;
  initiatorName: string | null;
}

/** Those of these keys, in their order. */
export async function readRows(tx: PlatformTx, pairs: readonly Pair[]): Promise<ListRow[]> {
  if (pairs.length === 0) return [];
  const { rows } = await sql<ListRow>`
    select t.id, t.company_id as "companyId", company.name as company, t.type, t.status, t.stage, t.created_at as "createdAt",
      t.completed_at as "completedAt", t.coin, a.decimals, t.chain_id as "chainId",
      jsonb_build_object('name', coalesce(c.name, b.name), 'nameZhHk', b.name_zh_hk, 'nameZhCn', b.name_zh_cn) as place,
      t.quantity as "quantityMinor", t.fee as "feeMinor",
      case when t.type = 'chain_accelerate' then (
        select jsonb_build_object('id', d.id, 'hash', b.hash, 'quantityMinor', d.quantity::text)
        from bitcoin_acceleration b join transaction d on d.company_id = b.company_id and d.id = b.deposit_id
        where b.company_id = t.company_id and b.transaction_id = t.id) end as accelerated, t.direction, t.value_usd_cents as "valueUsdCents",
      t.payer_name as "payerName", t.payer_account as "payerAccount", t.payee_name as "payeeName", t.payee_account as "payeeAccount",
      x.hash, x.confirmations, c.confirmations as "confirmationsNeeded", t.invoice_number as "invoiceNumber",
      t.initiator_name as "initiatorName"
    from unnest(${pairs.map(({ companyId }) => companyId)}::uuid[], ${pairs.map(({ id }) => id)}::uuid[])
      with ordinality as wanted (company_id, id, place)
    cross join lateral (select * from transaction r where r.company_id = wanted.company_id and r.id = wanted.id offset 0) t
    join company on company.company_id = t.company_id
    join asset a on a.id = t.coin
    join wallet w on w.company_id = t.company_id and w.id = t.wallet_id
    left join chain c on c.id = w.chain_id
    left join bank b on b.id = w.bank_id
    left join lateral (select * from transaction_chain r
      where r.company_id = wanted.company_id and r.transaction_id = wanted.id offset 0) x on true
    order by wanted.place`.execute(tx);
  return rows;
}

/** Whose it is; null when there is none of this id. */
export async function findCompanyOf(tx: PlatformTx, id: string): Promise<{ id: string; name: string } | null> {
  const { rows } = await sql<{ id: string; name: string }>`
    select c.company_id as id, c.name from company c
    cross join lateral (select from transaction r where r.company_id = c.company_id and r.id = ${id}
      and r.type not in ('chain_sweep', 'fee_withdraw', 'fx_settlement_in', 'fx_settlement_out') offset 0) t`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** The assets and chains of all wallets. */
export async function findChoices(
  tx: PlatformTx,
): Promise<{ assets: string[]; chains: { id: string; name: string }[] }> {
  const [assets, chains] = [
    await sql<{
      id: string;
    }>`select id from asset a where exists (select from wallet w where w.asset_id = a.id) order by id`.execute(tx),
    await sql<{ id: string; name: string }>`select id, name from chain order by name`.execute(tx),
  ];
  return { assets: assets.rows.map(({ id }) => id), chains: chains.rows };
}
