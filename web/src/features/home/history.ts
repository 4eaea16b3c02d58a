interface Day {
  /** ISO 8601, without a time. */
  date: string;
  /** A plain decimal text; null where a price was not known. */
  total: string | null;
}

/** What the chart has to say: nothing yet, one day (`first`) that has not ended, or days. */
export type ChartState = 'empty' | 'first' | 'days';

/**
 * What there is to draw of some days, the last of them not over: a chart begins when a day has ended on which something was held, or
 * whose value is not known.
 */
export function chartState(days: readonly Day[]): ChartState {
  const holding = days.map(({ total }) => total === null || /[1-9]/.test(total));
  if (holding.slice(0, -1).some(Boolean)) return 'days';
  return holding.at(-1) ? 'first' : 'empty';
}

/** The days of the period as the chart draws them: without the one before it, with which its change begins. */
export function drawnDays(days: readonly Day[]): { at: string; value: string | null }[] {
  return days.slice(1).map(({ date, total }) => ({ at: date, value: total }));
}
