import type { Output } from '@causeway/contract/call.ts';
import type { listReserveProofs } from '@causeway/contract/statements.ts';
import { useMemo } from 'react';
import { dayOf } from '../../../lib/days.ts';
import { type Formats, useFormats } from '../../../lib/format.ts';
import { type ListState, tableOf } from '../../../lib/list-state.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import type { useReserveProofs } from '../api.ts';

type Night = Output<typeof listReserveProofs>['items'][number];

interface Props {
  query: ReturnType<typeof useReserveProofs>;
  list: ListState<'day'>;
}

const atMost = 8;

/** The reports that count the company, newest first; each opens its proof. */
export function ReserveNights({ query, list }: Props) {
  const t = useText();
  const formats = useFormats();
  const columns = useMemo(() => columnsOf(t, formats), [t, formats]);
  return (
    <DataTable
      label={t('statements.reserves.nights')}
      columns={columns}
      {...tableOf<Night>(query, list)}
      rowId={({ day }) => day}
      rowHref={({ day }) => `/app/wallet/reserves?day=${day}`}
      skeletonRows={4}
      empty={
        <EmptyState icon="shield" title={t('statements.reserves.none')} text={t('statements.reserves.noneText')} />
      }
    />
  );
}

function columnsOf(t: Translate, formats: Formats): Column<Night>[] {
  return [
    {
      id: 'day',
      header: t('statements.reserves.day'),
      card: 'title',
      cell: ({ day }) => formats.date(dayOf(day)),
    },
    { id: 'signedAt', header: t('statements.reserves.signedAt'), cell: ({ signedAt }) => <Time at={signedAt} /> },
    {
      id: 'counted',
      header: t('statements.reserves.counted'),
      align: 'right',
      card: 'figure',
      cell: ({ counted }) =>
        counted.length === 0 ? (
          <span className="text-faint">{t('statements.reserves.nothing')}</span>
        ) : (
          <span className="inline-flex flex-col items-end">
            {counted.map(({ asset, counted: amount }) => (
              <Money key={asset} amount={amount} coin={asset} atMost={atMost} align="right" />
            ))}
          </span>
        ),
    },
  ];
}
