import type { BankMoney } from '@causeway/contract/operator-banks.ts';
import { useMemo } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { FileDetail } from '../api.ts';
import { isNothing } from '../words.ts';
import { MoneyState } from './money-state.tsx';

type Statement = FileDetail['statements'][number];

/** The statements and notifications in a file, with what they add up to. */
export function FileStatements({ statements }: { statements: readonly Statement[] }) {
  const t = useText();
  const columns = useMemo(() => statementColumns(t), [t]);
  return (
    <DataTable
      label={t('ops.bankFile.statements')}
      toolbar={<h2 className="m-0 text-14 font-semibold">{t('ops.bankFile.statements')}</h2>}
      columns={columns}
      rows={statements}
      rowId={({ id }) => id}
      skeletonRows={2}
      empty={<EmptyState title={t('ops.banks.noRows')} />}
    />
  );
}

/** The moneys that a file announced or booked, each leading to what became of it. */
export function FileMoneys({ moneys, isCut }: { moneys: readonly BankMoney[]; isCut: boolean }) {
  const t = useText();
  const columns = useMemo(() => moneyColumns(t), [t]);
  return (
    <div className="flex flex-col gap-2">
      <DataTable
        label={t('ops.bankFile.moneys')}
        toolbar={<h2 className="m-0 text-14 font-semibold">{t('ops.bankFile.moneys')}</h2>}
        columns={columns}
        rows={moneys}
        rowId={({ id }) => id}
        rowHref={({ id }) => `/app/banks/moneys/${id}`}
        skeletonRows={2}
        empty={<EmptyState title={t('ops.banks.noRows')} />}
      />
      {isCut && <p className="m-0 text-13 text-faint">{t('ops.bankFile.moneysCut', { count: moneys.length })}</p>}
    </div>
  );
}

function statementColumns(t: Translate): Column<Statement>[] {
  const figure = (amount: string | null) =>
    amount === null ? <span className="text-faint">–</span> : <Money amount={amount} align="right" />;
  return [
    {
      id: 'account',
      header: t('ops.bankMoney.account'),
      card: 'title',
      cell: ({ account, asset, reference, kind, isCopy }) => (
        <span className="inline-flex flex-col">
          <span className="figures wrap-anywhere">
            {account} {asset}
          </span>
          <span className="text-12 text-faint wrap-anywhere">
            {t(`ops.bankFile.is.${kind}`)} {reference}
            {isCopy && ` · ${t('ops.bankFile.state.copy')}`}
          </span>
        </span>
      ),
    },
    { id: 'day', header: t('ops.bankFile.closedOn'), cell: ({ closedOn }) => closedOn ?? '–' },
    { id: 'entries', header: t('ops.bankFile.entries'), align: 'right', cell: ({ entries }) => entries },
    { id: 'opening', header: t('ops.reconciliation.opening'), align: 'right', cell: ({ opening }) => figure(opening) },
    { id: 'total', header: t('ops.reconciliation.total'), align: 'right', cell: ({ total }) => figure(total) },
    { id: 'closing', header: t('ops.reconciliation.closing'), align: 'right', cell: ({ closing }) => figure(closing) },
    {
      id: 'difference',
      header: t('ops.reconciliation.difference'),
      align: 'right',
      card: 'figure',
      cell: ({ difference }) =>
        difference === null || isNothing(difference) ? (
          figure(difference)
        ) : (
          <span className="font-semibold text-negative">
            <Money amount={difference} signed align="right" />
          </span>
        ),
    },
  ];
}

function moneyColumns(t: Translate): Column<BankMoney>[] {
  return [
    {
      id: 'payer',
      header: t('ops.bankMoney.payer'),
      card: 'title',
      cell: ({ payer, payerAccount }) => (
        <span className="font-medium wrap-anywhere">{payer ?? payerAccount ?? t('ops.bankMoney.noPayer')}</span>
      ),
    },
    {
      id: 'quantity',
      header: t('ops.bankMoney.amount'),
      align: 'right',
      card: 'figure',
      cell: ({ quantity, asset }) => <Money amount={quantity} coin={asset} align="right" />,
    },
    {
      id: 'reference',
      header: t('ops.bankMoney.reference'),
      cell: ({ reference }) => <span className="wrap-anywhere">{reference ?? '–'}</span>,
    },
    { id: 'state', header: t('ops.field.state'), card: 'status', cell: (money) => <MoneyState money={money} /> },
  ];
}
