import type { OutputInput } from '@causeway/contract/call.ts';
import type { getExchangeOptions } from '@causeway/contract/exchange.ts';
import type { ExchangeStop } from '@causeway/contract/exchange-rules.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { nameOfPlace } from '../../banks/index.ts';
import { findMids, type Mid } from '../../rates/index.ts';
import { type Room, readRooms, readWallets, type Side } from '../store/sides.ts';

/** The wallets between which the company can exchange, and why one of them cannot be used now. */
export async function options(tx: Tx, context: SignedInContext): Promise<OutputInput<typeof getExchangeOptions>> {
  return { wallets: (await exchangeWallets(tx, context)).map(({ isCoin: _, ...wallet }) => wallet) };
}

type ExchangeWallet = OutputInput<typeof getExchangeOptions>['wallets'][number] & { isCoin: boolean };

/** The same, each with whether it is on a chain. */
export async function exchangeWallets(tx: Tx, { locale }: Pick<SignedInContext, 'locale'>): Promise<ExchangeWallet[]> {
  const wallets = await readWallets(tx);
  const assets = [...new Set(wallets.map(({ asset }) => asset))];
  const mids = await findMids(tx, assets);
  const rooms = await readRooms(tx, assets);
  return wallets.map((wallet) => {
    const place = assets.indexOf(wallet.asset);
    const [mid, room] = [mids[place], rooms[place]];
    invariant(mid && room, 'each asset has a price and room, or why not');
    const say = (minor: bigint) => formatAmount(minor, wallet.decimals);
    return {
      walletId: wallet.walletId,
      asset: wallet.asset,
      decimals: wallet.decimals,
      isCoin: wallet.chainId !== null,
      placeName: nameOfPlace(wallet.place, locale),
      available: say(wallet.availableMinor),
      minimum: say(wallet.minimumMinor),
      limit: wallet.transferLimitMinor === null ? null : say(wallet.transferLimitMinor),
      cannotSell: stopOf(wallet, mid, wallet.cannotSell, room.take),
      cannotBuy: stopOf(wallet, mid, wallet.cannotBuy, room.give),
    };
  });
}

function stopOf({ isFrozen }: Side, { problem }: Mid, isOff: boolean, room: Room['take']): ExchangeStop | null {
  if (isFrozen) return 'frozen';
  if (isOff) return 'off';
  if (problem !== null) return 'noPrice';
  return room !== null && room <= 0n ? 'limit' : null;
}
