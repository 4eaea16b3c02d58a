import type { Wallet } from '@causeway/contract/wallets.ts';

/** A wallet in one line, for choices and lists: "USDT · Ethereum", "JPY · HSBC". */
export function walletName({ asset, place }: Pick<Wallet, 'asset' | 'place'>): string {
  return `${asset} · ${place.name}`;
}
