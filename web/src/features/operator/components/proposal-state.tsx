import type { Proposal } from '@causeway/contract/operator.ts';
import { useText } from '../../../lib/locale.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { proposalTones } from '../words.ts';

/** What became of a proposal; of an open one, whether it waits for the reader. */
export function ProposalStateWord({ proposal: { state, canDecide } }: { proposal: Proposal }) {
  const t = useText();
  // Amber is for what waits for this person; what waits for others goes on without them.
  const tone = state === 'open' && !canDecide ? 'progress' : proposalTones[state];
  return <StatusDot tone={tone}>{t(`ops.proposalState.${state}`)}</StatusDot>;
}
