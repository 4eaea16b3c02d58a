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
 * @throws DomainError tooManyRequests
 */
export async function countTry(core: IdentityCore, allowances: readonly Allowance[]): Promise<void> {
  const exceeded = await core.database.withoutCompany(async (tx) => {
    let found = false;
    // Always in one order (account before address), so that two requests cannot wait for each other.
    for (const { bucket, limit, windowMs } of allowances) {
      if ((await countEvent(tx, bucket, windowMs)) > limit) found = true;
    }
    return found;
  });
  if (exceeded) throw new DomainError('tooManyRequests');
}

/** The counter of failed sign-ins of one account, known or not. */
export function loginBucket(mac: string): string {
  return `login:account:${mac}`;
}
