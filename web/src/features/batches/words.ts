import type { BatchSummary } from '@causeway/contract/batches.ts';
import { type BatchState, batchStates } from '@causeway/contract/batches-rules.ts';
import type { Translate } from '../../lib/locale.tsx';
import type { Tone } from '../../ui/status-dot.tsx';

/** Text ids by value, for filters. */
export const stateTexts = Object.fromEntries(batchStates.map((state) => [state, `batches.state.${state}`]));

const draftTones: Record<Exclude<BatchState, 'submitted'>, Tone> = {
  mapping: 'pending',
  reading: 'progress',
  draft: 'neutral',
};

/** Of a batch that was submitted, the tone of what became of its payments. */
export function toneOf({ state, progress }: Pick<BatchSummary, 'state' | 'progress'>): Tone {
  if (state !== 'submitted') return draftTones[state];
  if (progress === null) return 'neutral';
  if (progress.underWay > 0) return 'progress';
  return progress.failed > 0 ? 'negative' : 'positive';
}

/** How many rows have been paid, and that some were not. */
export function paidOf(
  { rows, completed, failed }: { rows: number; completed: number; failed: number },
  say: (count: number) => string,
  t: Translate,
): string {
  const blanks = { rows: say(rows), completed: say(completed), failed: say(failed) };
  return t(failed > 0 ? 'batches.list.paidFailed' : 'batches.list.paid', blanks);
}

/** A payee's first payment is said; anything else that a person should look at is marked. */
export const findingTone = (kind: string) => (kind === 'newPayee' ? 'text-muted' : 'text-pending');
