import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { ExchangeQuote, quoteExchange } from '@causeway/contract/exchange.ts';
import type { ExchangeSide } from '@causeway/contract/exchange-rules.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { ForeseenReview } from '@causeway/contract/transfers.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { findRestoreMode } from '../../../platform/database/restore-mode.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { amountOf } from '../../ledger/index.ts';
import { formatUsd, usdValue } from '../../rates/index.ts';
import { costOfSpread, inverseOf, type Priced } from '../domain.ts';
import { endOldestQuotes } from '../store/quotes.ts';
import { readSides, type Side, type Sides } from '../store/sides.ts';
import { foreseeExchange } from './foreseeing.ts';
import { checkAmount } from './limits.ts';
import { keepQuote, paused, priceNow, type Quotation, sourcesOf } from './price.ts';

/**
 * A firm price for an exchange, for the member who asks, once, until it expires by the database's clock. It moves nothing.
 * @throws DomainError amountFormat, amountTooManyDecimals, amountTooLarge, companyFrozen, exchangePairOff, exchangeSameWallet, exchangeTooSmall,
 * quoteUnavailable, walletFrozen, walletNotFound
 */
export async function quote(
  tx: Tx,
  context: SignedInContext,
  { sellWalletId, buyWalletId, fixed, amount }: Body<typeof quoteExchange>,
): Promise<OutputInput<typeof quoteExchange>> {
  if (await findRestoreMode(tx)) throw paused();
  const sides = await readSides(tx, { sellWalletId, buyWalletId });
  if (!sides) throw new DomainError('walletNotFound');
  const { sell, buy } = sides;
  const amountMinor = amountOf(amount, fixed === 'sell' ? sell : buy);
  const quotation = await priceNow(tx, sides, fixed, amountMinor);
  const review = await foreseeExchange(tx, context, sides, quotation);
  return offer(tx, context, { sides, fixed, quotation, review });
}

/** Keeps a price as the member's quote, as it is shown. */
export async function offer(
  tx: Tx,
  context: SignedInContext,
  given: { sides: Sides; fixed: ExchangeSide; quotation: Quotation; review: ForeseenReview },
): Promise<OutputInput<typeof quoteExchange>> {
  const { sides, fixed, quotation, review } = given;
  const { sell, buy } = sides;
  const { priced, terms, mids } = quotation;
  const { soldMinor, feeMinor, boughtMinor, rate, mid } = priced;
  const costMinor = costOfSpread(priced, terms);
  const inSold = (minor: bigint) => formatAmount(minor, sell.decimals);
  await endOldestQuotes(tx, context.session.userId);
  // Last, so that it lives as long as it can.
  const kept = await keepQuote(tx, sides, quotation, { memberId: context.session.userId, fixed });
  return {
    id: kept.id,
    fixed,
    sell: {
      walletId: sell.walletId,
      asset: sell.asset,
      decimals: sell.decimals,
      quantity: inSold(soldMinor),
      fee: inSold(feeMinor),
      total: inSold(soldMinor + feeMinor),
      available: inSold(sell.availableMinor),
    },
    buy: {
      walletId: buy.walletId,
      asset: buy.asset,
      decimals: buy.decimals,
      quantity: formatAmount(boughtMinor, buy.decimals),
    },
    rate,
    inverseRate: inverseOf(rate),
    mid,
    spreadBasisPoints: terms.spreadBasisPoints,
    toMid: {
      percent: formatAmount(BigInt(terms.spreadBasisPoints), 2),
      amount: formatAmount(costMinor, buy.decimals),
      usd: formatUsd(usdValue(costMinor, buy.decimals, mids.buy.usd)),
    },
    sources: sourcesOf(mids),
    ratedAt: kept.ratedAt.toISOString(),
    createdAt: kept.createdAt.toISOString(),
    expiresAt: kept.expiresAt.toISOString(),
    remainingMs: kept.remainingMs,
    problem: problemOf(sell, priced, context),
    review,
  };
}

/** The first rule that would refuse this amount, in the words of the refusal. */
function problemOf(sell: Side, priced: Priced, { locale }: SignedInContext): ExchangeQuote['problem'] {
  try {
    checkAmount(sell, priced);
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { field: 'amount', sentence: translate(locale, `error.${error.key}`, error.details) };
  }
}
