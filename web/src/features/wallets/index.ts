export { withoutTrailingZeros } from './amounts.ts';
export { explorerLink, useChains, useWallets } from './api.ts';
export { WaitingRecharges } from './components/waiting.tsx';
export { walletName } from './wallet-name.ts';
