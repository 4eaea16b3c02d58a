import type { Tx } from '../../../platform/database/database.ts';
import { findRestoreMode } from '../../../platform/database/restore-mode.ts';
import type { JobContext } from '../../../platform/jobs/jobs.ts';
import { findAccounts, sourceOf } from '../../chains/index.ts';
import { openApart, takeApartPlace } from '../../wallets/index.ts';
import type { CollectionPorts } from '../ports.ts';
import { acceptedFamilies, insertAddresses, setOpened } from '../store/noting.ts';
import { lockKnown } from './reading.ts';
import { keepJudged } from './settle.ts';

/**
 * Opens a request's addresses: one on every chain of each family that it accepts a chain of. Their places are in the signer's register before (docs/adr/0106);
 * then all are opened in one transaction, so a worker that dies leaves none, and doing it twice opens no second ones.
 * @returns false where it cannot be done yet: in restore mode, or before the company's accounts are open. Rejects while the signer does not answer
 */
export async function prepareRequest(
  { companyId, database }: Pick<JobContext, 'companyId' | 'database'>,
  { sources, register, clock }: Pick<CollectionPorts, 'sources' | 'register' | 'clock'>,
  requestId: string,
): Promise<boolean> {
  const awaited = await database.withCompany(companyId, (tx) => familiesOf(tx, requestId, clock.now()));
  if (typeof awaited === 'boolean') return awaited;
  const places = new Map<string, number>();
  for (const family of awaited) places.set(family, await takeApartPlace(database, register, { companyId, family }));
  return database.withCompany(companyId, async (tx) => {
    const now = clock.now();
    if (!(await isAwaited(tx, requestId, now))) return true;
    for (const [family, place] of places) {
      const opened = await openApart(tx, sourceOf(sources, { family }), place);
      if (opened === null) return false;
      await insertAddresses(tx, requestId, opened);
    }
    await setOpened(tx, requestId, now);
    const ready = await lockKnown(tx, requestId, now);
    if (ready) await keepJudged(tx, ready, now);
    return true;
  });
}

/** The families whose addresses it needs; true: it has them, or no longer needs any. */
async function familiesOf(tx: Tx, requestId: string, now: Date): Promise<string[] | boolean> {
  if (!(await isAwaited(tx, requestId, now))) return true;
  if (await findRestoreMode(tx)) return false;
  const families = await acceptedFamilies(tx, requestId);
  for (const [family, chainIds] of families) {
    const accounts = new Set((await findAccounts(tx, family)).map(({ chainId }) => chainId));
    if (!chainIds.every((id) => accounts.has(id))) return false;
  }
  return [...families.keys()];
}

async function isAwaited(tx: Tx, requestId: string, now: Date): Promise<boolean> {
  const known = await lockKnown(tx, requestId, now);
  return known?.row.state === 'preparing' && known.row.openedAt === null;
}
