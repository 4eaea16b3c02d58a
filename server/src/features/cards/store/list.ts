import { listCards } from '@causeway/contract/cards.ts';
import type { CardKind, CardShippingState } from '@causeway/contract/cards-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { defineList } from '../../../platform/database/list.ts';
import type { Sourced } from '../domain.ts';
import type { CardStateRow, Step } from './cards.ts';
import { shownDigits } from './cards.ts';
import { sourcedOf, sourcesJson, spentSums, zoneOf } from './deciding.ts';

/** Cards as pages show them; amounts in minor units. */

export interface CardRow extends CardStateRow {
  kind: CardKind;
  frozenAt: Date | null;
  isBlocked: boolean;
  holderName: string;
  departmentId: string | null;
  departmentName: string | null;
  decimals: number;
  expires: string | null;
  spentDay: bigint;
  spentMonth: bigint;
  spentTotal: bigint;
  receiptsMissing: number;
  createdAt: Date;
  sources: Sourced[];
}

export type CardFlat = Omit<CardRow, 'sources'> & { sources: Parameters<typeof sourcedOf>[0][] };

export function cardOf(row: CardFlat): CardRow {
  return { ...row, sources: row.sources.map(sourcedOf) };
}

const joins = (now: Date) => sql`card c
  join member m on m.company_id = c.company_id and m.id = c.holder_id
  join asset a on a.id = c.asset_id
  join ledger_account deficit on deficit.company_id = c.company_id and deficit.owner_id = c.wallet_id and deficit.kind = 'deficit'
  left join department d on d.company_id = m.company_id and d.id = m.department_id
  cross join ${zoneOf} zone
  cross join lateral ${spentSums(now)} spent`;

const columns = sql<CardFlat>`c.id, c.origin_id as "originId", c.kind, c.holder_id as "holderId", c.name, c.wallet_id as "walletId", c.asset_id as asset,
  c.state, c.frozen_by as "frozenBy", c.frozen_at as "frozenAt", c.issuer_token as "issuerToken", c.issuer_state as "issuerState", ${shownDigits} as "lastFour",
  c.ship_to as "shipTo", c.shipping_state as "shippingState", c.valid_until::text as "validUntil", c.replaces_id as "replacesId", c.expires,
  c.blocked_at is not null and deficit.balance < 0 as "isBlocked", coalesce(nullif(trim(m.first_name || ' ' || m.last_name), ''), m.email) as "holderName",
  d.id as "departmentId", d.name as "departmentName", a.decimals, spent.day as "spentDay", spent.month as "spentMonth", spent.total as "spentTotal",
  (select count(*)::integer from card_purchase p where p.company_id = c.company_id and p.card_id = c.id and p.receipt_state = 'missing') as "receiptsMissing",
  c.created_at as "createdAt", ${sourcesJson} as sources`;

/** Of the reader where they may not see others'. */
const ownCards = (holderId: string | null): RawBuilder<unknown> =>
  holderId === null ? sql`true` : sql`c.holder_id = ${holderId}`;

export interface CardScope {
  now: Date;
  /** Whose cards alone; null: everyone's. */
  holderId: string | null;
  readerId: string;
}

export const cardList = defineList(listCards, {
  from: ({ now }: CardScope) => joins(now),
  where: ({ holderId }) => sql`c.company_id = company_id() and ${ownCards(holderId)}`,
  filters: {
    state: (state) =>
      state === 'frozen' ? sql`c.frozen_by is not null and c.state <> 'closed'` : sql`c.state = ${state}`,
    kind: (kind) => sql`c.kind = ${kind}`,
    walletId: (walletId) => sql`c.wallet_id = ${walletId}`,
    holderId: (holderId) => sql`c.holder_id = ${holderId}`,
    mine: (_, { readerId }) => sql`c.holder_id = ${readerId}`,
    search(words) {
      const sought = words.trim().toLowerCase();
      if (sought === '') return null;
      return sql`(strpos(lower(concat_ws(' ', c.name, m.first_name, m.last_name)), ${sought}) > 0 or ${shownDigits} = ${sought})`;
    },
  },
  columns: () => columns,
  orders: { time: { by: sql`c.created_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`c.id`,
});

export async function readCard(tx: Tx, id: string, holderId: string | null, now: Date): Promise<CardRow | null> {
  const { rows } = await sql<CardFlat>`
    select ${columns} from ${joins(now)} where c.company_id = company_id() and c.id = ${id} and ${ownCards(holderId)}`.execute(
    tx,
  );
  return rows[0] ? cardOf(rows[0]) : null;
}

export interface CardSideRow {
  walletName: string | null;
  availableMinor: bigint;
  replacedBy: string | null;
  closedAt: Date | null;
  problem: string | null;
  tracking: string | null;
  expectedOn: string | null;
  shippingAt: Date | null;
  shippingState: CardShippingState | null;
}

export async function readCardSide(tx: Tx, id: string): Promise<CardSideRow | null> {
  const { rows } = await sql<CardSideRow>`
    select b.name as "walletName", available.balance as "availableMinor", c.replaces_id as "replacesId",
      (select n.id from card n where n.company_id = c.company_id and n.replaces_id = c.id) as "replacedBy", c.closed_at as "closedAt", c.problem,
      c.tracking, c.expected_on::text as "expectedOn", coalesce(c.shipping_at, c.created_at) as "shippingAt", c.shipping_state as "shippingState"
    from card c
    join wallet w on w.company_id = c.company_id and w.id = c.wallet_id
    left join bank b on b.id = w.bank_id
    join ledger_account available on available.company_id = c.company_id and available.owner_id = c.wallet_id and available.kind = 'available'
    where c.company_id = company_id() and c.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

export async function readSteps(
  tx: Tx,
  id: string,
): Promise<{ step: Step; at: Date; by: string | null; note: string }[]> {
  const { rows } = await sql<{ step: Step; at: Date; by: string | null; note: string }>`
    select step, at, by_name as by, note from card_step where company_id = company_id() and card_id = ${id} order by at, id`.execute(
    tx,
  );
  return rows;
}

/** Counts of what the reader sees, whatever is filtered. */
export async function countCards(
  tx: Tx,
  holderId: string | null,
): Promise<{ active: number; frozen: number; receiptsMissing: number }> {
  const { rows } = await sql<{ active: number; frozen: number; receiptsMissing: number }>`
    select count(*) filter (where c.state = 'active' and c.frozen_by is null)::integer as active,
      count(*) filter (where c.state <> 'closed' and c.frozen_by is not null)::integer as frozen,
      coalesce(sum((select count(*) from card_purchase p where p.company_id = c.company_id and p.card_id = c.id and p.receipt_state = 'missing')), 0)::integer
        as "receiptsMissing"
    from card c where c.company_id = company_id() and ${ownCards(holderId)}`.execute(tx);
  return rows[0] ?? { active: 0, frozen: 0, receiptsMissing: 0 };
}
