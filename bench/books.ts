import { newId } from '../server/src/platform/ids.ts';
import { ask, seedCompany, type Timing } from './pages.ts';
import { startServer } from './server-process.ts';
import type { Stage } from './stage.ts';

/** How long the figures of Home and of statements take, as the postings of a company's last year grow. */

const chunk = 250_000;

export const bookQuestions = {
  'home, 90 days': '/web/account/history?days=90',
  'statements of a month': `/web/account/statements?from=${dayBefore(50)}&to=${dayBefore(20)}`,
};
export type BookQuestion = keyof typeof bookQuestions;

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

/** Each size is a company of its own, so that the same days hold more postings. */
export async function timeBooks(
  stage: Stage,
  sizes: readonly number[],
  askings: number,
): Promise<Timing<BookQuestion>[]> {
  await seedPrices(stage);
  const server = await startServer(stage);
  const timings: Timing<BookQuestion>[] = [];
  try {
    for (const rows of sizes) {
      const company = { companyId: newId(), walletId: newId() };
      const token = await seedCompany(stage, company);
      await addPostings(stage, company, rows);
      timings.push({ rows, milliseconds: await ask(server.port, token, { questions: bookQuestions, askings }) });
    }
  } finally {
    await server.stop();
  }
  return timings;
}

async function seedPrices({ admin }: Stage): Promise<void> {
  await admin.query(
    `insert into causeway.rate (asset_id, usd, source, updated_at) values ('USDT', 1, 'bench', now())
     on conflict do nothing`,
  );
  await admin.query(
    `insert into causeway.rate_daily (asset_id, day, usd, source, updated_at)
     select 'USDT', current_date - i, 1, 'bench', current_date - i + 1 from generate_series(0, 400) i on conflict do nothing`,
  );
}

/**
 * Bulk rows in SQL, as the ledger would have written them over the last year: in rounds of four a deposit, a hold, its payment with a fee, and
 * a further deposit. Balances and places follow from the number of the round.
 */
async function addPostings(
  { admin }: Stage,
  { companyId, walletId }: { companyId: string; walletId: string },
  count: number,
): Promise<void> {
  for (let from = 0; from < count; from += chunk) {
    await admin.query(
      `with posting as materialized (
         select i / 4 as round, i % 4 as turn, gen_random_uuid() as id,
           now() - interval '1 year' + i * (interval '1 year' / $3::float8) as at
         from generate_series($4::bigint, least($4::bigint + ${chunk}, $3::bigint) - 1) i
       ), written as (
         insert into causeway.ledger_posting (company_id, id, kind, source_id, description, created_at)
         select $1, id, case turn when 1 then 'transfer.reserve' when 2 then 'transfer.settle' else 'deposit.credited' end,
           gen_random_uuid(), 'bench', at from posting
       ), account as (
         select kind, id from causeway.ledger_account where company_id = $1 and owner_id = $2
       ), leg (turn, kind, amount, sequence, by_round, base, balance_by_round) as (values
         (0, 'available', 10, 1, 3, 10, 16), (0, 'chain', -10, 1, 3, -10, -17),
         (1, 'available', -4, 2, 3, 6, 16), (1, 'outbound', 4, 1, 2, 4, 0),
         (2, 'outbound', -4, 2, 2, 0, 0), (2, 'chain', 3, 2, 3, -7, -17), (2, 'fee', 1, 1, 1, 1, 1),
         (3, 'available', 10, 3, 3, 16, 16), (3, 'chain', -10, 3, 3, -17, -17)
       )
       insert into causeway.ledger_entry (company_id, account_id, sequence, posting_id, asset_id, amount, balance_after, created_at)
       select $1, a.id, p.round * l.by_round + l.sequence, p.id, 'USDT', l.amount, p.round * l.balance_by_round + l.base, p.at
       from posting p join leg l using (turn) join account a using (kind)`,
      [companyId, walletId, count, from],
    );
  }
  await admin.query(
    `update causeway.ledger_account a set balance = e.balance_after, version = e.sequence, moved_at = e.created_at
     from (
       select distinct on (account_id) account_id, balance_after, sequence, created_at from causeway.ledger_entry
       where company_id = $1 order by account_id, sequence desc
     ) e where a.company_id = $1 and a.id = e.account_id`,
    [companyId],
  );
  await admin.query('vacuum analyze');
  await keepFlows(admin, companyId, walletId);
  await admin.query('vacuum analyze causeway.ledger_flow');
  await admin.query('checkpoint');
}

/** As the worker does it every minute. */
async function keepFlows(admin: Stage['admin'], companyId: string, walletId: string): Promise<void> {
  await admin.query(`select set_config('causeway.company_id', $1, false)`, [companyId]);
  for (let hasMore = true; hasMore; ) {
    const { rows } = await admin.query<{ more: boolean }>('select causeway.ledger_keep_flows($1) as more', [walletId]);
    hasMore = rows[0]?.more ?? false;
  }
  await admin.query(`select set_config('causeway.company_id', '', false)`);
}
