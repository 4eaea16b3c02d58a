import { listProposals } from 'virtual:calls/operator';
import { defineList } from '../../../ui/list-view.tsx';
import { Time } from '../../../ui/time.tsx';
import { ProposalStateWord } from '../components/proposal-state.tsx';
import { refresh_ms } from '../me.ts';
import { kindTexts, proposalStateTexts } from '../words.ts';

/** What operators proposed, the newest first. Others decide while one looks at it, so it is read again every few seconds. */
export const proposalList = defineList({
  call: listProposals,
  label: 'operator.title.confirmations',
  name: 'operator-proposals',
  filters: [
    { kind: 'choice', name: 'state', label: 'operator.field.state', options: proposalStateTexts },
    { kind: 'choice', name: 'kind', label: 'operator.field.kind', options: kindTexts },
    { kind: 'choice', name: 'mine', label: 'operator.field.decider', options: { decide: 'operator.mine.decide' } },
  ],
  columns: ({ t }) => [
    {
      id: 'title',
      header: t('operator.field.proposal'),
      card: 'title',
      width: '40%',
      skeleton: 'w-56',
      cell: ({ title }) => <span className="font-medium break-words">{title}</span>,
    },
    {
      id: 'proposedBy',
      header: t('operator.field.proposedBy'),
      skeleton: 'w-28',
      cell: ({ proposedBy }) => <span className="wrap-anywhere">{proposedBy.name}</span>,
    },
    {
      id: 'proposedAt',
      header: t('operator.field.proposedAt'),
      skeleton: 'w-36',
      cell: ({ proposedAt }) => <Time at={proposedAt} />,
    },
    {
      id: 'decidedBy',
      header: t('operator.field.decidedBy'),
      hideable: true,
      card: 'none',
      skeleton: 'w-24',
      cell: ({ decidedBy }) => <span className="wrap-anywhere">{decidedBy?.name ?? ''}</span>,
    },
    {
      id: 'state',
      header: t('operator.field.state'),
      skeleton: 'w-20',
      cell: (proposal) => <ProposalStateWord proposal={proposal} />,
    },
  ],
  rowId: ({ id }) => id,
  href: ({ id }) => `/app/confirmations/${id}`,
  empty: { icon: 'approval', title: 'operator.proposals.empty', text: 'operator.proposals.emptyText' },
  again_ms: () => refresh_ms,
});
