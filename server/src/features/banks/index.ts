export { nextAccountNumber, type OpenCurrency, openCurrencies } from './account-numbers.ts';
export { filesGateway, fingerprintOf } from './adapters/files.ts';
export { dayAt, expectedArrival } from './arrival.ts';
export { bankNamed, bankOf, type ListedBank } from './directory.ts';
export { nameOfPlace, type PlaceNames } from './domain.ts';
export type { BankGateway } from './gateway.ts';
export { fetchMessages } from './intake/fetching.ts';
export { keepMessage } from './intake/keeping.ts';
export { type IntakeDependencies, startBankIntake } from './intake/loops.ts';
export { readMessages } from './intake/reading.ts';
export { bankFileSentence, describeBankFile } from './messages/describe.ts';
export { type Folded, foldLatin } from './messages/folding.ts';
export { BankFileError } from './messages/problem.ts';
export { readBankFile } from './messages/read.ts';
export { isIso11649 } from './messages/references.ts';
export { registerBanks } from './registry.ts';
export {
  type BankAccountDetails,
  type BankCurrency,
  type CatalogueBank,
  findBankAccount,
  findBanks,
  isOwnBankAccount,
  openBankAccount,
} from './store.ts';
