import { sql } from 'kysely';
import { keepPrices } from '../features/rates/index.ts';
import type { TestDatabase } from './database.ts';

const yearMs = 365 * 86_400_000;
const testPrices = { ETH: '2500', USDT: '1', USDC: '1', HKDT: '0.128' };

/** Prices of the test's coins, which no clock of a test finds stale. */
export async function keepTestPrices(db: TestDatabase): Promise<void> {
  const updatedAt = new Date(Date.now() + yearMs);
  const prices = Object.entries(testPrices);
  await db.worker.withoutCompany((tx) =>
    keepPrices(
      tx,
      prices.map(([asset, usd]) => ({ asset, usd, source: 'test', updatedAt })),
    ),
  );
  await keepTestMids(db);
}

/** Middle prices that two sources agree on, in US dollars, which hold for a year; `problem` takes them from quotes. */
export async function keepTestMids(
  db: TestDatabase,
  prices: Readonly<Record<string, string>> = testPrices,
  problem: 'none' | 'stale' | 'disagreeing' | 'single' | null = null,
): Promise<void> {
  await db.worker.withoutCompany((tx) =>
    sql`
      insert into rate_mid (asset_id, usd, at, holds_until, sources, needed, problem, problem_since, checked_at)
      select asset, usd, now(), now() + interval '1 year', '{bitstamp,kraken}', 2, ${problem}::text,
        case when ${problem}::text is not null then now() end, now()
      from unnest(${Object.keys(prices)}::text[], ${Object.values(prices)}::numeric[]) as given (asset, usd)
      on conflict (asset_id) do update set usd = excluded.usd, at = excluded.at, holds_until = excluded.holds_until,
        problem = excluded.problem, problem_since = excluded.problem_since`.execute(tx),
  );
}
