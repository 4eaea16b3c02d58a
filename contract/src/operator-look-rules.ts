/** What an operator sees of a company as the company does, without a schema library. Part of the feature operator. */

/** How long a look lasts at most; it ends with the operator's session, too. */
export const lookMinutes = 30;

/** The calls that are no reading of the company's and that a look has in a way of its own. */
export const lookOwnCalls: ReadonlySet<string> = new Set([
  'getUser',
  'getFirstSteps',
  'logout',
  'reportActivity',
  'setLanguage',
]);

const signIn = 'it is before or about a sign-in, and proves a member';
const own = 'it is the member’s own account or choice, and an operator is no member';
const exported = 'the file is written to the company’s log as made by its member, and leaves the look';
const elsewhere = 'it asks a node or opens a file that only the companies’ process has';

/** The reading calls of companies that a look does not serve, each with the reason. */
export const notInLooks: Readonly<Record<string, string>> = {
  getCaptcha: signIn,
  getPasswordKey: signIn,
  getMfa: own,
  getRecoveryCodes: own,
  listPasskeys: own,
  listSessions: own,
  listTrustedBrowsers: own,
  getNoticePreferences: own,
  getAlerts: own,
  exportTransactions: exported,
  exportPaymentRequests: exported,
  exportCardReceipts: exported,
  exportCardReceiptFiles: exported,
  downloadCardReceipt: elsewhere,
  getCardStatement: exported,
  exportNamelist: exported,
  exportAudit: exported,
  exportOtc: exported,
  exportTrades: exported,
  downloadReserveProof: exported,
  downloadStatement: exported,
  downloadReceipt: exported,
  downloadFunding: exported,
  downloadFile: elsewhere,
  downloadWrongRows: exported,
  checkBatch: 'it prepares a payment',
  getBatchTemplate: 'it prepares a payment',
  checkAddress: elsewhere,
  foreseeReview: 'it prepares a transfer',
  listNetworkFees: 'it prepares a transfer',
  quoteSpeedUp: 'it prepares a higher fee',
  quoteAcceleration: 'it prepares an acceleration',
  foreseePayout: 'it prepares a payment',
  getCryptoPaymentOptions: 'it prepares a payment',
  streamEvents: 'a look reads when a page is opened, and holds no line open',
};
