export { readBalances } from './balances.ts';
export { type AddressKind, addressKindOf } from './bitcoin/addresses.ts';
export { accountOf, changeOrdinal } from './bitcoin/derivation.ts';
export { bitcoinAddresses, bitcoinFamily } from './bitcoin/family.ts';
export {
  type BitcoinGateway,
  type FeeEstimates,
  isBitcoinGateway,
  type MempoolView,
  needsOf,
  type Outpoint,
  outpointKey,
  type WaitingTransaction,
} from './bitcoin/gateway.ts';
export { type BitcoinIntent, bitcoinJournal, inputOf } from './bitcoin/journal-family.ts';
export { type BitcoinKeys, bitcoinKeyFamily, bitcoinKeys } from './bitcoin/keys.ts';
export { type BitcoinSigningLimits, createBitcoinSigner } from './bitcoin/signer-family.ts';
export {
  accelerateKind,
  bitcoinSigningPlanOf,
  mostJoinedPayments,
  type PlannedTransaction,
} from './bitcoin/signing-plan.ts';
export {
  dustThreshold,
  feeOf,
  inputWeight,
  milliRate,
  mostInputs,
  outputWeight,
  type ScriptKind,
  vsizeOf,
  weightOf,
} from './bitcoin/sizes.ts';
export { type CatalogueChain, type ChainCoin, findChains, isSwitchedOff, secondsUntilFinal } from './catalogue.ts';
export { createGateway, nodesOf } from './configured.ts';
export { type CodeReader, createCodeReader } from './evm/adapters/code-reader.ts';
export { createEvmGateway } from './evm/adapters/gateway.ts';
export { addressFromXpub } from './evm/derivation.ts';
export { evmAddresses, evmFamily } from './evm/family.ts';
export {
  type Block as EvmBlock,
  type BlockContent as EvmBlockContent,
  type ChainTransaction,
  type EvmGateway,
  type Fees,
  type InternalTransfer,
  isEvmGateway,
  NotTraced,
  type Receipt as EvmReceipt,
} from './evm/gateway.ts';
export { gasTankCheck, paymentsOf } from './evm/health.ts';
export { type EvmIntent, evmJournal, isSamePricing, nonceOf } from './evm/journal-family.ts';
export { type EvmKeys, evmKeys } from './evm/keys.ts';
export { createEvmSigner, type EvmSigningLimits } from './evm/signer-family.ts';
export { evmSigningPlanOf, plainGas } from './evm/signing-plan.ts';
export {
  findLookBack,
  forgetBalances,
  forgetExplained,
  rememberBalances,
  type SweptAddress,
  sweptAddresses,
} from './evm/store/balances.ts';
export { nonceAfterJournal, passJournaledNonces } from './evm/store/journal.ts';
export {
  asEvm,
  type EvmSend,
  gasApart,
  gasCommitments,
  gasTankAddress,
  highestAttempt,
  keepFound,
  type Plan,
  planOf,
  sendsAt,
  unsignedSend,
} from './evm/store/sends.ts';
export {
  dueTraces,
  forgetUntraced,
  postponeTrace,
  type UntracedBlock,
  type UntracedReport,
  untracedReport,
  waitForTraces,
} from './evm/store/untraced.ts';
export { withComparedDecimals } from './evm/token-decimals.ts';
export {
  type AddressSource,
  type AddressSources,
  type ChainFamilies,
  type ChainFamily,
  familiesByName,
  familyOf,
  familyOfAddress,
  readAnyAddress,
  sourceOf,
  sourcesByFamily,
} from './family.ts';
export {
  type Arrival,
  type Block,
  type BlockContent,
  type Broadcast,
  type ChainGateway,
  type Departure,
  NoAgreement,
  type NodeAnswer,
  type OwnAddresses,
  type Pending,
  type Receipt,
} from './gateway.ts';
export { signerCheck, watcherCheck } from './health.ts';
export { createNodeProbe, type NodeReading, nodeChecks } from './nodes.ts';
export { registerChains } from './registry.ts';
export {
  type AddressRegister,
  openAddressRegister,
  type RegisteredAddress,
} from './signer/address-register.ts';
export {
  createCheckpointClient,
  createRegisterClient,
  createSignerClient,
  createSolvencyClient,
} from './signer/client.ts';
export { agreesNow, type Compared, compareJournal } from './signer/compare.ts';
export {
  type Derive,
  emptyKind,
  type Intent,
  type JoinedPayment,
  type JournalFamily,
  journalFamilies,
  type KeyFamily,
  type OwnAddress,
  type PaymentRecord,
  paymentIdsOf,
  type RecordedCoin,
  type SignedBytes,
  type SignerFamilies,
  type SignerFamily,
  type SigningHistory,
  signerFamilies,
  transferKind,
} from './signer/family.ts';
export type { Journal } from './signer/journal.ts';
export { openJournal } from './signer/journal.ts';
export { refusalOf } from './signer/journal-rules.ts';
export {
  createKeystore,
  describeKeystore,
  type Keys,
  openKeystore,
  refuseExposedKeystore,
  rewrapKeystore,
} from './signer/keystore.ts';
export { verifyKeystore } from './signer/keystore-verification.ts';
export { openSignerJournal, rebuildJournal, startComparing } from './signer/open-journal.ts';
export type { PaymentRequest, SignAnswer, Signer, SignRequest } from './signer/protocol.ts';
export { type Refusal, Refused, refuseUnless } from './signer/refusal.ts';
export { type SignerServer, serveSigner } from './signer/server.ts';
export {
  type AddressOwner,
  companiesWithAddresses,
  companiesWithoutAddress,
  findAccountAddress,
  findAccounts,
  findAddressProgress,
  findDerivationIndex,
  findReceivingAddress,
  findRegisterMark,
  gasTankOwner,
  isOwnAddress,
  isPlatformOwner,
  markUsed,
  nextApartPlace,
  nextDerivationIndex,
  openAddress,
  openFurtherAddress,
  ownersOf,
  platformOwnersSql,
  setRegisterMark,
  treasuryOwner,
} from './store/addresses.ts';
export { keepAnswers } from './store/answers.ts';
export {
  type ChainRules,
  coinsByContract,
  enabledCoins,
  findChain,
  findCursor,
  findFinalHeight,
  findRevision,
  mayStand,
  raiseRevision,
} from './store/chains.ts';
export {
  eachPayment,
  findSignerState,
  isUnexplained,
  lacksAttempt,
  lockJournal,
  paymentsToResend,
  type ResentPayment,
  type SignedPayment,
  signedFor,
  signedTogether,
  storeEntry,
  transfersToAdopt,
} from './store/journal.ts';
export {
  attemptsOf,
  countStuck,
  deleteUnsigned,
  type EvmPlan,
  heldSends,
  insertSend,
  isReadBlock,
  keepSigned,
  latestSends,
  lockSend,
  markBroadcast,
  markFinal,
  markMined,
  markOffered,
  markReleaseDecided,
  markReleaseDone,
  markSuperseded,
  minedSends,
  type NewSend,
  releasable,
  reopenPayment,
  type Send,
  sendColumns,
  sendsByHash,
  sendsElsewhere,
  sendsToEmpty,
  setEmptyWanted,
  setHastened,
  stuckReasons,
  stuckSends,
  type UnsentPayment,
  unsentPayments,
  waitingSends,
} from './store/sends.ts';
export { findTankThresholds, isTankStopped, type TankThreshold, tankThresholdOf } from './store/tank-thresholds.ts';
export {
  type BlocksSeen,
  type ChainListener,
  startWatcher,
  startWatchers,
  watchOnce,
} from './watcher.ts';
