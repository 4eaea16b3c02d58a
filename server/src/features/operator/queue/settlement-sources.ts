import { sql } from 'kysely';
import { treasuryOwner } from '../../chains/index.ts';
import { mostCauses, type Source } from './cause.ts';

/** Causes about the settlement of exchanged coins (docs/adr/0081-…). */

/** Payments of companies wait meanwhile: what is missing is what all settlements that wait come to, less what is there. */
const short: Source = {
  kind: 'treasuryShort',
  async find(tx) {
    const { rows } = await sql<{
      chain: string;
      asset: string;
      decimals: number;
      minor: bigint;
      address: string;
      payments: number;
      since: Date;
    }>`
      select s.chain_id as chain, s.coin as asset, a.decimals, greatest(s.needed - s.free, 0) as minor, o.address, s.since,
        (select count(*)::integer from settlement_wait x join transaction t on t.company_id = x.company_id and t.id = x.transaction_id
          where t.chain_id = s.chain_id and t.coin = s.coin and t.status = 'pending' and x.cause = 'exchanged') as payments
      from treasury_short s join asset a on a.id = s.coin
      join chain_address o on o.chain_id = s.chain_id and o.company_id = ${treasuryOwner}::uuid
      order by 1, 2 limit ${mostCauses}`.execute(tx);
    return rows.map(({ chain, asset, decimals, minor, address, payments, since }) => ({
      subject: `${chain}:${asset}`,
      companyId: null,
      since,
      money: { asset, decimals, minor },
      facts: { chain, address, payments: String(payments) },
    }));
  },
};

/** The signer's own bound on what leaves the treasury in a day: settlements beyond it wait. */
const capped: Source = {
  kind: 'treasuryCapped',
  async find(tx) {
    const { rows } = await sql<{
      chain: string;
      asset: string;
      decimals: number;
      minor: bigint;
      since: Date;
    }>`
      select s.chain_id as chain, s.coin as asset, a.decimals, sum(s.amount) as minor, min(k.since) as since
      from settlement_capped k
      join settlement s on s.company_id = k.company_id and s.id = k.settlement_id
      join transaction t on t.company_id = s.company_id and t.id = s.id and t.status = 'pending'
      join asset a on a.id = s.coin
      where not exists (select from chain_send c where c.company_id = s.company_id and c.payment_id = s.id and c.raw is not null)
      group by 1, 2, 3 order by 1, 2 limit ${mostCauses}`.execute(tx);
    return rows.map(({ chain, asset, decimals, minor, since }) => ({
      subject: `${chain}:${asset}`,
      companyId: null,
      since,
      money: { asset, decimals, minor },
      facts: { chain },
    }));
  },
};

/** The legs of one that has failed are settled by nothing else: two books have to be looked at. */
const failed: Source = {
  kind: 'settlementFailed',
  async find(tx) {
    const { rows } = await sql<{
      id: string;
      companyId: string;
      chain: string;
      asset: string;
      decimals: number;
      minor: bigint;
      hash: string | null;
      since: Date;
    }>`
      select t.id, t.company_id as "companyId", t.chain_id as chain, t.coin as asset, a.decimals, t.quantity as minor, x.hash,
        t.stage_at as since
      from transaction t join asset a on a.id = t.coin
      left join transaction_chain x on x.company_id = t.company_id and x.transaction_id = t.id
      where t.type in ('fx_settlement_in', 'fx_settlement_out') and t.status = 'failed'
        and not exists (select from operator_item i where i.kind = 'settlementFailed' and i.subject = t.id::text
          and i.state = 'resolved' and i.resolved_by is not null)
      order by t.id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, companyId, chain, asset, decimals, minor, hash, since }) => ({
      subject: id,
      companyId,
      since,
      money: { asset, decimals, minor },
      facts: { chain, ...(hash === null ? {} : { hash }) },
    }));
  },
};

export const settlementSources: readonly Source[] = [short, capped, failed];
