export { type CodeReader, createCodeReader } from './adapters/code-reader.ts';
export { callOf, createEvmGateway } from './adapters/evm.ts';
export {
  findLookBack,
  forgetExplained,
  rememberBalances,
  type SweptAddress,
  sweptAddresses,
} from './balances.ts';
export { type CatalogueChain, type ChainCoin, findChains, findOwnAddress } from './catalogue.ts';
export { addressFromXpub } from './derivation.ts';
export {
  type Arrival,
  type Block,
  type BlockContent,
  type ChainGateway,
  type ChainTransaction,
  type Departure,
  type Fees,
  type InternalTransfer,
  NoAgreement,
  NotTraced,
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
export type { PaymentRequest, Refusal, SignAnswer, Signer, SignRequest } from './signer/protocol.ts';
export { type SignerServer, serveSigner } from './signer/server.ts';
export {
  type ChainRules,
  coinsByContract,
  companiesWithAddresses,
  companiesWithoutAddress,
  enabledCoins,
  findChain,
  findCursor,
  findDerivationIndex,
  findRevision,
  gasTankOwner,
  mayStand,
  nextDerivationIndex,
  openAddress,
  ownersOf,
  raiseRevision,
} from './store.ts';
export { withComparedDecimals } from './token-decimals.ts';
export {
  dueTraces,
  forgetUntraced,
  postponeTrace,
  type UntracedBlock,
  type UntracedReport,
  untracedReport,
} from './untraced.ts';
export {
  type BlocksSeen,
  type ChainListener,
  startWatcher,
  startWatchers,
  takeLock,
  type Watcher,
  watchOnce,
} from './watcher.ts';
