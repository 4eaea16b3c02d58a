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

export const tradeSources: readonly Source[] = [untold, contradicted, overdue];
