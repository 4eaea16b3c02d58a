import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { type AddressSources, findAccounts, sourceOf } from '../../chains/index.ts';
import { openApart } from '../../wallets/index.ts';
import { acceptedFamilies, insertAddresses, setOpened } from '../store/noting.ts';
import { lockKnown } from './reading.ts';
import { keepJudged } from './settle.ts';

/**
 * Opens a request's addresses: one on every chain of each family that it accepts a chain of. All in one transaction, so a worker that dies leaves none,
 * and doing it twice opens no second ones.
 * @returns false where it cannot be done yet: in restore mode, or before the company's accounts are open
 */
export async function prepareRequest(
  tx: Tx,
  { sources, clock }: { sources: AddressSources; clock: Clock },
  requestId: string,
): Promise<boolean> {
  const now = clock.now();
  const known = await lockKnown(tx, requestId, now);
  if (known?.row.state !== 'preparing' || known.row.openedAt !== null) return true;
  const families = await acceptedFamilies(tx, requestId);
  for (const [family, chainIds] of families) {
    const accounts = new Set((await findAccounts(tx, family)).map(({ chainId }) => chainId));
    if (!chainIds.every((id) => accounts.has(id))) return false;
  }
  for (const family of families.keys()) {
    const opened = await openApart(tx, sourceOf(sources, { family }));
    if (opened === null) return false;
    await insertAddresses(tx, requestId, opened);
  }
  await setOpened(tx, requestId, now);
  const ready = await lockKnown(tx, requestId, now);
  if (ready) await keepJudged(tx, ready, now);
  return true;
}
