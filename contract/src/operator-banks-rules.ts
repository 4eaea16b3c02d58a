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
  'notWritten',
  'answerUnusable',
] as const;
export type BankProblem = (typeof bankProblems)[number];

/** `received`: stored, and not read yet. `copy`: its content was there already. */
export const bankFileStates = ['received', 'read', 'refused', 'copy'] as const;
export type BankFileState = (typeof bankFileStates)[number];

/** How a file came: fetched from the bank's folder, asked of its HTTP API, or taken in by operators. */
export const bankFileSources = ['files', 'api', 'hand'] as const;

/** So many characters of a file are shown; the download has all of it. */
export const bankFileShownCharacters = 200_000;

/**
 * What became of money that a bank reported. `charged`: the bank took it, and no company bears it. `reversal`: it took a money back.
 * `returned`: it was in suspense and was taken back. `detailed`: a batch whose parts are moneys of their own. `paid`: a payment of a
 * company's that the bank made. `sentBack`: what came back of one. `fees`: the firm's transfer of collected fees to itself. `cards`: paid to the issuer of
 * cards, or by it.
 */
export const bankMoneyStates = [
  'new',
  'credited',
  'suspense',
  'charged',
  'reversal',
  'returned',
  'detailed',
  'paid',
  'sentBack',
  'fees',
  'cards',
] as const;
export type BankMoneyState = (typeof bankMoneyStates)[number];

/** What two operators explain a booking as: the firm's transfer of collected fees, or paid to the issuer of cards or by it. */
export const bankExplained = ['fees', 'cards'] as const;
export type BankExplained = (typeof bankExplained)[number];

/** What operators record of a booking and can withdraw: what it was explained as, or of which of these it is a return. */
export const bankRecords = ['fees', 'cards', 'feesBack', 'cardsBack'] as const;
export type BankRecord = (typeof bankRecords)[number];

/**
 * Whether what operators recorded of a booking can be withdrawn. `returned`: not before the returns of it are. `bank`: it is the bank's own word. `short`: what
 * a return had put back was collected or settled since.
 */
export const bankWithdrawals = ['possible', 'returned', 'bank', 'short'] as const;
export type BankWithdrawal = (typeof bankWithdrawals)[number];

/** Why money is no company's. `payout`: it names a payment of ours and does not fit it. `again`: the bank has said more since, and it is looked at again. */
export const bankUnmatched = ['nothing', 'several', 'undetailed', 'reversal', 'payout', 'again'] as const;
export type BankUnmatched = (typeof bankUnmatched)[number];

/** How a money was matched; `payout`: as a payment of ours; `operator`: by two of them. */
export const bankMatches = ['account', 'reference', 'text', 'notice', 'payout', 'operator'] as const;
export type BankMatch = (typeof bankMatches)[number];

/** Why a company is suggested as the owner of money. */
export const bankSuggestions = ['payerBefore', 'accountNear', 'noticeOpen', 'reference'] as const;
export type BankSuggestion = (typeof bankSuggestions)[number];

/**
 * What a reconciliation finds. Of a statement: `statementSum` (opening and entries are not closing), `statementGap` (opening is not the
 * closing before it). `entryMoneys`: the moneys of an entry do not come to it. Of a money: `moneyNotPosted`, `moneyNotBooked` (announced,
 * and not in the statement of its day). `postingUnexplained`: no money explains it. `depositNotPosted`, `payoutNotPosted`, `feesNotPosted`, `cardsNotPosted`: its money is not
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
  'feesNotPosted',
  'cardsNotPosted',
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

/**
 * Where an order to a bank is: stored, being delivered, delivered, or refused as a whole by the bank.
 */
export const bankOrderStates = ['made', 'uploading', 'uploaded', 'delivered', 'refused'] as const;
