import type { Solvency, SolvencyAsset } from '@causeway/contract/operator-solvency.ts';
import { type ReactNode, useMemo } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { ChainName } from '../../operator/index.ts';

interface Props {
  solvency: Solvency | undefined;
  updating: boolean;
  error: Error | null;
  onRetry: () => void;
}

const atMost = 8;

/** Each asset with what was owed and held, and the difference; figures lead to their rows. */
export function FiguresTable({ solvency, updating, error, onRetry }: Props) {
  const t = useText();
  const day = solvency?.day ?? '';
  const columns = useMemo(() => columnsOf(t, day), [t, day]);
  return (
    <DataTable
      label={t('ops.solvency.figures')}
      columns={columns}
      rows={solvency?.assets}
      rowId={({ asset }) => asset}
      updating={updating}
      error={error}
      onRetry={onRetry}
      skeletonRows={4}
      empty={<EmptyState icon="wallet" title={t('ops.solvency.nothing')} text={t('ops.solvency.nothingText')} />}
    />
  );
}

function isNothing(amount: string): boolean {
  return !/[1-9]/.test(amount);
}

function columnsOf(t: Translate, day: string): Column<SolvencyAsset>[] {
  const rows = (part: 'owed' | 'held' | 'timing', asset: string, more: { chain?: string; owner?: 'operator' } = {}) =>
    `/app/solvency/${part}?${new URLSearchParams({ day, asset, ...more })}`;
  const figure = (amount: string | null, href: string | null = null): ReactNode => {
    if (amount === null) return <span className="text-faint">{t('ops.solvency.unknown')}</span>;
    const money = <Money amount={amount} atMost={atMost} align="right" />;
    if (isNothing(amount)) return <span className="figures text-faint">0</span>;
    return href === null ? (
      money
    ) : (
      <PlainLink href={href} className="text-accent hover:underline">
        {money}
      </PlainLink>
    );
  };
  return [
    { id: 'asset', header: t('ops.solvency.asset'), card: 'title', cell: ({ asset }) => asset },
    {
      id: 'owed',
      header: t('ops.solvency.owed'),
      align: 'right',
      cell: ({ asset, owed, atBanks }) => (
        <span className="inline-flex flex-col items-end">
          {figure(owed, rows('owed', asset))}
          {!isNothing(atBanks) && (
            <span className="text-12 text-faint">
              {t('ops.solvency.atBanks')} <Money amount={atBanks} atMost={atMost} />
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'held',
      header: t('ops.solvency.held'),
      align: 'right',
      cell: ({ asset, held, treasury, byChain, byBank }) => (
        <span className="inline-flex flex-col items-end">
          {figure(held, rows('held', asset))}
          {treasury !== null && !isNothing(treasury) && (
            <span className="text-12 text-faint">
              {t('ops.solvency.inTreasury')} <Money amount={treasury} atMost={atMost} />
            </span>
          )}
          {byChain.length > 1 &&
            byChain.map(({ chain, quantity }) => (
              <PlainLink
                key={chain}
                href={rows('held', asset, { chain })}
                className="text-12 text-faint hover:underline"
              >
                <ChainName id={chain} /> <Money amount={quantity} atMost={atMost} />
              </PlainLink>
            ))}
          {byBank.map(({ bank, quantity, suspense }) => (
            <PlainLink
              key={bank}
              href="/app/banks/reconciliation"
              className="text-right text-12 text-faint hover:underline"
            >
              {bank} <Money amount={quantity} atMost={atMost} />
              {!isNothing(suspense) && (
                <span className="block">
                  {t('ops.solvency.inSuspense')} <Money amount={suspense} atMost={atMost} />
                </span>
              )}
            </PlainLink>
          ))}
        </span>
      ),
    },
    {
      id: 'own',
      header: t('ops.solvency.own'),
      align: 'right',
      cell: ({ asset, own }) => figure(own, rows('owed', asset)),
    },
    {
      id: 'timing',
      header: t('ops.solvency.timing'),
      align: 'right',
      cell: ({ asset, timing }) => figure(timing, rows('timing', asset)),
    },
    {
      id: 'difference',
      header: t('ops.solvency.difference'),
      align: 'right',
      card: 'figure',
      cell: ({ asset, difference, atBanks, heldAtBanks }) => (
        <span className="inline-flex flex-col items-end">
          {difference === null || isNothing(difference) ? (
            figure(difference)
          ) : (
            <span className="font-semibold">
              <Money amount={difference} coin={asset} signed atMost={atMost} align="right" />
            </span>
          )}
          {difference?.startsWith('-') && <StatusDot tone="negative">{t('ops.solvency.short')}</StatusDot>}
          {difference !== null && heldAtBanks === null && !isNothing(atBanks) && (
            <span className="max-w-44 text-right text-12 whitespace-normal text-faint">
              {t('ops.solvency.withoutBanks', { amount: amountLine(atBanks, asset) })}
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'tank',
      header: t('ops.solvency.tank'),
      align: 'right',
      cell: ({ asset, tank }) => figure(tank, rows('held', asset, { owner: 'operator' })),
    },
  ];
}
