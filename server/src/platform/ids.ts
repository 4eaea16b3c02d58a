import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Random bytes of the next ids: asking the operating system for each costs more than making it. */
const pool = new Uint8Array(16 * 256);
let used = pool.length;
/** Of the newest id. */
let time = 0;
let sequence = 0;

/** A new UUID version 7 (RFC 9562): rises with each call in a process, so that rows made together lie together in an index. */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + 16);
  used += 16;
  const now = Date.now();
  if (now > time) {
    time = now;
    // Bytes that `v7` does not use otherwise. Its highest bit is left free, so that it does not overflow within a millisecond.
    sequence = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1;
  } else {
    sequence += 1;
  }
  return v7({ random, msecs: time, seq: sequence });
}
