export { findAlikeAmong } from './alike.ts';
export {
  approvePayee,
  type PayeeApproval,
  type PayeeApprovalPort,
  type PayeeToApprove,
  rejectPayee,
  takeOut,
} from './approval.ts';
export {
  accountKey,
  accountNames,
  type BankAccount,
  nameLikeness,
  sorted as sortedDetails,
} from './bank/account.ts';
export {
  approveAccount,
  type BankPayeeApprovalPort,
  rejectAccount,
  takeOutBank,
} from './bank/approval.ts';
export { add as addBankPayee } from './bank/service.ts';
export {
  type BankPayeeRow,
  findAlike as findBankPayeesAlike,
  findByCurrentVersion,
  findVersion as findBankPayeeVersion,
  renewVerification,
  type VersionRow,
} from './bank/store.ts';
export { type PayeeVerification, payeeVerificationJob, verifyPayee } from './bank/verification.ts';
export { asVersion as viewBankAccount, bankNameOf, changedUntilOf } from './bank/view.ts';
export { type PayeeAdded, payeeEvents } from './events.ts';
export { registerPayeesRoutes } from './routes.ts';
export { add as addCryptoPayee, type LookAlikePorts, lookAlikesOf, type PayeesPorts } from './service.ts';
export { findPayee, setUsability } from './store.ts';
