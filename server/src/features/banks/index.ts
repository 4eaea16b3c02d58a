export { nextAccountNumber, type OpenCurrency, openCurrencies } from './account-numbers.ts';
export { filesGateway, fingerprintOf } from './adapters/files.ts';
export { createHttpMemory, httpAccounts, httpGateway, visitedByHttp } from './adapters/http.ts';
export { httpVerification } from './adapters/http-verification.ts';
export { beneficiaryOf } from './api/beneficiary.ts';
export { type BankApi, BankApiError, createBankApi } from './api/client.ts';
export { parseExactly } from './api/exact-json.ts';
export { type TransferInstruction, transferText } from './api/transfers.ts';
export { closedAhead, dayAt, expectedArrival, useCalendarFile } from './arrival.ts';
export { bankNamed, bankOf, type ListedBank } from './directory.ts';
export { nameOfPlace, namesOfPlace, type PlaceNames } from './domain.ts';
export {
  type BankAccountOpener,
  BankConnectionError,
  type BankGateway,
  type OrderFolder,
  type OrderOutcome,
  type TransferDesk,
} from './gateway.ts';
export { bankNumbersCheck } from './health.ts';
export { fetchMessages } from './intake/fetching.ts';
export { keepContent, keepMessage } from './intake/keeping.ts';
export { type IntakeDependencies, startBankIntake } from './intake/loops.ts';
export { readMessages } from './intake/reading.ts';
export { type WrittenBalance, type WrittenEntry, type WrittenStatement, writeCamt053 } from './messages/camt053.ts';
export { bankFileSentence, describeBankFile } from './messages/describe.ts';
export { type Folded, foldLatin } from './messages/folding.ts';
export { assertWritable, controlSumOf, type PaymentInstruction, writePain001 } from './messages/pain001.ts';
export { type InitiatedPayment, OtherMessageError, readInitiation } from './messages/pain001-read.ts';
export { BankFileError } from './messages/problem.ts';
export { readBankFile } from './messages/read.ts';
export { isIso11649 } from './messages/references.ts';
export { registerBanks } from './registry.ts';
export {
  type BankAccountDetails,
  type BankCurrency,
  type CatalogueBank,
  findArriving,
  findBankAccount,
  findBanks,
  findReportedDeposits,
  isOwnBankAccount,
  openBankAccount,
  type ReportedDeposit,
} from './store.ts';
export { registerBankWebhooks } from './webhooks.ts';
