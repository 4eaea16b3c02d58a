import { formOf } from '@causeway/contract/address-forms.ts';
import type { Output } from '@causeway/contract/call.ts';
import type { getPeriodStatement, Movement } from '@causeway/contract/statements.ts';
import { useMemo } from 'react';
import { tableOf, useListState } from '../../../lib/list-state.ts';
import { type Translate, useLocaleTag, useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { Card } from '../../../ui/card.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Stat } from '../../../ui/stat.tsx';
import { Banner, EmptyState } from '../../../ui/states.tsx';
import type { useWalletStatement } from '../api.ts';

type WalletAnswer = Output<typeof getPeriodStatement>;

const atMost = 8;

/** One wallet's figures for the period, and its movements with the running balance. */
export function WalletStatement({ query }: { query: ReturnType<typeof useWalletStatement> }) {
  const t = useText();
  const tag = useLocaleTag();
  const list = useListState<never>([]);
  const { data } = query;
  const asset = data?.statement.asset ?? '';
  const currency = data?.currency ?? 'USD';
  const timeZone = data?.period.timeZone ?? 'UTC';
  const columns = useMemo(
    () => columnsOf(t, { asset, currency, times: timesIn(tag, timeZone) }),
    [t, tag, asset, currency, timeZone],
  );
  return (
    <>
      {(query.error === null || data !== undefined) && <Figures answer={data} />}
      <DataTable
        label={t('statements.movements')}
        columns={columns}
        {...tableOf<Movement>(query as Parameters<typeof tableOf<Movement>>[0], list)}
        rowId={(row) => row.place}
        skeletonRows={8}
        empty={<EmptyState icon="list" title={t('statements.empty')} text={t('statements.emptyText')} />}
      />
    </>
  );
}

function Figures({ answer }: { answer: WalletAnswer | undefined }) {
  const t = useText();
  const statement = answer?.statement;
  const figure = (amount: string | undefined) =>
    amount === undefined || statement === undefined ? null : (
      <Money amount={amount} coin={statement.asset} atMost={atMost} />
    );
  const worth = (value: string | null | undefined) =>
    value == null || answer === undefined ? {} : { detail: <Money amount={value} coin={answer.currency} /> };
  const isHeld = statement !== undefined && /[1-9]/.test(statement.onHold);
  return (
    <Card>
      <div className="flex flex-col gap-5">
        <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
          <Stat
            label={t('statements.opening')}
            value={figure(statement?.opening)}
            {...(statement?.isNew ? { detail: t('statements.isNew') } : worth(statement?.openingValue))}
          />
          <Stat label={t('statements.moneyIn')} value={figure(statement?.moneyIn)} />
          <Stat
            label={t('statements.moneyOut')}
            value={figure(statement?.moneyOut)}
            {...(statement !== undefined &&
              /[1-9]/.test(statement.fees) && {
                detail: `${t('statements.fees')} ${shortened(statement.fees)} ${statement.asset}`,
              })}
          />
          <Stat
            label={t(answer?.period.isFinal === false ? 'statements.closingSoFar' : 'statements.closing')}
            value={figure(statement?.closing)}
            {...worth(statement?.closingValue)}
          />
        </div>
        {isHeld && (
          <Banner kind="notice">
            {t('statements.held', {
              onHold: `${shortened(statement.onHold)} ${statement.asset}`,
              available: `${shortened(statement.available)} ${statement.asset}`,
            })}
          </Banner>
        )}
      </div>
    </Card>
  );
}

/** Without zeros that say nothing, but with two decimals. */
function shortened(amount: string): string {
  return amount.replace(/(\.\d\d\d*?)0+$/, '$1').replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');
}

interface Words {
  asset: string;
  currency: string;
  times: Intl.DateTimeFormat;
}

function columnsOf(t: Translate, { asset, currency, times }: Words): Column<Movement>[] {
  return [
    {
      id: 'time',
      header: t('statements.time'),
      skeleton: 'w-36',
      cell: (row) => (
        <time dateTime={row.at} className="figures whitespace-nowrap">
          {times.format(new Date(row.at))}
        </time>
      ),
    },
    {
      id: 'description',
      header: t('statements.description'),
      card: 'title',
      skeleton: 'w-40',
      cell: (row) => (
        <span className="inline-flex flex-col">
          {row.transactionId === null ? (
            row.description
          ) : (
            <PlainLink href={`/app/transaction/${row.transactionId}`}>{row.description}</PlainLink>
          )}
          {row.counterparty !== null && <Counterparty name={row.counterparty} />}
        </span>
      ),
    },
    {
      id: 'amount',
      header: t('statements.amount'),
      align: 'right',
      card: 'figure',
      cell: (row) => (
        <span className="inline-flex flex-col items-end">
          <Money amount={row.amount} coin={asset} signed atMost={atMost} align="right" />
          {/[1-9]/.test(row.fee) && (
            <span className="text-12 text-faint">{t('statements.feeIncluded', { fee: shortened(row.fee) })}</span>
          )}
        </span>
      ),
    },
    {
      id: 'value',
      header: t('statements.value', { currency }),
      align: 'right',
      cell: (row) =>
        row.value === null ? <span className="text-faint">–</span> : <Money amount={row.value} signed align="right" />,
    },
    {
      id: 'balance',
      header: t('statements.balance'),
      align: 'right',
      cell: (row) => <Money amount={row.balance} coin={asset} atMost={atMost} align="right" />,
    },
  ];
}

/** A name, or the address where no name is known. */
function Counterparty({ name }: { name: string }) {
  return formOf(name) === null ? (
    <span className="max-w-60 truncate text-12 font-normal text-faint" title={name}>
      {name}
    </span>
  ) : (
    <Address value={name} short copyable={false} />
  );
}

/** Times of the company's zone, by which the period begins and ends, and not of the reader's. */
function timesIn(tag: string, timeZone: string): Intl.DateTimeFormat {
  const date = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat(tag, { ...date, ...clock, timeZone });
}
