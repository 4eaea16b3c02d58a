import { useMemo } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Venue } from '../api.ts';

const decimals = 8;

/** The venues at which the platform hedges: whether they answer, and what is there to trade with. */
export function VenuesTable({ venues }: { venues: readonly Venue[] | undefined }) {
  const t = useText();
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <DataTable
      label={t('ops.venues.title')}
      columns={columns}
      rows={venues}
      rowId={({ id }) => id}
      skeletonRows={1}
      toolbar={<h2 className="m-0 text-14 font-semibold">{t('ops.venues.title')}</h2>}
      empty={<EmptyState icon="globe" title={t('ops.venues.empty')} text={t('ops.exchange.noVenue')} />}
    />
  );
}

function columnsOf(t: Translate): Column<Venue>[] {
  return [
    {
      id: 'venue',
      header: t('ops.venues.venue'),
      card: 'title',
      cell: ({ id, kind }) => (
        <span>
          <span className="font-medium">{id}</span> <span className="text-faint">{t(`ops.venueKind.${kind}`)}</span>
        </span>
      ),
    },
    {
      id: 'balances',
      header: t('ops.venues.balances'),
      align: 'right',
      cell: ({ balances }) =>
        balances.length === 0 ? (
          '–'
        ) : (
          <span className="inline-flex flex-col items-end">
            {balances.map(({ asset, quantity }) => (
              <Money key={asset} amount={quantity} coin={asset} atMost={decimals} align="right" />
            ))}
          </span>
        ),
    },
    { id: 'state', header: t('ops.field.state'), card: 'status', cell: (venue) => <State venue={venue} /> },
  ];
}

function State({ venue: { configured, failingSince, problem, answeredAt } }: { venue: Venue }) {
  const t = useText();
  if (!configured) return <StatusDot tone="neutral">{t('ops.venues.off')}</StatusDot>;
  if (failingSince !== null) {
    return (
      <StatusDot tone="negative" detail={problem}>
        {t('ops.venues.failing')}
      </StatusDot>
    );
  }
  if (answeredAt === null) return <StatusDot tone="pending">{t('ops.venues.notAsked')}</StatusDot>;
  return (
    <StatusDot tone="positive" detail={<Time at={answeredAt} />}>
      {t('ops.venues.answers')}
    </StatusDot>
  );
}
