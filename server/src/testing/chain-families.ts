import { chainFamiliesOf } from '../chain-families.ts';
import { outgoingKindsOf } from '../outgoing-kinds.ts';

/** What the program binds where no chain of Bitcoin is configured. */

export const chainFamilies = chainFamiliesOf([]);
export const outgoingKinds = outgoingKindsOf(chainFamilies);
