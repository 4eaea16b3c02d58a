import type { Output } from '@causeway/contract/call.ts';
import type { getStatement, Wallet } from '@causeway/contract/wallets.ts';
import { isAtBank } from '@causeway/contract/wallets-rules.ts';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { tableOf, useListState } from '../../../lib/list-state.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Address } from '../../../ui/address.tsx';
import { buttonClass } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { isZero } from '../amounts.ts';
import { explorerLink, useChains, useStatement, useWallets } from '../api.ts';
import { AccountFacts } from '../components/account-facts.tsx';
import { FrozenNote } from '../components/frozen-note.tsx';
import { PausedNote } from '../components/paused-note.tsx';
import { worthOf } from '../components/wallet-columns.tsx';
import { exchangeAddress, rechargeAddress, transferOutAddress, useCurrencyName } from '../naming.ts';

type Line = Output<typeof getStatement>['items'][number];

/** One wallet beside the list: its figures and its statement. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const wallets = useWallets();
  const wallet = wallets.data?.items.find((candidate) => candidate.id === id);
  const title =
    wallet === undefined
      ? t('wallets.panel.loading')
      : t(titles[wallet.place.kind], { asset: wallet.asset, place: wallet.place.name });
  return (
    <SidePanel title={title} backTo="/app/wallet" {...(wallet && { actions: <PanelActions wallet={wallet} /> })}>
      {wallet ? (
        <div className="flex flex-col gap-6">
          {wallet.frozen && <FrozenNote wallet={wallet} />}
          <PausedNote wallet={wallet} />
          <Figures wallet={wallet} />
          {isAtBank(wallet) && <AccountFacts wallet={wallet} />}
          <Statement wallet={wallet} />
        </div>
      ) : wallets.isPending ? (
        <Loading loading skeleton={<PanelSkeleton />}>
          {null}
        </Loading>
      ) : wallets.data === undefined ? (
        <ErrorState error={wallets.error} onRetry={() => void wallets.refetch()} />
      ) : (
        <EmptyState icon="search" title={t('wallets.panel.notFound')} text={t('wallets.panel.notFoundText')} />
      )}
    </SidePanel>
  );
}

const titles = { chain: 'wallets.panel.onChain', bank: 'wallets.panel.atBank' } as const;

function PanelActions({ wallet }: { wallet: Wallet }) {
  const t = useText();
  const maySend = usePermission('transfer.create');
  const mayExchange = usePermission('exchange.create');
  return (
    <>
      {mayExchange && !wallet.frozen && (
        <PlainLink href={exchangeAddress(wallet)} className={buttonClass('secondary')}>
          {t('wallets.exchange')}
        </PlainLink>
      )}
      <PlainLink href={rechargeAddress(wallet)} className={buttonClass('secondary')}>
        {t('wallets.recharge')}
      </PlainLink>
      {maySend && !wallet.frozen && !wallet.withdrawalsPaused && (
        <PlainLink href={transferOutAddress(wallet)} className={buttonClass('primary')}>
          {t('wallets.transferOut')}
        </PlainLink>
      )}
    </>
  );
}

function Figures({ wallet }: { wallet: Wallet }) {
  const t = useText();
  const formats = useFormats();
  const chains = useChains();
  const { place } = wallet;
  const name = useCurrencyName()(wallet.asset);
  const money = (amount: string) => <Money amount={amount} coin={wallet.asset} align="right" />;
  return (
    <DescriptionList
      framed
      facts={[
        ...(name === null ? [] : [{ term: t('wallets.column.currency'), value: name }]),
        ...(place.kind === 'bank' || wallet.depositsPaused
          ? []
          : [
              {
                term: t('wallets.column.address'),
                value: (
                  <Address
                    value={place.address}
                    what={t('wallets.column.address')}
                    explorerUrl={explorerLink(chains.data?.items, place.chain, 'address', place.address)}
                  />
                ),
              },
            ]),
        {
          term: t('wallets.column.quantity'),
          value: <Money amount={wallet.quantity} coin={wallet.asset} fiat={worthOf(wallet)} align="right" />,
        },
        { term: t('wallets.available'), value: money(wallet.available) },
        { term: t('wallets.outbound'), value: money(wallet.outbound) },
        { term: t('wallets.inbound'), value: money(wallet.inbound) },
        ...(isZero(wallet.escrow)
          ? []
          : [
              {
                term: t('wallets.escrow'),
                value: (
                  <span className="inline-flex flex-col items-end">
                    {money(wallet.escrow)}
                    <PlainLink href="/app/wallet/tradego?state=in_progress" className="text-12 text-accent">
                      {t('wallets.escrow.trades')}
                    </PlainLink>
                  </span>
                ),
              },
            ]),
        {
          term: t('wallets.alertBelow'),
          value: (
            <span className="inline-flex flex-col items-end">
              {wallet.alertBelow === null ? t('wallets.alertBelow.none') : money(wallet.alertBelow)}
              <PlainLink href="/app/notice-center?tab=mail" className="text-12 text-accent">
                {t('wallets.alertBelow.settings')}
              </PlainLink>
            </span>
          ),
        },
        {
          term: t('wallets.column.price'),
          value:
            wallet.base.unitPrice === null ? (
              t('wallets.unknown')
            ) : (
              <span className="inline-flex flex-col items-end">
                <Money amount={wallet.base.unitPrice} coin={wallet.base.currency} atMost={8} align="right" />
                {wallet.priceUpdatedAt !== null && (
                  <span className="text-12 text-faint">
                    {t('wallets.pricesAt', { time: formats.dateTime(wallet.priceUpdatedAt) })}
                  </span>
                )}
              </span>
            ),
        },
      ]}
    />
  );
}

function Statement({ wallet }: { wallet: Wallet }) {
  const t = useText();
  const mayExport = usePermission('transaction.export');
  const list = useListState<never>([]);
  const statement = useStatement(wallet.id, list.cursor, list.size);
  const columns = useMemo(() => statementColumns(t, wallet.asset), [t, wallet.asset]);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h3 className="m-0 text-14 font-semibold">{t('wallets.statement')}</h3>
        {mayExport && (
          <PlainLink href={`/app/wallet/statement?wallet=${wallet.id}`} className="text-13 text-accent">
            {t('wallets.statement.period')}
          </PlainLink>
        )}
      </div>
      <DataTable
        label={t('wallets.statement')}
        columns={columns}
        {...tableOf(statement, list)}
        rowId={(line) => String(line.sequence)}
        skeletonRows={5}
        empty={
          <EmptyState
            title={t('wallets.statement.empty')}
            text={t('wallets.statement.emptyText')}
            action={
              <PlainLink href={rechargeAddress(wallet)} className={buttonClass('secondary')}>
                {t('wallets.recharge')}
              </PlainLink>
            }
          />
        }
      />
    </div>
  );
}

function statementColumns(t: Translate, asset: string): Column<Line>[] {
  return [
    {
      id: 'entry',
      header: t('wallets.statement.entry'),
      card: 'title',
      cell: (line) => (
        <span className="flex min-w-32 flex-col">
          {line.trade !== null ? (
            <PlainLink
              href={`/app/wallet/tradego/${line.trade.id}`}
            >{`${line.description} · ${line.trade.number}`}</PlainLink>
          ) : line.batch !== null ? (
            <PlainLink
              href={`/app/storm/${line.batch.id}/run/${line.batch.runId}`}
            >{`${line.description} · ${line.batch.name}`}</PlainLink>
          ) : line.transactionId === null ? (
            line.description
          ) : (
            <PlainLink href={`/app/transaction/${line.transactionId}`}>{line.description}</PlainLink>
          )}
          <span className="text-12 text-faint">
            <Time at={line.time} />
          </span>
        </span>
      ),
    },
    {
      id: 'amount',
      header: t('wallets.statement.amount'),
      align: 'right',
      card: 'figure',
      cell: (line) => <Money amount={line.amount} coin={asset} signed align="right" atMost={8} />,
    },
    {
      id: 'balance',
      header: t('wallets.statement.balance'),
      align: 'right',
      cell: (line) => <Money amount={line.balance} coin={asset} align="right" atMost={8} />,
    },
  ];
}

function PanelSkeleton() {
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-5 rounded-6 border border-line p-4">
        {['a', 'b', 'c', 'd', 'e'].map((key) => (
          <div key={key} className="flex justify-between">
            <Skeleton width="w-24" />
            <Skeleton width="w-40" />
          </div>
        ))}
      </div>
      <Skeleton width="w-28" height="h-5" />
      {['a', 'b', 'c', 'd'].map((key) => (
        <div key={key} className="flex justify-between border-b border-line pb-3">
          <Skeleton width="w-36" />
          <Skeleton width="w-24" />
        </div>
      ))}
    </div>
  );
}
