import { type BatchState, batchStates } from '@causeway/contract/batches-rules.ts';
import type { Tone } from '../../ui/status-dot.tsx';

/** Text ids by value, for filters. */
export const stateTexts = Object.fromEntries(batchStates.map((state) => [state, `batches.state.${state}`]));

export const stateTones: Record<BatchState, Tone> = {
  mapping: 'pending',
  reading: 'progress',
  draft: 'neutral',
  // What became of its payments its run says.
  submitted: 'neutral',
};

/** A payee's first payment is said; anything else that a person should look at is marked. */
export const findingTone = (kind: string) => (kind === 'newPayee' ? 'text-muted' : 'text-pending');
