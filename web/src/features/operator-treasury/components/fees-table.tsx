import { lazy, Suspense, useMemo, useState } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type Fee, useFees } from '../api.ts';

const CollectDialog = lazy(async () => ({ default: (await import('./collect-dialog.tsx')).CollectDialog }));

/** Fees by chain and coin: how much lies at companies' addresses, what is on its way, what was collected. */
export function FeesTable() {
  const t = useText();
  const read = useFees();
  const mayCollect = usePermission('operator.treasury') === true;
  const [collecting, setCollecting] = useState<Fee | null>(null);
  const isProposed = read.data?.fees.some(
    ({ chainId, coin, proposalId }) =>
      chainId === collecting?.chainId && coin === collecting.coin && proposalId !== null,
  );
  const columns = useMemo(() => columnsOf(t, mayCollect ? setCollecting : null), [t, mayCollect]);
  return (
    <>
      <DataTable
        label={t('ops.fees.title')}
        columns={columns}
        rows={read.data?.fees}
        rowId={({ chainId, coin }) => `${chainId}/${coin}`}
        rowHref={({ chainId, coin }) => `/app/treasury/fees/${chainId}/${coin}`}
        error={read.data === undefined ? read.error : null}
        onRetry={() => void read.refetch()}
        skeletonRows={2}
        toolbar={
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <h2 className="m-0 text-14 font-semibold">{t('ops.fees.title')}</h2>
            <PlainLink
              href="/app/treasury/payments"
              className="text-13 font-medium whitespace-nowrap text-accent no-underline hover:underline"
            >
              {t('ops.fees.payments')}
            </PlainLink>
          </div>
        }
        empty={<EmptyState icon="collect" title={t('ops.fees.empty')} text={t('ops.fees.emptyText')} />}
      />
      {collecting && (
        <Suspense>
          <CollectDialog
            fee={collecting}
            over={isProposed ? t('ops.over.proposed') : null}
            onClose={() => setCollecting(null)}
          />
        </Suspense>
      )}
    </>
  );
}

function columnsOf(t: Translate, onCollect: ((fee: Fee) => void) | null): Column<Fee>[] {
  return [
    {
      id: 'coin',
      header: t('ops.field.coin'),
      card: 'title',
      cell: ({ coin, chainName }) => (
        <span>
          <span className="font-medium">{coin}</span> <span className="text-faint">{chainName}</span>
        </span>
      ),
    },
    {
      id: 'quantity',
      header: t('ops.fees.quantity'),
      align: 'right',
      card: 'figure',
      cell: ({ quantity, coin, usd }) => (
        <Money
          amount={quantity}
          coin={coin}
          atMost={8}
          align="right"
          fiat={usd === null ? undefined : { amount: usd, coin: 'USD' }}
        />
      ),
    },
    { id: 'companies', header: t('ops.fees.companies'), align: 'right', cell: ({ companies }) => companies },
    {
      id: 'underWay',
      header: t('ops.fees.underWay'),
      align: 'right',
      cell: ({ underWay, coin }) => <Money amount={underWay} coin={coin} atMost={8} align="right" />,
    },
    {
      id: 'collected',
      header: t('ops.fees.collected'),
      align: 'right',
      cell: ({ collected, coin }) => <Money amount={collected} coin={coin} atMost={8} align="right" />,
    },
    {
      id: 'action',
      header: t('ops.fees.action'),
      cell: (fee) => <Action fee={fee} onCollect={onCollect} />,
    },
  ];
}

function Action({ fee, onCollect }: { fee: Fee; onCollect: ((fee: Fee) => void) | null }) {
  const t = useText();
  if (fee.proposalId !== null) {
    return (
      <PlainLink
        href={`/app/confirmations/${fee.proposalId}`}
        onClick={(event) => event.stopPropagation()}
        className="text-13 text-accent no-underline hover:underline"
      >
        {t('ops.fees.waiting')}
      </PlainLink>
    );
  }
  if (onCollect === null || fee.quantity === fee.underWay) return <span className="text-faint">–</span>;
  return (
    <Button
      size="small"
      onClick={(event) => {
        event.stopPropagation();
        onCollect(fee);
      }}
    >
      {t('ops.fees.collect')}
    </Button>
  );
}
