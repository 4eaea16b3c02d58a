import { parseAmount, sayAmount } from '@causeway/contract/money.ts';
import type { Wallet } from '@causeway/contract/wallets.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useWatchedWallets, useWatchWallet } from '../alerts-api.ts';
import { AmountSetting } from './amount-setting.tsx';

/** The balances below which the company's wallets alert. They are the company's: members who may send money set them. */
export function WalletThresholds() {
  const t = useText();
  const mayChange = usePermission('transfer.create') === true;
  const wallets = useWatchedWallets();
  const { data, error } = wallets;
  if (data === undefined && error !== null) {
    return <ErrorState error={error} onRetry={() => void wallets.refetch()} />;
  }
  return (
    <div className="rounded-6 border border-line">
      <p className="m-0 border-b border-line px-4 py-2.5 text-13 text-muted">
        {t(mayChange ? 'notices.thresholds.company' : 'notices.thresholds.readOnly')}
      </p>
      <Loading loading={data === undefined} skeleton={<Shape />}>
        <ul className="m-0 list-none p-0">
          {data?.items.map((wallet) => (
            <li key={wallet.id} className="border-b border-line px-4 py-3 last:border-b-0">
              <Threshold wallet={wallet} mayChange={mayChange} />
            </li>
          ))}
        </ul>
        {data?.items.length === 0 && (
          <p className="m-0 px-4 py-3 text-13 text-faint">{t('notices.thresholds.noWallets')}</p>
        )}
      </Loading>
    </div>
  );
}

function Threshold({ wallet, mayChange }: { wallet: Wallet; mayChange: boolean }) {
  const t = useText();
  const [changing, setChanging] = useState(false);
  const watch = useWatchWallet(() => {
    setChanging(false);
    toast('success', t('notices.mail.saved'));
  });
  const { id, asset, decimals, place, available, alertBelow } = wallet;
  const name = `${asset} · ${place.name}`;
  const said = (amount: string) => {
    const parsed = parseAmount(amount, decimals);
    return `${parsed.ok ? sayAmount(parsed.minor, decimals) : amount} ${asset}`;
  };
  const save = (below: string | null) => watch.mutate({ params: { id }, body: { below } });
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="min-w-0">
          <span className="block font-medium">{name}</span>
          <span className="figures block text-12 text-faint">
            {t('notices.thresholds.available', { amount: said(available) })}
          </span>
        </span>
        <span className="flex items-center gap-3">
          <span className={alertBelow === null ? 'text-13 text-faint' : 'figures text-13'}>
            {alertBelow === null
              ? t('notices.thresholds.none')
              : t('notices.thresholds.below', { amount: said(alertBelow) })}
          </span>
          {mayChange && !changing && (
            <Button size="small" onClick={() => setChanging(true)}>
              {t(alertBelow === null ? 'notices.thresholds.set' : 'notices.thresholds.change')}
              <span className="sr-only"> {name}</span>
            </Button>
          )}
        </span>
      </div>
      {changing && (
        <AmountSetting
          label={t('notices.thresholds.amount')}
          value={alertBelow ?? ''}
          coin={asset}
          decimals={decimals}
          busy={watch.isPending}
          onSave={save}
        >
          {alertBelow !== null && (
            <Button size="small" busy={watch.isPending} onClick={() => save(null)}>
              {t('notices.thresholds.remove')}
            </Button>
          )}
          <Button size="small" onClick={() => setChanging(false)}>
            {t('notices.thresholds.cancel')}
          </Button>
        </AmountSetting>
      )}
    </div>
  );
}

function Shape() {
  return (
    <div className="flex flex-col gap-3 p-4">
      <Skeleton width="w-40" />
      <Skeleton width="w-40" />
      <Skeleton width="w-40" />
    </div>
  );
}
