/** Decimals of the venue: whole numbers of 10⁻¹⁰. */

const PLACES = 10;
const ONE = 10n ** BigInt(PLACES);

/** @throws RangeError where it is no plain decimal with at most ten places */
export function fixed(text: string): bigint {
  const match = /^(\d{1,20})(?:\.(\d{1,10}))?$/.exec(text);
  if (match === null) throw new RangeError(`${text} is no amount`);
  return BigInt(match[1] ?? '0') * ONE + BigInt((match[2] ?? '').padEnd(PLACES, '0'));
}

/** With at least `least` places. */
export function fixedText(value: bigint, least = 0): string {
  const sign = value < 0n ? '-' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(PLACES + 1, '0');
  const places = digits.slice(-PLACES).replace(/0+$/, '').padEnd(least, '0');
  return `${sign}${digits.slice(0, -PLACES)}${places === '' ? '' : `.${places}`}`;
}

/** Rounded down. */
export function product(a: bigint, b: bigint): bigint {
  return (a * b) / ONE;
}

/** Rounded down. */
export function quotient(a: bigint, b: bigint): bigint {
  return (a * ONE) / b;
}

/** Cut to so many places. */
export function cut(value: bigint, places: number): bigint {
  const step = 10n ** BigInt(PLACES - places);
  return (value / step) * step;
}
