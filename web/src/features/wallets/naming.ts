import { isCurrency } from '@causeway/contract/currencies.ts';
import type { Wallet } from '@causeway/contract/wallets.ts';
import { useMemo } from 'react';
import { useLocaleTag } from '../../lib/locale.tsx';

/** What a currency is called in the reader's language ("Japanese Yen"); null of a coin, which is known by its symbol. */
export function useCurrencyName(): (asset: string) => string | null {
  const tag = useLocaleTag();
  return useMemo(() => {
    const names = new Intl.DisplayNames(tag, { type: 'currency' });
    return (asset) => (isCurrency(asset) ? (names.of(asset) ?? null) : null);
  }, [tag]);
}

/** Where money is sent from a wallet. */
export function transferOutAddress({ id, place }: Pick<Wallet, 'id' | 'place'>): string {
  return `/app/transfer-out${place.kind === 'bank' ? '/bank' : ''}?wallet=${id}`;
}

/** Where a wallet is recharged. */
export function rechargeAddress({ asset, place }: Pick<Wallet, 'asset' | 'place'>): string {
  const at = place.kind === 'bank' ? { bank: place.bank } : { chain: place.chain };
  return `/app/wallet/recharge?${new URLSearchParams({ coin: asset, ...at })}`;
}

/** Where a wallet's money is exchanged. */
export function exchangeAddress({ id }: Pick<Wallet, 'id'>): string {
  return `/app/wallet/exchange?sell=${id}`;
}
