export { withoutTrailingZeros } from './amounts.ts';
export { explorerLink, useChains, useWallets } from './api.ts';
export { walletName } from './naming.ts';
