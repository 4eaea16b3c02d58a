import { evmFamily, familiesByName } from './features/chains/index.ts';

/** Every family of chains, in the processes that read addresses, list coins or judge payments. */
export const chainFamilies = familiesByName([evmFamily]);
