import { listOperatorTrades } from '@causeway/contract/operator-trades.ts';
import type { TradeTrouble, tradeEventOutcomes } from '@causeway/contract/operator-trades-rules.ts';
import type { TradeMessage } from '@causeway/contract/trades-rules.ts';
import type { Stage, TransactionStatus } from '@causeway/contract/transactions-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { contains, defineList } from '../../../platform/database/list.ts';
import {
  type LineRow,
  lineColumns,
  shownState,
  type TradeFlat,
  tradeColumns,
  tradeJoinsAnywhere,
} from '../../trades/index.ts';

/** Trades of all companies as the operator's console reads them; amounts in minor units. */

/** The same causes as of the queue's items. */
const troubles: Record<TradeTrouble, RawBuilder<unknown>> = {
  overdue: sql`(t.act_by < clock_timestamp() and t.frozen > 0)`,
  contradicted: sql`(t.contradiction is not null and ${shownState} not in ('success', 'cancelled'))`,
  undelivered: sql`exists (select from trade_message m
    where m.company_id = t.company_id and m.trade_id = t.id and m.delivered_at is null and m.attempts > 0)`,
};

export type OperatorTradeRow = TradeFlat & { companyId: string; companyName: string } & Record<TradeTrouble, boolean>;

const columns: RawBuilder<OperatorTradeRow> = sql`${tradeColumns}, t.company_id as "companyId", company.name as "companyName",
  ${troubles.overdue} as overdue, ${troubles.contradicted} as contradicted, ${troubles.undelivered} as undelivered`;
const joins = sql`${tradeJoinsAnywhere} join company on company.company_id = t.company_id`;

export const operatorTradeList = defineList(listOperatorTrades, {
  from: () => joins,
  where: () => sql`true`,
  filters: {
    companyId: (id) => sql`t.company_id = ${id}`,
    state: (state) => sql`${shownState} = ${state}`,
    trouble: (trouble) => troubles[trouble],
    asset: (asset) => sql`t.asset_id = ${asset}`,
    search: (words) =>
      contains(
        sql`concat_ws(' ', t.number, t.bill_of_lading, t.payer_name, t.payee_name, t.payer_wallet, t.payee_wallet, sums.hash)`,
        words,
      ),
  },
  columns: () => columns,
  orders: { time: { by: sql`t.updated_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  // Both copies of a trade have its id.
  id: sql`md5(t.company_id::text || t.id::text)::uuid`,
});

/** What is frozen now, by asset; of one company where one is named. */
export async function sumFrozen(
  tx: PlatformTx,
  companyId: string | undefined,
): Promise<{ asset: string; decimals: number; minor: bigint; trades: number }[]> {
  const { rows } = await sql<{ asset: string; decimals: number; minor: bigint; trades: number }>`
    select t.asset_id as asset, a.decimals, sum(t.frozen) as minor, count(*) as trades
    from trade t join asset a on a.id = t.asset_id
    where t.frozen > 0 and ${companyId === undefined ? sql`true` : sql`t.company_id = ${companyId}`}
    group by 1, 2 order by 1`.execute(tx);
  return rows;
}

/** Names a company's copy of a trade. */
export interface Copy {
  companyId: string;
  id: string;
}

export async function findTrade(tx: PlatformTx, { companyId, id }: Copy): Promise<OperatorTradeRow | null> {
  const { rows } = await sql<OperatorTradeRow>`
    select ${columns} from ${joins} where t.company_id = ${companyId} and t.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

export async function findLines(tx: PlatformTx, { companyId, id }: Copy): Promise<LineRow[]> {
  const { rows } = await sql<LineRow>`
    select ${lineColumns} from trade_line where company_id = ${companyId} and trade_id = ${id} order by at, id`.execute(
    tx,
  );
  return rows;
}

export interface PaymentRow {
  transactionId: string;
  milestoneId: string | null;
  amountMinor: bigint;
  status: TransactionStatus;
  stage: Stage;
  at: Date;
}

export async function findPayments(tx: PlatformTx, { companyId, id }: Copy): Promise<PaymentRow[]> {
  const { rows } = await sql<PaymentRow>`
    select r.transaction_id as "transactionId", r.milestone_id as "milestoneId", r.amount as "amountMinor", p.status, p.stage, r.at
    from trade_release r join transaction p on p.company_id = r.company_id and p.id = r.transaction_id
    where r.company_id = ${companyId} and r.trade_id = ${id} order by r.at, r.transaction_id`.execute(tx);
  return rows;
}

export interface EventRow {
  version: number;
  messageId: string;
  outcome: (typeof tradeEventOutcomes)[number];
  receivedAt: Date;
  body: string;
}

export async function findEvents(tx: PlatformTx, { companyId, id }: Copy): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select version, message_id as "messageId", outcome, received_at as "receivedAt", body
    from trade_event where company_id = ${companyId} and trade_id = ${id} order by version`.execute(tx);
  return rows;
}

export interface MessageRow {
  id: string;
  number: number;
  type: TradeMessage;
  at: Date;
  attempts: number;
  problem: string | null;
  nextAt: Date | null;
  deliveredAt: Date | null;
  body: string;
}

export async function findMessages(tx: PlatformTx, { companyId, id }: Copy): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select id, number, type, created_at as at, attempts, problem, next_at as "nextAt", delivered_at as "deliveredAt", body
    from trade_message where company_id = ${companyId} and trade_id = ${id} order by number`.execute(tx);
  return rows;
}
