import { lazy, Suspense, useMemo, useState } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Desk, Position } from '../api.ts';

const LimitDialog = lazy(async () => ({ default: (await import('./limit-dialog.tsx')).LimitDialog }));

const decimals = 8;

/** By asset: how much is held, what it is worth, its limits and how much room they leave. */
export function PositionTable({ desk }: { desk: Desk | undefined }) {
  const t = useText();
  const mayChange = usePermission('operator.treasury') === true;
  const [changing, setChanging] = useState<string | null>(null);
  const columns = useMemo(() => columnsOf(t, mayChange ? setChanging : null), [t, mayChange]);
  const known = desk?.positions.find(({ asset }) => asset === changing);
  const others = desk?.assets.filter((asset) => !desk.positions.some((one) => one.asset === asset)) ?? [];
  return (
    <>
      <DataTable
        label={t('ops.exchange.positions')}
        columns={columns}
        rows={desk?.positions}
        rowId={({ asset }) => asset}
        skeletonRows={3}
        toolbar={
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <h2 className="m-0 text-14 font-semibold">{t('ops.exchange.positions')}</h2>
            {mayChange && others.length > 0 && (
              <Button size="small" onClick={() => setChanging('')}>
                {t('ops.limit.ofAnother')}
              </Button>
            )}
          </div>
        }
        empty={<EmptyState icon="exchange" title={t('ops.exchange.empty')} text={t('ops.exchange.emptyText')} />}
      />
      {changing !== null && (
        <Suspense>
          <LimitDialog position={known ?? null} others={others} onClose={() => setChanging(null)} />
        </Suspense>
      )}
    </>
  );
}

function columnsOf(t: Translate, onChange: ((asset: string) => void) | null): Column<Position>[] {
  const limit = (amount: string | null, none: string) =>
    amount === null ? (
      <span className="text-faint">{t(none)}</span>
    ) : (
      <Money amount={amount} atMost={decimals} align="right" />
    );
  return [
    {
      id: 'asset',
      header: t('ops.field.asset'),
      card: 'title',
      cell: ({ asset }) => <span className="font-medium">{asset}</span>,
    },
    {
      id: 'quantity',
      header: t('ops.exchange.position'),
      align: 'right',
      card: 'figure',
      cell: ({ quantity, asset, usd }) => (
        <Money
          amount={quantity}
          coin={asset}
          signed
          atMost={decimals}
          align="right"
          fiat={usd === null ? undefined : { amount: usd, coin: 'USD' }}
        />
      ),
    },
    {
      id: 'mostLong',
      header: t('ops.limit.mostLong'),
      align: 'right',
      cell: ({ mostLong }) => limit(mostLong, 'ops.limit.none'),
    },
    {
      id: 'mostShort',
      header: t('ops.limit.mostShort'),
      align: 'right',
      cell: ({ mostShort }) => limit(mostShort, 'ops.limit.none'),
    },
    {
      id: 'room',
      header: t('ops.exchange.room'),
      align: 'right',
      cell: ({ take, give }) => (
        <span className="inline-flex flex-col items-end">
          <span>
            {take === null ? t('ops.limit.none') : <Money amount={take} signed atMost={decimals} align="right" />}
          </span>
          <span>
            {give === null ? t('ops.limit.none') : <Money amount={`-${give}`} atMost={decimals} align="right" />}
          </span>
        </span>
      ),
    },
    { id: 'hedge', header: t('ops.limit.hedge'), cell: (position) => <Hedging position={position} /> },
    { id: 'state', header: t('ops.field.state'), card: 'status', cell: (position) => <State position={position} /> },
    {
      id: 'action',
      header: t('ops.limit.change'),
      cell: ({ asset, proposalId }) =>
        proposalId !== null ? (
          <PlainLink
            href={`/app/confirmations/${proposalId}`}
            className="text-13 text-accent no-underline hover:underline"
          >
            {t('ops.limit.waiting')}
          </PlainLink>
        ) : onChange === null ? (
          <span className="text-faint">–</span>
        ) : (
          <Button size="small" onClick={() => onChange(asset)}>
            {t('ops.limit.change')}
          </Button>
        ),
    },
  ];
}

function Hedging({ position: { hedgeFrom, hedgeTo, venue, asset } }: { position: Position }) {
  const t = useText();
  if (hedgeFrom === null || hedgeTo === null) return <span className="text-faint">{t('ops.limit.notHedged')}</span>;
  return (
    <span className="inline-flex flex-col">
      <span>
        <Money amount={hedgeFrom} coin={asset} atMost={decimals} /> →{' '}
        <Money amount={hedgeTo} coin={asset} atMost={decimals} />
      </span>
      <span className="text-12 text-faint">{venue ?? t('ops.limit.noVenue')}</span>
    </span>
  );
}

function State({ position: { near, orderId, change } }: { position: Position }) {
  const t = useText();
  const detail = change && (
    <>
      {change.confirmedBy === null ? change.by : `${change.by} · ${change.confirmedBy}`} <Time at={change.at} />
    </>
  );
  return (
    <span className="inline-flex flex-col gap-1">
      <StatusDot tone={near ? 'negative' : 'positive'} detail={detail}>
        {t(near ? 'ops.exchange.near' : 'ops.exchange.within')}
      </StatusDot>
      {orderId !== null && (
        <PlainLink
          href={`/app/exchange/hedges/${orderId}`}
          className="text-13 text-accent no-underline hover:underline"
        >
          {t('ops.exchange.hedging')}
        </PlainLink>
      )}
    </span>
  );
}
