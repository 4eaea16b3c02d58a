/** A round number of this size or the next above it: 1, 2, 2.5 or 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10) * power;
}

/**
 * The marks of an axis for these figures, the lowest first, in round and equal steps. Zero is one of them, so that heights compare as the
 * figures do.
 */
export function axisTicks(values: readonly number[], steps = 4): number[] {
  const high = Math.max(0, ...values);
  const low = Math.min(0, ...values);
  if (high === low) return [0, 1];
  const step = roundStep((high - low) / steps);
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** The marks of an axis for figures of which only the differences count: round and equal steps around them, without zero where it is far. */
export function closeTicks(values: readonly number[], steps = 4): number[] {
  const [high, low] = [Math.max(...values), Math.min(...values)];
  if (values.length === 0 || high === 0) return axisTicks(values, steps);
  // Figures that are all the same have a little room on both sides.
  const step = roundStep(Math.max((high - low) / steps, Math.abs(high) * 0.0005));
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** Which of `count` days are named beneath the chart: the first, the last, and some between them at equal distances. */
export function namedDays(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, index) => index);
  return Array.from({ length: most }, (_, index) => Math.round((index * (count - 1)) / (most - 1)));
}
