import type { RateDirection } from '@causeway/contract/rates-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';

/** A member's alert of a rate: in units of `buy` for one of `sell`. */
export interface RateAlertRow {
  id: string;
  userId: string;
  sell: string;
  buy: string;
  direction: RateDirection;
  value: string;
  createdAt: Date;
  firedAt: Date | null;
  firedRate: string | null;
}

const columns = sql`id, user_id as "userId", sell_asset as sell, buy_asset as buy, direction, value::text, created_at as "createdAt",
  fired_at as "firedAt", fired_rate::text as "firedRate"`;

/** A done alert is shown for so long. */
const shownForDays = 30;

/** The member's own, open ones first, then the newest. */
export async function findRateAlerts(tx: Tx, userId: string): Promise<RateAlertRow[]> {
  const { rows } = await sql<RateAlertRow>`
    select ${columns} from rate_alert
    where company_id = company_id() and user_id = ${userId}
      and (fired_at is null or fired_at > now() - make_interval(days => ${shownForDays}))
    order by fired_at is not null, coalesce(fired_at, created_at) desc, id`.execute(tx);
  return rows;
}

/** Adds one where the member has fewer than `most` open ones, whatever they add at the same time; false where not. Forgets old ones that are done. */
export async function insertRateAlert(
  tx: Tx,
  { id, userId, sell, buy, direction, value, createdAt }: Omit<RateAlertRow, 'firedAt' | 'firedRate'>,
  most: number,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('rate alerts ' || ${userId}, 0))`.execute(tx);
  await sql`delete from rate_alert where company_id = company_id() and user_id = ${userId}
    and fired_at < now() - make_interval(days => ${shownForDays})`.execute(tx);
  const { numAffectedRows } = await sql`
    insert into rate_alert (company_id, id, user_id, sell_asset, buy_asset, direction, value, created_at)
    select company_id(), ${id}, ${userId}, ${sell}, ${buy}, ${direction}, ${value}, ${createdAt}
    where (select count(*) from rate_alert where company_id = company_id() and user_id = ${userId} and fired_at is null) < ${most}`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

/** Removes one of the member's own; null where there is none. */
export async function deleteRateAlert(tx: Tx, userId: string, id: string): Promise<RateAlertRow | null> {
  const { rows } = await sql<RateAlertRow>`
    delete from rate_alert where company_id = company_id() and user_id = ${userId} and id = ${id} returning ${columns}`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** Companies with alerts that are watched, in the order of their ids. */
export async function findCompaniesWatching(tx: PlatformTx, after: string | null, most: number): Promise<string[]> {
  const { rows } = await sql<{ companyId: string }>`
    select distinct company_id as "companyId" from rate_alert
    where fired_at is null and (${after}::uuid is null or company_id > ${after}) order by company_id limit ${most}`.execute(
    tx,
  );
  return rows.map(({ companyId }) => companyId);
}

/** The company's watched alerts; another worker that looks at them at the same time goes past them. */
export async function takeWatched(tx: Tx): Promise<RateAlertRow[]> {
  const { rows } = await sql<RateAlertRow>`
    select ${columns} from rate_alert where company_id = company_id() and fired_at is null order by id for update skip locked`.execute(
    tx,
  );
  return rows;
}

export async function markFired(tx: Tx, id: string, rate: string): Promise<void> {
  await sql`update rate_alert set fired_at = now(), fired_rate = ${rate} where company_id = company_id() and id = ${id}`.execute(
    tx,
  );
}
