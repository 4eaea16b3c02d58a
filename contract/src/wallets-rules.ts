import type { Place, Wallet } from './wallets.ts';

/** What is known of wallets without a schema library. */

type PlaceOf<K extends Place['kind']> = Extract<Place, { kind: K }>;
export type ChainWallet = Wallet & { place: PlaceOf<'chain'> };
export type BankWallet = Wallet & { place: PlaceOf<'bank'> };

/** A coin's wallet, which has an address. */
export function isOnChain(wallet: Wallet): wallet is ChainWallet {
  return wallet.place.kind === 'chain';
}

/** A currency's wallet, which has an account at a bank. */
export function isAtBank(wallet: Wallet): wallet is BankWallet {
  return wallet.place.kind === 'bank';
}
