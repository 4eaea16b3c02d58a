import { useMemo } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { Card } from '../../../ui/card.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner, EmptyState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Chain, Treasury, TreasuryCoin } from '../api.ts';
import { explorerLink } from '../words.ts';

const decimals = 8;

/** The platform's coins on one chain: what it holds, what exchanges owe, and where it is filled. */
export function TreasuryCard({ chain, treasury }: { chain: Chain; treasury: NonNullable<Chain['treasury']> }) {
  const t = useText();
  const columns = useMemo(() => columnsOf(t), [t]);
  const short = treasury.coins.filter(({ missing }) => missing !== null);
  return (
    <Card
      title={t('ops.funds.title', { chain: chain.name })}
      aside={
        <PlainLink
          href="/app/treasury/settlements"
          className="text-13 font-medium whitespace-nowrap text-accent no-underline hover:underline"
        >
          {t('ops.funds.settlements')}
        </PlainLink>
      }
    >
      <div className="flex flex-col gap-6">
        {short.map(({ coin, missing }) => (
          <Banner key={coin} kind="negative">
            {t('ops.funds.short', { amount: missing ?? '', coin, chain: chain.name })}
          </Banner>
        ))}
        <DataTable
          label={t('ops.funds.title', { chain: chain.name })}
          columns={columns}
          rows={treasury.coins}
          rowId={({ coin }) => coin}
          empty={<EmptyState icon="globe" title={t('ops.notReported')} text={t('ops.funds.emptyText')} />}
        />
        <div className="flex min-w-0 flex-col items-start gap-3 border-t border-line pt-5">
          <span className="text-13 text-faint">{t('ops.funds.fill', { chain: chain.name })}</span>
          <Address
            value={treasury.address}
            what={t('ops.field.address')}
            explorerUrl={explorerLink(chain.explorerUrl, 'address', treasury.address)}
          />
          {treasury.readAt !== null && (
            <span className="text-13 text-faint">
              {t('ops.funds.readAt')} <Time at={treasury.readAt} />
            </span>
          )}
        </div>
      </div>
    </Card>
  );
}

function columnsOf(t: Translate): Column<TreasuryCoin>[] {
  const figure = (amount: string, coin: string) => (
    <Money amount={amount} coin={coin} atMost={decimals} align="right" />
  );
  return [
    {
      id: 'coin',
      header: t('ops.funds.coin'),
      card: 'title',
      cell: ({ coin }) => <span className="font-medium">{coin}</span>,
    },
    {
      id: 'balance',
      header: t('ops.funds.balance'),
      align: 'right',
      card: 'figure',
      cell: ({ balance, usd, coin }) =>
        balance === null ? (
          t('ops.notReported')
        ) : (
          <Money
            amount={balance}
            coin={coin}
            atMost={decimals}
            align="right"
            fiat={usd === null ? undefined : { amount: usd, coin: 'USD' }}
          />
        ),
    },
    { id: 'owed', header: t('ops.funds.owed'), align: 'right', cell: ({ owed, coin }) => figure(owed, coin) },
    { id: 'due', header: t('ops.funds.due'), align: 'right', cell: ({ due, coin }) => figure(due, coin) },
    {
      id: 'in',
      header: t('ops.funds.underWayIn'),
      align: 'right',
      cell: ({ underWayIn, coin }) => figure(underWayIn, coin),
    },
    {
      id: 'out',
      header: t('ops.funds.underWayOut'),
      align: 'right',
      cell: ({ underWayOut, coin }) => figure(underWayOut, coin),
    },
  ];
}

/** What exchanges owe in currencies, where they owe anything: the banks hold nothing for it until the operator moves money there. */
export function BankPositions({ positions }: { positions: Treasury['atBanks'] }) {
  const t = useText();
  if (positions.length === 0) return null;
  return (
    <Card title={t('ops.funds.atBanks')}>
      <p className="mt-0 text-13 text-faint">{t('ops.funds.atBanksText')}</p>
      <ul aria-label={t('ops.funds.atBanks')} className="m-0 list-none p-0">
        {positions.map(({ asset, owed, due }) => (
          <li key={asset} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-2">
            <span>
              {t('ops.funds.owed')} <Money amount={owed} coin={asset} />
            </span>
            <span>
              {t('ops.funds.due')} <Money amount={due} coin={asset} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
