import pg from 'pg';
import type { TestDatabase } from './database.ts';

/** Foreign keys that the schema names and that functions and statements keep, in place of PostgreSQL (NOT ENFORCED). */

export interface KeptKey {
  name: string;
  /** Of which a row names one of the other's. */
  table: string;
  columns: string[];
  referred: string;
  referredColumns: string[];
}

const columnsOf = (table: string, numbers: string) =>
  `(select array_agg(a.attname::text order by n.place) from unnest(${numbers}) with ordinality as n (number, place)
    join pg_attribute a on a.attrelid = ${table} and a.attnum = n.number)`;

export async function keptKeys(client: pg.Client): Promise<KeptKey[]> {
  const { rows } = await client.query<KeptKey>(`
    select c.conname as name, t.relname as "table", ${columnsOf('c.conrelid', 'c.conkey')} as columns,
      r.relname as referred, ${columnsOf('c.confrelid', 'c.confkey')} as "referredColumns"
    from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class r on r.oid = c.confrelid
    where c.contype = 'f' and not c.conenforced and t.relnamespace = 'causeway'::regnamespace order by 2, 1`);
  return rows;
}

/** Rows whose key names nothing, as `key count`: what PostgreSQL would have refused. */
export async function orphans(db: Pick<TestDatabase, 'superuserUrl'>): Promise<string[]> {
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  try {
    const found: string[] = [];
    for (const { name, table, columns, referred, referredColumns } of await keptKeys(client)) {
      const given = columns.map((column) => `o."${column}" is not null`).join(' and ');
      const same = columns.map((column, place) => `r."${referredColumns[place]}" = o."${column}"`).join(' and ');
      const { rows } = await client.query<{ count: string }>(
        `select count(*) from causeway."${table}" o where ${given} and not exists (select from causeway."${referred}" r where ${same})`,
      );
      if (rows[0]?.count !== '0') found.push(`${name} ${rows[0]?.count}`);
    }
    return found;
  } finally {
    await client.end();
  }
}
