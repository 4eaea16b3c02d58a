import { sql } from 'kysely';
import { mostCauses, type Source } from '../queue/cause.ts';

/** Requests that wait for the desk: from the company's last step until the desk's. */
const waiting: Source = {
  kind: 'otcWaiting',
  async find(tx) {
    const { rows } = await sql<{
      id: string;
      companyId: string;
      since: Date;
      asset: string;
      decimals: number;
      minor: bigint;
      sold: string;
      bought: string;
      deadline: Date;
    }>`
      select r.id, r.company_id as "companyId", r.state_at as since, a.id as asset, a.decimals, r.amount as minor, r.sell_asset as sold,
        r.buy_asset as bought, r.deadline
      from otc_request r join asset a on a.id = case r.fixed when 'sell' then r.sell_asset else r.buy_asset end
      where r.state = 'asked' and r.deadline > clock_timestamp() order by r.id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, companyId, since, asset, decimals, minor, sold, bought, deadline }) => ({
      subject: id,
      companyId,
      since,
      money: { asset, decimals, minor },
      facts: { sold, bought, until: deadline.toISOString().slice(0, 16).replace('T', ' ') },
    }));
  },
};

export const otcSources: readonly Source[] = [waiting];
