import type { Seal } from '../../platform/crypto/seal.ts';
import { type CompaniesTx, type Tx, together } from '../../platform/database/database.ts';
import { findRestoreMode } from '../../platform/database/restore-mode.ts';
import { DomainError, invariant } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { type Leg, post } from '../ledger/index.ts';
import { heldFor, type Submission } from '../outgoing/index.ts';
import { changeStage } from '../transactions/index.ts';
import { repayDeficit } from '../wallets/index.ts';
import { exchangeLegs, exchangePostings } from './posting.ts';
import { sealExchange } from './seal.ts';
import { openApproved } from './service/execute.ts';
import { checkAmount } from './service/limits.ts';
import { checkPair, keepQuote, paused, priceNow, type Quotation, usable } from './service/price.ts';
import { priceOf } from './service/price-of.ts';
import { drawsOf, type Market, noMid, quoteFor, readMarket } from './service/submit.ts';
import { insertExchanges, insertSeals, readExchange, writeExecution } from './store/exchanges.ts';
import { lockQuotes, type QuoteRow, useQuotes } from './store/quotes.ts';
import { holdSides, readAllSides, type Sides } from './store/sides.ts';

/**
 * A currency that is bought for a payment and leaves under the same transaction (docs/adr/0086-…): to the platform's position, to settlements and to the
 * books an exchange like any other, of which the bought side is held for the payment instead of credited.
 */

/** What is bought for which payment, at which quote; amounts in minor units. */
export interface PurchaseAsked {
  companyId: string;
  sellWalletId: string;
  buyWalletId: string;
  quoteId: string;
}

/** What is read for the purchases of a batch, in the order of what is asked for. */
export interface PurchasesOpen extends Market {
  sides: readonly (Sides | null)[];
  quotes: readonly (QuoteRow | null)[];
  isRestoring: boolean;
}

/** Takes the locks of purchases, before any other of the transaction, and reads what they are decided by. */
export async function openPurchases(tx: CompaniesTx, asked: readonly PurchaseAsked[]): Promise<PurchasesOpen> {
  const [, quotes, sides, restoring] = await together([
    holdSides(tx, asked),
    lockQuotes(tx, asked),
    readAllSides(tx, asked),
    findRestoreMode(tx),
  ]);
  return { sides, quotes, isRestoring: restoring !== null, ...(await readMarket(tx, sides)) };
}

/**
 * What exactly `boughtMinor` costs at this moment.
 * @throws DomainError exchangePairOff, exchangeSameWallet, walletFrozen, companyFrozen, exchangeTooSmall, quoteUnavailable
 */
export async function priceOfPurchase(tx: Tx, sides: Sides, boughtMinor: bigint): Promise<Quotation> {
  if (await findRestoreMode(tx)) throw paused();
  return priceNow(tx, sides, 'buy', boughtMinor);
}

/** A purchase whose own rules hold. */
export interface Purchase {
  sides: Sides;
  quote: QuoteRow;
  /** The most that leaves the coin wallet, fee included. */
  boundMinor: bigint;
  draws: NonNullable<Submission['draws']>;
}

/**
 * The purchase of exactly `boughtMinor` at a quote, for at most `boundMinor` of the coin.
 * @throws DomainError walletNotFound, quoteNotFound, quoteOfAnother, quoteUsed, quoteExpired, exchangeOutOfBound, quoteUnavailable, companyFrozen,
 * exchangeSameWallet, walletFrozen, exchangePairOff, amountBelowMinimum, amountAboveTransferLimit, amountAboveBalanceMinusFee
 */
export function checkedPurchase(
  { sides: allSides, quotes, isRestoring, mids, rooms }: PurchasesOpen,
  place: number,
  asked: { memberId: string; boughtMinor: bigint; boundMinor: bigint },
): Purchase {
  const sides = allSides[place] ?? null;
  if (!sides) throw new DomainError('walletNotFound');
  if (isRestoring) throw paused();
  const { sell, buy } = sides;
  const { memberId, boughtMinor: amountMinor, boundMinor } = asked;
  const wanted = { sellWalletId: sell.walletId, buyWalletId: buy.walletId, fixed: 'buy' as const };
  const quote = quoteFor(quotes[place] ?? null, memberId, wanted, { sides, amountMinor, boundMinor, limit: null });
  // What the desk answered is a price for an exchange, which accepts its request.
  if (quote.otcRequestId !== null) throw new DomainError('quoteOfAnother');
  checkPair(sides);
  checkAmount(sell, quote);
  for (const { asset } of [sell, buy]) usable(mids.get(asset) ?? noMid(asset));
  return { sides, quote, boundMinor, draws: drawsOf(sides, quote, { rooms }) };
}

/** The posting of a purchase: what is bought is held for the payment. */
export function purchaseLegs({ sides, quote }: Purchase): { kind: string; description: string; legs: Leg[] } {
  return {
    kind: exchangePostings.execute,
    description: 'bought for a payment',
    legs: exchangeLegs(sides, quote, 0n, 'outbound'),
  };
}

/** Issues the statements that write purchases beside their payments; `at`: when it was carried out, null where it waits for approval. */
export function purchaseParts(
  tx: CompaniesTx,
  purchases: readonly { companyId: string; id: string; purchase: Purchase; at: Date | null; seal: Seal }[],
): Promise<unknown>[] {
  const done = purchases.flatMap((each) => (each.at === null ? [] : [{ ...each, at: each.at }]));
  return [
    insertExchanges(
      tx,
      purchases.map(({ companyId, id, purchase: { sides, quote, boundMinor }, at }) => {
        const { soldMinor, feeMinor, boughtMinor } = quote;
        const amounts = { quoteId: quote.id, soldMinor, feeMinor, boughtMinor };
        return {
          companyId,
          id,
          sellWalletId: sides.sell.walletId,
          buyWalletId: sides.buy.walletId,
          sellAsset: sides.sell.asset,
          buyAsset: sides.buy.asset,
          fixed: 'buy' as const,
          boundMinor,
          limit: null,
          ...amounts,
          // What is bought leaves under the same transaction.
          execution: at === null ? null : { ...amounts, boughtTransactionId: id, at },
        };
      }),
    ),
    useQuotes(
      tx,
      purchases.map(({ companyId, id, purchase }) => ({ companyId, quoteId: purchase.quote.id, exchangeId: id })),
    ),
    insertSeals(
      tx,
      done.map(({ companyId, id, purchase: { sides, quote }, at, seal }) => ({
        companyId,
        exchangeId: id,
        jws: sealExchange(seal, sides, { ...quote, companyId, exchangeId: id, at }),
      })),
    ),
  ];
}

/**
 * The last approval of a payment that waits: buys what it needs at the price of this moment, if no more leaves than its code and its approvals are bound to,
 * and holds it for the payment. The task is locked, and with it all that ends or cancels the payment.
 * @returns null, or why it cannot be bought, as the id of a sentence: nothing was done then
 * @throws DomainError quoteUnavailable in restore mode: the task waits
 */
export async function purchaseNow(tx: Tx, seal: Seal, id: string): Promise<{ reason: string } | null> {
  const { exchange, sides, quotation } = await openApproved(tx, id);
  if ('reason' in quotation) return quotation;
  invariant(!('firm' in quotation), 'nothing is bought for a payment at the desk');
  const { fixed, initiatorId } = exchange;
  const quote = await keepQuote(tx, sides, quotation, { memberId: initiatorId, fixed, usedBy: id });
  const at = quote.createdAt;
  const rate = { rate: quote.rate, source: quote.sources.join(','), at: quote.ratedAt };
  await writeExecution(tx, id, { ...quote, quoteId: quote.id, boughtTransactionId: null, at }, rate);
  const isMoved = await changeStage(tx, id, ['waiting_approval'], { stage: 'approved' });
  invariant(isMoved, 'a payment whose task is pending waits for it');
  const heldMinor = await heldFor(tx, id, sides.sell.accounts.outbound);
  await post(tx, {
    id: newId(),
    kind: exchangePostings.execute,
    sourceId: id,
    description: 'bought for a payment',
    legs: exchangeLegs(sides, quote, heldMinor, 'outbound'),
  });
  // What the rate spares of the hold comes in.
  if (heldMinor > quote.soldMinor + quote.feeMinor) await repayDeficit(tx, sides.sell.walletId, id);
  const jws = sealExchange(seal, sides, { ...quote, exchangeId: id, at });
  await insertSeals(tx, [{ companyId: tx.companyId, exchangeId: id, jws }]);
  return null;
}

/** What the purchase of a payment that waits for approval would cost now, in whole units; null: no price is quoted, or it does not wait. */
export async function costNow(
  tx: Tx,
  id: string,
): Promise<{ rate: string; sold: string; withinBound: boolean } | null> {
  const exchange = await readExchange(tx, id);
  return exchange?.stage === 'waiting_approval' ? priceOf(tx, exchange) : null;
}
