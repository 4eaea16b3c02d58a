import { useText } from '../../../lib/locale.tsx';
import { useSecondsTo } from '../../../ui/seconds-to.ts';

const minute = 60;
const hour = 3600;

/** How long something still holds, in words that change by the second in its last hour; null: it has run out. `until`: milliseconds since 1970. */
export function useLeft(until: number): string | null {
  const t = useText();
  const seconds = useSecondsTo(until);
  if (seconds === 0) return null;
  if (seconds >= hour) {
    return t('otc.left.hours', { hours: Math.floor(seconds / hour), minutes: Math.floor((seconds % hour) / minute) });
  }
  return t('otc.left.minutes', { minutes: Math.floor(seconds / minute), seconds: seconds % minute });
}
