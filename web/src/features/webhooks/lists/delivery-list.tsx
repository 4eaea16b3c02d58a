import { listWebhookDeliveries } from 'virtual:calls/webhooks';
import { defineList } from '../../../ui/list-view.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { useWebhooks } from '../api.ts';
import { stateTexts, stateTones, typeTexts } from '../words.ts';

/** The log of deliveries, the newest first. */
export const deliveryList = defineList({
  call: listWebhookDeliveries,
  label: 'webhooks.log',
  name: 'webhook-deliveries',
  filters: [
    { kind: 'search', name: 'keyword', label: 'webhooks.log.search' },
    { kind: 'choice', name: 'endpointId', label: 'webhooks.field.endpoint', options: useEndpoints },
    { kind: 'choice', name: 'type', label: 'webhooks.field.type', options: typeTexts },
    { kind: 'choice', name: 'state', label: 'webhooks.field.state', options: stateTexts },
    { kind: 'dates', label: 'webhooks.field.time' },
  ],
  columns: ({ t }) => [
    {
      id: 'type',
      header: t('webhooks.field.type'),
      card: 'title',
      skeleton: 'w-32',
      cell: ({ type }) => (
        <span className="min-w-0">
          <span className="font-medium">{t(`webhooks.type.${type}`)}</span>
          <span className="block font-mono text-12 text-faint">{type}</span>
        </span>
      ),
    },
    {
      id: 'endpoint',
      header: t('webhooks.field.endpoint'),
      skeleton: 'w-40',
      cell: ({ endpoint }) => <span className="break-all">{endpoint.description || new URL(endpoint.url).host}</span>,
    },
    {
      id: 'attempts',
      header: t('webhooks.field.attempts'),
      align: 'right',
      skeleton: 'w-8',
      cell: ({ attempts }) => <span className="figures">{attempts}</span>,
    },
    {
      id: 'last',
      header: t('webhooks.field.last'),
      skeleton: 'w-28',
      cell: ({ lastStatus, lastProblem }) =>
        lastProblem === null
          ? (lastStatus ?? <span className="text-faint">–</span>)
          : `${lastStatus === null ? '' : `${lastStatus} · `}${t(`webhooks.problem.${lastProblem}`)}`,
    },
    {
      id: 'createdAt',
      header: t('webhooks.field.time'),
      card: 'meta',
      skeleton: 'w-32',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      id: 'state',
      header: t('webhooks.field.state'),
      card: 'status',
      skeleton: 'w-24',
      cell: ({ state }) => <StatusDot tone={stateTones[state]}>{t(`webhooks.state.${state}`)}</StatusDot>,
    },
  ],
  rowId: ({ id }) => id,
  href: ({ id }) => `/app/webhooks/deliveries/${id}`,
  empty: { icon: 'upload', title: 'webhooks.log.empty', text: 'webhooks.log.emptyText' },
});

function useEndpoints() {
  const { data } = useWebhooks();
  return (data?.items ?? []).map(({ id, url, description }) => ({
    value: id,
    label: description || new URL(url).host,
  }));
}
