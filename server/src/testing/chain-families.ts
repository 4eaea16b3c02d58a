import { chainFamiliesOf } from '../chain-families.ts';
import { outgoingKindsOf } from '../outgoing-kinds.ts';

/** What the program binds where no chain of Bitcoin is configured. */

export const chainFamilies = chainFamiliesOf([]);
export const outgoingKinds = outgoingKindsOf(chainFamilies);

/** Wallets' ports where there are no trades. */
export const noTrades = { tradesOfLines: async () => new Map<string, { id: string; number: string }>() };
