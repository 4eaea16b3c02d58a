import { getOutputSet } from 'virtual:calls/operator-outputs';
import type { OutputState } from '@causeway/contract/operator-outputs-rules.ts';
import { useCall } from '../../lib/queries.ts';
import type { Tone } from '../../ui/status-dot.tsx';
import { refresh_ms } from '../operator/index.ts';

export const outputTones: Record<OutputState, Tone> = {
  confirmed: 'positive',
  waiting: 'pending',
  reserved: 'progress',
  leaving: 'progress',
};

export function useOutputSet(chainId: string, companyId: string) {
  return useCall(getOutputSet, { params: { chainId, companyId } }, { quiet: true, refetchInterval_ms: refresh_ms });
}

/** Where the outputs of one owner on one chain are listed. */
export function outputsPage({ chainId, companyId }: { chainId: string; companyId: string }): string {
  return `/app/treasury/outputs/${chainId}/${companyId}`;
}

/** Whether an amount in whole coins, signed, is other than nothing. */
export function isDifferent(amount: string | null): boolean {
  return amount !== null && /[1-9]/.test(amount);
}
