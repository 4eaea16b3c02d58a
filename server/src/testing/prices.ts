import { keepPrices } from '../features/rates/index.ts';
import type { TestDatabase } from './database.ts';

const yearMs = 365 * 86_400_000;

/** Prices of the test's coins, which no clock of a test finds stale. */
export async function keepTestPrices(db: TestDatabase): Promise<void> {
  const updatedAt = new Date(Date.now() + yearMs);
  const prices = Object.entries({ ETH: '2500', USDT: '1', USDC: '1', HKDT: '0.128' });
  await db.worker.withoutCompany((tx) =>
    keepPrices(
      tx,
      prices.map(([asset, usd]) => ({ asset, usd, source: 'test', updatedAt })),
    ),
  );
}
