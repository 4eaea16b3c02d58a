import type { HistoryPeriod } from '@causeway/contract/history-rules.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { DailyChart } from '../../../ui/chart.tsx';
import type { History as Data } from '../api.ts';
import { chartState, drawnDays } from '../history.ts';

/** The total on each day of the period. */
export function History({ history, period }: { history: Data; period: HistoryPeriod }) {
  const t = useText();
  const formats = useFormats();
  const state = chartState(history.days);
  const { currency } = history.overview;
  const localDay = (at: string) => new Date(`${at}T00:00`);
  if (state !== 'days') {
    return (
      <p className="m-0 flex min-h-24 items-center justify-center px-6 text-center text-13 text-faint">
        {t(`home.history.${state}`)}
      </p>
    );
  }
  return (
    <DailyChart
      label={t('home.history.label', { days: Number(period) })}
      points={drawnDays(history.days)}
      unit={currency}
      format={(value) => amountLine(value, currency)}
      formatTick={formats.compact}
      formatDate={(at) => formats.date(localDay(at))}
      formatDay={(at) => formats.day(localDay(at))}
    />
  );
}
