import type { Operator } from '@causeway/contract/operator.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { useDisable, useProposeReactivation, useProposeReset } from '../api.ts';
import { useProposed } from './use-proposed.ts';

export type StaffAction = 'disable' | 'reactivate' | 'reset';

/** Does or proposes it, and says which. Rejects with the server's refusal. */
export function useStaffActions({ id, name }: Operator): (action: StaffAction, reason: string) => Promise<void> {
  const t = useText();
  const proposed = useProposed();
  const disable = useDisable();
  const reactivate = useProposeReactivation();
  const reset = useProposeReset();
  return async (action, reason) => {
    const input = { params: { id }, body: { reason } };
    if (action === 'disable') {
      await disable.mutateAsync(input);
      toast('success', t('ops.staff.disabled', { name }));
      return;
    }
    const { proposalId } = await (action === 'reset' ? reset : reactivate).mutateAsync(input);
    proposed(proposalId);
  };
}
