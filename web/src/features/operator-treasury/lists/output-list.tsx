import { exportOutputs, listOutputs } from 'virtual:calls/operator-outputs';
import { outputStates } from '@causeway/contract/operator-outputs-rules.ts';
import { Address } from '../../../ui/address.tsx';
import { defineList } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { outputTones } from '../api-outputs.ts';

const again_ms = 15_000;
const dash = <span className="text-faint">–</span>;

/** The outputs of one owner on one chain that no block has spent; the ids of sortable columns are the names that the call sorts by. */
export const outputList = defineList({
  call: listOutputs,
  label: 'ops.title.outputs',
  name: 'operator-outputs',
  filters: [
    { kind: 'search', name: 'keyword', label: 'ops.outputs.search' },
    {
      kind: 'choice',
      name: 'state',
      label: 'ops.field.state',
      options: Object.fromEntries(outputStates.map((state) => [state, `ops.outputs.state.${state}`])),
    },
    {
      kind: 'choice',
      name: 'origin',
      label: 'ops.outputs.origin',
      options: { change: 'ops.outputs.origin.change', deposit: 'ops.outputs.origin.deposit' },
    },
  ],
  columns: ({ t }) => [
    {
      id: 'output',
      header: t('ops.outputs.output'),
      card: 'title',
      skeleton: 'w-36',
      cell: ({ hash, index, explorerUrl }) => (
        <span className="inline-flex items-center gap-1">
          <Address short value={hash} what={t('ops.payment.hash')} explorerUrl={explorerUrl} />
          <span className="font-mono text-12 text-faint">:{index}</span>
        </span>
      ),
    },
    {
      id: 'address',
      header: t('ops.field.address'),
      skeleton: 'w-32',
      cell: ({ address }) => <Address short value={address} what={t('ops.field.address')} />,
    },
    {
      id: 'amount',
      header: t('ops.field.amount'),
      sort: 'server',
      align: 'right',
      card: 'figure',
      skeleton: 'w-24',
      cell: ({ quantity, small }) => (
        <span className="inline-flex flex-col items-end">
          <Money amount={quantity} align="right" />
          {small && <span className="text-12 text-faint">{t('ops.outputs.isSmall')}</span>}
        </span>
      ),
    },
    {
      id: 'origin',
      header: t('ops.outputs.origin'),
      skeleton: 'w-16',
      cell: ({ origin }) => t(`ops.outputs.origin.${origin}`),
    },
    {
      id: 'time',
      header: t('ops.outputs.seenAt'),
      sort: 'server',
      skeleton: 'w-28',
      cell: ({ seenAt }) => <Time at={seenAt} />,
    },
    {
      id: 'block',
      header: t('ops.outputs.block'),
      align: 'right',
      skeleton: 'w-16',
      cell: ({ block }) => block ?? dash,
    },
    {
      id: 'payment',
      header: t('ops.outputs.payment'),
      skeleton: 'w-24',
      cell: ({ paymentId }) =>
        paymentId === null ? (
          dash
        ) : (
          <PlainLink href={`/app/payments/${paymentId}`} className="text-accent">
            {t('ops.outputs.openPayment')}
          </PlainLink>
        ),
    },
    {
      id: 'state',
      header: t('ops.field.state'),
      card: 'status',
      skeleton: 'w-20',
      cell: ({ state }) => <StatusDot tone={outputTones[state]}>{t(`ops.outputs.state.${state}`)}</StatusDot>,
    },
  ],
  order: { by: 'time', order: 'asc' },
  rowId: ({ id }) => id,
  export: { text: 'ops.outputs.export', permission: 'operator.look', call: exportOutputs, file: 'outputs' },
  empty: { icon: 'collect', title: 'ops.outputs.empty', text: 'ops.outputs.emptyText' },
  again_ms: () => again_ms,
});
