import type { Output } from '@causeway/contract/call.ts';
import type { listSolvencyHeld } from '@causeway/contract/operator-solvency.ts';
import { useMemo } from 'react';
import { type ListState, tableOf } from '../../../lib/list-state.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { Button } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { ChainName, useChainName } from '../../operator/index.ts';
import { type OfAsset, useHeld } from '../api.ts';
import { CompanyLink } from '../components/company-link.tsx';
import { RowsFrame } from '../components/rows-frame.tsx';

type Row = Output<typeof listSolvencyHeld>['items'][number];

/** What each address of ours held of an asset at the last block of a day, on one chain or on all. */
export function Page() {
  return <RowsFrame>{(of, list) => <Held of={of} list={list} />}</RowsFrame>;
}

function Held({ of, list }: { of: OfAsset; list: ListState<'chain' | 'owner'> }) {
  const t = useText();
  const nameOf = useChainName();
  const { chain } = list.filters;
  const query = useHeld(of, chain, list.filters.owner === 'operator' ? 'operator' : 'company', list);
  const columns = useMemo(() => columnsOf(t, of.asset), [t, of.asset]);
  return (
    <>
      {chain !== undefined && (
        <div className="flex items-center gap-3 text-13 text-muted">
          {t('ops.solvency.onlyChain', { chain: nameOf(chain) })}
          <Button onClick={() => list.setFilters({ chain: null })}>{t('ops.solvency.allChains')}</Button>
        </div>
      )}
      <DataTable
        label={t('ops.title.solvencyHeld')}
        columns={columns}
        {...tableOf<Row>(query, list)}
        rowId={(row) => `${row.chain} ${row.address}`}
        skeletonRows={8}
        empty={<EmptyState icon="wallet" title={t('ops.solvency.noHeld')} />}
      />
    </>
  );
}

function columnsOf(t: Translate, asset: string): Column<Row>[] {
  return [
    {
      id: 'address',
      header: t('ops.solvency.address'),
      card: 'title',
      cell: ({ address }) => <Address value={address} short what={t('ops.solvency.address')} />,
    },
    { id: 'chain', header: t('ops.solvency.chain'), cell: ({ chain }) => <ChainName id={chain} /> },
    {
      id: 'company',
      header: t('ops.solvency.owner'),
      cell: ({ company, isTreasury }) =>
        company === null ? t(isTreasury ? 'ops.solvency.treasury' : 'ops.solvency.tank') : <CompanyLink {...company} />,
    },
    {
      id: 'quantity',
      header: t('ops.solvency.held'),
      align: 'right',
      card: 'figure',
      cell: ({ quantity }) => <Money amount={quantity} coin={asset} align="right" />,
    },
  ];
}
