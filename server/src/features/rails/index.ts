export { creditHeld, returnHeld } from './bank/held.ts';
export { bankRailJobs } from './bank/jobs.ts';
export { bankOrders } from './bank/payouts/due.ts';
export { findPayoutObstruction } from './bank/payouts/obstruction.ts';
export { createBankRail } from './bank/payouts/rail.ts';
export { refusalReason } from './bank/payouts/reasons.ts';
export { applyStatuses } from './bank/payouts/statuses.ts';
export { settleMoneys } from './bank/settling.ts';
export { collectFees, returnExplained, settleCards, withdrawExplanation } from './bank/store.ts';
export {
  type BankFinding,
  type BankReconciliation,
  reconcileBanks,
  reconcileBanksByCompany,
  sayDifference,
} from './bank/verifying.ts';
export { type AccelerationQuote, quoteAccelerating } from './bitcoin/accelerating.ts';
export { accelerationType } from './bitcoin/acceleration.ts';
export { isLacking } from './bitcoin/coin-selection.ts';
export { createBitcoinRail } from './bitcoin/family.ts';
export { bitcoinLocksPerChain, startBitcoinLoops } from './bitcoin/loops.ts';
export {
  type FeeBasis,
  type FeeQuote,
  isStillFair,
  quoteAll,
  quoteAmount,
  quoteTypical,
  readFeeBasis,
} from './bitcoin/quoting.ts';
export { sealAcceleration, sealRaised } from './bitcoin/sealing.ts';
export { offerRaise, type RaisedFee, raiseFee } from './bitcoin/speeding.ts';
export {
  type AccelerableDeposit,
  findAccelerable,
  insertAcceleration,
  lockAccelerating,
} from './bitcoin/store/accelerations.ts';
export { type FeeRates, findFeeRates, type PublishedRates } from './bitcoin/store/fees.ts';
export { findJoined } from './bitcoin/store/joined.ts';
export { type ContractCoinTimes, startContractCoins } from './evm/contract-coins-loops.ts';
export { evmFamily } from './evm/family.ts';
export { holdsCheck, tracesCheck } from './evm/health-checks.ts';
export { traceOnce } from './evm/tracing.ts';
export type { FamilyOf, Proof, RailFamily, SendingDependencies, SpentBy } from './family.ts';
export type { Obstacle } from './service/booking.ts';
export {
  hasten,
  type NotReleased,
  newestAttempt,
  proveOutcome,
  releaseUnsent,
  resolveAttempt,
  sendAgain,
  wantEmpty,
} from './service/exceptions.ts';
export { createChainListener } from './service/following.ts';
export {
  type ChainMismatch,
  reconcileChain,
  reconcileCompanySteadily,
  reconcileSteadily,
  treasuryHoldings,
} from './service/reconciling.ts';
export { createChainRail } from './service/sending.ts';
export { abandonSuperseded } from './service/superseded.ts';
export { startTending, type TendingTimes, tendOnce } from './service/tending.ts';
export { waitingOf } from './service/waiting-deposits.ts';
export { settlementJobs } from './settlement/jobs.ts';
export { settlementKinds } from './settlement/kind.ts';
export { createJudge, type Judge } from './signing/judge.ts';
export type { ReplacementClaims } from './signing/replacements.ts';
export { findObstruction, readBroadcastHashes } from './store/parts.ts';
export { sweepsJob } from './sweeps/jobs.ts';
export { sweepKind } from './sweeps/kind.ts';
