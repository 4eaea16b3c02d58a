import { listDeskRequests } from '@causeway/contract/operator-otc.ts';
import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { defineList } from '../../../platform/database/list.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { type DeskRow, deskColumns, requestJoins } from '../../otc/index.ts';

/** Requests to the desk as the operator's console reads them, and what it writes of them; amounts in minor units. */

export const deskList = defineList(listDeskRequests, {
  from: () => sql`otc_request r`,
  where: () => sql`true`,
  filters: {
    state: (state) => sql`r.state = ${state}`,
    open: () => sql`r.state in ('asked', 'quoted')`,
    companyId: (id) => sql`r.company_id = ${id}`,
  },
  columns: () => deskColumns,
  page: { alias: 'r', joins: requestJoins },
  orders: { time: { by: sql`r.created_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`r.id`,
});

export async function findDeskRequest(tx: PlatformTx, id: string): Promise<DeskRow | null> {
  const { rows } = await sql<DeskRow>`
    select ${deskColumns} from otc_request r ${requestJoins} where r.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** What the platform holds of an asset beyond what it owes, and how much more of it the desk may take and give beside its other quotes; null: no limit. */
export interface Standing {
  exposure: bigint;
  take: bigint | null;
  give: bigint | null;
}

export async function findStanding(tx: PlatformTx, asset: string, requestId: string): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select trunc(exchange_exposure(${asset}))::numeric(78, 0) as exposure, trunc(r.take) as take, trunc(r.give) as give
    from otc_room(${asset}, ${requestId}) r`.execute(tx);
  const [row] = rows;
  invariant(row, 'every asset has its room');
  return row;
}

export interface DeskQuote {
  requestId: string;
  version: number;
  operatorId: string;
  text: string;
  quoteId: string;
  soldMinor: bigint;
  feeMinor: bigint;
  boughtMinor: bigint;
  rate: string;
  mid: string;
  spreadBasisPoints: number;
  feeBasisPoints: number;
  sellUsd: string;
  buyUsd: string;
  sources: readonly string[];
  ratedAt: Date;
  digest: string;
  minutes: number;
}

/** Why the database refuses a step of the desk. */
export type DeskProblem = 'closed' | 'changed' | 'frozen' | 'price' | 'above' | 'limit';

/** Writes a quote in place of the one that the request had. */
export async function writeQuote(
  tx: PlatformTx,
  quote: DeskQuote,
): Promise<{ problem: DeskProblem; endsAt: null } | { problem: null; endsAt: Date }> {
  const minor = (value: bigint) => sql`${value.toString()}::numeric`;
  const { rows } = await sql<{ problem: DeskProblem; endsAt: null } | { problem: null; endsAt: Date }>`
    select problem, ends_at as "endsAt" from otc_desk_quote(${quote.requestId}, ${quote.version}, ${quote.operatorId}, ${quote.text},
      ${quote.quoteId}, ${minor(quote.soldMinor)}, ${minor(quote.feeMinor)}, ${minor(quote.boughtMinor)}, ${quote.rate}::numeric,
      ${quote.mid}::numeric, ${quote.spreadBasisPoints}, ${quote.feeBasisPoints}, ${quote.sellUsd}::numeric, ${quote.buyUsd}::numeric,
      ${[...quote.sources]}::text[], ${quote.ratedAt}, decode(${quote.digest}, 'hex'), ${quote.minutes}, ${[newId(), newId()]}::uuid[])`.execute(
    tx,
  );
  const [row] = rows;
  invariant(row, 'the desk is answered');
  return row;
}

/** Declines a request, or writes to its company. */
export async function writeReply(
  tx: PlatformTx,
  reply: { requestId: string; version: number; operatorId: string; kind: 'note' | 'declined'; text: string },
): Promise<DeskProblem | null> {
  const { rows } = await sql<{ problem: DeskProblem | null }>`
    select otc_desk_reply(${reply.requestId}, ${reply.version}, ${reply.operatorId}, ${reply.kind}, ${reply.text},
      ${[newId(), newId()]}::uuid[]) as problem`.execute(tx);
  return rows[0]?.problem ?? null;
}

/** When the minimum was last changed, and by whom; null: never. */
export async function findMinimumChange(
  tx: PlatformTx,
): Promise<{ usdCents: bigint; at: Date; by: string; reason: string } | null> {
  const { rows } = await sql<{ usdCents: bigint; at: Date; by: string; reason: string }>`
    select m.usd_cents as "usdCents", m.set_at as at, o.name as by, m.reason
    from otc_minimum m join operator_account o on o.id = m.set_by order by m.number desc limit 1`.execute(tx);
  return rows[0] ?? null;
}

export async function insertMinimum(
  tx: PlatformTx,
  { usdCents, reason, setBy }: { usdCents: bigint; reason: string; setBy: string },
): Promise<void> {
  await sql`
    insert into otc_minimum (usd_cents, reason, set_by) values (${usdCents.toString()}::numeric, ${reason}, ${setBy})`.execute(
    tx,
  );
}
