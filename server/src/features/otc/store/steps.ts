import type { ExchangeSide } from '@causeway/contract/exchange-rules.ts';
import type { OtcState } from '@causeway/contract/otc-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';

/** What a company and the worker write of requests: each step with its message. Amounts in minor units. */

export interface NewRequest {
  id: string;
  key: string;
  memberId: string;
  memberName: string;
  sellWalletId: string;
  buyWalletId: string;
  sellAsset: string;
  buyAsset: string;
  fixed: ExchangeSide;
  amountMinor: bigint;
  usdCents: bigint;
  deadline: Date;
  note: string;
}

/** How many requests of the company are open; of two that are asked together, the later one counts the other. */
export async function countOpen(tx: Tx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('otc.open ' || company_id(), 0))`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    select count(*) from otc_request where company_id = company_id() and state in ('asked', 'quoted')`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** @returns false where the client's key is taken */
export async function insertRequest(tx: Tx, request: NewRequest): Promise<boolean> {
  const { rows } = await sql`
    insert into otc_request (company_id, id, key, member_id, member_name, sell_wallet_id, buy_wallet_id, sell_asset, buy_asset, fixed, amount,
      usd_cents, deadline)
    values (company_id(), ${request.id}, ${request.key}, ${request.memberId}, ${request.memberName}, ${request.sellWalletId}, ${request.buyWalletId},
      ${request.sellAsset}, ${request.buyAsset}, ${request.fixed}, ${request.amountMinor.toString()}::numeric,
      ${request.usdCents.toString()}::numeric, ${request.deadline})
    on conflict (company_id, key) do nothing returning 1`.execute(tx);
  if (rows.length === 0) return false;
  const { memberId: authorId, memberName: authorName } = request;
  await insertMessage(tx, request.id, 1, { kind: 'asked', text: request.note, authorId, authorName });
  return true;
}

export interface LockedRequest {
  id: string;
  state: OtcState;
  version: number;
  memberId: string;
  sellWalletId: string;
  buyWalletId: string;
  fixed: ExchangeSide;
}

/** Locks a request, its open quote first, as an exchange at it does. Null: the company has none of this id. */
export async function lockRequest(tx: Tx, id: string): Promise<LockedRequest | null> {
  await sql`
    select from exchange_quote where company_id = company_id() and otc_request_id = ${id} and used_by is null for update`.execute(
    tx,
  );
  const { rows } = await sql<LockedRequest>`
    select id, state, version, member_id as "memberId", sell_wallet_id as "sellWalletId", buy_wallet_id as "buyWalletId", fixed
    from otc_request where company_id = company_id() and id = ${id} for update`.execute(tx);
  return rows[0] ?? null;
}

interface Step {
  kind: 'asked' | 'note' | 'countered' | 'withdrawn' | 'lapsed';
  text: string;
  /** Null: the system. */
  authorId: string | null;
  authorName: string;
  rate?: string | null;
  wantedMinor?: bigint | null;
}

/** Takes a locked request one step on. A counter and an end take its open quote with them. @returns its new version */
export async function takeStep(
  tx: Tx,
  { id, version }: Pick<LockedRequest, 'id' | 'version'>,
  state: OtcState | 'same',
  step: Step,
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    update otc_request set version = version + 1, state = ${state === 'same' ? sql`state` : state},
      quote_id = ${state === 'same' ? sql`quote_id` : null}
    where company_id = company_id() and id = ${id} and version = ${version} returning version`.execute(tx);
  const [row] = rows;
  invariant(row, `request ${id} is locked`);
  await insertMessage(tx, id, row.version, step);
  return row.version;
}

async function insertMessage(tx: Tx, requestId: string, seq: number, step: Step): Promise<void> {
  const { kind, text, authorId, authorName, rate = null, wantedMinor = null } = step;
  await sql`
    insert into otc_message (company_id, request_id, seq, side, author_id, author_name, kind, text, rate, wanted)
    values (company_id(), ${requestId}, ${seq}, ${authorId === null ? 'system' : 'company'}, ${authorId}, ${authorName}, ${kind}, ${text},
      ${rate}::numeric, ${wantedMinor?.toString() ?? null}::numeric)`.execute(tx);
}

/** Open requests whose deadline has passed and whose quote, if there is one, has run out; of all companies. */
export async function findLapsing(tx: PlatformTx, most: number): Promise<{ companyId: string; id: string }[]> {
  const { rows } = await sql<{ companyId: string; id: string }>`
    select r.company_id as "companyId", r.id from otc_request r
    left join exchange_quote q on q.company_id = r.company_id and q.id = r.quote_id
    where r.state in ('asked', 'quoted') and r.deadline <= clock_timestamp() and (q.id is null or q.expires_at <= clock_timestamp())
    order by r.deadline limit ${most}`.execute(tx);
  return rows;
}

/** Whether a locked request lapses now. */
export async function isLapsing(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from otc_request r left join exchange_quote q on q.company_id = r.company_id and q.id = r.quote_id
    where r.company_id = company_id() and r.id = ${id} and r.state in ('asked', 'quoted') and r.deadline <= clock_timestamp()
      and (q.id is null or q.expires_at <= clock_timestamp())`.execute(tx);
  return rows.length > 0;
}
