import type { Database, Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { findRelease } from '../store/releases.ts';
import { findSides, readTrade } from '../store/trades.ts';

/** Has the pages of the seller read again, where the seller is a company here, when the buyer's side of a trade has changed: both show its sums. */
export async function showSeller(
  database: Database,
  companyId: string,
  about: { tradeId: string } | { transactionId: string },
) {
  const id =
    'tradeId' in about
      ? about.tradeId
      : await database.withCompany(companyId, (tx) => tradePaidBy(tx, about.transactionId));
  const trade = id === null ? null : await database.withCompany(companyId, (tx) => readTrade(tx, id));
  if (trade?.side !== 'buyer') return;
  const sides = await database.withoutCompany((tx) =>
    findSides(tx, trade.chainId, trade.payerWallet, trade.payeeWallet),
  );
  for (const { companyId: sellerId, side } of sides) {
    if (side === 'seller' && sellerId !== companyId) {
      await database.withCompany(sellerId, (tx) => announce(tx, [live('trade', trade.id)]));
    }
  }
}

async function tradePaidBy(tx: Tx, transactionId: string): Promise<string | null> {
  return (await findRelease(tx, transactionId))?.tradeId ?? null;
}
