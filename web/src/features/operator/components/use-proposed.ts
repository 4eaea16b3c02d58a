import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';

/** Says what became of a change: proposed, or (null) in force already. */
export function useProposed(): (proposalId: string | null) => void {
  const t = useText();
  return (proposalId) => toast('success', t(proposalId === null ? 'ops.inForce' : 'ops.proposed'));
}
