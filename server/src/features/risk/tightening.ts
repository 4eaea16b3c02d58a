import { compareAmounts, type PolicyDefinition, type RiskContent } from '@causeway/contract/risk.ts';

/**
 * Whether a change of a policy can only stop more than before; pure. What is not proved here counts as loosening, and needs a second
 * person (docs/FOUR_EYES.md).
 */

/** A policy that can only stop: it lets nothing past later ones, so it adds refusals at any place. */
export function onlyStops({ result }: PolicyDefinition): boolean {
  return result === 'deny';
}

/** Whether the policy stops at least what it stopped, standing where it stood. */
export function isAtLeastAsTight(before: PolicyDefinition, after: PolicyDefinition): boolean {
  if (!isSame({ ...before, name: '', content: null }, { ...after, name: '', content: null })) return false;
  if (isSame(before.content, after.content)) return true;
  if (!onlyStops(after)) return false;
  // A forbidden range may grow; one that alone is allowed may shrink.
  return after.method === 'forbid' ? contains(after.content, before.content) : contains(before.content, after.content);
}

/**
 * Whether everything inside one content is inside the other. Of departments the ids are compared and not the structure, which may change:
 * naming the department above does not prove that those below are still forbidden.
 */
function contains(outer: RiskContent, inner: RiskContent): boolean {
  const [wide, narrow] = [listOf(outer), listOf(inner)];
  if (outer.dimension !== inner.dimension) return false;
  if (wide && narrow) return narrow.every((name) => wide.includes(name));
  if (!('from' in outer && 'from' in inner)) return false;
  const sameUnit = isSame({ ...outer, from: '', to: '' }, { ...inner, from: '', to: '' });
  const startsNoLater = (compareAmounts(outer.from, inner.from) ?? 1) <= 0;
  const endsNoEarlier = outer.to === null || (inner.to !== null && (compareAmounts(outer.to, inner.to) ?? -1) >= 0);
  return sameUnit && startsNoLater && endsNoEarlier;
}

function listOf(content: RiskContent): readonly string[] | null {
  switch (content.dimension) {
    case 'chain':
      return content.chains;
    case 'coin':
      return content.coins;
    case 'fiat_currency':
      return content.currencies;
    case 'payment_region':
      return content.countries;
    case 'initiator':
      return content.members;
    case 'department':
      return content.departments;
    case 'role':
      return content.roles;
    default:
      return null;
  }
}

/** Whether two values are the same, whatever the order of their fields. */
function isSame(one: unknown, other: unknown): boolean {
  return sorted(one) === sorted(other);
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
