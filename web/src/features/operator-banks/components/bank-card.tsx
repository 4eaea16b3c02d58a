import { useMemo } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot, Tag } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Bank } from '../api.ts';

type Currency = Bank['currencies'][number];

/** One bank: how the connection is, what the registry says of it, and its currencies with the collecting accounts. */
export function BankCard({ bank }: { bank: Bank }) {
  const t = useText();
  const columns = useMemo(() => columnsOf(t), [t]);
  const { range, clearingSystem, clearingCode } = bank;
  return (
    <Card
      title={
        <span className="inline-flex flex-wrap items-center gap-2">
          {bank.name}
          <Tag tone={bank.enabled ? 'positive' : 'neutral'}>{t(bank.enabled ? 'ops.banks.on' : 'ops.banks.off')}</Tag>
        </span>
      }
      aside={<Connection bank={bank} />}
    >
      <div className="flex flex-col gap-6">
        <DescriptionList
          columns
          facts={[
            { term: t('ops.banks.bic'), value: bank.bic },
            {
              term: t('ops.banks.clearing'),
              value: [clearingSystem, clearingCode].filter(Boolean).join(' ') || '–',
            },
            { term: t('ops.banks.timeZone'), value: bank.timeZone },
            { term: t('ops.banks.address'), value: bank.address || '–' },
            {
              term: t('ops.banks.range'),
              value:
                range === null ? (
                  t('ops.banks.noRange')
                ) : (
                  <span>
                    {t('ops.banks.rangeFigures', { prefix: range.prefix, used: range.used, left: range.left })}
                    {!range.open && ` · ${t('ops.banks.rangeClosed')}`}
                  </span>
                ),
            },
            {
              term: t('ops.banks.lastFile'),
              value: bank.connection?.lastFileAt ? (
                <PlainLink href={`/app/banks/files?bank=${bank.id}`} className="text-accent">
                  <Time at={bank.connection.lastFileAt} />
                </PlainLink>
              ) : (
                t('ops.banks.noFile')
              ),
            },
            { term: t('ops.banks.lastOrder'), value: <LastOrder order={bank.lastOrder} /> },
          ]}
        />
        <DataTable
          label={t('ops.banks.currencies', { bank: bank.name })}
          columns={columns}
          rows={bank.currencies}
          rowId={({ asset }) => asset}
          skeletonRows={3}
          empty={<EmptyState title={t('ops.banks.noRows')} />}
        />
        <p className="m-0 text-13 text-faint">{t('ops.banks.feesHint')}</p>
      </div>
    </Card>
  );
}

/** The last file that left for the bank, and whether the bank has answered it. */
function LastOrder({ order }: { order: Bank['lastOrder'] }) {
  const t = useText();
  if (order === null) return t('ops.banks.noOrder');
  const { fileName, asset, total, payments, state, madeAt, unanswered } = order;
  const isAnswered = state === 'delivered' && unanswered === 0;
  return (
    <span className="flex flex-col gap-0.5">
      <StatusDot
        tone={state === 'refused' ? 'negative' : isAnswered ? 'positive' : 'pending'}
        detail={<Time at={madeAt} />}
      >
        {state !== 'delivered'
          ? t(`ops.banks.order.${state}`)
          : isAnswered
            ? t('ops.banks.order.answered')
            : t('ops.banks.order.unanswered', { count: unanswered })}
      </StatusDot>
      <span className="text-12 wrap-anywhere text-faint">
        {fileName} · {t('ops.banks.order.payments', { count: payments, total: amountLine(total, asset) })}
      </span>
    </span>
  );
}

function Connection({ bank: { connection } }: { bank: Bank }) {
  const t = useText();
  if (connection === null) return <StatusDot tone="neutral">{t('ops.banks.notVisited')}</StatusDot>;
  const { problem, since, checkedAt } = connection;
  if (problem === null) {
    return (
      <StatusDot tone="positive" detail={<Time at={checkedAt} />}>
        {t('ops.banks.connected')}
      </StatusDot>
    );
  }
  return (
    <StatusDot tone="negative" {...(since !== null && { detail: <Time at={since} /> })}>
      {t(`ops.banks.problem.${problem}`)}
    </StatusDot>
  );
}

function columnsOf(t: Translate): Column<Currency>[] {
  return [
    {
      id: 'asset',
      header: t('ops.banks.currency'),
      card: 'title',
      cell: ({ asset, enabled }) => (
        <span className="inline-flex items-center gap-2">
          <span className="font-medium">{asset}</span>
          {!enabled && <Tag tone="neutral">{t('ops.banks.off')}</Tag>}
        </span>
      ),
    },
    {
      id: 'collectingAccount',
      header: t('ops.banks.collecting'),
      cell: ({ collectingAccount, collectingSince }) => (
        <span className="inline-flex flex-col">
          <span className="figures wrap-anywhere">{collectingAccount ?? '–'}</span>
          {collectingSince !== null && (
            <span className="text-12 text-faint">
              {t('ops.banks.since')} <Time at={collectingSince} />
            </span>
          )}
        </span>
      ),
    },
    { id: 'cutOff', header: t('ops.banks.cutOff'), cell: ({ cutOff }) => cutOff },
    {
      id: 'days',
      header: t('ops.banks.days'),
      cell: ({ daysLeast, daysMost }) => t('ops.banks.daysFigure', { least: daysLeast, most: daysMost }),
    },
    {
      id: 'closed',
      header: t('ops.banks.closed'),
      cell: ({ closed, unknownFrom }) => (
        <span className="inline-flex flex-col">
          <span className="figures flex flex-wrap gap-x-3">
            {closed.length === 0 && '–'}
            {closed.map((day) => (
              <span key={day} className="whitespace-nowrap">
                {day}
              </span>
            ))}
          </span>
          {unknownFrom !== null && (
            <span className="text-12 text-pending">{t('ops.banks.unknownFrom', { day: unknownFrom })}</span>
          )}
        </span>
      ),
    },
    {
      id: 'fee',
      header: t('ops.banks.fee'),
      align: 'right',
      cell: ({ fee, asset }) => <Money amount={fee} coin={asset} align="right" />,
    },
    {
      id: 'feesHeld',
      header: t('ops.banks.feesHeld'),
      align: 'right',
      cell: ({ feesHeld, asset }) => <Money amount={feesHeld} coin={asset} align="right" />,
    },
    { id: 'companies', header: t('ops.banks.companies'), align: 'right', cell: ({ companies }) => companies },
  ];
}
