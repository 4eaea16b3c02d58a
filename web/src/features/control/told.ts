import type { Effect } from '@causeway/contract/effect.ts';
import { useCallback } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useText } from '../../lib/locale.tsx';
import { toast } from '../../lib/toasts.ts';

/** Says that a change was made, or that it waits for another person or for its time. */
export function useTellChange(): (effect: Effect, done: string, options?: { detail?: string }) => void {
  const t = useText();
  const formats = useFormats();
  return useCallback(
    ({ applied, effectiveAt }, done, options) => {
      if (applied) return toast('success', done, options);
      if (effectiveAt === null) return toast('notice', t('control.told.consent'));
      toast('notice', t('control.told.waits', { time: formats.dateTime(effectiveAt) }));
    },
    [t, formats],
  );
}
