import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import type { PlaceNames } from '../../banks/index.ts';

/** What the issuer of cards is owed, across companies. Amounts in minor units; negative where the issuer owes refunds. */

/** Wallets with what they owe the issuer: account `l`, wallet `w`. */
const owing = sql`ledger_account l join wallet w on w.company_id = l.company_id and w.id = l.owner_id and w.bank_id is not null`;

/** In a currency at a bank: payments less refunds. */
export async function sumCardsOwed(tx: PlatformTx, { bank, asset }: { bank: string; asset: string }): Promise<bigint> {
  const { rows } = await sql<{ minor: bigint }>`
    select coalesce(sum(l.balance), 0) as minor from ${owing}
    where l.kind = 'card' and w.bank_id = ${bank} and w.asset_id = ${asset}`.execute(tx);
  return rows[0]?.minor ?? 0n;
}

/** What cards have paid out of account `l`: not what was settled of refunds, nor what was settled and is owed again. */
const paymentsOf = sql`ledger_entry e where e.company_id = l.company_id and e.account_id = l.id and e.amount > 0
  and not exists (select from ledger_posting p where p.company_id = e.company_id and p.id = e.posting_id and p.kind in ('cards.settled', 'cards.takenBack', 'cards.withdrawn'))`;

export interface OwedPlaceRow extends PlaceNames {
  bank: string;
  asset: string;
  decimals: number;
  paymentsMinor: bigint;
  refundsMinor: bigint;
  companies: number;
  since: Date | null;
}

/**
 * Currencies at banks where anything is owed either way. `since`: the oldest payment among the newest that make up a balance, which are those that
 * were not settled; no older ones are read.
 */
export async function findOwedPlaces(tx: PlatformTx): Promise<OwedPlaceRow[]> {
  const { rows } = await sql<OwedPlaceRow>`
    select w.bank_id as bank, b.name, b.name_zh_hk as "nameZhHk", b.name_zh_cn as "nameZhCn", w.asset_id as asset, a.decimals,
      coalesce(sum(l.balance) filter (where l.balance > 0), 0) as "paymentsMinor", -coalesce(sum(l.balance) filter (where l.balance < 0), 0) as "refundsMinor",
      count(*)::integer as companies, min(oldest.at) as since
    from ${owing} join bank b on b.id = w.bank_id join asset a on a.id = w.asset_id
    left join lateral (
      with recursive newest as (
        (select e.sequence, e.created_at, e.amount::numeric as total from ${paymentsOf} order by e.sequence desc limit 1)
        union all
        select e.sequence, e.created_at, n.total + e.amount from newest n, lateral (
          select e.sequence, e.created_at, e.amount from ${paymentsOf} and e.sequence < n.sequence order by e.sequence desc limit 1
        ) e where n.total < l.balance
      ) select min(created_at) as at from newest
    ) oldest on l.balance > 0
    where l.kind = 'card' and l.balance <> 0
    group by w.bank_id, b.name, b.name_zh_hk, b.name_zh_cn, w.asset_id, a.decimals order by w.asset_id, b.name, w.bank_id`.execute(
    tx,
  );
  return rows;
}

export interface CompanyShareRow {
  companyId: string;
  companyName: string;
  amountMinor: bigint;
}

/** The companies of a place, the largest first. */
export async function findOwingCompanies(
  tx: PlatformTx,
  { bank, asset }: { bank: string; asset: string },
  most: number,
): Promise<CompanyShareRow[]> {
  const { rows } = await sql<CompanyShareRow>`
    select l.company_id as "companyId", coalesce(y.name, '') as "companyName", l.balance as "amountMinor"
    from ${owing} left join company y on y.company_id = l.company_id
    where l.kind = 'card' and l.balance <> 0 and w.bank_id = ${bank} and w.asset_id = ${asset}
    order by abs(l.balance) desc, l.company_id limit ${most}`.execute(tx);
  return rows;
}
