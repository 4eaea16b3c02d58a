import type { Output } from '@causeway/contract/call.ts';
import type { listPricesInForce } from '@causeway/contract/operator-prices.ts';

export type CompanyPrice = Output<typeof listPricesInForce>['items'][number]['prices'][number];

/** A price from an instant on, of the company itself or for every company. */
export type PlannedPrice = CompanyPrice['planned'][number] & { isOwn: boolean };

/** Everything planned that will hold for a company, in the order of its instants. */
export function plannedOf({ planned, plannedForAll }: Pick<CompanyPrice, 'planned' | 'plannedForAll'>): PlannedPrice[] {
  return [
    ...planned.map((one) => ({ ...one, isOwn: true })),
    ...plannedForAll.map((one) => ({ ...one, isOwn: false })),
  ].toSorted((a, b) => a.validFrom.localeCompare(b.validFrom));
}
