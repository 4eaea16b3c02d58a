import type { Chain, Wallet } from '@causeway/contract/wallets.ts';
import { type BankWallet, isAtBank, isOnChain } from '@causeway/contract/wallets-rules.ts';
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useDeferredValue, useState } from 'react';
import { useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { AmountField } from '../../../ui/amount-field.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { CardPage } from '../../../ui/card-page.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { quantityProblem, settled } from '../amounts.ts';
import { useChains, useReceivingAddress, useWallets } from '../api.ts';
import { Deposits } from '../components/deposits.tsx';
import { FrozenNote } from '../components/frozen-note.tsx';
import { ReceivingCard } from '../components/receiving-card.tsx';
import { useCurrencyName } from '../naming.ts';

const RechargeAtBank = lazy(async () => ({
  default: (await import('../components/recharge-at-bank.tsx')).RechargeAtBank,
}));
const Arriving = lazy(async () => ({ default: (await import('../components/arriving.tsx')).Arriving }));
const EarlierAddresses = lazy(async () => ({
  default: (await import('../components/earlier-addresses.tsx')).EarlierAddresses,
}));
const Notices = lazy(async () => ({ default: (await import('../components/notices.tsx')).Notices }));

const choices = ['coin', 'chain', 'bank', 'step'] as const;

/**
 * Recharge: a coin or a currency, then where: a coin's chain with the address to send to, or a currency's bank with the three steps of a
 * bank transfer. Below it what arrives there (decisions, "Wallets and deposits").
 */
export function Page() {
  const t = useText();
  const chains = useChains();
  const wallets = useWallets();
  const currencyName = useCurrencyName();
  const { filters, setFilters } = useListState(choices);
  const [quantity, setQuantity] = useState('');
  const known = chains.data?.items ?? [];
  const atBanks = (wallets.data?.items ?? []).filter(isAtBank);
  const currency = currenciesOf(atBanks).find((code) => code === filters.coin);
  const coin = coinsOf(known).find((symbol) => symbol === filters.coin) ?? '';
  const chain = chainsWith(known, coin).find((candidate) => candidate.id === filters.chain);
  const asset = chain?.coins.find((candidate) => candidate.coin === coin);
  const problem = asset ? quantityProblem(quantity, asset.minimum, asset.decimals) : null;
  // While the user types, the code follows when there is time, and keeps the last good one until then.
  const amount = useDeferredValue(problem === null ? settled(quantity) : '');
  // No address is asked for while deposits are off; what is sent to a known one is credited all the same.
  const paused = asset?.depositsPaused === true;
  const receiving = useReceivingAddress(paused ? '' : coin, chain?.id ?? '', asset ? amount : '');
  const offered = banksWith(atBanks, currency);
  const atBank =
    offered.find(({ place }) => place.bank === filters.bank) ?? (offered.length === 1 ? offered[0] : undefined);
  const onChain = wallets.data?.items
    .filter(isOnChain)
    .find((candidate) => candidate.asset === coin && candidate.place.chain === chain?.id);
  const wallet: Wallet | undefined = currency === undefined ? onChain : atBank;

  const chooseAsset = (next: string) => {
    const onChains = chainsWith(known, next);
    const only = onChains.length === 1 ? onChains[0]?.id : undefined;
    const kept = onChains.some((candidate) => candidate.id === filters.chain) ? filters.chain : undefined;
    const banks = banksWith(atBanks, next);
    setQuantity('');
    setFilters({
      coin: next,
      chain: only ?? kept ?? null,
      bank: banks.length === 1 ? (banks[0]?.place.bank ?? null) : null,
      // The steps of another currency begin at the first.
      step: null,
    });
  };

  if (chains.data === undefined && chains.error !== null) {
    return (
      <CardPage>
        <ErrorState error={chains.error} onRetry={() => void chains.refetch()} />
      </CardPage>
    );
  }
  const minimum = asset ? { minimum: amountLine(asset.minimum), coin } : null;
  const options = [
    ...coinsOf(known).map((symbol) => ({ value: symbol, label: symbol })),
    ...currenciesOf(atBanks).map((code) => ({ value: code, label: code, detail: currencyName(code) })),
  ];
  return (
    <Frame intro={t(currency === undefined ? 'wallets.recharge.intro' : 'recharge.fiat.intro')}>
      {wallet?.frozen && <FrozenNote wallet={wallet} />}
      <div className="grid items-start gap-6 lg:grid-cols-[2fr_3fr]">
        <Card title={t('wallets.recharge.choose')}>
          <div className="flex flex-col gap-5">
            <SelectField
              label={t('wallets.recharge.asset')}
              placeholder={t('wallets.recharge.assetPlaceholder')}
              disabled={chains.data === undefined || wallets.data === undefined}
              options={options}
              value={currency ?? coin}
              onChange={chooseAsset}
            />
            {currency === undefined ? (
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
            ) : (
              <SelectField
                label={t('wallets.account.bank')}
                placeholder={t('recharge.fiat.bankPlaceholder')}
                hint={t('recharge.fiat.bankHint')}
                options={offered.map(({ place }) => ({ value: place.bank, label: place.name }))}
                value={atBank?.place.bank ?? ''}
                onChange={(next) => setFilters({ bank: next, step: null })}
              />
            )}
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
        {atBank === undefined ? (
          <ReceivingCard
            chosen={asset !== undefined}
            paused={paused}
            fresh={chain?.freshAddresses === true}
            receiving={receiving.data?.coin === coin && receiving.data.chain === chain?.id ? receiving.data : undefined}
            amount={receiving.isPlaceholderData ? '' : amount}
            error={receiving.error}
            onRetry={() => void receiving.refetch()}
          />
        ) : (
          <Suspense fallback={<Shape />}>
            <RechargeAtBank key={atBank.id} wallet={atBank} />
          </Suspense>
        )}
      </div>
      {atBank !== undefined && (
        <Suspense fallback={<Shape />}>
          <Notices wallet={atBank} />
          <Arriving wallet={atBank} />
        </Suspense>
      )}
      <Deposits wallet={wallet} />
      {currency === undefined && chain?.freshAddresses === true && (
        <Suspense fallback={<Shape />}>
          <EarlierAddresses key={chain.id} chain={chain} coin={coin} />
        </Suspense>
      )}
      <Outlet />
    </Frame>
  );
}

function Shape() {
  return (
    <Card>
      <Skeleton height="h-40" />
    </Card>
  );
}

/** Every coin that may be received on some chain, once, in the operator's order. */
function coinsOf(chains: readonly Chain[]): string[] {
  return [...new Set(chains.flatMap((chain) => chain.coins.filter(({ enabled }) => enabled).map(({ coin }) => coin)))];
}

function chainsWith(chains: readonly Chain[], coin: string): Chain[] {
  return chains.filter((chain) => chain.coins.some((offered) => offered.coin === coin && offered.enabled));
}

function currenciesOf(wallets: readonly BankWallet[]): string[] {
  return [...new Set(wallets.map(({ asset }) => asset))];
}

function banksWith(wallets: readonly BankWallet[], currency: string | undefined): BankWallet[] {
  return wallets.filter(({ asset }) => asset === currency);
}
