import type { Output } from '@causeway/contract/call.ts';
import type { listSolvencyOwed } from '@causeway/contract/operator-solvency.ts';
import { useMemo } from 'react';
import { type ListState, tableOf } from '../../../lib/list-state.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type OfAsset, useOwed } from '../api.ts';
import { CompanyLink } from '../components/company-link.tsx';
import { RowsFrame } from '../components/rows-frame.tsx';

type Row = Output<typeof listSolvencyOwed>['items'][number];

const atMost = 8;

/** What each company was owed of an asset at the end of a day. */
export function Page() {
  return <RowsFrame>{(of, list) => <Owed of={of} list={list} />}</RowsFrame>;
}

function Owed({ of, list }: { of: OfAsset; list: ListState<string> }) {
  const t = useText();
  const query = useOwed(of, list);
  const columns = useMemo(() => columnsOf(t, of.asset), [t, of.asset]);
  return (
    <DataTable
      label={t('ops.title.solvencyOwed')}
      columns={columns}
      {...tableOf<Row>(query, list)}
      rowId={({ id }) => id}
      skeletonRows={8}
      empty={<EmptyState icon="building" title={t('ops.solvency.noOwed')} />}
    />
  );
}

function columnsOf(t: Translate, asset: string): Column<Row>[] {
  const amount = (id: keyof Omit<Row, 'id' | 'name' | 'total'>): Column<Row> => ({
    id,
    header: t(`ops.solvency.${id}`),
    align: 'right',
    cell: (row) =>
      /[1-9]/.test(row[id]) ? (
        <Money amount={row[id]} atMost={atMost} align="right" />
      ) : (
        <span className="text-faint">–</span>
      ),
  });
  return [
    {
      id: 'name',
      header: t('ops.solvency.company'),
      card: 'title',
      cell: ({ id, name }) => <CompanyLink id={id} name={name} />,
    },
    amount('available'),
    amount('inTransfer'),
    amount('arriving'),
    amount('inEscrow'),
    {
      id: 'total',
      header: t('ops.solvency.total'),
      align: 'right',
      card: 'figure',
      cell: ({ total }) => <Money amount={total} coin={asset} atMost={atMost} align="right" />,
    },
    amount('own'),
  ];
}
