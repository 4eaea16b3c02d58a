import { exportPaymentRequests, listPaymentRequests } from 'virtual:calls/payment-requests';
import { dayOf } from '../../../lib/days.ts';
import { useFormats } from '../../../lib/format.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import { defineList } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { useNamedOptions } from '../../organisation/index.ts';
import { useRequestOptions } from '../api.ts';
import { causeTexts, isSome, kindTexts, stateTexts, stateTones } from '../words.ts';

function useCoins() {
  const accepted = useRequestOptions().data?.accepted ?? [];
  return [...new Set(accepted.map(({ coin }) => coin))].map((coin) => ({ value: coin, label: coin }));
}

function useChains() {
  const accepted = useRequestOptions().data?.accepted ?? [];
  return [...new Map(accepted.map(({ chainId, chainName }) => [chainId, chainName]))].map(([value, label]) => ({
    value,
    label,
  }));
}

const useMembers = () => useNamedOptions().members;

/** The company's payment requests, the newest first. */
export const requestList = defineList({
  call: listPaymentRequests,
  label: 'collections.list',
  name: 'collections',
  filters: [
    { kind: 'search', name: 'search', label: 'collections.search' },
    { kind: 'choice', name: 'state', label: 'collections.field.state', options: stateTexts },
    { kind: 'choice', name: 'cause', label: 'collections.field.cause', options: causeTexts, advanced: true },
    { kind: 'choice', name: 'kind', label: 'collections.field.kind', options: kindTexts, advanced: true },
    { kind: 'choice', name: 'coin', label: 'collections.field.coin', options: useCoins, advanced: true },
    { kind: 'choice', name: 'chain', label: 'collections.field.chain', options: useChains, advanced: true },
    { kind: 'dates', label: 'collections.field.createdAt', advanced: true },
    { kind: 'choice', name: 'createdBy', label: 'collections.field.createdBy', options: useMembers, advanced: true },
  ],
  columns: ({ t }) => [
    {
      id: 'title',
      header: t('collections.field.title'),
      card: 'title',
      skeleton: 'w-44',
      cell: ({ title, reference, kind }) => (
        <span className="inline-flex max-w-80 flex-col sm:min-w-40">
          <span className="line-clamp-2 font-medium break-words">{title}</span>
          {(reference !== '' || kind === 'reusable') && (
            <span className="line-clamp-1 text-12 text-faint">
              {[reference, kind === 'reusable' ? t('collections.kind.reusable') : ''].filter(Boolean).join(' · ')}
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'amount',
      header: t('collections.field.amount'),
      align: 'right',
      card: 'figure',
      skeleton: 'w-28',
      cell: ({ amount, asset }) =>
        amount === null || asset === null ? (
          <span className="text-muted">{t('collections.anyAmount')}</span>
        ) : (
          <Money amount={amount} coin={asset} atMost={8} align="right" />
        ),
    },
    {
      id: 'paid',
      header: t('collections.field.paid'),
      align: 'right',
      skeleton: 'w-28',
      cell: ({ kind, paid, asset, sums, payments }) =>
        kind === 'single' ? (
          isSome(paid) && asset !== null ? (
            <Money amount={paid} coin={asset} atMost={8} align="right" />
          ) : (
            <span className="text-faint">–</span>
          )
        ) : (
          <span className="inline-flex flex-col items-end">
            <span>{t('collections.paidTimes', { count: payments })}</span>
            {sums.map(({ coin, amount }) => (
              <span key={coin} className="figures text-12 text-faint">
                {amountLine(amount, coin)}
              </span>
            ))}
          </span>
        ),
    },
    {
      id: 'state',
      header: t('collections.field.state'),
      card: 'status',
      skeleton: 'w-28',
      cell: ({ state, causes }) => (
        <StatusDot
          tone={stateTones[state]}
          {...(causes.length > 0 && { detail: causes.map((cause) => t(`collections.cause.${cause}`)).join(' · ') })}
        >
          {t(`collections.state.${state}`)}
        </StatusDot>
      ),
    },
    {
      id: 'payer',
      header: t('collections.field.payer'),
      skeleton: 'w-28',
      cell: ({ payer }) => (
        <span className="wrap-anywhere">{payer?.name || payer?.email || <span className="text-faint">–</span>}</span>
      ),
    },
    {
      id: 'due',
      header: t('collections.field.dueOn'),
      hideable: true,
      skeleton: 'w-24',
      cell: ({ dueOn }) => (dueOn === null ? <span className="text-faint">–</span> : <Day on={dueOn} />),
    },
    {
      id: 'expiresAt',
      header: t('collections.field.expiresAt'),
      skeleton: 'w-32',
      cell: ({ expiresAt }) => (expiresAt === null ? t('collections.noExpiry') : <Time at={expiresAt} />),
    },
    {
      id: 'createdAt',
      header: t('collections.field.createdAt'),
      hideable: true,
      hiddenAtFirst: true,
      card: 'meta',
      skeleton: 'w-32',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      id: 'createdBy',
      header: t('collections.field.createdBy'),
      hideable: true,
      hiddenAtFirst: true,
      skeleton: 'w-24',
      cell: ({ createdBy }) => createdBy.name,
    },
  ],
  rowId: ({ id }) => id,
  href: ({ id }) => `/app/u-collection/${id}`,
  add: { text: 'collections.new', permission: 'transfer.create', href: '/app/u-collection/new' },
  export: {
    text: 'collections.export',
    permission: 'transaction.export',
    call: exportPaymentRequests,
    file: 'payment-requests',
  },
  empty: { icon: 'collect', title: 'collections.list.empty', text: 'collections.list.emptyText' },
});

function Day({ on }: { on: string }) {
  return <span className="figures whitespace-nowrap">{useFormats().date(dayOf(on))}</span>;
}
