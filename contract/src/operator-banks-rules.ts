/** The plain rules of the operator's pages of banks, without a schema library. Part of the feature operator. */

/** What is wrong with the connection to a bank. */
export const bankProblems = [
  'unreachable',
  'hostKeyChanged',
  'signInRefused',
  'folderMissing',
  'fileTooLarge',
  'brokenOff',
  'notMoved',
] as const;
export type BankProblem = (typeof bankProblems)[number];

/** `received`: stored, and not read yet. `copy`: its content was there already. */
export const bankFileStates = ['received', 'read', 'refused', 'copy'] as const;
export type BankFileState = (typeof bankFileStates)[number];

/** How a file came: fetched from the bank, or taken in by an operator. */
export const bankFileSources = ['files', 'hand'] as const;

/** So many characters of a file are shown; the download has all of it. */
export const bankFileShownCharacters = 200_000;

/**
 * What became of money that a bank reported. `charged`: the bank took it, and no company bears it. `reversal`: it took a money back.
 * `returned`: it was in suspense and was taken back. `detailed`: a batch whose parts are moneys of their own.
 */
export const bankMoneyStates = ['new', 'credited', 'suspense', 'charged', 'reversal', 'returned', 'detailed'] as const;
export type BankMoneyState = (typeof bankMoneyStates)[number];

/** Why money is no company's. `again`: the bank has said more since, and it is looked at again. */
export const bankUnmatched = ['nothing', 'several', 'undetailed', 'reversal', 'again'] as const;
export type BankUnmatched = (typeof bankUnmatched)[number];

/** How a credited money was matched; `operator`: by two of them. */
export const bankMatches = ['account', 'reference', 'text', 'notice', 'operator'] as const;
export type BankMatch = (typeof bankMatches)[number];

/** Why a company is suggested as the owner of money. */
export const bankSuggestions = ['payerBefore', 'accountNear', 'noticeOpen', 'reference'] as const;
export type BankSuggestion = (typeof bankSuggestions)[number];

/**
 * What a reconciliation finds. Of a statement: `statementSum` (opening and entries are not closing), `statementGap` (opening is not the
 * closing before it). `entryMoneys`: the moneys of an entry do not come to it. Of a money: `moneyNotPosted`, `moneyNotBooked` (announced,
 * and not in the statement of its day). `postingUnexplained`: no money explains it. `depositNotPosted`, `payoutNotPosted`: its money is not
 * posted. `balanceStated`: the balance that the bank states is not what its moneys come to.
 */
export const bankFindings = [
  'statementSum',
  'statementGap',
  'entryMoneys',
  'moneyNotPosted',
  'moneyNotBooked',
  'postingUnexplained',
  'depositNotPosted',
  'payoutNotPosted',
  'balanceStated',
] as const;
export type BankFindingKind = (typeof bankFindings)[number];

/** What a change of the registry of banks can be about: a bank, its currency, or its numbers for companies' accounts. */
export const bankRegistryFields = [
  'bank',
  'currency',
  'name',
  'nameZhHk',
  'nameZhCn',
  'country',
  'bic',
  'clearingSystem',
  'clearingCode',
  'timeZone',
  'calendars',
  'address',
  'enabled',
  'accounts',
  'cutOff',
  'days',
  'fee',
  'minimum',
  'collectingAccount',
] as const;
export type BankRegistryField = (typeof bankRegistryFields)[number];
