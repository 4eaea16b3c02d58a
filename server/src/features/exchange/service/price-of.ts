import type { ApprovalContent } from '@causeway/contract/approvals.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { fixedAmountOf, isWithin } from '../domain.ts';
import type { ExchangeRow } from '../store/exchanges.ts';
import { readSides } from '../store/sides.ts';
import { deskPriceOf } from './desk.ts';
import { priceNow } from './price.ts';

/** What it would come to now; null where no price is quoted. */
export async function priceOf(
  tx: Tx,
  exchange: ExchangeRow,
): Promise<Extract<ApprovalContent, { shape: 'exchange' }>['now']> {
  const { sell, buy, fixed, boundMinor } = exchange;
  if (exchange.otcRequestId !== null) return deskPriceOf(tx, exchange);
  const sides = await readSides(tx, { sellWalletId: sell.walletId, buyWalletId: buy.walletId });
  invariant(sides, 'the wallets of an exchange stay');
  try {
    const { priced } = await priceNow(tx, sides, fixed, fixedAmountOf(exchange));
    return {
      rate: priced.rate,
      sold: formatAmount(priced.soldMinor + priced.feeMinor, sell.decimals),
      bought: formatAmount(priced.boughtMinor, buy.decimals),
      withinBound: isWithin(boundMinor, { fixed, ...priced }),
    };
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
