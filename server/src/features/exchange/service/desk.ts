import type { ExchangeSide } from '@causeway/contract/exchange-rules.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { auditAll } from '../../../platform/audit/record.ts';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { type Priced, priceAtRate, quoteDigest, ratesAt } from '../domain.ts';
import type { ExchangeRow } from '../store/exchanges.ts';
import { lockQuotes, readClock } from '../store/quotes.ts';
import { readSpreadOf, type Sides } from '../store/sides.ts';
import { checkPair, type Quotation } from './price.ts';

/** Exchanges at a quote of the operator's desk (docs/adr/0084-…): its price is firm until it runs out, and is not made again at the last approval. */

/** A quote of the desk that holds at this moment. */
export interface Firm {
  firm: Priced & { id: string; sources: string[]; ratedAt: Date; at: Date };
}

/** The desk's quote of an exchange that waited for approval, or why it cannot be executed, as the id of a sentence. */
export async function firmAgain(tx: Tx, quoteId: string, sides: Sides): Promise<Firm | { reason: string }> {
  const [quote] = await lockQuotes(tx, [{ companyId: tx.companyId, quoteId }]);
  invariant(quote && quoteDigest(quote) === quote.digest, `quote ${quoteId} is as the desk made it`);
  if (quote.isExpired) return { reason: 'stage.reason.otcLapsed' };
  try {
    checkPair(sides);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { reason: 'stage.reason.exchangeOff' };
  }
  const { transferLimitMinor } = sides.sell;
  if (transferLimitMinor !== null && quote.soldMinor > transferLimitMinor) {
    return { reason: 'stage.reason.exchangeAboveLimit' };
  }
  const { id, soldMinor, feeMinor, boughtMinor, rate, mid, sources, ratedAt, readAt: at } = quote;
  return { firm: { id, soldMinor, feeMinor, boughtMinor, rate, mid, sources, ratedAt, at } };
}

/** What approvers read of the price while it waits: the desk's, as long as it holds. */
export async function deskPriceOf(
  tx: Tx,
  { quoteExpiresAt, rate, sell, buy, soldMinor, feeMinor, boughtMinor }: ExchangeRow,
): Promise<{ rate: string; sold: string; bought: string; withinBound: boolean } | null> {
  if (quoteExpiresAt <= (await readClock(tx))) return null;
  return {
    rate,
    sold: formatAmount(soldMinor + feeMinor, sell.decimals),
    bought: formatAmount(boughtMinor, buy.decimals),
    withinBound: true,
  };
}

/** Beside an exchange that accepts a request: who accepted, in the company's log. The database changes the request itself. */
export function deskParts(
  tx: CompaniesTx,
  accepted: readonly { context: SignedInContext; quote: { otcRequestId: string | null }; payment: { id: string } }[],
): Promise<unknown>[] {
  const entries = accepted.flatMap(({ context, quote: { otcRequestId }, payment }) =>
    otcRequestId === null
      ? []
      : [
          {
            companyId: context.session.companyId,
            actor: actorOf(context),
            action: 'otc.accept' as const,
            subjectKind: 'otcRequest' as const,
            subjectId: otcRequestId,
            detail: { transactionId: payment.id },
          },
        ],
  );
  return entries.length === 0 ? [] : [auditAll(tx, entries)];
}

/** What a rate of the desk comes to. @throws DomainError exchangeTooSmall */
export function priceForDesk(
  { sell, buy }: Sides,
  { fixed, amountMinor, rate }: { fixed: ExchangeSide; amountMinor: bigint; rate: string },
  mids: Quotation['mids'],
): ReturnType<typeof priceAtRate> {
  return priceAtRate(fixed, amountMinor, {
    rate,
    sell: { decimals: sell.decimals, usd: mids.sell.usd },
    buy: { decimals: buy.decimals, usd: mids.buy.usd },
    feeBasisPoints: sell.feeBasisPoints,
  });
}

/** The middle rate, and the rate that an ordinary quote of the company would have, whatever the position's limits. */
export async function usualRate(
  tx: CompaniesTx,
  given: { companyId: string; sides: Sides; usdCents: bigint; mids: Quotation['mids'] },
): Promise<{ mid: string; usual: string }> {
  const { companyId, sides, usdCents, mids } = given;
  const { sell, buy } = sides;
  const spreadOfSize = await readSpreadOf(tx, companyId, sell.asset, buy.asset, usdCents);
  return ratesAt({
    sell: { usd: mids.sell.usd },
    buy: { usd: mids.buy.usd },
    spreadBasisPoints: sell.spreadBasisPoints + buy.spreadBasisPoints + spreadOfSize,
  });
}
