export { nameOfPlace, type PlaceNames } from './domain.ts';
export { type BankAccountDetails, type CatalogueBank, findBanks, openBankAccount } from './store.ts';
