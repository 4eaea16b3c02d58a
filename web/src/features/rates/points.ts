import type { RateHistory } from '@causeway/contract/rates.ts';

/** Every step of the time that a chart shows, with its rate where one is known. */
export function stepsOf({ from, to, stepSeconds, points }: RateHistory): { at: string; value: string | null }[] {
  const step_ms = stepSeconds * 1000;
  const rates = new Map(points.map(({ at, rate }) => [Math.floor(Date.parse(at) / step_ms), rate]));
  const first = Math.floor(Date.parse(from) / step_ms) + 1;
  const last = Math.floor(Date.parse(to) / step_ms);
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => ({
    at: new Date((first + index) * step_ms).toISOString(),
    value: rates.get(first + index) ?? null,
  }));
}
