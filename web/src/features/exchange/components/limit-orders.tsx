import type { LimitOrder } from '@causeway/contract/exchange.ts';
import { useMemo, useState } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { useUser } from '../../../lib/user.ts';
import { Button } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Money } from '../../../ui/money.tsx';
import { rateText } from '../../../ui/rate-text.ts';
import { EmptyState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useCancelLimitOrder, useLimitOrders } from '../api-planned.ts';

/** Limit orders that wait for their rate; each leads to its transaction. */
export function LimitOrders() {
  const t = useText();
  const orders = useLimitOrders();
  const own = useUser()?.id;
  const mayExchange = usePermission('exchange.create') !== false;
  const [asking, setAsking] = useState<LimitOrder | null>(null);
  const columns = useMemo(
    () => columnsOf(t, (order) => mayExchange && order.createdBy.id === own, setAsking),
    [t, own, mayExchange],
  );
  const cancel = useCancelLimitOrder(() => {
    setAsking(null);
    toast('success', t('exchanges.planned.cancelled'));
  });
  return (
    <section className="flex flex-col gap-3">
      <h2 className="m-0 text-16 font-semibold">{t('exchanges.planned.limits')}</h2>
      <DataTable
        label={t('exchanges.planned.limits')}
        name="limit-orders"
        columns={columns}
        rows={orders.data?.items}
        rowId={({ id }) => id}
        rowHref={({ id }) => `/app/transaction/${id}`}
        error={orders.data === undefined ? orders.error : null}
        onRetry={() => void orders.refetch()}
        skeletonRows={2}
        empty={
          <EmptyState icon="clock" title={t('exchanges.planned.noLimits')} text={t('exchanges.planned.noLimitsText')} />
        }
      />
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(next) => next || setAsking(null)}
        title={t('exchanges.planned.cancelTitle')}
        description={t('exchanges.planned.cancelText')}
        facts={
          asking === null
            ? []
            : [
                { term: t('exchanges.planned.held'), value: <Money amount={asking.held} coin={asking.sell.asset} /> },
                { term: t('exchanges.planned.rate'), value: rateLine(t, asking, asking.rate) },
              ]
        }
        confirmText={t('exchanges.planned.cancel')}
        cancelText={t('exchanges.planned.keep')}
        negative
        busy={cancel.isPending}
        onConfirm={() => asking && cancel.mutate({ body: { id: asking.id } })}
      />
    </section>
  );
}

function rateLine(t: Translate, { sell, buy }: LimitOrder, rate: string) {
  return (
    <span className="figures" title={rate}>
      {t('exchanges.planned.rateOf', { from: sell.asset, rate: rateText(rate), to: buy.asset })}
    </span>
  );
}

function columnsOf(
  t: Translate,
  mayCancel: (order: LimitOrder) => boolean,
  ask: (order: LimitOrder) => void,
): Column<LimitOrder>[] {
  return [
    {
      id: 'pair',
      header: t('exchanges.planned.pair'),
      card: 'title',
      cell: ({ sell, buy, createdBy }) => (
        <span className="flex flex-col whitespace-nowrap">
          <span className="font-medium">
            {sell.asset} → {buy.asset}
          </span>
          <span className="text-12 text-faint">{t('exchanges.planned.byName', { name: createdBy.name })}</span>
        </span>
      ),
    },
    {
      id: 'held',
      header: t('exchanges.planned.held'),
      align: 'right',
      card: 'figure',
      cell: ({ held, sell }) => <Money amount={held} coin={sell.asset} align="right" />,
    },
    {
      id: 'rate',
      header: t('exchanges.planned.rate'),
      align: 'right',
      cell: (order) => (
        <span className="flex flex-col items-end whitespace-nowrap">
          {rateLine(t, order, order.rate)}
          {order.mid !== null && (
            <span className="figures text-12 text-faint">
              {t('exchanges.planned.midNow', { rate: rateText(order.mid) })}
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'least',
      header: t('exchanges.planned.least'),
      align: 'right',
      cell: ({ least, buy }) => <Money amount={least} coin={buy.asset} align="right" />,
    },
    { id: 'until', header: t('exchanges.planned.until'), cell: ({ until }) => <Time at={until} /> },
    {
      id: 'act',
      header: t('exchanges.planned.actions'),
      align: 'right',
      cell: (order) =>
        mayCancel(order) ? (
          <Button size="small" onClick={() => ask(order)}>
            {t('exchanges.planned.cancel')}
          </Button>
        ) : null,
    },
  ];
}
