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
  const { priced, terms, mids } = quotation;
  await endOldestQuotes(tx, context.session.userId);
  // Last, so that it lives as long as it can.
  const kept = await keepQuote(tx, sides, quotation, { memberId: context.session.userId, fixed });
  const { spreadBasisPoints } = terms;
  const usd = { sell: mids.sell.usd, buy: mids.buy.usd };
  return shownOffer(
    context,
    { ...kept, ...priced, fixed, spreadBasisPoints, usd, sources: sourcesOf(mids) },
    sides,
    review,
  );
}

/** A quote as it was kept. */
export interface KeptQuote extends Priced {
  id: string;
  fixed: ExchangeSide;
  spreadBasisPoints: number;
  /** The middle prices that it was made with. */
  usd: { sell: string; buy: string };
  sources: string[];
  ratedAt: Date;
  createdAt: Date;
  expiresAt: Date;
  remainingMs: number;
}

/** A quote as it is shown to the member who may exchange at it. */
export function shownOffer(
  context: SignedInContext,
  quote: KeptQuote,
  { sell, buy }: Sides,
  review: ForeseenReview,
): OutputInput<typeof quoteExchange> {
  const { soldMinor, feeMinor, boughtMinor, rate, mid, spreadBasisPoints, usd } = quote;
  const costMinor = costOfSpread(quote, {
    sell: { decimals: sell.decimals, usd: usd.sell },
    buy: { decimals: buy.decimals, usd: usd.buy },
  });
  const inSold = (minor: bigint) => formatAmount(minor, sell.decimals);
  return {
    id: quote.id,
    fixed: quote.fixed,
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
    spreadBasisPoints,
    toMid: {
      percent: formatAmount(BigInt(spreadBasisPoints), 2),
      amount: formatAmount(costMinor, buy.decimals),
      usd: formatUsd(usdValue(costMinor, buy.decimals, usd.buy)),
    },
    sources: quote.sources,
    ratedAt: quote.ratedAt.toISOString(),
    createdAt: quote.createdAt.toISOString(),
    expiresAt: quote.expiresAt.toISOString(),
    remainingMs: quote.remainingMs,
    problem: problemOf(sell, quote, context),
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
