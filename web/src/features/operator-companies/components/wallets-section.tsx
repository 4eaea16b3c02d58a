import { useMemo } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import type { CompanyFile } from '../api.ts';

type Wallet = CompanyFile['wallets'][number];

/** What the company holds, wallet by wallet. */
export function WalletsSection({ company: { wallets } }: { company: CompanyFile }) {
  const t = useText();
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <DataTable
      label={t('ops.companies.section.wallets')}
      name="operator-company-wallets"
      columns={columns}
      rows={wallets}
      rowId={({ id }) => id}
      empty={<EmptyState icon="wallet" title={t('ops.companies.walletsEmpty')} />}
    />
  );
}

/** A figure of 0 says nothing: it is a dash. */
function figure(t: Translate, id: 'available' | 'inTransfer' | 'arriving'): Column<Wallet> {
  return {
    id,
    header: t(`ops.companies.field.${id}`),
    align: 'right',
    cell: (wallet) =>
      /^[0.]+$/.test(wallet[id]) && id !== 'available' ? (
        <span className="text-faint">0</span>
      ) : (
        <Money amount={wallet[id]} coin={wallet.asset} atMost={8} align="right" />
      ),
  };
}

function columnsOf(t: Translate): Column<Wallet>[] {
  return [
    {
      id: 'wallet',
      header: t('ops.companies.field.wallet'),
      card: 'title',
      width: '24%',
      cell: ({ asset, place, account }) => (
        <span className="flex min-w-0 flex-col gap-0.5">
          <span className="font-medium">
            {asset} · {place}
          </span>
          {account !== null && <Address value={account} short what={t('ops.companies.field.account')} />}
        </span>
      ),
    },
    {
      ...figure(t, 'available'),
      card: 'figure',
      cell: ({ available, asset, usd }) => (
        <Money
          amount={available}
          coin={asset}
          atMost={8}
          align="right"
          fiat={usd === null ? undefined : { amount: usd, coin: 'USD' }}
        />
      ),
    },
    figure(t, 'inTransfer'),
    figure(t, 'arriving'),
    {
      id: 'state',
      header: t('ops.companies.field.state'),
      cell: ({ frozenAt, frozenReason, deficit, asset }) => (
        <span className="flex flex-col gap-1">
          {frozenAt === null ? (
            <StatusDot tone="positive">{t('ops.companies.wallet.active')}</StatusDot>
          ) : (
            <StatusDot
              tone="pending"
              detail={
                <>
                  {frozenReason} <Time at={frozenAt} />
                </>
              }
            >
              {t('ops.companies.wallet.frozen')}
            </StatusDot>
          )}
          {!/^[0.]+$/.test(deficit) && (
            <span className="text-12 text-negative">
              {t('ops.companies.deficit')} <Money amount={deficit} coin={asset} />
            </span>
          )}
        </span>
      ),
    },
  ];
}
