import { listQueue } from 'virtual:calls/operator-queue';
import type { QueueItem } from '@causeway/contract/operator-queue.ts';
import { useListState } from '../../../lib/list-state.ts';
import type { Translate } from '../../../lib/locale.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { defineList, type ListFilter } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { Time } from '../../../ui/time.tsx';
import { refresh_ms } from '../../operator/index.ts';
import { useCompanyNamed, useSummary } from '../api.ts';
import { Age } from '../components/age.tsx';
import { ItemKind } from '../components/item-kind.tsx';
import { kindTexts } from '../words.ts';

const companyNames = ['companyId'] as const;

/** Companies with open items; and the one that a link has chosen, whatever it has. */
function useCompanyChoices() {
  const companies = useSummary().data?.companies ?? [];
  const chosen = useListState(companyNames).filters.companyId ?? '';
  const isMissing = chosen !== '' && companies.every(({ id }) => id !== chosen);
  const name = useCompanyNamed(chosen, isMissing);
  const choices = companies.map(({ id, name: label, open }) => ({ value: id, label: `${label} (${open})` }));
  return isMissing ? [...choices, { value: chosen, label: name ?? chosen }] : choices;
}

const filters: ListFilter[] = [
  { kind: 'search', name: 'keyword', label: 'ops.queue.search' },
  { kind: 'choice', name: 'kind', label: 'ops.queue.field.kind', options: kindTexts },
  {
    kind: 'choice',
    name: 'owner',
    label: 'ops.queue.field.owner',
    options: { me: 'ops.queue.owner.me', none: 'ops.queue.owner.none' },
  },
  { kind: 'choice', name: 'companyId', label: 'ops.queue.field.company', options: useCompanyChoices },
];

const shared = {
  call: listQueue,
  filters,
  rowId: ({ id }: QueueItem) => id,
  href: ({ id }: QueueItem) => `/app/home/${id}`,
  again_ms: () => refresh_ms,
};

/** What needs a person: the most urgent first, then the oldest. */
export const openList = defineList({
  ...shared,
  label: 'ops.queue.label',
  name: 'operator-queue',
  columns: ({ t }) => [
    what(t, 'next'),
    kind(t),
    {
      id: 'openedAt',
      header: t('ops.queue.field.age'),
      width: '108px',
      skeleton: 'w-20',
      cell: ({ openedAt }) => <Age at={openedAt} />,
    },
    company(t),
    amount(t),
    {
      id: 'owner',
      header: t('ops.queue.field.owner'),
      width: '120px',
      skeleton: 'w-20',
      cell: ({ owner }) =>
        owner === null ? (
          <span className="text-faint">{t('ops.queue.owner.none')}</span>
        ) : (
          <span className="wrap-anywhere">{owner.name}</span>
        ),
    },
  ],
  empty: { icon: 'check', title: 'ops.queue.empty', text: 'ops.queue.emptyText' },
});

/** What was dealt with, or ended with its cause; the last first. */
export const resolvedList = defineList({
  ...shared,
  label: 'ops.queue.resolvedLabel',
  name: 'operator-queue-resolved',
  columns: ({ t }) => [
    what(t, 'plain'),
    kind(t),
    {
      id: 'openedAt',
      header: t('ops.queue.field.openedAt'),
      hideable: true,
      card: 'none',
      skeleton: 'w-28',
      cell: ({ openedAt }) => <Time at={openedAt} />,
    },
    {
      id: 'resolvedAt',
      header: t('ops.queue.field.resolvedAt'),
      skeleton: 'w-28',
      cell: ({ resolvedAt }) => resolvedAt !== null && <Time at={resolvedAt} />,
    },
    company(t),
    amount(t),
  ],
  empty: { icon: 'check', title: 'ops.queue.resolvedEmpty' },
});

/** What is the matter, and beneath it what to do. */
function what(t: Translate, form: 'next' | 'plain'): Column<QueueItem> {
  return {
    id: 'title',
    header: t('ops.queue.field.item'),
    card: 'title',
    width: '38%',
    skeleton: 'w-56',
    cell: ({ title, nextStep, comments }) => (
      <span className="flex min-w-0 flex-col gap-0.5">
        <span className="font-medium break-words">{title}</span>
        {form === 'next' && <span className="text-13 font-normal wrap-anywhere text-muted">{nextStep}</span>}
        {comments > 0 && (
          <span className="text-12 font-normal text-faint">{t('ops.queue.comments', { count: comments })}</span>
        )}
      </span>
    ),
  };
}

function kind(t: Translate): Column<QueueItem> {
  return {
    id: 'kind',
    header: t('ops.queue.field.kind'),
    hideable: true,
    card: 'status',
    width: '150px',
    skeleton: 'w-28',
    cell: (item) => <ItemKind item={item} />,
  };
}

function company(t: Translate): Column<QueueItem> {
  return {
    id: 'company',
    header: t('ops.queue.field.company'),
    hideable: true,
    skeleton: 'w-24',
    cell: ({ company: of }) => <span className="wrap-anywhere">{of?.name ?? t('ops.queue.platform')}</span>,
  };
}

function amount(t: Translate): Column<QueueItem> {
  return {
    id: 'amount',
    header: t('ops.queue.field.amount'),
    align: 'right',
    hideable: true,
    card: 'figure',
    skeleton: 'w-24',
    cell: ({ amount: of }) =>
      of !== null && (
        <Money
          amount={of.quantity}
          coin={of.asset}
          atMost={6}
          align="right"
          fiat={of.usd === null ? undefined : { amount: of.usd, coin: 'USD' }}
        />
      ),
  };
}
