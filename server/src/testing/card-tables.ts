/** What the walks over the calls expect of those about cards. */

/** Which system roles have them (`calls.test.ts`). */
export const cardAccess = {
  listCards: 'in',
  getCard: 'in',
  issueCard: 'AF',
  changeCard: 'AF',
  freezeCard: 'in',
  unfreezeCard: 'in',
  activateCard: 'in',
  replaceCard: 'in',
  closeCard: 'AF',
  revealCard: 'in',
  listCardRules: 'AFPV',
  setCardRule: 'AF',
  removeCardRule: 'AF',
  listCardPayments: 'in',
  getCardStatement: 'in',
  uploadCardReceipt: 'in',
  addCardReceipt: 'in',
  removeCardReceipt: 'in',
  waiveCardReceipt: 'AF',
  exportCardReceipts: 'AF',
  exportCardReceiptFiles: 'AF',
  getCardPayment: 'in',
  countMissingCardReceipts: 'in',
  downloadCardReceipt: 'in',
  replaceCardReceipt: 'in',
} as const;

const ofBody = { 'body.id': 'cardNotFound' } as const;

/** What becomes of a request that names what is another company's (`tenancy.test.ts`). */
export const cardTenancy = {
  listCards: { 'query.walletId': 'nothing', 'query.holderId': 'nothing' },
  getCard: { 'params.id': 'cardNotFound' },
  issueCard: { 'body.id': 'own', 'body.holderId': 'memberNotFound', 'body.walletId': 'walletNotFound' },
  changeCard: ofBody,
  freezeCard: ofBody,
  unfreezeCard: ofBody,
  activateCard: ofBody,
  replaceCard: { 'body.id': 'cardNotFound', 'body.newId': 'own' },
  closeCard: ofBody,
  revealCard: { 'body.cardId': 'cardNotFound' },
  listCardRules: {},
  setCardRule: { 'body.scopeId': 'departmentNotFound' },
  removeCardRule: { 'body.id': 'cardRuleNotFound' },
  listCardPayments: { 'query.cardId': 'cardNotFound' },
  getCardStatement: { 'params.id': 'cardNotFound' },
  uploadCardReceipt: {},
  addCardReceipt: {
    'body.id': 'own',
    'body.fileId': 'cardReceiptFileUnknown',
    'body.paymentId': 'cardPaymentNotFound',
  },
  removeCardReceipt: { 'body.id': 'cardReceiptNotFound' },
  waiveCardReceipt: { 'body.paymentId': 'cardPaymentNotFound' },
  exportCardReceipts: {},
  exportCardReceiptFiles: {},
  getCardPayment: { 'params.id': 'cardPaymentNotFound' },
  countMissingCardReceipts: {},
  downloadCardReceipt: { 'params.id': 'cardReceiptNotFound' },
  replaceCardReceipt: {
    'body.id': 'cardReceiptNotFound',
    'body.newId': 'own',
    'body.fileId': 'cardReceiptFileUnknown',
  },
} as const;
