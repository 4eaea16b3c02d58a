export { frozenWalletsCheck } from './health.ts';
export {
  createWalletOpening,
  openWalletOf,
  startWalletOpening,
  type WalletOpening,
  walletOpeningJobs,
} from './opening.ts';
export { registerWalletsRoutes } from './routes.ts';
