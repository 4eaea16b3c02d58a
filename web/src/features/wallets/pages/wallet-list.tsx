import { Link, Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { remember, remembered } from '../../../lib/storage.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner, EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Checkbox } from '../../../ui/text-field.tsx';
import { isZero } from '../amounts.ts';
import { useChains, useOverview, useWallets } from '../api.ts';
import { OverviewFigures } from '../components/overview-figures.tsx';
import { walletColumns } from '../components/wallet-columns.tsx';
import { useCurrencyName } from '../naming.ts';

/** The chart comes after the first paint, in the place of its shape. */
const Shares = lazy(async () => ({ default: (await import('../components/shares.tsx')).Shares }));

const hideZeroKey = 'wallets-hide-zero';

/** The company's wallets with what they are worth (decisions, "Wallets and chains"). */
export function Page() {
  const t = useText();
  const formats = useFormats();
  const overview = useOverview();
  const wallets = useWallets();
  const chains = useChains();
  const [hideZero, setHideZero] = useHideZero();
  const currencyName = useCurrencyName();
  const send = usePermission('transfer.create') === true;
  const exchange = usePermission('exchange.create') === true;
  const columns = useMemo(
    () => walletColumns({ t, formats, currencyName }, chains.data?.items, { send, exchange }),
    [t, formats, currencyName, chains.data, send, exchange],
  );
  const all = wallets.data?.items;
  const rows = useMemo(
    () => (hideZero ? all?.filter((wallet) => !isZero(wallet.quantity) || !isZero(wallet.inbound)) : all),
    [all, hideZero],
  );
  const figures = overview.data;
  return (
    <Frame actions={<Actions />}>
      {figures?.pricesStale && figures.pricesUpdatedAt !== null && (
        <Banner kind="pending">{t('wallets.pricesStale', { time: formats.dateTime(figures.pricesUpdatedAt) })}</Banner>
      )}
      {figures !== undefined && figures.total === null && <Banner kind="pending">{t('wallets.pricesUnknown')}</Banner>}
      <div className="grid gap-6 lg:grid-cols-2">
        <OverviewFigures overview={figures} error={overview.error} onRetry={() => void overview.refetch()} />
        <Card title={t('wallets.sharesIn', { currency: figures?.currency ?? 'USD' })}>
          <div className="min-h-36">
            {all !== undefined ? (
              <Suspense fallback={<SharesShape />}>
                <Shares wallets={all} />
              </Suspense>
            ) : wallets.error === null ? (
              <SharesShape />
            ) : (
              <ErrorState error={wallets.error} onRetry={() => void wallets.refetch()} />
            )}
          </div>
        </Card>
      </div>
      <DataTable
        label={t('wallets.list')}
        name="wallets"
        columns={columns}
        rows={rows}
        rowId={(wallet) => wallet.id}
        rowHref={(wallet) => `/app/wallet/${wallet.id}`}
        error={wallets.error}
        onRetry={() => void wallets.refetch()}
        skeletonRows={4}
        toolbar={
          <div className="flex min-h-9 items-center">
            <Checkbox checked={hideZero} onChange={(event) => setHideZero(event.target.checked)}>
              {t('wallets.hideZero')}
            </Checkbox>
          </div>
        }
        empty={<NoWallets hidden={(all?.length ?? 0) > 0} onShowAll={() => setHideZero(false)} />}
      />
      <Outlet />
    </Frame>
  );
}

/** The ring and the names beside it, while they load. */
function SharesShape() {
  return (
    <div className="flex min-h-36 items-center gap-6">
      <span aria-hidden="true" className="size-32 shrink-0 animate-breathe rounded-full border-12 border-sunken" />
      <span className="flex flex-1 flex-col gap-3">
        <Skeleton width="w-40" />
        <Skeleton width="w-32" />
        <Skeleton width="w-36" />
      </span>
    </div>
  );
}

function Actions() {
  const t = useText();
  const maySend = usePermission('transfer.create');
  const mayExport = usePermission('transaction.export');
  const mayExchange = usePermission('exchange.create');
  const maySeeTrades = usePermission('transaction.view');
  return (
    <>
      <PlainLink href="/app/wallet/rates" className={buttonClass('secondary')}>
        <Icon name="exchange" />
        {t('wallets.rates')}
      </PlainLink>
      <PlainLink href="/app/wallet/fees" className={buttonClass('secondary')}>
        <Icon name="list" />
        {t('wallets.fees')}
      </PlainLink>
      {mayExport && (
        <PlainLink href="/app/wallet/statement" className={buttonClass('secondary')}>
          <Icon name="file" />
          {t('wallets.statements')}
        </PlainLink>
      )}
      {mayExchange && (
        <PlainLink href="/app/wallet/exchange" className={buttonClass('secondary')}>
          <Icon name="exchange" />
          {t('wallets.exchange')}
        </PlainLink>
      )}
      {maySeeTrades && (
        <PlainLink href="/app/wallet/tradego" className={buttonClass('secondary')}>
          <Icon name="shield" />
          {t('app.title.tradego')}
        </PlainLink>
      )}
      <Link to="/app/wallet/recharge" className={buttonClass('secondary')}>
        <Icon name="arrowDown" />
        {t('wallets.recharge')}
      </Link>
      {maySend && (
        <Link to="/app/transfer-out" className={buttonClass('primary')}>
          <Icon name="arrowUp" />
          {t('wallets.transferOut')}
        </Link>
      )}
    </>
  );
}

function NoWallets({ hidden, onShowAll }: { hidden: boolean; onShowAll: () => void }) {
  const t = useText();
  if (!hidden) return <EmptyState icon="wallet" title={t('wallets.list.empty')} text={t('wallets.list.emptyText')} />;
  return (
    <EmptyState
      icon="wallet"
      title={t('wallets.list.allZero')}
      text={t('wallets.list.allZeroText')}
      action={<Button onClick={onShowAll}>{t('wallets.showZero')}</Button>}
    />
  );
}

/** Whether empty wallets are hidden, remembered in this browser. */
function useHideZero(): [boolean, (hide: boolean) => void] {
  const [hide, setHide] = useState(() => remembered(hideZeroKey) === 'yes');
  const change = (next: boolean) => {
    setHide(next);
    remember(hideZeroKey, next ? 'yes' : null);
  };
  return [hide, change];
}
