import { nearLimitPercent } from '@causeway/contract/operator-exchange-rules.ts';
import { sql } from 'kysely';
import { mostCauses, type Source } from '../queue/cause.ts';

/** Causes about positions, hedges and venues. */

/** An order is asked about every few seconds; one that is unknown for so long, or whose answer could not be recorded for so long, needs a person. */
const unknownMinutes = 3;
/** By then a conversion is settled or overdue, and everything else has long been cancelled. */
const openHours = 24;
const failingMinutes = 3;
/** One refusal in a row may be chance. */
const refusalsInARow = 2;

const unknown: Source = {
  kind: 'hedgeUnknown',
  async find(tx) {
    const { rows } = await sql<{
      id: string;
      venue: string;
      asset: string;
      side: string;
      quantity: string;
      since: Date;
    }>`
      select id, venue_id as venue, asset_id as asset, side, trim_scale(quantity)::text as quantity, sent_at as since from hedge_order
      where ended_at is null and (opened_at < now() - make_interval(hours => ${openHours})
        or case when state = 'open' then coalesce(asked_at, opened_at) else sent_at end < now() - make_interval(mins => ${unknownMinutes}))
      order by id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, since, venue, side, quantity, asset }) => ({
      subject: id,
      companyId: null,
      since,
      money: null,
      facts: { venue, asset, side, quantity: `${quantity} ${asset}` },
    }));
  },
};

const refused: Source = {
  kind: 'hedgeRefused',
  async find(tx) {
    const { rows } = await sql<{ asset: string; venue: string; count: number; since: Date; error: string | null }>`
      select a.id as asset, f.venue, f.count, f.since, f.error from asset a
      cross join lateral (
        select count(*)::integer as count, min(o.ended_at) as since, (array_agg(o.reason order by o.created_at desc))[1] as error,
          (array_agg(o.venue_id order by o.created_at desc))[1] as venue
        from hedge_order o where o.asset_id = a.id and o.state in ('refused', 'notPlaced')
          and o.created_at > coalesce((select max(d.created_at) from hedge_order d where d.asset_id = a.id and d.state = 'done'), '-infinity')
      ) f
      where f.count >= ${refusalsInARow} order by a.id`.execute(tx);
    return rows.map(({ asset, venue, count, since, error }) => ({
      subject: asset,
      companyId: null,
      since,
      money: null,
      facts: { venue, asset, attempts: String(count), ...(error !== null && { error }) },
    }));
  },
};

const nearLimit: Source = {
  kind: 'positionNearLimit',
  async find(tx) {
    const { rows } = await sql<{ asset: string; decimals: number; minor: bigint; limit: string; since: Date }>`
      select a.id as asset, a.decimals, trunc(abs(e.minor))::numeric(78, 0) as minor, trim_scale(m.most / power(10::numeric, a.decimals))::text as limit,
        coalesce(p.updated_at, now()) as since
      from asset a
      cross join lateral (select exchange_exposure(a.id) as minor) e
      cross join lateral (select most_long, most_short from exchange_limit where asset_id = a.id order by number desc limit 1) l
      cross join lateral (select case when e.minor < 0 then l.most_short else l.most_long end as most) m
      left join exchange_position p on p.asset_id = a.id
      where e.minor <> 0 and m.most is not null and abs(e.minor) * 100 >= m.most * ${nearLimitPercent} order by a.id`.execute(
      tx,
    );
    return rows.map(({ asset, decimals, minor, limit, since }) => ({
      subject: asset,
      companyId: null,
      since,
      money: { asset, decimals, minor },
      facts: { limit: `${limit} ${asset}` },
    }));
  },
};

const failing: Source = {
  kind: 'venueFailing',
  async find(tx) {
    const { rows } = await sql<{ venue: string; since: Date; error: string | null }>`
      select id as venue, failing_since as since, problem as error from exchange_venue
      where failing_since < now() - make_interval(mins => ${failingMinutes}) and pairs <> '[]' order by id`.execute(tx);
    return rows.map(({ venue, since, error }) => ({
      subject: venue,
      companyId: null,
      since,
      money: null,
      facts: { venue, ...(error !== null && { error }) },
    }));
  },
};

const balanceLow: Source = {
  kind: 'venueBalanceLow',
  async find(tx) {
    const { rows } = await sql<{ venue: string; asset: string; balance: string; limit: string; since: Date }>`
      select v.id as venue, low.key as asset, coalesce(v.balances ->> low.key, '0') as balance, low.value as limit, v.balances_at as since
      from exchange_venue v cross join lateral jsonb_each_text(v.low_balances) low
      where v.pairs <> '[]' and v.balances_at is not null and coalesce(v.balances ->> low.key, '0')::numeric < low.value::numeric
      order by v.id, low.key`.execute(tx);
    return rows.map(({ venue, asset, balance, limit, since }) => ({
      subject: `${venue} ${asset}`,
      companyId: null,
      since,
      money: null,
      facts: { venue, balance: `${balance} ${asset}`, limit: `${limit} ${asset}` },
    }));
  },
};

export const exchangeSources: readonly Source[] = [unknown, refused, nearLimit, failing, balanceLow];
