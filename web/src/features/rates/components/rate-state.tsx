import type { RatePair } from '@causeway/contract/rates.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';

/** Whether a pair can be exchanged at its rate now, and why not. */
export function RateState({ problem }: Pick<RatePair, 'problem'>) {
  const t = useText();
  return (
    <StatusDot tone={problem === null ? 'positive' : 'pending'}>{t(`rates.state.${problem ?? 'current'}`)}</StatusDot>
  );
}

/** The change in 24 hours with its sign; the sign says what the colour repeats. */
export function Change({ percent }: { percent: string | null }) {
  const { percent: format } = useFormats();
  if (percent === null) return <span className="text-faint">–</span>;
  const change = Number(percent);
  const tone = change > 0 ? 'text-positive' : change < 0 ? 'text-negative' : 'text-muted';
  return (
    <span className={`figures ${tone}`}>
      {change > 0 ? '+' : ''}
      {format(change / 100)}
    </span>
  );
}
