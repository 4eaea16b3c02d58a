import type { CryptoPayee } from '@causeway/contract/payees.ts';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type ListState, tableOf, useListState } from '../../../lib/list-state.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Address } from '../../../ui/address.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { type Filter, FilterBar } from '../../../ui/filter-bar.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { Time } from '../../../ui/time.tsx';
import { type PayeeQuery, usePayeeChains, usePayees } from '../api.ts';
import { PayeeStatusWord } from '../components/payee-status.tsx';

const tabNames = ['tab'] as const;
const filterNames = ['keyword', 'chain', 'coin', 'status'] as const;
type FilterName = (typeof filterNames)[number];

/** The longest keyword that the server searches for. */
const keywordMaxLength = 128;

/** The payee book: withdrawal addresses, and the place of receiving bank accounts (specification, section 2). */
export function Page() {
  const t = useText();
  const tab = useListState(tabNames);
  const shown = tab.filters.tab === 'bank' ? 'bank' : 'crypto';
  return (
    <Frame>
      <Tabs
        label={t('payees.tabs')}
        tabs={[
          { key: 'crypto', label: t('payees.tab.crypto') },
          { key: 'bank', label: t('payees.tab.bank') },
        ]}
        value={shown}
        onChange={(next) => tab.setFilters({ tab: next === 'bank' ? 'bank' : null })}
      >
        {shown === 'bank' ? <BankAccounts /> : <AddressBook />}
      </Tabs>
      <Outlet />
    </Frame>
  );
}

function BankAccounts() {
  const t = useText();
  return (
    <Card>
      <EmptyState icon="clock" title={t('payees.bank.notBuilt')} text={t('payees.bank.notBuiltText')} />
    </Card>
  );
}

function AddressBook() {
  const t = useText();
  const list = useListState(filterNames);
  const search = useLocation({ select: (location) => location.searchStr });
  const payees = usePayees(queryOf(list));
  const columns = useMemo(() => payeeColumns(t), [t]);
  const filters = useFilters();
  const mayAdd = usePermission('payee.manage');
  return (
    <DataTable
      label={t('payees.list')}
      name="payees"
      columns={columns}
      {...tableOf(payees, list)}
      rowId={(payee) => payee.id}
      toolbar={
        <FilterBar
          filters={filters}
          state={list}
          {...(mayAdd && {
            actions: (
              <Link to="/app/payee/add" className={buttonClass('primary')}>
                <Icon name="plus" />
                {t('payees.add')}
              </Link>
            ),
          })}
        />
      }
      rowHref={(payee) => `/app/payee/${payee.id}${search}`}
      empty={<NoPayees filtered={list.active > 0} onClear={list.clear} />}
    />
  );
}

function NoPayees({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const t = useText();
  const mayAdd = usePermission('payee.manage');
  if (filtered) {
    return (
      <EmptyState
        icon="search"
        title={t('payees.noMatch')}
        text={t('payees.noMatchText')}
        action={<Button onClick={onClear}>{t('payees.clear')}</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon="user"
      title={t('payees.empty')}
      text={t('payees.emptyText')}
      {...(mayAdd && {
        action: (
          <Link to="/app/payee/add" className={buttonClass('secondary')}>
            {t('payees.add')}
          </Link>
        ),
      })}
    />
  );
}

function useFilters(): Filter<FilterName>[] {
  const t = useText();
  const chains = usePayeeChains().data?.items;
  return useMemo(() => {
    const coins = [...new Set((chains ?? []).flatMap((chain) => chain.coins.map(({ coin }) => coin)))];
    return [
      { kind: 'search', name: 'keyword', label: t('payees.search'), placeholder: t('payees.search') },
      {
        kind: 'choice',
        name: 'chain',
        label: t('payees.chain'),
        options: (chains ?? []).map(({ id, name }) => ({ value: id, label: name })),
      },
      {
        kind: 'choice',
        name: 'coin',
        label: t('payees.coin'),
        options: coins.map((coin) => ({ value: coin, label: coin })),
      },
      {
        kind: 'choice',
        name: 'status',
        label: t('payees.status'),
        options: [
          { value: 'usable', label: t('payees.status.usable') },
          { value: 'unusable', label: t('payees.status.unusable') },
        ],
      },
    ];
  }, [t, chains]);
}

function queryOf(list: ListState<FilterName>): PayeeQuery {
  const { status, keyword, ...others } = list.filters;
  return {
    ...others,
    ...(keyword !== undefined && { keyword: keyword.slice(0, keywordMaxLength) }),
    ...((status === 'usable' || status === 'unusable') && { status }),
    size: `${list.size}` as NonNullable<PayeeQuery['size']>,
    ...(list.cursor !== null && { cursor: list.cursor }),
  };
}

function payeeColumns(t: Translate): Column<CryptoPayee>[] {
  return [
    {
      id: 'label',
      header: t('payees.label'),
      card: 'title',
      cell: (payee) => <span className="font-medium break-words">{payee.label}</span>,
    },
    { id: 'coin', header: t('payees.coin'), skeleton: 'w-14', cell: (payee) => payee.coin },
    { id: 'chain', header: t('payees.chain'), skeleton: 'w-20', cell: (payee) => payee.chainName },
    {
      id: 'address',
      header: t('payees.address'),
      skeleton: 'w-36',
      cell: (payee) => <Address value={payee.address} short what={t('payees.address')} />,
    },
    {
      id: 'remark',
      header: t('payees.remark'),
      hideable: true,
      card: 'none',
      cell: (payee) => (
        <span className="line-clamp-1 max-w-60 text-muted" title={payee.remark}>
          {payee.remark}
        </span>
      ),
    },
    {
      id: 'status',
      header: t('payees.status'),
      skeleton: 'w-16',
      cell: (payee) => <PayeeStatusWord status={payee.status} />,
    },
    {
      id: 'createdAt',
      header: t('payees.createdAt'),
      hideable: true,
      skeleton: 'w-36',
      cell: (payee) => <Time at={payee.createdAt} dateOnly />,
    },
  ];
}
