import { audit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import { newId } from '../../../platform/ids.ts';
import { announce, live } from '../../../platform/outbox.ts';
import { type ChainGateway, findChain, findCursor, gasTankOwner } from '../../chains/index.ts';
import { findContacts } from '../../identity/index.ts';
import { notify } from '../../notices/index.ts';
import { dropHold, findHolds, type Hold, lockSender, putHold, setNextNonce } from '../store/holds.ts';
import { explanationsOf } from '../store/unexplained.ts';
import { freezeHeld, thawHeld } from '../store/wallets.ts';
import type { SendingDependencies } from './surroundings.ts';

/**
 * Holds on sending addresses (docs/adr/0042). A held address signs, broadcasts and replaces nothing, and its company's
 * wallets there are frozen, until every transaction that the chain counts is explained.
 */

/**
 * Holds an address of the current company (the gas tank's, under the nil UUID). Its row is locked by the caller.
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
  if (companyId === gasTankOwner) return true;
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

/** Ends the holds of a chain whose addresses are explained by now. */
export async function endExplainedHolds(deps: SendingDependencies, gateway: ChainGateway): Promise<void> {
  const holds = await deps.database.withoutCompany((tx) => findHolds(tx, gateway.chainId));
  for (const hold of holds) await endHold(deps, gateway, hold);
}

async function endHold(deps: SendingDependencies, gateway: ChainGateway, hold: Hold): Promise<void> {
  const { companyId, chainId, address } = hold;
  const head = await gateway.head();
  const [latest, settled] = await Promise.all([
    gateway.minedNonce(address as `0x${string}`, head),
    settledNonce(deps, gateway, hold),
  ]);
  const ended = await deps.database.withCompany(companyId, async (tx) => {
    const sender = await lockSender(tx, chainId, address);
    if (!sender.isHeld) return false;
    // Only what the watcher has read can be explained.
    if (sender.readHeight === null || sender.readHeight < head) return false;
    const { open, nonces } = await explanationsOf(tx, chainId, address, sender.nextNonce);
    const explained = new Set(nonces);
    const from = Math.max(sender.nextNonce, hold.acceptedNonce ?? 0, settled);
    if (open > 0 || !isCounted(from, latest, explained)) {
      const reason = open > 0 ? 'unexplained' : 'ahead';
      await putHold(tx, { chainId, address, reason, chainNonce: latest, nextNonce: sender.nextNonce });
      return false;
    }
    const nextNonce = Math.max(sender.nextNonce, latest);
    await setNextNonce(tx, chainId, address, nextNonce);
    await dropHold(tx, chainId);
    const thawed = await thawHeld(tx, chainId);
    await audit(tx, {
      actor: { kind: 'system', id: 'transfers' },
      action: 'transfers.endHold',
      subjectKind: 'address',
      subjectId: address,
      detail: { chain: chainId, address, nonce: { before: sender.nextNonce, after: nextNonce } },
    });
    await announce(
      tx,
      thawed.map((id) => live('balance', id)),
    );
    return true;
  });
  if (ended)
    deps.log.info({ chain: chainId, address }, 'every transaction of the address is explained; it sends again');
}

/** Whether every nonce from one on, up to the chain's count, is explained. */
function isCounted(from: number, chainNonce: number, explained: ReadonlySet<number>): boolean {
  for (let nonce = from; nonce < chainNonce; nonce += 1) if (!explained.has(nonce)) return false;
  return true;
}

/**
 * Below which nonce the gas tank's transactions are settled without a row: those older than all that the watcher has read.
 * The tank's money is the operator's own, and the watcher records each later transaction of it.
 */
async function settledNonce(deps: SendingDependencies, gateway: ChainGateway, hold: Hold): Promise<number> {
  if (hold.companyId !== gasTankOwner) return 0;
  const { cursor, depth } = await deps.database.withoutCompany(async (tx) => ({
    cursor: await findCursor(tx, hold.chainId),
    depth: (await findChain(tx, hold.chainId))?.confirmations ?? 0,
  }));
  if (!cursor || cursor.height < depth) return 0;
  return gateway.minedNonce(hold.address as `0x${string}`, cursor.height - depth);
}
