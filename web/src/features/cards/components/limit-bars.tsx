import type { Card } from '@causeway/contract/cards.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { ProgressBar } from '../../../ui/progress-bar.tsx';

const periods = ['day', 'month', 'total'] as const;

/** What is spent and held of each limit that counts over time; `first` shows the nearest to its end alone. */
export function LimitBars({ card, first = false }: { card: Card; first?: boolean }) {
  const t = useText();
  const bars = periods.flatMap((period) => {
    const limit = card.limits[period];
    return limit === null ? [] : [{ period, limit, share: shareOf(card.spent[period], limit) }];
  });
  const shown = first ? bars.sort((one, other) => other.share - one.share).slice(0, 1) : bars;
  if (shown.length === 0) {
    const { each } = card.limits;
    return (
      <span className="text-13 text-muted">
        {each === null ? t('cards.limit.none') : t('cards.limit.eachIs', { amount: amountLine(each, card.asset) })}
      </span>
    );
  }
  return (
    <span className="flex min-w-40 flex-col gap-3">
      {shown.map(({ period, limit, share }) => (
        <ProgressBar
          key={period}
          label={t(`cards.limit.${period}`)}
          done={Math.min(share, 100)}
          over={share >= 100}
          figure={t('cards.limit.of', { spent: amountLine(card.spent[period]), limit: amountLine(limit, card.asset) })}
        />
      ))}
    </span>
  );
}

/** In percent, for the bar alone; more than 100 where a payment could not be declined. A limit of zero leaves nothing. */
function shareOf(spent: string, limit: string): number {
  return Number(limit) === 0 ? 100 : Math.floor((Number(spent) / Number(limit)) * 100);
}
