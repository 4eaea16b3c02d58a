import { useMemo } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Chain } from '../api.ts';

type Row = Chain['nodes'][number] & { chainId: string; chainName: string; readHeight: number | null };

/** A node so many blocks behind the highest is worth a look. */
const behindFrom = 3;

/** The nodes of every chain, as the worker saw them last. */
export function NodesTable({ chains }: { chains: readonly Chain[] | undefined }) {
  const t = useText();
  const { count: number } = useFormats();
  const columns = useMemo(() => columnsOf(t, number), [t, number]);
  const rows = chains?.flatMap(({ id, name, nodes, readHeight }) =>
    nodes.map((node) => ({ ...node, chainId: id, chainName: name, readHeight })),
  );
  return (
    <DataTable
      label={t('ops.nodes.title')}
      columns={columns}
      rows={rows}
      rowId={({ chainId, node }) => `${chainId}/${node}`}
      skeletonRows={2}
      toolbar={<h2 className="m-0 text-14 font-semibold">{t('ops.nodes.title')}</h2>}
      empty={<EmptyState icon="globe" title={t('ops.notReported')} text={t('ops.nodes.emptyText')} />}
    />
  );
}

function columnsOf(t: Translate, number: (value: number) => string): Column<Row>[] {
  const orDash = (value: number | null) => (value === null ? '–' : number(value));
  return [
    {
      id: 'node',
      header: t('ops.nodes.node'),
      card: 'title',
      cell: ({ chainName, node }) => <span className="font-medium">{`${chainName} · ${node}`}</span>,
    },
    { id: 'height', header: t('ops.nodes.height'), align: 'right', cell: ({ height }) => orDash(height) },
    { id: 'behind', header: t('ops.nodes.behind'), align: 'right', cell: ({ behind }) => orDash(behind) },
    { id: 'read', header: t('ops.nodes.read'), align: 'right', cell: ({ readHeight }) => orDash(readHeight) },
    {
      id: 'delay',
      header: t('ops.nodes.delay'),
      align: 'right',
      cell: ({ delayMs }) => (delayMs === null ? '–' : t('ops.nodes.ms', { ms: number(delayMs) })),
    },
    {
      id: 'block',
      header: t('ops.nodes.blockAt'),
      cell: ({ blockAt }) => (blockAt === null ? '–' : <Time at={blockAt} />),
    },
    {
      id: 'state',
      header: t('ops.field.state'),
      cell: (node) => <NodeState node={node} />,
    },
  ];
}

function NodeState({ node: { error, disagrees, behind, checkedAt } }: { node: Row }) {
  const t = useText();
  if (error !== null) {
    return (
      <StatusDot tone="negative" detail={error}>
        {t('ops.nodes.silent')}
      </StatusDot>
    );
  }
  if (disagrees) {
    return (
      <StatusDot tone="negative" detail={t('ops.nodes.disagreesText')}>
        {t('ops.nodes.disagrees')}
      </StatusDot>
    );
  }
  if ((behind ?? 0) >= behindFrom) return <StatusDot tone="pending">{t('ops.nodes.late')}</StatusDot>;
  return (
    <StatusDot tone="positive" detail={<Time at={checkedAt} />}>
      {t('ops.nodes.well')}
    </StatusDot>
  );
}
