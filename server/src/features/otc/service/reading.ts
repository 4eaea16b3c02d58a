import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { getOtc, listOtc, OtcMessage, OtcRequest } from '@causeway/contract/otc.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { nameOfPlace } from '../../banks/index.ts';
import { foreseeExchange, readSides, shownOffer } from '../../exchange/index.ts';
import { formatUsd } from '../../rates/index.ts';
import { findMessages, findRequest, type MessageRow, type RequestRow, requestList } from '../store/requests.ts';

/** @throws DomainError cursorInvalid */
export async function list(
  tx: Tx,
  { locale }: SignedInContext,
  query: Query<typeof listOtc>,
): Promise<OutputInput<typeof listOtc>> {
  const page = await readPage(tx, requestList, query, undefined);
  return { ...page, items: page.items.map((row) => shownRequest(row, locale)) };
}

/** @throws DomainError notFound */
export async function get(
  tx: Tx,
  context: SignedInContext,
  { id }: { id: string },
): Promise<OutputInput<typeof getOtc>> {
  const row = await findRequest(tx, id);
  if (!row) throw new DomainError('notFound');
  const messages = await findMessages(tx, id);
  return {
    ...shownRequest(row, context.locale),
    // The desk speaks to companies as the desk.
    messages: messages.map((message) => ({
      ...shownMessage(message, row),
      author: message.side === 'company' ? message.authorName : null,
    })),
    offer: await offerOf(tx, context, row),
  };
}

/** The desk's quote for the member who may accept it, with what the company's rules would make of it; null: none holds, or they may not. */
async function offerOf(
  tx: Tx,
  context: SignedInContext,
  { quote, sell, buy, fixed }: RequestRow,
): Promise<OutputInput<typeof getOtc>['offer']> {
  const { session } = context;
  if (!quote || quote.remainingMs === 0 || session.isLook || !session.permissions.includes('exchange.create')) {
    return null;
  }
  const sides = await readSides(tx, { sellWalletId: sell.walletId, buyWalletId: buy.walletId });
  invariant(sides, 'the wallets of a request stay');
  const kept = {
    ...quote,
    fixed,
    soldMinor: BigInt(quote.soldMinor),
    feeMinor: BigInt(quote.feeMinor),
    boughtMinor: BigInt(quote.boughtMinor),
    usd: { sell: quote.sellUsd, buy: quote.buyUsd },
    ratedAt: new Date(quote.ratedAt),
    createdAt: new Date(quote.createdAt),
    expiresAt: new Date(quote.validUntil),
  };
  const review = await foreseeExchange(tx, context, sides, {
    priced: kept,
    mids: { sell: { usd: quote.sellUsd } },
  });
  return shownOffer(context, kept, sides, review);
}

export function shownRequest(row: RequestRow, locale: Locale): OtcRequest {
  const { sell, buy, fixed, quote, transaction } = row;
  const sideOf = ({ walletId, asset, decimals, place }: RequestRow['sell']) => ({
    walletId,
    asset,
    decimals,
    placeName: nameOfPlace(place, locale),
  });
  const inSold = (minor: bigint) => formatAmount(minor, sell.decimals);
  return {
    id: row.id,
    state: row.state,
    version: row.version,
    requester: { id: row.memberId, name: row.memberName },
    sell: sideOf(sell),
    buy: sideOf(buy),
    fixed,
    amount: formatAmount(row.amountMinor, (fixed === 'sell' ? sell : buy).decimals),
    usd: formatUsd(row.usdCents),
    deadline: row.deadline.toISOString(),
    createdAt: row.createdAt.toISOString(),
    stateAt: row.stateAt.toISOString(),
    quote: quote && {
      id: quote.id,
      rate: quote.rate,
      total: inSold(BigInt(quote.soldMinor) + BigInt(quote.feeMinor)),
      fee: inSold(BigInt(quote.feeMinor)),
      bought: formatAmount(BigInt(quote.boughtMinor), buy.decimals),
      validUntil: new Date(quote.validUntil).toISOString(),
      remainingMs: quote.remainingMs,
    },
    exchange: transaction,
  };
}

/** With the author's name, whichever side it is. */
export function shownMessage(message: MessageRow, { sell, buy, fixed }: RequestRow): OtcMessage {
  const say = (minor: bigint | null, { decimals }: { decimals: number }) =>
    minor === null ? null : formatAmount(minor, decimals);
  return {
    seq: message.seq,
    side: message.side,
    author: message.authorId === null ? null : message.authorName,
    kind: message.kind,
    text: message.text,
    rate: message.rate,
    sold: say(message.soldMinor, sell),
    fee: say(message.feeMinor, sell),
    bought: say(message.boughtMinor, buy),
    validUntil: message.validUntil?.toISOString() ?? null,
    wanted: say(message.wantedMinor, fixed === 'sell' ? buy : sell),
    at: message.at.toISOString(),
  };
}
