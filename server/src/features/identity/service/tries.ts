import { DomainError } from '../../../platform/domain-error.ts';
import { countEvent } from '../../../platform/throttle.ts';
import type { IdentityCore } from './core.ts';

/** One counter, how many events it allows in its window. */
export interface Allowance {
  bucket: string;
  limit: number;
  windowMs: number;
}

/**
 * Counts one try in each counter before it is made, so that tries at the same time cannot get past the limit together.
 * @param locked told of each counter with the first try beyond its limit, once in its window
 * @throws DomainError tooManyRequests
 */
export async function countTry(
  core: IdentityCore,
  allowances: readonly Allowance[],
  locked: (bucket: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const exceeded = await core.database.withoutCompany(async (tx) => {
    const found: { bucket: string; first: boolean }[] = [];
    // Always in one order (account before address), so that two requests cannot wait for each other.
    for (const { bucket, limit, windowMs } of allowances) {
      const tries = await countEvent(tx, bucket, windowMs);
      if (tries > limit) found.push({ bucket, first: tries === limit + 1 });
    }
    return found;
  });
  for (const { bucket } of exceeded.filter(({ first }) => first)) await locked(bucket);
  if (exceeded.length > 0) throw new DomainError('tooManyRequests');
}

/** The counter of failed sign-ins of one account, known or not. */
export function loginBucket(mac: string): string {
  return `login:account:${mac}`;
}
