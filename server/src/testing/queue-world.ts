import type { Query } from '@causeway/contract/call.ts';
import type { listQueue } from '@causeway/contract/operator-queue.ts';
import type { OperatorRole } from '@causeway/contract/operator-rules.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { nilCompany } from '../features/identity/index.ts';
import { list } from '../features/operator/queue/service.ts';
import { keepPrices } from '../features/rates/index.ts';
import type { Tx } from '../platform/database/database.ts';
import type { OperatorContext } from '../platform/session.ts';
import { openTestCompany, type TestCompany } from './company.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { signedInOperator } from './operators.ts';

/** A database with one company, whose USDT has a price, and the operator's queue. */
export interface QueueWorld {
  db: TestDatabase;
  /** May do what no role may. */
  superuser: pg.Client;
  company: TestCompany;
  operator(role: OperatorRole, state?: 'disabled'): Promise<OperatorContext>;
  /** As the role of the operator's process, under the nil company, as a route does. */
  asConsole<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A page of the queue, as this operator or a viewer reads it. */
  items(query?: Query<typeof listQueue>, reader?: OperatorContext): ReturnType<typeof list>;
  /** Removes every item. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

export async function queueWorld(): Promise<QueueWorld> {
  const db = await testDatabase();
  const superuser = new pg.Client({ connectionString: db.superuserUrl });
  await superuser.connect();
  await superuser.query('set search_path = causeway');
  const company = await openTestCompany(db);
  await db.app.withCompany(company.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Far Voyage')`.execute(tx),
  );
  await db.worker.withoutCompany((tx) =>
    keepPrices(tx, [{ asset: 'USDT', usd: '1', source: 'test', updatedAt: new Date() }]),
  );
  // A worker reports in the background.
  await superuser.query("insert into component_state (name, state) values ('relay', 'ok')");
  const operator: QueueWorld['operator'] = (role, state) => signedInOperator(db, role, state);
  const asConsole: QueueWorld['asConsole'] = (work) => db.console.withCompany(nilCompany, work);
  return {
    db,
    superuser,
    company,
    operator,
    asConsole,
    async items(query = {}, reader) {
      const context = reader ?? (await operator('viewer'));
      return asConsole((tx) => list(tx, context, query));
    },
    async empty() {
      await superuser.query('alter table operator_item_event disable trigger append_only');
      await superuser.query('truncate operator_item, operator_item_event, operator_item_count');
      await superuser.query('alter table operator_item_event enable trigger append_only');
    },
    async close() {
      await superuser.end();
      await db.close();
    },
  };
}
