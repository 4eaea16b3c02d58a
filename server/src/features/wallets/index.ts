export { createOnReached, type OnReached, withFreshAddresses } from './fresh-addresses.ts';
export { frozenWalletsCheck } from './health.ts';
export {
  createWalletOpening,
  openBankWallet,
  openMissingJob,
  openWalletOf,
  type WalletOpening,
  walletOpeningJobs,
} from './opening.ts';
export { rechargeEvents } from './recharge/events.ts';
export { lateRechargesJob, remindOfLate } from './recharge/late.ts';
export { findOpenRechargeNotices, matchRechargeNotice, type OpenRechargeNotice } from './recharge/matching.ts';
export { registerWalletsRoutes } from './routes.ts';
export { type Movements, movementsSince } from './service/movements.ts';
export { createRegisteredOpening, openApart, takeApartPlace } from './service/open-apart.ts';
export { nameWallet, nameWallets, type WalletName } from './service/place.ts';
export { repayDeficit, takeFromWallet, writeOffDeficit } from './service/shortfall.ts';
export { sayPosting } from './service/statement.ts';
export { findWalletOf, freezeHeld, holdFreezes, isWalletFrozen, thawHeld } from './store/movements.ts';
export { findHeldAssets, findWallets, type WalletRow } from './store.ts';
