import type { Transaction } from '@causeway/contract/transfers.ts';
import type { Translate } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { Time } from '../../../ui/time.tsx';
import { counterparty, signedQuantity, typeTexts } from '../words.ts';
import { TransactionStatusWord } from './transaction-status.tsx';

/** Decimals shown in the list; what is beyond them is there on hover and in the detail. */
const listDecimals = 8;

/** The ids of sortable columns are the names that the call sorts by. */
export function transactionColumns(t: Translate): Column<Transaction>[] {
  return [
    {
      id: 'time',
      header: t('transfers.column.time'),
      sort: 'server',
      skeleton: 'w-36',
      cell: (row) => <Time at={row.createdAt} />,
    },
    {
      id: 'type',
      header: t('transfers.column.type'),
      card: 'title',
      skeleton: 'w-28',
      cell: (row) => (
        <span className="inline-flex flex-col">
          <span>{t(typeTexts[row.type])}</span>
          {row.chainName !== null && <span className="text-12 font-normal text-faint">{row.chainName}</span>}
        </span>
      ),
    },
    {
      id: 'party',
      header: t('transfers.column.party'),
      skeleton: 'w-36',
      cell: (row) => <Party row={row} />,
    },
    {
      id: 'amount',
      header: t('transfers.column.amount'),
      sort: 'server',
      align: 'right',
      card: 'figure',
      cell: (row) => <Money amount={signedQuantity(row)} coin={row.coin} signed atMost={listDecimals} align="right" />,
    },
    {
      id: 'fee',
      header: t('transfers.column.fee'),
      align: 'right',
      hideable: true,
      skeleton: 'w-16',
      cell: (row) =>
        /[1-9]/.test(row.fee) ? (
          <Money amount={row.fee} coin={row.coin} atMost={listDecimals} align="right" />
        ) : (
          <span className="text-faint">–</span>
        ),
    },
    {
      id: 'status',
      header: t('transfers.column.status'),
      skeleton: 'w-24',
      cell: (row) => <TransactionStatusWord row={row} />,
    },
    {
      id: 'hash',
      header: t('transfers.column.hash'),
      hideable: true,
      hiddenAtFirst: true,
      card: 'none',
      skeleton: 'w-32',
      cell: (row) =>
        row.hash === null ? (
          <span className="text-faint">–</span>
        ) : (
          <Address value={row.hash} short what={t('transfers.column.hash')} />
        ),
    },
  ];
}

function Party({ row }: { row: Transaction }) {
  const { name, account } = counterparty(row);
  if (name === null && account === null) return <span className="text-faint">–</span>;
  return (
    <span className="inline-flex max-w-full flex-col">
      {name !== null && <span className="max-w-48 truncate">{name}</span>}
      {account !== null && (
        <span className={name === null ? '' : 'text-12 text-faint'}>
          <Address value={account} short copyable={false} />
        </span>
      )}
    </span>
  );
}
