import pg from 'pg';
import { expect } from 'vitest';
import type { TestDatabase } from './database.ts';

/** A connection that tells the plans of what it runs, nested statements included. */
export interface Explained {
  client: pg.Client;
  /** From here on everything runs as the application's role, for one company, and is explained. */
  actAs(companyId: string): Promise<void>;
  /** Runs a statement and returns the plans that read a table whose name begins with `transaction`. */
  planOf(statement: string, values: unknown[]): Promise<string>;
  /** What was explained since it was last asked. */
  takePlans(): string;
}

/** Begins as the superuser, to fill tables as no role may. */
export async function explained(db: TestDatabase): Promise<Explained> {
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  await client.query('set search_path = causeway');
  let plans: string[] = [];
  client.on('notice', (notice) => plans.push(String(notice.message)));
  const takePlans = (): string => {
    const taken = plans.join('\n');
    plans = [];
    return taken;
  };
  return {
    client,
    takePlans,
    async actAs(companyId) {
      await client.query("load 'auto_explain'");
      await client.query(`set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on;
        set auto_explain.log_analyze = on; set client_min_messages = log; set role causeway_app`);
      await client.query("select set_config('causeway.company_id', $1, false)", [companyId]);
    },
    async planOf(statement, values) {
      plans = [];
      await client.query(statement, values);
      const read = plans.filter((plan) => /Scan.*transaction/s.test(plan)).join('\n');
      expect(read).not.toBe('');
      return read;
    },
  };
}

/** The most rows that any scan of a plan threw away. */
export function rowsRemoved(plan: string): number {
  return Math.max(
    0,
    ...[...plan.matchAll(/Rows Removed by (?:Filter|Index Recheck): (\d+)/g)].map(([, rows]) => Number(rows)),
  );
}
