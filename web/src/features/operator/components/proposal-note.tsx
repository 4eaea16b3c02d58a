import type { Output } from '@causeway/contract/call.ts';
import type { getProposal } from '@causeway/contract/operator.ts';
import { proposalLifetimeDays } from '@causeway/contract/operator-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { Banner } from '../../../ui/states.tsx';

/** What holds for a proposal, in a sentence: whose turn it is, or why nothing was done. */
export function ProposalNote({ proposal }: { proposal: Output<typeof getProposal> }) {
  const t = useText();
  const { state, canDecide, canWithdraw, outdated } = proposal;
  switch (state) {
    case 'open':
      if (outdated) return <Banner kind="notice">{t(`ops.note.outdated.${canWithdraw ? 'own' : 'others'}`)}</Banner>;
      if (canDecide) return <Banner kind="pending">{t('ops.note.decide')}</Banner>;
      return <Banner kind="progress">{t(canWithdraw ? 'ops.note.own' : 'ops.note.others')}</Banner>;
    case 'stale':
    case 'expired':
      return <Banner kind="notice">{t(`ops.note.${state}`, { days: proposalLifetimeDays })}</Banner>;
    default:
      return null;
  }
}
