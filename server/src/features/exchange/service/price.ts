import type { ExchangeSide } from '@causeway/contract/exchange-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { refusal } from '../../ledger/index.ts';
import { findMids, type Mid, usdValue } from '../../rates/index.ts';
import { type Priced, priceExchange, quoteDigest, type Terms } from '../domain.ts';
import { insertQuote, type NewQuote } from '../store/quotes.ts';
import { type Room, readRooms, readSpread, type Side, type Sides } from '../store/sides.ts';

/** A middle price that may be quoted. */
type UsableMid = Extract<Mid, { problem: null }>;

/** A price for an exchange, with all that it follows from. */
export interface Quotation {
  priced: Priced;
  terms: Terms;
  /** Of the sold and the bought asset. */
  mids: { sell: UsableMid; buy: UsableMid };
}

/**
 * Refuses an exchange between wallets that cannot be exchanged now, whatever the amount.
 * @throws DomainError companyFrozen, exchangeSameWallet, walletFrozen, exchangePairOff
 */
export function checkPair({ sell, buy, isCompanyFrozen }: Sides): void {
  // The route refuses it by the session, which may have been looked up before the freeze.
  if (isCompanyFrozen) throw new DomainError('companyFrozen');
  if (sell.walletId === buy.walletId || sell.asset === buy.asset) {
    throw refusal('exchangeSameWallet', {}, 'buyWalletId');
  }
  if (sell.isFrozen) throw refusal('walletFrozen', {}, 'sellWalletId');
  if (buy.isFrozen) throw refusal('walletFrozen', {}, 'buyWalletId');
  if (sell.cannotSell) throw refusal('exchangePairOff', { asset: sell.asset }, 'sellWalletId');
  if (buy.cannotBuy) throw refusal('exchangePairOff', { asset: buy.asset }, 'buyWalletId');
}

/**
 * Prices an exchange by the middle prices of this moment, the company's spread and fee, and the room of the platform's position.
 * @throws DomainError as `checkPair`, exchangeTooSmall, quoteUnavailable with the asset and why
 */
export async function priceNow(tx: Tx, sides: Sides, fixed: ExchangeSide, amountMinor: bigint): Promise<Quotation> {
  checkPair(sides);
  const { sell, buy } = sides;
  const [sellMid, buyMid] = (await findMids(tx, [sell.asset, buy.asset])).map(usable);
  invariant(sellMid && buyMid, 'each asset that is asked about has an answer');
  const [side, { usd }] = fixed === 'sell' ? [sell, sellMid] : [buy, buyMid];
  const worthCents = usdValue(amountMinor, side.decimals, usd);
  const spreadOfSize = await readSpread(tx, sell.asset, buy.asset, worthCents);
  const terms: Terms = {
    sell: { decimals: sell.decimals, usd: sellMid.usd },
    buy: { decimals: buy.decimals, usd: buyMid.usd },
    spreadBasisPoints: sell.spreadBasisPoints + buy.spreadBasisPoints + spreadOfSize,
    feeBasisPoints: sell.feeBasisPoints,
  };
  const priced = priceExchange(fixed, amountMinor, terms);
  const [sellRoom, buyRoom] = await readRooms(tx, [sell.asset, buy.asset]);
  invariant(sellRoom && buyRoom, 'each asset that is asked about has its room');
  refuseWithoutRoom(sell, priced.soldMinor, sellRoom.take);
  refuseWithoutRoom(buy, priced.boughtMinor, buyRoom.give);
  return { priced, terms, mids: { sell: sellMid, buy: buyMid } };
}

/** @throws DomainError quoteUnavailable where it must not be quoted */
export function usable(mid: Mid): UsableMid {
  if (mid.problem !== null) throw unavailable(mid.asset, mid.problem);
  return mid;
}

function refuseWithoutRoom({ asset }: Side, amountMinor: bigint, room: Room['take']): void {
  if (room !== null && amountMinor > room) throw unavailable(asset, 'limit');
}

export function unavailable(asset: string, why: NonNullable<Mid['problem']> | 'limit'): DomainError {
  return new DomainError('quoteUnavailable', { asset, why });
}

/** Why nothing is quoted or exchanged in restore mode: what the restored books say may have been paid out already (docs/adr/0041). */
export function paused(): DomainError {
  return new DomainError('quoteUnavailable', { asset: '', why: 'paused' });
}

/** Writes a price as a quote of one member. `usedBy`: the exchange for which it is made and used at once. */
export async function keepQuote(
  tx: Tx,
  { sell, buy }: Sides,
  { priced, terms, mids }: Quotation,
  { memberId, fixed, usedBy = null }: { memberId: string; fixed: ExchangeSide; usedBy?: string | null },
): Promise<NewQuote & Awaited<ReturnType<typeof insertQuote>>> {
  const content = {
    companyId: tx.companyId,
    id: newId(),
    memberId,
    sellWalletId: sell.walletId,
    buyWalletId: buy.walletId,
    fixed,
    ...priced,
  };
  const quote = {
    ...content,
    sellAsset: sell.asset,
    buyAsset: buy.asset,
    spreadBasisPoints: terms.spreadBasisPoints,
    feeBasisPoints: terms.feeBasisPoints,
    sellUsd: mids.sell.usd,
    buyUsd: mids.buy.usd,
    sources: sourcesOf(mids),
    ratedAt: mids.sell.at < mids.buy.at ? mids.sell.at : mids.buy.at,
    digest: quoteDigest(content),
    usedBy,
  };
  return { ...quote, ...(await insertQuote(tx, quote)) };
}

/** Who says the middle prices; the price of the US dollar, by definition, has no source. */
export function sourcesOf({ sell, buy }: Quotation['mids']): string[] {
  return [...new Set([...sell.sources, ...buy.sources])];
}
