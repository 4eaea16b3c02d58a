export { choiceSize, useBankPayee, useBankPayeeChoice, usePayee, usePayeeChoice, useWaitingPayees } from './api.ts';
export { useAccountFacts } from './components/account-facts.tsx';
export { ChangedAccount } from './components/changed-account.tsx';
export { payeePalette } from './palette.ts';
export { draftPayee } from './payee-draft.ts';
