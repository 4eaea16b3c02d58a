import type { RiskPolicy } from '@causeway/contract/risk.ts';

/** The wished place of a policy: before the policy of this id, or behind all. Empty: its current place, and a new one behind all. */
export const behindAll = 'last';

/** The first policies in their order, and how many there are. */
export interface Standing {
  items: readonly Pick<RiskPolicy, 'id'>[];
  total: number;
}

/** The current place of a policy (null: a new one); empty when it is not among the first. */
export function presentPlace(ownId: string | null, { items, total }: Standing): string {
  if (ownId === null) return behindAll;
  const index = items.findIndex(({ id }) => id === ownId);
  if (index < 0) return '';
  return items[index + 1]?.id ?? (items.length === total ? behindAll : '');
}

/** The position, from 1, for the server; undefined keeps its place, and puts a new one behind all. */
export function positionOf(place: string, ownId: string | null, standing: Standing): number | undefined {
  if (place === '' || place === presentPlace(ownId, standing)) return undefined;
  if (place === behindAll) return standing.total;
  const index = standing.items.filter(({ id }) => id !== ownId).findIndex(({ id }) => id === place);
  return index < 0 ? undefined : index + 1;
}
