import { useMemo } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Stat } from '../../../ui/stat.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import type { Place } from '../api.ts';
import { isNothing } from '../words.ts';

type Account = Place['accounts'][number];

/** One currency at one bank: what the bank states, what the books have, and each account's last statement. */
export function PlaceCard({ place }: { place: Place }) {
  const t = useText();
  const columns = useMemo(() => columnsOf(t), [t]);
  const { bankName, asset, stated, booked, suspense, difference } = place;
  const agrees = isNothing(difference);
  return (
    <Card
      title={`${bankName} · ${asset}`}
      aside={
        <StatusDot tone={agrees ? 'positive' : 'negative'}>
          {t(agrees ? 'ops.reconciliation.same' : 'ops.reconciliation.different')}
        </StatusDot>
      }
    >
      <div className="flex flex-col gap-6">
        <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2 xl:grid-cols-4">
          <Stat label={t('ops.reconciliation.stated')} value={<Money amount={stated} coin={asset} />} />
          <Stat label={t('ops.reconciliation.booked')} value={<Money amount={booked} coin={asset} />} />
          <Stat
            label={t('ops.reconciliation.suspense')}
            value={
              isNothing(suspense) ? (
                <Money amount={suspense} coin={asset} />
              ) : (
                <PlainLink href="/app/banks/moneys" className="text-accent hover:underline">
                  <Money amount={suspense} coin={asset} />
                </PlainLink>
              )
            }
          />
          <Stat
            label={t('ops.reconciliation.difference')}
            value={
              <span className={agrees ? '' : 'text-negative'}>
                <Money amount={difference} coin={asset} signed={!agrees} />
              </span>
            }
          />
        </div>
        <DataTable
          label={t('ops.reconciliation.accounts', { place: `${bankName} ${asset}` })}
          columns={columns}
          rows={place.accounts}
          rowId={({ number }) => number}
          skeletonRows={1}
          empty={<EmptyState title={t('ops.banks.noRows')} />}
        />
      </div>
    </Card>
  );
}

function columnsOf(t: Translate): Column<Account>[] {
  const none = <span className="text-faint">–</span>;
  const figure = (amount: string | undefined) =>
    amount === undefined ? none : <Money amount={amount} align="right" />;
  return [
    {
      id: 'number',
      header: t('ops.bankMoney.account'),
      card: 'title',
      cell: ({ number }) => <span className="figures wrap-anywhere">{number}</span>,
    },
    {
      id: 'statement',
      header: t('ops.reconciliation.statement'),
      cell: ({ statement }) =>
        statement === null ? (
          <span className="text-faint">{t('ops.reconciliation.noStatement')}</span>
        ) : (
          <span className="inline-flex flex-col">
            <PlainLink href={`/app/banks/files/${statement.fileId}`} className="text-accent wrap-anywhere">
              {statement.closedOn}
            </PlainLink>
            <span className="text-12 text-faint wrap-anywhere">{statement.reference}</span>
          </span>
        ),
    },
    {
      id: 'opening',
      header: t('ops.reconciliation.opening'),
      align: 'right',
      cell: ({ statement }) => figure(statement?.opening),
    },
    {
      id: 'total',
      header: t('ops.reconciliation.total'),
      align: 'right',
      cell: ({ statement }) => figure(statement?.total),
    },
    {
      id: 'closing',
      header: t('ops.reconciliation.closing'),
      align: 'right',
      cell: ({ statement }) => figure(statement?.closing),
    },
    {
      id: 'difference',
      header: t('ops.reconciliation.difference'),
      align: 'right',
      card: 'figure',
      cell: ({ statement }) =>
        statement === null || isNothing(statement.difference) ? (
          figure(statement?.difference)
        ) : (
          <span className="font-semibold text-negative">
            <Money amount={statement.difference} signed align="right" />
          </span>
        ),
    },
    { id: 'since', header: t('ops.reconciliation.since'), align: 'right', cell: ({ since }) => figure(since) },
  ];
}
