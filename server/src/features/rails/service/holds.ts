import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { newId } from '../../../platform/ids.ts';
import { findChain, isPlatformOwner } from '../../chains/index.ts';
import { findContacts } from '../../identity/index.ts';
import { notify } from '../../notices/index.ts';
import { freezeHeld, thawHeld } from '../../wallets/index.ts';
import type { FollowingDependencies } from '../family.ts';
import { dropHold, findHolds, type Hold, lockSender, putHold } from '../store/holds.ts';
import { explanationsOf } from '../store/unexplained.ts';

/**
 * Holds on sending addresses (docs/adr/0042). A held address signs, broadcasts and replaces nothing, and its company's
 * wallets there are frozen, until every transaction that the chain counts is explained.
 */

/**
 * Holds an address of the current company (or of the platform's own). Its row is locked by the caller.
 * @returns whether the hold is new
 */
export async function holdSender(
  tx: Tx,
  companyId: string,
  hold: Pick<Hold, 'chainId' | 'address' | 'reason' | 'chainNonce' | 'nextNonce'>,
): Promise<boolean> {
  const isNew = await putHold(tx, hold);
  if (!isNew) return false;
  const { chainId, address, reason, nextNonce } = hold;
  await audit(tx, {
    actor: { kind: 'system', id: 'transfers' },
    action: 'transfers.holdAddress',
    subjectKind: 'address',
    subjectId: address,
    detail: { chain: chainId, address, reason, nonce: nextNonce },
  });
  if (isPlatformOwner(companyId)) return true;
  const wallets = await freezeHeld(tx, chainId);
  await announce(
    tx,
    wallets.map((id) => live('balance', id)),
  );
  const chain = await findChain(tx, chainId);
  const contacts = await findContacts(tx);
  await notify(tx, {
    kind: 'addressHeld',
    sourceId: newId(),
    values: { chain: chain?.name ?? chainId },
    link: null,
    mailTo: contacts.map(({ userId }) => userId),
  });
  return true;
}

/** Ends the hold of an address of the current company, whose row is locked. `detail` is for the audit trail. */
export async function liftHold(
  tx: Tx,
  { chainId, address }: Pick<Hold, 'chainId' | 'address'>,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  // Its wallets stay frozen while another of its addresses is held.
  const isLast = await dropHold(tx, chainId, address);
  const thawed = isLast ? await thawHeld(tx, chainId) : [];
  await audit(tx, {
    actor: { kind: 'system', id: 'transfers' },
    action: 'transfers.endHold',
    subjectKind: 'address',
    subjectId: address,
    detail: { chain: chainId, address, ...detail },
  });
  await announce(
    tx,
    thawed.map((id) => live('balance', id)),
  );
}

/** Ends the holds of a chain without nonces whose addresses have no unexplained payment any more. */
export async function endSettledHolds(
  { database }: Pick<FollowingDependencies, 'database'>,
  chainId: string,
): Promise<void> {
  for (const hold of await database.withoutCompany((tx) => findHolds(tx, chainId))) {
    await database.withCompany(hold.companyId, async (tx) => {
      const { isHeld } = await lockSender(tx, chainId, hold.address);
      if (isHeld && (await explanationsOf(tx, chainId, hold.address, 0)).open === 0) await liftHold(tx, hold);
    });
  }
}
