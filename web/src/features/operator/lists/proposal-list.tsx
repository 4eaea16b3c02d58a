import { listProposals } from 'virtual:calls/operator';
import { defineList } from '../../../ui/list-view.tsx';
import { Time } from '../../../ui/time.tsx';
import { ProposalStateWord } from '../components/proposal-state.tsx';
import { refresh_ms } from '../me.ts';
import { kindTexts, proposalStateTexts } from '../words.ts';

/** What operators proposed, the newest first. Others decide while one looks at it, so it is read again every few seconds. */
export const proposalList = defineList({
  call: listProposals,
  label: 'ops.title.confirmations',
  name: 'operator-proposals',
  filters: [
    { kind: 'choice', name: 'state', label: 'ops.field.state', options: proposalStateTexts },
    { kind: 'choice', name: 'kind', label: 'ops.field.kind', options: kindTexts },
    { kind: 'choice', name: 'mine', label: 'ops.field.decider', options: { decide: 'ops.mine.decide' } },
  ],
  columns: ({ t }) => [
    {
      id: 'title',
      header: t('ops.field.proposal'),
      card: 'title',
      width: '40%',
      skeleton: 'w-56',
      cell: ({ title }) => <span className="font-medium break-words">{title}</span>,
    },
    {
      id: 'proposedBy',
      header: t('ops.field.proposedBy'),
      skeleton: 'w-28',
      cell: ({ proposedBy }) => <span className="wrap-anywhere">{proposedBy.name}</span>,
    },
    {
      id: 'proposedAt',
      header: t('ops.field.proposedAt'),
      skeleton: 'w-36',
      cell: ({ proposedAt }) => <Time at={proposedAt} />,
    },
    {
      id: 'decidedBy',
      header: t('ops.field.decidedBy'),
      hideable: true,
      card: 'none',
      skeleton: 'w-24',
      cell: ({ decidedBy }) => <span className="wrap-anywhere">{decidedBy?.name ?? ''}</span>,
    },
    {
      id: 'state',
      header: t('ops.field.state'),
      skeleton: 'w-20',
      cell: (proposal) => <ProposalStateWord proposal={proposal} />,
    },
  ],
  rowId: ({ id }) => id,
  href: ({ id }) => `/app/confirmations/${id}`,
  empty: { icon: 'approval', title: 'ops.proposals.empty', text: 'ops.proposals.emptyText' },
  again_ms: () => refresh_ms,
});
