import { type EvmGateway, findFinalHeight, isPlatformOwner } from '../../chains/index.ts';
import type { SendingDependencies } from '../family.ts';
import { liftHold } from '../service/holds.ts';
import { findHolds, type Hold, lockSender, putHold } from '../store/holds.ts';
import { explanationsOf } from '../store/unexplained.ts';
import { setNextNonce } from './store/senders.ts';

/** Ends holds on addresses with nonces: every nonce that the chain counts must be explained (docs/adr/0042). */

/** Ends the holds of a chain whose addresses are explained by now. */
export async function endExplainedHolds(deps: SendingDependencies, gateway: EvmGateway): Promise<void> {
  const holds = await deps.database.withoutCompany((tx) => findHolds(tx, gateway.chainId));
  for (const hold of holds) await endHold(deps, gateway, hold);
}

async function endHold(deps: SendingDependencies, gateway: EvmGateway, hold: Hold): Promise<void> {
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
    await liftHold(tx, hold, { nonce: { before: sender.nextNonce, after: nextNonce } });
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
 * Below which nonce the transactions of gas tank and treasury are settled without a row: those older than all that the watcher has read.
 * Their money is the platform's own, and the watcher records each later transaction of it.
 */
async function settledNonce(deps: SendingDependencies, gateway: EvmGateway, hold: Hold): Promise<number> {
  if (!isPlatformOwner(hold.companyId)) return 0;
  const finalHeight = await deps.database.withoutCompany((tx) => findFinalHeight(tx, hold.chainId));
  return finalHeight === null ? 0 : gateway.minedNonce(hold.address as `0x${string}`, finalHeight);
}
