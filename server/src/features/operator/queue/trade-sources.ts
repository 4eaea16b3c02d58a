import { sql } from 'kysely';
import { mostCauses, type Source } from './cause.ts';

/** Causes about guaranteed trades (docs/adr/0101-…). */

/** A platform that is away for less than this needs no person. */
const untoldAfterMinutes = 5;

interface TradeCause {
  id: string;
  companyId: string;
  since: Date;
  asset: string;
  decimals: number;
  minor: bigint;
  number: string;
}

/** What a company confirmed and the platform does not accept: of each trade, from its first such message on. */
const untold: Source = {
  kind: 'tradeUntold',
  async find(tx) {
    const { rows } = await sql<TradeCause & { message: string; attempts: number; error: string | null }>`
      select m.trade_id as id, m.company_id as "companyId", m.created_at as since, t.asset_id as asset, a.decimals, t.quantity as minor,
        t.number, m.type as message, m.attempts, m.problem as error
      from trade_message m
      join trade t on t.company_id = m.company_id and t.id = m.trade_id
      join asset a on a.id = t.asset_id
      where m.delivered_at is null and m.created_at < clock_timestamp() - make_interval(mins => ${untoldAfterMinutes})
        and not exists (select from trade_message e
          where e.company_id = m.company_id and e.trade_id = m.trade_id and e.number < m.number and e.delivered_at is null)
      order by m.id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, companyId, since, number, message, attempts, error, ...money }) => ({
      subject: `${companyId}/${id}`,
      companyId,
      since,
      money,
      facts: { trade: number, event: message, attempts: String(attempts), ...(error === null ? {} : { error }) },
    }));
  },
};

/** What the platform last said contradicts what the company confirmed; until an event says otherwise or the trade is over. */
const contradicted: Source = {
  kind: 'tradeContradicted',
  async find(tx) {
    const { rows } = await sql<TradeCause & { fields: string[]; version: string }>`
      select t.id, t.company_id as "companyId", (t.contradiction ->> 'at')::timestamptz as since, t.asset_id as asset, a.decimals,
        t.quantity as minor, t.number, t.contradiction -> 'fields' as fields, t.contradiction ->> 'version' as version
      from trade t join asset a on a.id = t.asset_id
      where t.contradiction is not null and (t.frozen > 0 or (t.state = 'open' and t.status in ('created', 'in_progress')))
      order by t.company_id, t.id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, companyId, since, number, fields, version, ...money }) => ({
      subject: `${companyId}/${id}`,
      companyId,
      since,
      money,
      facts: { trade: number, changes: fields.join(', '), version },
    }));
  },
};

/** Money is frozen, and the one whose turn it is let the deadline of the platform pass. */
const overdue: Source = {
  kind: 'tradeOverdue',
  async find(tx) {
    const { rows } = await sql<TradeCause & { phase: string }>`
      select t.id, t.company_id as "companyId", t.act_by as since, t.asset_id as asset, a.decimals, t.frozen as minor, t.number, t.phase
      from trade t join asset a on a.id = t.asset_id
      where t.act_by < clock_timestamp() and t.frozen > 0
      order by t.company_id, t.id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, companyId, since, number, phase, ...money }) => ({
      subject: `${companyId}/${id}`,
      companyId,
      since,
      money,
      facts: { trade: number, phase, until: since.toISOString().slice(0, 16).replace('T', ' ') },
    }));
  },
};

/**
 * More was paid to the seller than the trade is worth, less what was refunded: a payment that had come to nothing was made after all, when it had been made
 * again (docs/adr/0107-…). Payments that wait for approval or their turn are not counted.
 */
const overpaid: Source = {
  kind: 'tradeOverpaid',
  async find(tx) {
    const { rows } = await sql<TradeCause>`
      select t.id, t.company_id as "companyId", p.since, t.asset_id as asset, a.decimals, p.paid + t.refunded - t.quantity as minor, t.number
      from trade t join asset a on a.id = t.asset_id
      join lateral (
        select sum(r.amount) as paid, max(o.stage_at) as since
        from trade_release r join transaction o on o.company_id = r.company_id and o.id = r.transaction_id
        where r.company_id = t.company_id and r.trade_id = t.id and o.status <> 'failed'
          and o.stage not in ('submitted', 'waiting_approval', 'approved')
      ) p on p.paid + t.refunded > t.quantity
      where t.side = 'buyer' and exists (select from trade_line l
        where l.company_id = t.company_id and l.trade_id = t.id and l.step = 'release_paid')
        and not exists (select from operator_item i where i.kind = 'tradeOverpaid' and i.subject = t.company_id::text || '/' || t.id::text
          and i.state = 'resolved' and i.resolved_by is not null)
      order by t.company_id, t.id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, companyId, since, number, ...money }) => ({
      subject: `${companyId}/${id}`,
      companyId,
      since,
      money,
      facts: { trade: number },
    }));
  },
};

export const tradeSources: readonly Source[] = [untold, contradicted, overdue, overpaid];
