export { callOf, createEvmGateway } from './adapters/evm.ts';
export { type CatalogueChain, type ChainCoin, findChains, findOwnAddress } from './catalogue.ts';
export { addressFromXpub } from './derivation.ts';
export {
  type Arrival,
  type Block,
  type BlockContent,
  type ChainGateway,
  type Fees,
  NoAgreement,
  type Receipt,
} from './gateway.ts';
export { gasTankCheck, nodeChecks, signerCheck, watcherCheck } from './health.ts';
export { registerChains } from './registry.ts';
export { createCheckpointClient, createSignerClient } from './signer/client.ts';
export {
  createKeystore,
  describeKeystore,
  type Keys,
  openKeystore,
  refuseExposedKeystore,
  rewrapKeystore,
} from './signer/keystore.ts';
export { verifyKeystore } from './signer/keystore-verification.ts';
export type { Refusal, SignAnswer, Signer, SignRequest } from './signer/protocol.ts';
export { type SignerServer, serveSigner } from './signer/server.ts';
export {
  type ChainRules,
  coinsByContract,
  companiesWithAddresses,
  enabledCoins,
  findChain,
  findCursor,
  findDerivationIndex,
  gasTankOwner,
  nextDerivationIndex,
  openAddress,
  ownersOf,
} from './store.ts';
export {
  type BlocksSeen,
  type ChainListener,
  startWatcher,
  startWatchers,
  takeLock,
  type Watcher,
  watchOnce,
} from './watcher.ts';
