import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import type { Database } from '../../../platform/database/database.ts';
import { registry } from '../../../platform/process/metrics.ts';

/** What of the queue and of proposals waits for a person, for alerts. */

const open = new Gauge({
  name: 'causeway_operator_items_open',
  help: 'Open items of the operator’s queue, by kind and whether someone has taken them',
  labelNames: ['kind', 'owned'],
  registers: [registry],
});
const proposals = new Gauge({
  name: 'causeway_operator_proposals_open',
  help: 'Proposals of operators that wait for a second person',
  registers: [registry],
});
const oldest = new Gauge({
  name: 'causeway_operator_proposals_oldest_seconds',
  help: 'Age of the oldest proposal that waits; 0 while none does',
  registers: [registry],
});

export async function gaugeQueue(database: Database): Promise<void> {
  await database.withoutCompany(async (tx) => {
    const items = await sql<{ kind: string; owned: boolean; open: number }>`
      select kind, owner_id <> '00000000-0000-0000-0000-000000000000' as owned, sum(open)::integer as open
      from operator_item_count group by 1, 2`.execute(tx);
    open.reset();
    for (const row of items.rows) open.set({ kind: row.kind, owned: String(row.owned) }, row.open);
    const { rows } = await sql<{ count: number; age: number }>`
      select count(*)::integer as count, coalesce(extract(epoch from now() - min(proposed_at)), 0)::float8 as age
      from operator_proposal where state = 'open' and expires_at > now()`.execute(tx);
    proposals.set(rows[0]?.count ?? 0);
    oldest.set(rows[0]?.age ?? 0);
  });
}
