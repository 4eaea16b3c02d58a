import type { Clock } from '../clock.ts';
import { addressBucket } from './address-bucket.ts';

const windowMs = 60_000;
const mostRefusals = 60;
const mostAddresses = 10_000;

/** Refused events of each address in the running minute, in this process: one that guesses costs no further work. */
export function countRefusals(clock: Clock) {
  let [endsAt, counts] = [0, new Map<string, number>()];
  const current = () => {
    const now = clock.now().getTime();
    if (now >= endsAt || counts.size > mostAddresses) [endsAt, counts] = [now + windowMs, new Map()];
    return counts;
  };
  return {
    tooMany: (ip: string) => (current().get(addressBucket(ip)) ?? 0) >= mostRefusals,
    count(ip: string) {
      const bucket = addressBucket(ip);
      const known = current();
      known.set(bucket, (known.get(bucket) ?? 0) + 1);
    },
  };
}
