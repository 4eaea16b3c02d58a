import { formatAmount } from '@causeway/contract/money.ts';
import type { CompaniesTx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { priceForDesk, type Quotation, readAllSides, type Sides, usable } from '../../exchange/index.ts';
import type { DeskRow } from '../../otc/index.ts';
import { findMids } from '../../rates/index.ts';
import { findStanding, type Standing } from './store.ts';

/** A rate of the desk, with all that it follows from. */
export interface Priced {
  sides: Sides;
  mids: Quotation['mids'];
  priced: ReturnType<typeof priceForDesk>;
  standing: { sell: Standing; buy: Standing };
}

/** Both wallets of a request, as its company's exchanges see them. */
export async function sidesOf(tx: CompaniesTx, { companyId, sell, buy }: DeskRow): Promise<Sides> {
  const [sides] = await readAllSides(tx, [{ companyId, sellWalletId: sell.walletId, buyWalletId: buy.walletId }]);
  invariant(sides, 'the wallets of a request stay');
  return sides;
}

/** The middle prices that may be quoted now. @throws DomainError quoteUnavailable */
export async function midsOf(tx: CompaniesTx, { sell, buy }: DeskRow): Promise<Quotation['mids']> {
  const [sellMid, buyMid] = (await findMids(tx, [sell.asset, buy.asset])).map(usable);
  invariant(sellMid && buyMid, 'each asset that is asked about has an answer');
  return { sell: sellMid, buy: buyMid };
}

/** What a rate comes to. @throws DomainError exchangeTooSmall, quoteUnavailable */
export async function priceRequest(tx: CompaniesTx, request: DeskRow, rate: string): Promise<Priced> {
  const mids = await midsOf(tx, request);
  const sides = await sidesOf(tx, request);
  const { fixed, amountMinor, id, sell, buy } = request;
  return {
    sides,
    mids,
    priced: priceForDesk(sides, { fixed, amountMinor, rate }, mids),
    standing: { sell: await findStanding(tx, sell.asset, id), buy: await findStanding(tx, buy.asset, id) },
  };
}

/** Whether the position has room for it, beside what the desk's other quotes may come to. */
export function hasRoom({ priced, standing }: Pick<Priced, 'priced' | 'standing'>): boolean {
  const fits = (room: bigint | null, minor: bigint) => room === null || minor <= room;
  return fits(standing.sell.take, priced.soldMinor) && fits(standing.buy.give, priced.boughtMinor);
}

/** The positions in both assets, before and after. */
export function positionsOf({ sides: { sell, buy }, priced, standing }: Priced) {
  const rows = [
    { side: sell, before: standing.sell.exposure, change: priced.soldMinor, room: standing.sell.take },
    { side: buy, before: standing.buy.exposure, change: -priced.boughtMinor, room: standing.buy.give },
  ];
  return rows.map(({ side: { asset, decimals }, before, change, room }) => {
    const say = (minor: bigint) => formatAmount(minor, decimals);
    const size = change < 0n ? -change : change;
    return {
      asset,
      decimals,
      before: say(before),
      after: say(before + change),
      roomBefore: room === null ? null : say(room),
      roomAfter: room === null ? null : say(room - size),
    };
  });
}
