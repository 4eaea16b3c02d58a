import type { Trade } from '@causeway/contract/trades.ts';
import { useText } from '../../../lib/locale.tsx';
import { Time } from '../../../ui/time.tsx';

/** Who must act next, and by when, or that the rest is being paid; a deadline that has passed says so. */
export function NextActor({
  trade: { state, actor, actBy, side },
}: {
  trade: Pick<Trade, 'state' | 'actor' | 'actBy' | 'side'>;
}) {
  const t = useText();
  if (actor === null) return state === 'in_progress' ? t('trades.field.paying') : <span className="text-faint">–</span>;
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
