import { useMemo } from 'react';
import { useText } from '../../../lib/locale.tsx';
import type { Filter } from '../../../ui/filter-bar.tsx';
import { useWallets } from '../../wallets/index.ts';
import type { FilterName } from '../list-query.ts';
import { statusTexts, typeTexts } from '../words.ts';

/** The filters of the list; `advanced` shows all of them. */
export function useTransactionFilters(advanced: boolean): Filter<FilterName>[] {
  const t = useText();
  const wallets = useWallets().data?.items;
  return useMemo(() => {
    const coins = [...new Set((wallets ?? []).map(({ coin }) => coin))];
    const basic: Filter<FilterName>[] = [
      { kind: 'search', name: 'keyword', label: t('transfers.search'), placeholder: t('transfers.search') },
      {
        kind: 'choice',
        name: 'type',
        label: t('transfers.filter.type'),
        options: Object.entries(typeTexts).map(([value, text]) => ({ value, label: t(text) })),
      },
      {
        kind: 'choice',
        name: 'status',
        label: t('transfers.filter.status'),
        options: Object.entries(statusTexts).map(([value, { text }]) => ({ value, label: t(text) })),
      },
    ];
    if (!advanced) return basic;
    return [
      ...basic,
      {
        kind: 'choice',
        name: 'coin',
        label: t('transfers.filter.coin'),
        options: coins.map((coin) => ({ value: coin, label: coin })),
      },
      {
        kind: 'choice',
        name: 'walletId',
        label: t('transfers.filter.wallet'),
        options: (wallets ?? []).map(({ id, coin, chainName }) => ({ value: id, label: `${coin} · ${chainName}` })),
      },
      { kind: 'dates', from: 'from', to: 'to', label: t('transfers.filter.time') },
      { kind: 'text', name: 'amountMin', label: t('transfers.filter.amountMin'), inputMode: 'decimal' },
      { kind: 'text', name: 'amountMax', label: t('transfers.filter.amountMax'), inputMode: 'decimal' },
    ];
  }, [t, wallets, advanced]);
}
