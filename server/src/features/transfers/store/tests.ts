import type { Stage, TransactionStatus } from '@causeway/contract/transactions-rules.ts';
import { sql } from 'kysely';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';

/** A test transfer as the transfer of its rest looks at it. */
export interface TestRow {
  walletId: string;
  payeeId: string;
  stage: Stage;
  amountMinor: bigint;
  /** A transfer of its rest is on its way, or has arrived. */
  restSent: boolean;
}

/** Rows in the order of the requests; null where nothing is asked, and where the company has no such test transfer. */
export async function readTests(
  tx: CompaniesTx,
  requests: readonly { companyId: string; testId: string | null }[],
): Promise<(TestRow | null)[]> {
  if (requests.every(({ testId }) => testId === null)) return requests.map(() => null);
  const { rows } = await sql<TestRow & { place: number }>`
    select q.place::integer, t.wallet_id as "walletId", t.payee_id as "payeeId", t.stage, t.quantity as "amountMinor",
      exists (select from transfer_rest r
        cross join lateral (select * from transaction x where x.company_id = r.company_id and x.id = r.transaction_id offset 0) sent
        where r.company_id = q.company_id and r.test_id = q.id and sent.status <> 'failed') as "restSent"
    from unnest(${requests.map(({ companyId }) => companyId)}::uuid[], ${requests.map(({ testId }) => testId)}::uuid[])
      with ordinality as q (company_id, id, place)
    cross join lateral (select * from transfer_test e where e.company_id = q.company_id and e.transaction_id = q.id offset 0) e
    cross join lateral (select * from transaction t where t.company_id = q.company_id and t.id = q.id offset 0) t`.execute(
    tx,
  );
  const found: (TestRow | null)[] = requests.map(() => null);
  for (const { place, ...row } of rows) found[place - 1] = row;
  return found;
}

/** Writes which of a batch's transfers are tests, and which are the rest of one. */
export function insertTests(
  tx: CompaniesTx,
  tests: readonly { companyId: string; id: string; totalMinor: bigint }[],
  rests: readonly { companyId: string; id: string; testId: string }[],
): Promise<unknown>[] {
  const written: Promise<unknown>[] = [];
  if (tests.length > 0) {
    written.push(
      sql`
        insert into transfer_test (company_id, transaction_id, total)
        select * from unnest(${tests.map(({ companyId }) => companyId)}::uuid[], ${tests.map(({ id }) => id)}::uuid[],
          ${tests.map(({ totalMinor }) => totalMinor.toString())}::numeric[])`.execute(tx),
    );
  }
  if (rests.length > 0) {
    written.push(
      sql`
        insert into transfer_rest (company_id, transaction_id, test_id)
        select * from unnest(${rests.map(({ companyId }) => companyId)}::uuid[], ${rests.map(({ id }) => id)}::uuid[],
          ${rests.map(({ testId }) => testId)}::uuid[])`.execute(tx),
    );
  }
  return written;
}

/** What ties a transfer to another; `restStatus` is of the latest transfer of its rest. */
export interface TieRow {
  totalMinor: bigint | null;
  restId: string | null;
  restStatus: TransactionStatus | null;
  restOf: string | null;
  /** Of the test whose rest it is. */
  testMinor: bigint | null;
  testStatus: TransactionStatus | null;
}

/** Whether a transfer is a test, with the latest transfer of its rest, and whose rest it is. */
export async function readTie(tx: Tx, id: string): Promise<TieRow> {
  const { rows } = await sql<TieRow>`
    select e.total as "totalMinor", sent.id as "restId", sent.status as "restStatus", own.test_id as "restOf",
      first.quantity as "testMinor", first.status as "testStatus"
    from (select company_id() as company_id, ${id}::uuid as id) q
    left join transfer_test e on e.company_id = q.company_id and e.transaction_id = q.id
    left join transfer_rest own on own.company_id = q.company_id and own.transaction_id = q.id
    left join transaction first on first.company_id = q.company_id and first.id = own.test_id
    left join lateral (
      select t.id, t.status from transfer_rest r
      join transaction t on t.company_id = r.company_id and t.id = r.transaction_id
      where r.company_id = q.company_id and r.test_id = q.id order by t.created_at desc, t.id desc limit 1
    ) sent on true`.execute(tx);
  invariant(rows[0], 'the row that is joined to is always there');
  return rows[0];
}
