import { sql } from 'kysely';
import type { Database, PlatformTx } from '../../../platform/database/database.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';

/**
 * Puts executed exchanges into the platform's position (docs/adr/0083-…). What is to be booked is a row of `exchange_due`, written by the commit that
 * executes an exchange; limits count it from then on, so that booking later changes nothing but where it is summed.
 */

const everyMs = 1000;
const pageSize = 500;

/** Books until stopped; of several workers, one. */
export function startPositionBooking(database: Database, log: Log): Loop {
  return startLoop({
    name: 'exchange.book',
    everyMs,
    log,
    alone: { database, lock: 'exchange.book' },
    async step(signal) {
      while (!signal.aborted && (await bookOnce(database)) === pageSize);
    },
  });
}

/** Books one page of what is due; returns how many exchanges. */
export function bookOnce(database: Database): Promise<number> {
  return database.withoutCompany(book);
}

/** Each exchange is taken off `exchange_due` in the statement that writes its two entries; a second pair is a unique violation. */
async function book(tx: PlatformTx): Promise<number> {
  const { rows } = await sql<{ booked: number }>`
    with due as (
      select company_id, exchange_id from exchange_due order by created_at, company_id, exchange_id
      limit ${pageSize} for update skip locked
    ),
    trade as (
      select e.*, q.sell_usd / power(10::numeric, s.decimals) as sell_usd_minor, q.buy_usd / power(10::numeric, b.decimals) as buy_usd_minor
      from due d
      join exchange e on e.company_id = d.company_id and e.transaction_id = d.exchange_id
      join exchange_quote q on q.company_id = e.company_id and q.id = e.executed_quote_id
      join asset s on s.id = e.sell_asset
      join asset b on b.id = e.buy_asset
    ),
    entries as (
      insert into position_entry (source, source_id, side, asset_id, company_id, amount, usd, fee, fee_usd, at)
      select 'exchange', transaction_id, 'taken', sell_asset, company_id, executed_sold, executed_sold * sell_usd_minor, executed_fee,
        executed_fee * sell_usd_minor, executed_at from trade
      union all
      select 'exchange', transaction_id, 'given', buy_asset, company_id, -executed_bought, -executed_bought * buy_usd_minor, 0, 0, executed_at
      from trade
    ),
    gone as (
      delete from exchange_due d using trade t where d.company_id = t.company_id and d.exchange_id = t.transaction_id returning 1
    )
    select count(*) as booked from gone`.execute(tx);
  return rows[0]?.booked ?? 0;
}
