import type { Database, Tx } from '../../platform/database/database.ts';
import { announce, live } from '../../platform/database/outbox.ts';
import {
  type AddressSource,
  type AddressSources,
  type ChainListener,
  findAddressProgress,
  isPlatformOwner,
  markUsed,
  openFurtherAddress,
  ownersOf,
  sourceOf,
} from '../chains/index.ts';

/** Addresses of the families that want a fresh one for each deposit: the next is open before it is needed, all stay watched. */

/**
 * Unused addresses that are open beyond the last used one (BIP44's gap limit): deposits to them are found although the
 * addresses were shown within the blocks that are being read, or before a restored backup was made.
 */
const openedAhead = 20;

/** Opens what the company lacks of further addresses on a chain, of change too; nothing where its family uses an address again. */
export async function openAhead(
  tx: Tx,
  { family, addressAt, changeFrom }: AddressSource,
  chainId: string,
): Promise<void> {
  if (!family.freshAfterUse) return;
  for (const from of changeFrom === null ? [0] : [0, changeFrom]) {
    const progress = await findAddressProgress(tx, chainId, from);
    if (progress === null) return;
    const { companyIndex, lastOpened, lastUsed } = progress;
    for (let ordinal = lastOpened + 1; ordinal <= lastUsed + openedAhead; ordinal += 1) {
      await openFurtherAddress(tx, chainId, { address: addressAt(companyIndex, ordinal), ordinal });
    }
  }
}

interface Opening {
  database: Database;
  sources: AddressSources;
  chains: readonly { id: string; family: string }[];
}

/** Marks addresses that something reached as used, and opens the next ones; those that are not ours are passed over. */
export type OnReached = (chainId: string, addresses: readonly string[]) => Promise<void>;

export function createOnReached({ database, sources, chains }: Opening): OnReached {
  const families = new Map(chains.map((chain) => [chain.id, sourceOf(sources, chain)]));
  return async (chainId, addresses) => {
    const source = families.get(chainId);
    const reached = [...new Set(addresses)];
    if (!source?.family.freshAfterUse || reached.length === 0) return;
    const owners = await database.withoutCompany((tx) => ownersOf(tx, chainId, reached));
    for (const companyId of new Set(owners.map((owner) => owner.companyId))) {
      if (isPlatformOwner(companyId)) continue;
      const own = owners.filter((owner) => owner.companyId === companyId).map(({ address }) => address);
      await database.withCompany(companyId, async (tx) => {
        await markUsed(tx, chainId, own);
        await openAhead(tx, source, chainId);
        await announce(tx, [live('balance')]);
      });
    }
  };
}

/** The listener, which then also marks the addresses that blocks bring something to as used, and opens the next ones. */
export function withFreshAddresses(listener: ChainListener, onReached: OnReached): ChainListener {
  return {
    ...listener,
    async onBlocks(seen) {
      await listener.onBlocks(seen);
      await onReached(
        seen.chainId,
        seen.contents.flatMap(({ arrivals }) => arrivals.map(({ to }) => to)),
      );
    },
  };
}
