import type { Chain } from '@causeway/contract/wallets.ts';
import { isOnChain } from '@causeway/contract/wallets-rules.ts';
import { useDeferredValue, useState } from 'react';
import { useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { AmountField } from '../../../ui/amount-field.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { quantityProblem, settled } from '../amounts.ts';
import { useChains, useReceivingAddress, useWallets } from '../api.ts';
import { Deposits } from '../components/deposits.tsx';
import { FrozenNote } from '../components/frozen-note.tsx';
import { ReceivingCard } from '../components/receiving-card.tsx';

const choices = ['coin', 'chain'] as const;

/** Recharge on a chain: coin, chain, then the address to send to and what arrives there (decisions, "Wallets and deposits"). */
export function Page() {
  const t = useText();
  const chains = useChains();
  const wallets = useWallets();
  const { filters, setFilters } = useListState(choices);
  const [quantity, setQuantity] = useState('');
  const known = chains.data?.items ?? [];
  const coin = coinsOf(known).find((symbol) => symbol === filters.coin) ?? '';
  const chain = chainsWith(known, coin).find((candidate) => candidate.id === filters.chain);
  const asset = chain?.coins.find((candidate) => candidate.coin === coin);
  const problem = asset ? quantityProblem(quantity, asset.minimum, asset.decimals) : null;
  // While the user types, the code follows when there is time, and keeps the last good one until then.
  const amount = useDeferredValue(problem === null ? settled(quantity) : '');
  const receiving = useReceivingAddress(coin, chain?.id ?? '', asset ? amount : '');
  const wallet = wallets.data?.items
    .filter(isOnChain)
    .find((candidate) => candidate.asset === coin && candidate.place.chain === chain?.id);

  const chooseCoin = (next: string) => {
    const offered = chainsWith(known, next);
    const only = offered.length === 1 ? offered[0]?.id : undefined;
    const kept = offered.some((candidate) => candidate.id === filters.chain) ? filters.chain : undefined;
    setQuantity('');
    setFilters({ coin: next, chain: only ?? kept ?? null });
  };

  if (chains.data === undefined && chains.error !== null) {
    return (
      <Frame>
        <Card>
          <ErrorState error={chains.error} onRetry={() => void chains.refetch()} />
        </Card>
      </Frame>
    );
  }
  const minimum = asset ? { minimum: amountLine(asset.minimum), coin } : null;
  return (
    <Frame intro={t('wallets.recharge.intro')}>
      {wallet?.frozen && <FrozenNote wallet={wallet} />}
      <div className="grid gap-6 lg:grid-cols-[2fr_3fr]">
        <Card title={t('wallets.recharge.choose')}>
          <div className="flex flex-col gap-5">
            <SelectField
              label={t('wallets.column.coin')}
              placeholder={t('wallets.recharge.coinPlaceholder')}
              disabled={chains.data === undefined}
              options={coinsOf(known).map((symbol) => ({ value: symbol, label: symbol }))}
              value={coin}
              onChange={chooseCoin}
            />
            <SelectField
              label={t('wallets.column.chain')}
              placeholder={t(coin === '' ? 'wallets.recharge.chainFirst' : 'wallets.recharge.chainPlaceholder')}
              hint={t('wallets.recharge.chainHint')}
              disabled={coin === ''}
              options={chainsWith(known, coin).map(({ id, name }) => ({ value: id, label: name }))}
              value={chain?.id ?? ''}
              onChange={(next) => {
                setQuantity('');
                setFilters({ chain: next });
              }}
            />
            {asset && minimum && (
              <AmountField
                label={t('wallets.recharge.quantity')}
                optional
                hint={t('wallets.recharge.quantityHint', minimum)}
                error={problem === null ? undefined : t(`wallets.recharge.${problem}`, minimum)}
                coin={coin}
                decimals={asset.decimals}
                value={quantity}
                onChange={setQuantity}
              />
            )}
          </div>
        </Card>
        <ReceivingCard
          chosen={asset !== undefined}
          receiving={receiving.data?.coin === coin && receiving.data.chain === chain?.id ? receiving.data : undefined}
          amount={receiving.isPlaceholderData ? '' : amount}
          error={receiving.error}
          onRetry={() => void receiving.refetch()}
        />
      </div>
      <Deposits wallet={wallet} />
    </Frame>
  );
}

/** Every coin that may be received on some chain, once, in the operator's order. */
function coinsOf(chains: readonly Chain[]): string[] {
  return [...new Set(chains.flatMap((chain) => chain.coins.filter(({ enabled }) => enabled).map(({ coin }) => coin)))];
}

function chainsWith(chains: readonly Chain[], coin: string): Chain[] {
  return chains.filter((chain) => chain.coins.some((offered) => offered.coin === coin && offered.enabled));
}
