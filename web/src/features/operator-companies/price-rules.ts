import type { Output } from '@causeway/contract/call.ts';
import type { listPricesInForce } from '@causeway/contract/operator-prices.ts';

type AssetPrices = Output<typeof listPricesInForce>['items'][number];
type Price = AssetPrices['prices'][number];

/** A price from an instant on, of the company itself or for every company. */
export type PlannedPrice = Price['planned'][number] & { isOwn: boolean };

export interface CompanyPrice extends Omit<Price, 'planned'> {
  planned: readonly PlannedPrice[];
}

/**
 * What holds for a company, with everything planned that will hold for it: its own, and for every company where none of its own beats
 * that when it begins.
 */
export function pricesOfCompany(
  own: readonly AssetPrices[],
  all: readonly AssetPrices[],
): { asset: string; prices: CompanyPrice[] }[] {
  return own.map(({ asset, prices }) => {
    const general = all.find((one) => one.asset === asset)?.prices ?? [];
    return {
      asset,
      prices: prices.map((price) => {
        const forAll = general.find(({ kind, chain }) => kind === price.kind && chain?.id === price.chain?.id);
        const others = (forAll?.planned ?? []).filter(({ validFrom }) => !hasOwnAt(price, validFrom));
        const planned = [
          ...price.planned.map((one) => ({ ...one, isOwn: true })),
          ...others.map((one) => ({ ...one, isOwn: false })),
        ];
        return { ...price, planned: planned.toSorted((a, b) => a.validFrom.localeCompare(b.validFrom)) };
      }),
    };
  });
}

/** Whether the company has a price of its own at that instant; one without a value ends it. */
function hasOwnAt({ from, planned }: Price, at: string): boolean {
  const last = planned
    .filter(({ validFrom }) => validFrom <= at)
    .toSorted((a, b) => a.validFrom.localeCompare(b.validFrom))
    .at(-1);
  return last === undefined ? from === 'company' : last.value !== null;
}
