import type { PlatformTx } from '../../../platform/database/database.ts';
import {
  countEntries,
  findOrderMismatches,
  findSumMismatches,
  findTradeMismatches,
  type PositionMismatch,
} from './verify-store.ts';

/**
 * Recomputes the position from its trades in one snapshot: that each executed exchange and each fill at a venue is in it exactly once, with its
 * amounts, or, of exchanges, is still due; that orders are filled by their fills; and that positions and days are the sums of their entries. Runs as a role that reads across
 * companies.
 */
export async function verifyPosition(tx: PlatformTx): Promise<{ entries: number; mismatches: PositionMismatch[] }> {
  const mismatches = [
    ...(await findTradeMismatches(tx)),
    ...(await findOrderMismatches(tx)),
    ...(await findSumMismatches(tx)),
  ];
  return { entries: await countEntries(tx), mismatches };
}
