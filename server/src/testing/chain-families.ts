import { chainFamiliesOf } from '../chain-families.ts';
import { outgoingKindsOf } from '../outgoing-kinds.ts';

/** What the program binds where no chain of Bitcoin is configured. */

export const chainFamilies = chainFamiliesOf([]);
export const outgoingKinds = outgoingKindsOf(chainFamilies);

/** Wallets' ports where no entry is of a trade or a batch. */
export const noTrades = {
  tradesOfLines: async () => new Map<string, { id: string; number: string }>(),
  batchesOfRuns: async () => new Map<string, { id: string; name: string }>(),
};
