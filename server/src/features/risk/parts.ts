import { invariant } from '../../platform/domain-error.ts';

/** In what a transaction is counted: pure. */

/** What of a judged transaction says it; quantities in minor units. */
interface Counted {
  coin: string | null;
  currency: string | null;
  quantityMinor: bigint;
  paidWith?: { quantityMinor: bigint; decimals: number };
}

/** The coin or currency that a transaction is in: of which its quantity is. */
export function assetOf(subject: Pick<Counted, 'coin' | 'currency'>): string {
  return subject.currency ?? subject.coin ?? '';
}

/** Coins and currencies are counted apart, also within a business that has both: exchanges of coins are payments too. */
export type AssetKind = 'coin' | 'currency';

export function assetKindOf({ currency }: Pick<Counted, 'currency'>): AssetKind {
  return currency === null ? 'coin' : 'currency';
}

/** One coin or currency that a transaction is counted in. */
export interface Part {
  kind: AssetKind;
  asset: string;
  quantityMinor: bigint;
}

/** What it is in, and the coin that it is paid with, if that is another one: it is counted in each. */
export function partsOf(
  subject: Pick<Counted, 'coin' | 'currency' | 'quantityMinor' | 'paidWith'>,
): readonly [Part, ...Part[]] {
  const { coin, quantityMinor, paidWith } = subject;
  const own: Part = { kind: assetKindOf(subject), asset: assetOf(subject), quantityMinor };
  if (!paidWith) return [own];
  invariant(coin !== null, 'what is paid with a coin names it');
  return [own, { kind: 'coin', asset: coin, quantityMinor: paidWith.quantityMinor }];
}
