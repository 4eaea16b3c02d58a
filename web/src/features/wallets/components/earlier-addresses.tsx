import type { Chain, EarlierAddress } from '@causeway/contract/wallets.ts';
import { useMemo } from 'react';
import { tableOf, useListState } from '../../../lib/list-state.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useEarlierAddresses } from '../addresses-api.ts';
import { explorerLink } from '../api.ts';

interface Props {
  chain: Chain;
  coin: string;
}

/** The addresses that were shown before the current one, with what each has received: they stay valid for ever. */
export function EarlierAddresses({ chain, coin }: Props) {
  const t = useText();
  const list = useListState<never>([]);
  const addresses = useEarlierAddresses(chain.id, list.cursor, list.size);
  const columns = useMemo(() => addressColumns(t, chain, coin), [t, chain, coin]);
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-col gap-1">
        <h2 className="m-0 text-14 font-semibold">{t('wallets.addresses')}</h2>
        <p className="m-0 max-w-160 text-13 text-muted">{t('wallets.addresses.text')}</p>
      </div>
      <DataTable
        label={t('wallets.addresses')}
        columns={columns}
        {...tableOf(addresses, list)}
        rowId={({ address }) => address}
        skeletonRows={3}
        empty={
          <EmptyState icon="collect" title={t('wallets.addresses.empty')} text={t('wallets.addresses.emptyText')} />
        }
      />
    </section>
  );
}

function addressColumns(t: Translate, chain: Chain, coin: string): Column<EarlierAddress>[] {
  const received = (row: EarlierAddress) => row.received.find((each) => each.coin === coin);
  const money = (row: EarlierAddress, figure: 'credited' | 'waiting') => {
    const amount = received(row)?.[figure];
    if (amount === undefined || !/[1-9]/.test(amount)) return <span className="text-faint">–</span>;
    return <Money amount={amount} coin={coin} align="right" atMost={8} />;
  };
  return [
    {
      id: 'address',
      header: t('wallets.column.address'),
      card: 'title',
      skeleton: 'w-48',
      cell: ({ address }) => (
        <Address
          value={address}
          short
          what={t('wallets.column.address')}
          explorerUrl={explorerLink([chain], chain.id, 'address', address)}
        />
      ),
    },
    {
      id: 'since',
      header: t('wallets.addresses.since'),
      skeleton: 'w-36',
      cell: ({ firstUsedAt }) =>
        firstUsedAt === null ? (
          <span className="text-faint">{t('wallets.addresses.unused')}</span>
        ) : (
          <Time at={firstUsedAt} />
        ),
    },
    {
      id: 'deposits',
      header: t('wallets.addresses.deposits'),
      skeleton: 'w-16',
      cell: (row) => {
        const count = received(row)?.deposits ?? 0;
        if (count === 0) return <span className="text-faint">–</span>;
        const found = new URLSearchParams({ type: 'chain_deposit', keyword: row.address });
        return (
          <PlainLink href={`/app/transaction?${found}`} className="text-accent">
            {t('wallets.addresses.count', { count })}
          </PlainLink>
        );
      },
    },
    {
      id: 'credited',
      header: t('wallets.addresses.credited'),
      align: 'right',
      card: 'figure',
      cell: (row) => money(row, 'credited'),
    },
    {
      id: 'waiting',
      header: t('wallets.addresses.waiting'),
      align: 'right',
      cell: (row) => money(row, 'waiting'),
    },
  ];
}
