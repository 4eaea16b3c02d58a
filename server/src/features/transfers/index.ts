export { accelerationKind } from './acceleration-kind.ts';
export { transferDigest } from './domain.ts';
export { feeDigest, feeKind } from './fee-kind.ts';
export { createTransferKind, riskSubjectOf } from './kind.ts';
export { registerTransferRoutes } from './routes.ts';
export { describeTransferSubject } from './service/describe.ts';
export {
  type PreparedTransfer,
  prepareTransfers,
  promisedBy,
  type TransferKinds,
  writePromises,
} from './service/prepare.ts';
export { networkFeeOf } from './service/promised.ts';
export { createTransferSubject } from './service/subject.ts';
export { testOf } from './service/testing-first.ts';
export { insertPromised, type PromisedNetworkFee } from './store/network-fees.ts';
