import type { Trade } from '@causeway/contract/trades.ts';
import { useText } from '../../../lib/locale.tsx';
import { Time } from '../../../ui/time.tsx';

/** Who must act next, and by when; a deadline that has passed says so. */
export function NextActor({ trade: { actor, actBy, side } }: { trade: Pick<Trade, 'actor' | 'actBy' | 'side'> }) {
  const t = useText();
  if (actor === null) return <span className="text-faint">–</span>;
  const isOver = actBy !== null && Date.parse(actBy) < Date.now();
  return (
    <span className="inline-flex flex-col">
      <span>{actor === side ? t('trades.actor.you') : t(`trades.actor.${actor}`)}</span>
      {actBy !== null && (
        <span className={isOver ? 'text-12 text-negative' : 'text-12 text-faint'}>
          {t(isOver ? 'trades.overdue' : 'trades.until')} <Time at={actBy} />
        </span>
      )}
    </span>
  );
}
