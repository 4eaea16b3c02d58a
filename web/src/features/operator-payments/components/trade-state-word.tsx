import type { OperatorTrade } from '@causeway/contract/operator-trades.ts';
import { useText } from '../../../lib/locale.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { stateTones } from '../../trades/index.ts';

/** Where a trade is with its company, and where its goods are while it goes on. */
export function TradeStateWord({ trade: { state, phase } }: { trade: Pick<OperatorTrade, 'state' | 'phase'> }) {
  const t = useText();
  const isOn = state === 'in_progress';
  return (
    <StatusDot
      tone={isOn && phase === 'disputed' ? 'negative' : stateTones[state]}
      {...(isOn && { detail: t(`trades.phase.${phase}`) })}
    >
      {t(`trades.state.${state}`)}
    </StatusDot>
  );
}
