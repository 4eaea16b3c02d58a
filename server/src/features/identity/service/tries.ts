import type { PlatformTx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { addressBucket } from '../../../platform/http/address-bucket.ts';
import { countEvent } from '../../../platform/http/throttle.ts';
import type { RequestContext } from '../../../platform/session.ts';
import type { OpenIdentity } from './dependencies.ts';

/** One counter, how many events it allows in its window. */
export interface Allowance {
  bucket: string;
  limit: number;
  windowMs: number;
}

/** A counter that has gone past its limit; `first`: with this event, once in its window. */
interface Exceeded {
  bucket: string;
  first: boolean;
}

/** Counts one try in each counter before it is made, so that concurrent tries cannot pass the limit together. */
export async function mayTry(tx: PlatformTx, allowances: readonly Allowance[]): Promise<Exceeded[]> {
  const exceeded: Exceeded[] = [];
  // Always in one order (account before address), so that two requests cannot wait for each other.
  for (const { bucket, limit, windowMs } of allowances) {
    const tries = await countEvent(tx, bucket, windowMs);
    if (tries > limit) exceeded.push({ bucket, first: tries === limit + 1 });
  }
  return exceeded;
}

/** Counts one try in each counter. @throws DomainError tooManyRequests */
export async function countTry(core: Pick<OpenIdentity, 'database'>, allowances: readonly Allowance[]): Promise<void> {
  const exceeded = await core.database.withoutCompany((tx) => mayTry(tx, allowances));
  if (exceeded.length > 0) throw new DomainError('tooManyRequests');
}

/** The counter of strangers' failed sign-ins of one account, known or not. */
export function loginBucket(mac: string): string {
  return `login:account:${mac}`;
}

/** The counter of codes that strangers asked for to one address. */
export function codeBucket(scenario: 'register' | 'forget', mac: string): string {
  return `code:recipient:${scenario}:${mac}`;
}

/** The counter that keeps two mails to one address apart, for one network address: a stranger elsewhere does not delay the owner. */
export function soonBucket(scenario: 'register' | 'forget', mac: string, { ip }: RequestContext): string {
  return `code:soon:${scenario}:${mac}:${addressBucket(ip)}`;
}

/** The counter of wrong codes at the second step: of one known browser, or of all strangers together. */
export function wrongCodeBucket(userId: string, browserId: string | null): string {
  return browserId === null ? `code:wrong:strangers:${userId}` : `code:wrong:browser:${browserId}`;
}
