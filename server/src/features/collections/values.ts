import { askedDecimals } from '@causeway/contract/payment-requests-rules.ts';
import { invariant } from '../../platform/domain-error.ts';

/**
 * What coins are worth in the asset of a request, exactly: minor units of the asset times 10^`scale`, so that parts of an amount add up to it whatever
 * their rates are. Nothing is rounded but where it is said.
 */
export type Value = bigint;

const scale = 60;
const one = 10n ** BigInt(scale);

/** Whole minor units. */
export const exactly = (minor: bigint): Value => minor * one;

/** In whole minor units, rounded down. */
export const wholeOf = (value: Value): bigint => value / one;

/** In whole minor units, rounded up: what lacks is not shown as less. */
export const wholeAtLeast = (value: Value): bigint => (value + one - 1n) / one;

/** The digits of a plain decimal, and how many of them are behind its point. */
function readRate(rate: string): { digits: bigint; decimals: number } {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(rate);
  invariant(match?.[1] !== undefined, `${rate} is a plain decimal`);
  const fraction = match[2] ?? '';
  return { digits: BigInt(match[1] + fraction), decimals: fraction.length };
}

/** What one minor unit of a coin is worth. @param rate whole units of the asset for one whole coin, a plain decimal */
function unitOf(coinDecimals: number, rate: string, assetDecimals: number): Value {
  const { digits, decimals } = readRate(rate);
  const places = scale + assetDecimals - coinDecimals - decimals;
  invariant(places >= 0, `a rate of ${decimals} decimals is kept exactly`);
  return digits * 10n ** BigInt(places);
}

/** What an amount of a coin is worth in an asset. */
export function valueIn(coin: { minor: bigint; decimals: number }, rate: string, assetDecimals: number): Value {
  return coin.minor * unitOf(coin.decimals, rate, assetDecimals);
}

/** What amounts in a coin are asked for in whole multiples of, in the coin's minor units. */
export function stepOf(coinDecimals: number, rate: string, assetDecimals: number): bigint {
  return 10n ** BigInt(coinDecimals - askedDecimals(rate, coinDecimals, assetDecimals));
}

/**
 * The least amount of a coin, in its minor units, that can be sent from every wallet and is worth at least a value: rounded up to a step that is worth less
 * than a minor unit of the asset wherever the coin and its sendable decimals have such a step.
 */
export function coinFor(value: Value, coinDecimals: number, rate: string, assetDecimals: number): bigint {
  const step = stepOf(coinDecimals, rate, assetDecimals);
  const unit = unitOf(coinDecimals, rate, assetDecimals) * step;
  invariant(unit > 0n, 'a rate is above zero');
  return ((value + unit - 1n) / unit) * step;
}
