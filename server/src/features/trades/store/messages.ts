import type { TradeMessage } from '@causeway/contract/trades-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';

/** What goes back to the platform: written with what it confirms, and delivered by workers, of each trade one after another. */

/** Writes a message behind the trade's earlier ones; the trade is locked. */
export async function addMessage(
  tx: Tx,
  tradeId: string,
  type: TradeMessage,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const id = newId();
  const { rows } = await sql<{ number: number; at: Date }>`
    select coalesce(max(number), 0) + 1 as number, now() as at from trade_message
    where company_id = company_id() and trade_id = ${tradeId}`.execute(tx);
  const { number = 1, at = new Date(0) } = rows[0] ?? {};
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data: { tradeId, number, ...data } });
  await sql`
    insert into trade_message (company_id, id, trade_id, number, type, body)
    values (company_id(), ${id}, ${tradeId}, ${number}, ${type}, ${body})`.execute(tx);
}

export interface MessageRow {
  type: TradeMessage;
  at: Date;
  deliveredAt: Date | null;
  attempts: number;
  problem: string | null;
}

export async function readMessages(tx: Tx, tradeId: string): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select type, created_at as at, delivered_at as "deliveredAt", attempts, problem from trade_message
    where company_id = company_id() and trade_id = ${tradeId} order by number`.execute(tx);
  return rows;
}

/** Messages that no platform has accepted, counted up to 10,000, and how many seconds the oldest of them waits. */
export async function readUndelivered(tx: PlatformTx): Promise<{ waiting: number; age: number }> {
  const { rows } = await sql<{ waiting: number; age: number }>`
    select count(*) as waiting, coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as age
    from (select created_at from trade_message where delivered_at is null order by created_at limit 10000) m`.execute(
    tx,
  );
  return rows[0] ?? { waiting: 0, age: 0 };
}

/** Longer than an attempt can take: a message whose worker was killed is sent again after it. */
const leaseMs = 60_000;

export interface Claimed {
  companyId: string;
  id: string;
  body: string;
  attempts: number;
}

/** Takes messages that are due, of whatever company: of each trade the first that is not delivered, and no other. */
export async function claimMessages(
  tx: PlatformTx,
  { leaseId, now, most }: { leaseId: string; now: Date; most: number },
): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with picked as (
      select m.company_id, m.id from trade_message m
      where m.delivered_at is null and m.next_at <= ${now} and (m.lease_until is null or m.lease_until <= ${now})
        and not exists (select from trade_message e
          where e.company_id = m.company_id and e.trade_id = m.trade_id and e.number < m.number and e.delivered_at is null)
      order by m.next_at limit ${most} for update skip locked
    )
    update trade_message m set lease_id = ${leaseId}, lease_until = ${new Date(now.getTime() + leaseMs)}
    from picked where m.company_id = picked.company_id and m.id = picked.id
    returning m.company_id as "companyId", m.id, m.body, m.attempts`.execute(tx);
  return rows;
}

/** Writes down an attempt. An acceptance always counts; a failure leaves alone what another worker has taken since. */
export async function endAttempt(
  tx: Tx,
  id: string,
  { leaseId, problem, at, nextAt }: { leaseId: string; problem: string | null; at: Date; nextAt: Date },
): Promise<void> {
  if (problem === null) {
    await sql`
      update trade_message set attempts = attempts + 1, delivered_at = ${at}, next_at = null, problem = null, lease_id = null, lease_until = null
      where company_id = company_id() and id = ${id} and delivered_at is null`.execute(tx);
    return;
  }
  await sql`
    update trade_message set attempts = attempts + 1, next_at = ${nextAt}, problem = ${problem}, lease_id = null, lease_until = null
    where company_id = company_id() and id = ${id} and delivered_at is null and lease_id = ${leaseId}`.execute(tx);
}

/** Ends the pause before a message's next attempt; one that was delivered, or is being sent, is left alone. */
export async function sendNow(tx: Tx, id: string): Promise<void> {
  await sql`
    update trade_message set next_at = clock_timestamp()
    where company_id = company_id() and id = ${id} and delivered_at is null and lease_id is null`.execute(tx);
}
