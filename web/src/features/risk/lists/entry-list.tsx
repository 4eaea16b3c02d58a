import { exportNamelist, listNamelist } from 'virtual:calls/risk-lists';
import type { ListEntry } from '@causeway/contract/risk-lists.ts';
import type { ListKind } from '@causeway/contract/risk-rules.ts';
import type { Translate } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { defineList } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import type { EntryStep } from '../components/entry-dialogs.tsx';
import { accountTypeTexts, entryStatuses, listPaths, listTexts } from '../words.ts';

interface Context {
  mayManage: boolean;
  onStep: (step: EntryStep) => void;
}

/** The white list and the black list, the newest entry first. */
export const entryLists = { white: listOf('white'), black: listOf('black') };

function listOf(kind: ListKind) {
  return defineList({
    call: listNamelist,
    label: listTexts[kind],
    name: `risk-${kind}`,
    filters: [
      { kind: 'search', name: 'keyword', label: 'risk.entry.search' },
      { kind: 'choice', name: 'payeeType', label: 'risk.entry.type', options: accountTypeTexts },
      {
        kind: 'choice',
        name: 'status',
        label: 'risk.entry.status',
        options: { in_use: entryStatuses.in_use.text, deleted: entryStatuses.deleted.text },
      },
    ],
    columns: ({ t }, context: Context) => columnsOf(t, kind, context),
    rowId: (entry) => entry.id,
    export: { text: 'risk.export', permission: 'list.export', call: exportNamelist, file: `${kind}list` },
    add: { text: 'risk.entry.add', permission: 'list.manage' },
    empty: { icon: 'shield', title: `risk.${kind}.empty`, text: `risk.${kind}.emptyText` },
  });
}

/** Only the white list has columns for limits and their use. */
function columnsOf(t: Translate, kind: ListKind, { mayManage, onStep }: Context): Column<ListEntry>[] {
  return [
    {
      id: 'account',
      header: t('risk.entry.account'),
      card: 'title',
      skeleton: 'w-36',
      cell: (entry) => (
        <span className="block">
          <Account entry={entry} t={t} />
          <span className="block text-12 text-faint">{t(accountTypeTexts[entry.payeeType])}</span>
        </span>
      ),
    },
    {
      id: 'remark',
      header: t('risk.entry.remark'),
      hideable: true,
      cell: (entry) => (
        <span className="line-clamp-2 max-w-60 break-words text-muted" title={entry.remark}>
          {entry.remark === '' ? '–' : entry.remark}
        </span>
      ),
    },
    ...(kind === 'white' ? limitColumns(t) : []),
    {
      id: 'status',
      header: t('risk.entry.status'),
      skeleton: 'w-16',
      cell: ({ status }) => <StatusDot tone={entryStatuses[status].tone}>{t(entryStatuses[status].text)}</StatusDot>,
    },
    {
      id: 'hits',
      header: t('risk.entry.hits'),
      align: 'right',
      skeleton: 'w-8',
      cell: (entry) =>
        entry.hitCount === 0 ? (
          '0'
        ) : (
          <PlainLink href={`${listPaths[kind]}/log?entryId=${entry.id}&type=hit`} className="text-accent">
            {entry.hitCount}
          </PlainLink>
        ),
    },
    {
      id: 'createdAt',
      header: t('risk.entry.createdAt'),
      hideable: true,
      // The limits need the room.
      hiddenAtFirst: kind === 'white',
      skeleton: 'w-24',
      cell: (entry) => (
        <span className="block">
          <Time at={entry.createdAt} dateOnly />
          <span className="block max-w-40 truncate text-12 text-faint" title={entry.createdBy}>
            {entry.createdBy}
          </span>
        </span>
      ),
    },
    ...(mayManage
      ? [
          {
            id: 'actions',
            header: t('risk.actions'),
            skeleton: 'w-16',
            cell: (entry: ListEntry) =>
              entry.status === 'deleted' ? (
                '–'
              ) : (
                <span className="inline-flex gap-1">
                  <Button size="small" onClick={() => onStep({ step: 'edit', entry })}>
                    {t('risk.edit')}
                    <span className="sr-only"> {entry.account}</span>
                  </Button>
                  <IconButton
                    icon="trash"
                    size="small"
                    label={t('risk.entry.deleteOne', { account: entry.account })}
                    onClick={() => onStep({ step: 'delete', entry })}
                  />
                </span>
              ),
          },
        ]
      : []),
  ];
}

function Account({ entry, t }: { entry: ListEntry; t: Translate }) {
  if (entry.payeeType === 'crypto_address')
    return <Address value={entry.account} short what={t('risk.entry.account')} />;
  return <span className="font-mono text-13 break-all">{entry.account}</span>;
}

function limitColumns(t: Translate): Column<ListEntry>[] {
  const figure = (id: 'single' | 'daily' | 'cumulative', header: string): Column<ListEntry> => ({
    id,
    header,
    align: 'right',
    skeleton: 'w-20',
    cell: ({ limits, used }) =>
      limits === null ? (
        '–'
      ) : (
        <span className="block">
          <Money amount={limits[id]} coin="USD" align="right" />
          {id !== 'single' && used !== null && (
            <span className="figures block text-12 text-faint">
              {t('risk.entry.used', { amount: amountLine(used[id]) })}
            </span>
          )}
        </span>
      ),
  });
  return [
    figure('single', t('risk.limit.single')),
    figure('daily', t('risk.limit.daily')),
    figure('cumulative', t('risk.limit.cumulative')),
  ];
}
