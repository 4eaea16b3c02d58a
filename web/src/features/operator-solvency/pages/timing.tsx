import type { Output } from '@causeway/contract/call.ts';
import type { listSolvencyTiming } from '@causeway/contract/operator-solvency.ts';
import { useMemo } from 'react';
import { type Formats, useFormats } from '../../../lib/format.ts';
import { type ListState, tableOf } from '../../../lib/list-state.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { ChainName } from '../../operator/index.ts';
import { type OfAsset, useTiming } from '../api.ts';
import { CompanyLink } from '../components/company-link.tsx';
import { RowsFrame } from '../components/rows-frame.tsx';

type Row = Output<typeof listSolvencyTiming>['items'][number];

/** What the books had on the other side of midnight than the chain. */
export function Page() {
  return <RowsFrame>{(of, list) => <Timing of={of} list={list} />}</RowsFrame>;
}

function Timing({ of, list }: { of: OfAsset; list: ListState<string> }) {
  const t = useText();
  const formats = useFormats();
  const query = useTiming(of, list);
  const columns = useMemo(() => columnsOf(t, formats, of.asset), [t, formats, of.asset]);
  return (
    <>
      <p className="m-0 text-13 text-faint">{t('ops.solvency.timingText')}</p>
      <DataTable
        label={t('ops.title.solvencyTiming')}
        columns={columns}
        {...tableOf<Row>(query, list)}
        rowId={({ id }) => id}
        skeletonRows={6}
        empty={<EmptyState icon="clock" title={t('ops.solvency.noTiming')} />}
      />
    </>
  );
}

function columnsOf(t: Translate, formats: Formats, asset: string): Column<Row>[] {
  return [
    {
      id: 'postedAt',
      header: t('ops.solvency.postedAt'),
      card: 'title',
      cell: ({ postedAt }) => <Time at={postedAt} />,
    },
    { id: 'company', header: t('ops.solvency.company'), cell: ({ company }) => <CompanyLink {...company} /> },
    { id: 'kind', header: t('ops.solvency.posting'), cell: ({ kind }) => <code className="text-13">{kind}</code> },
    {
      id: 'source',
      header: t('ops.solvency.for'),
      cell: ({ source }) => <Address value={source} short what={t('ops.solvency.for')} />,
    },
    {
      id: 'block',
      header: t('ops.solvency.blockOf'),
      align: 'right',
      cell: ({ chain, block }) => (
        <>
          <ChainName id={chain} /> {formats.count(block)}
        </>
      ),
    },
    {
      id: 'quantity',
      header: t('ops.solvency.effect'),
      align: 'right',
      card: 'figure',
      cell: ({ quantity }) => <Money amount={quantity} coin={asset} signed align="right" />,
    },
  ];
}
