import { isCurrency } from '@causeway/contract/currencies.ts';
import type { RatePair } from '@causeway/contract/rates.ts';

/** Which pairs the list of rates shows, which way round, and in which order: pure. */

/** Two rates nearer to each other than this are alike: which asset is worth more may change from hour to hour. */
const alike = 1.05;

/** One name for both directions of a pair. */
export function pairKey({ sell, buy }: Pick<RatePair, 'sell' | 'buy'>): string {
  return sell < buy ? `${sell}-${buy}` : `${buy}-${sell}`;
}

interface Wanted {
  /** The assets that the company has money in. */
  held: ReadonlySet<string>;
  /** By `pairKey`. */
  favourites: ReadonlySet<string>;
  onlyFavourites: boolean;
  /** Every word of it is found in a code or a name of the pair. */
  keyword: string;
  /** Pairs of this one alone, each as the rate of it; null: of all assets. */
  asset: string | null;
  nameOf: (asset: string) => string;
}

/**
 * Each pair once, as the rate of the asset that is worth more, so that rates are read as the market writes them; favourites first, then those of which the
 * company has money in both assets, in one, in none. Assets keep the order that the pairs have them in.
 */
export function shownPairs(pairs: readonly RatePair[], wanted: Wanted): RatePair[] {
  const { held, favourites, onlyFavourites, keyword, asset, nameOf } = wanted;
  const words = keyword.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const isFound = ({ sell, buy }: RatePair) => {
    const text = [sell, buy, nameOf(sell), nameOf(buy)].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const place = new Map([...new Set(pairs.map(({ sell }) => sell))].map((one, index) => [one, index]));
  const weight = (pair: RatePair) => [
    favourites.has(pairKey(pair)) ? 0 : 1,
    [pair.sell, pair.buy].filter((one) => !held.has(one)).length,
    place.get(pair.sell) ?? 0,
    place.get(pair.buy) ?? 0,
  ];
  return pairs
    .filter((pair) => (asset === null ? isUpright(pair) : pair.sell === asset))
    .filter((pair) => !onlyFavourites || favourites.has(pairKey(pair)))
    .filter(isFound)
    .map((pair) => ({ pair, weight: weight(pair) }))
    .sort((a, b) => compare(a.weight, b.weight))
    .map(({ pair }) => pair);
}

/** Whether a pair is shown this way round: the rate of what is worth more; of two that are alike, of the coin, then by the alphabet. */
function isUpright({ sell, buy, rate, inverse }: RatePair): boolean {
  // Both directions ask the same number, so that exactly one of them is shown.
  const isAlphabetical = sell < buy;
  const [first, second] = isAlphabetical ? [sell, buy] : [buy, sell];
  const ratio = Number((isAlphabetical ? rate : inverse) ?? 1);
  const isFirstWorthMore = ratio >= alike || (ratio > 1 / alike && (!isCurrency(first) || isCurrency(second)));
  return isFirstWorthMore === isAlphabetical;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
