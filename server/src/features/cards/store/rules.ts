import type { CardRuleScope } from '@causeway/contract/cards-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import type { Bounds } from '../domain.ts';
import { boundsColumns, boundsValues } from './cards.ts';
import { boundsJson, boundsOf } from './deciding.ts';

/** The rules above cards; amounts in minor units. */

export interface RuleRow {
  id: string;
  scope: CardRuleScope;
  scopeId: string | null;
  scopeName: string | null;
  asset: string;
  decimals: number;
  bounds: Bounds;
  cards: number;
  changedAt: Date;
}

type RuleFlat = Omit<RuleRow, 'bounds'> & { bounds: Parameters<typeof boundsOf>[0] };

const columns = sql<RuleFlat>`r.id, r.scope, r.scope_id as "scopeId", coalesce(d.name, o.name) as "scopeName", r.asset_id as asset, a.decimals,
  ${boundsJson('r')} as bounds, r.changed_at as "changedAt",
  (select count(*)::integer from card c join member m on m.company_id = c.company_id and m.id = c.holder_id
    where c.company_id = company_id() and c.asset_id = r.asset_id and c.state <> 'closed'
      and (r.scope = 'company' or (r.scope = 'role' and m.role_id = r.scope_id) or (r.scope = 'department' and m.department_id in (
        with recursive below (id) as (
          select r.scope_id union all select n.id from below b join department n on n.company_id = company_id() and n.parent_id = b.id)
        select id from below)))) as cards`;
const joins = sql`card_rule r
  join asset a on a.id = r.asset_id
  left join department d on d.company_id = r.company_id and d.id = r.scope_id
  left join role o on o.company_id = r.company_id and o.id = r.scope_id`;

const ruleOf = (row: RuleFlat): RuleRow => ({ ...row, bounds: boundsOf(row.bounds) });

export async function readRules(tx: Tx): Promise<RuleRow[]> {
  const { rows } = await sql<RuleFlat>`
    select ${columns} from ${joins} where r.company_id = company_id() order by r.scope, coalesce(d.name, o.name), r.asset_id, r.id`.execute(
    tx,
  );
  return rows.map(ruleOf);
}

export async function findRule(
  tx: Tx,
  by: { id: string } | { scope: CardRuleScope; scopeId: string | null; asset: string },
): Promise<RuleRow | null> {
  const condition =
    'id' in by
      ? sql`r.id = ${by.id}`
      : sql`r.scope = ${by.scope} and r.scope_id is not distinct from ${by.scopeId}::uuid and r.asset_id = ${by.asset}`;
  const { rows } =
    await sql<RuleFlat>`select ${columns} from ${joins} where r.company_id = company_id() and ${condition}`.execute(tx);
  return rows[0] ? ruleOf(rows[0]) : null;
}

export async function writeRule(
  tx: Tx,
  id: string,
  { scope, scopeId, asset, bounds }: Pick<RuleRow, 'scope' | 'scopeId' | 'asset' | 'bounds'>,
): Promise<void> {
  await sql`
    insert into card_rule (company_id, id, scope, scope_id, asset_id, ${boundsColumns})
    values (company_id(), ${id}, ${scope}, ${scopeId}::uuid, ${asset}, ${boundsValues(bounds)})
    on conflict (company_id, scope, scope_id, asset_id) do update set (${boundsColumns}) = row(${boundsValues(bounds)}), changed_at = clock_timestamp()`.execute(
    tx,
  );
}

export async function deleteRule(tx: Tx, id: string): Promise<void> {
  await sql`delete from card_rule where company_id = company_id() and id = ${id}`.execute(tx);
}

/** Locks out other changes of the company's cards and rules until the transaction's end. */
export async function lockCards(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('cards/' || company_id()::text, 0))`.execute(tx);
}

/** Whether the company has the department or role; system roles are the program's. */
export async function hasScope(tx: Tx, scope: CardRuleScope, scopeId: string | null): Promise<boolean> {
  if (scope === 'company') return scopeId === null;
  if (scopeId === null) return false;
  const table = scope === 'department' ? sql`department` : sql`role`;
  // It cannot be deleted until the rule is written, and then it is named.
  const { rows } = await sql`
    select 1 from ${table} where company_id = company_id() and id = ${scopeId} for key share`.execute(tx);
  return rows.length > 0;
}

/** How many rules are for a department or role. */
export async function countCardRulesNaming(tx: Tx, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from card_rule where company_id = company_id() and scope_id = ${id}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** A wallet as a card needs it; null where the company has none of this id. */
export async function findCardWallet(
  tx: Tx,
  id: string,
): Promise<{ asset: string; decimals: number; isAtBank: boolean; name: string } | null> {
  const { rows } = await sql<{ asset: string; decimals: number; isAtBank: boolean; name: string }>`
    select w.asset_id as asset, a.decimals, w.bank_id is not null as "isAtBank", concat_ws(' ', w.asset_id, b.name) as name
    from wallet w join asset a on a.id = w.asset_id left join bank b on b.id = w.bank_id
    where w.company_id = company_id() and w.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** How many cards are not closed. */
export async function countOpen(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from card where company_id = company_id() and state not in ('closed', 'failed')`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

/** An asset's decimals; null where there is none. */
export async function findDecimals(tx: Tx, asset: string): Promise<number | null> {
  const { rows } = await sql<{ decimals: number }>`select decimals from asset where id = ${asset}`.execute(tx);
  return rows[0]?.decimals ?? null;
}
