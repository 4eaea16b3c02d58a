import { freezeReasons } from '@causeway/contract/freeze-rules.ts';
import { languages, locales } from '@causeway/contract/locale.ts';
import { bankRecords } from '@causeway/contract/operator-banks-rules.ts';
import { documentKinds } from '@causeway/contract/operator-companies-rules.ts';
import { unknownAnswers } from '@causeway/contract/operator-exceptions-rules.ts';
import { announcementAudiences, priceKinds, switchKinds } from '@causeway/contract/operator-prices-rules.ts';
import { operatorFactors, operatorRoles, operatorStates, proposalKinds } from '@causeway/contract/operator-rules.ts';
import { tradeMessages } from '@causeway/contract/trades-rules.ts';
import { stages, transactionStatuses, transactionTypes } from '@causeway/contract/transactions-rules.ts';
import { type EventDeclaration, of } from './event-declaration.ts';
import {
  amount,
  digest,
  type Fields,
  instant,
  named,
  namedBeside,
  plain,
  reference,
  sentence,
  truth,
  word,
} from './fields.ts';

/** The events of the operator's people and of what they do, in their own log or in a company's. */

const found: Fields = { hash: plain, nonce: plain, transferId: named, reason: plain };

const staff = {
  name: plain,
  email: plain,
  role: word(operatorRoles, 'operator.role.'),
  state: word(operatorStates, 'operator.state.'),
  language: word(languages),
  reason: plain,
};

/** A price as it is recorded by itself. */
const price = {
  price: word(priceKinds, 'operator.price.'),
  asset: plain,
  chain: plain,
  bank: plain,
  company: plain,
  value: amount,
  validFrom: instant,
  reason: plain,
};

/** What is proposed of a price, and of what is switched off; figures in minor units are for the export alone. */
const proposedPrice = {
  asset: plain,
  chain: plain,
  bank: plain,
  companyId: namedBeside('companyName'),
  companyName: plain,
  isCoin: truth,
  decimals: reference,
  value: reference,
  validFrom: instant,
  fallback: reference,
  affected: reference,
  kind: word(priceKinds, 'operator.price.'),
  trial: {
    transfers: reference,
    earned: amount,
    wouldEarn: amount,
    difference: reference,
    usd: { earned: reference, wouldEarn: reference, difference: reference },
    refused: reference,
    companies: reference,
  },
  what: word(switchKinds, 'operator.switch.'),
  chainName: plain,
  bankName: plain,
  coin: plain,
  offReason: plain,
};

const announcementWords = { title: plain, body: plain };
const announcement = {
  'en-us': announcementWords,
  'zh-hk': announcementWords,
  'zh-cn': announcementWords,
  audience: word(announcementAudiences),
  concerns: named,
  asset: plain,
  sendAt: instant,
};

/** The note is in the operator's log alone; the words are those that the company reads. */
const freeze: Fields = {
  name: plain,
  company: plain,
  cause: word(freezeReasons, 'freeze.reason.'),
  note: plain,
  ...Object.fromEntries(locales.map((locale) => [locale, plain])),
};

const threshold = { warnDays: plain, warnPayments: plain, stopPayments: plain };

/** Of a position, in whole units. */
const exchangeLimit = { mostLong: amount, mostShort: amount, hedgeFrom: amount, hedgeTo: amount, reason: plain };
const exchangeTerms = {
  sell: plain,
  buy: plain,
  company: plain,
  fromUsd: amount,
  basisPoints: plain,
  validFrom: instant,
};

const proposal = {
  kind: word(proposalKinds),
  name: plain,
  concerns: namedBeside('name'),
  proposedBy: named,
  input: {
    ...staff,
    ...proposedPrice,
    companyId: named,
    chainId: plain,
    address: plain,
    addressKey: reference,
    label: plain,
    addressId: reference,
    ...threshold,
    mostLong: reference,
    mostShort: reference,
    hedgeFrom: reference,
    hedgeTo: reference,
    sell: plain,
    buy: plain,
    fromUsdCents: reference,
    basisPoints: plain,
    parts: { id: reference, companyId: reference, companyName: plain, walletId: reference, amount: reference },
    transferId: named,
    answer: word(unknownAnswers),
    hash: plain,
    walletId: named,
    accountNumber: plain,
    takenId: reference,
    settlementId: reference,
    explanationId: reference,
    explainedAs: word(bankRecords),
    stepMinor: reference,
    heldMinor: reference,
    owedMinor: reference,
    bookedOn: plain,
    reference: plain,
    remittance: plain,
  },
  reason: plain,
};

const transactionsFilter: Fields = {
  keyword: plain,
  company: plain,
  type: word(transactionTypes, 'transaction.type.'),
  status: word(transactionStatuses, 'transaction.status.'),
  stage: word(stages, 'transaction.stage.'),
  coin: plain,
  chain: plain,
  from: instant,
  to: instant,
  amountMin: amount,
  amountMax: amount,
};

export const operatorEvents = {
  'fees.collect': of('wallet', { chain: plain, amount, coin: plain, address: plain, reason: plain }),
  'fees.fail': of('transaction', { stage: word(stages, 'transaction.stage.'), reason: sentence }),
  'operator.abandonPayment': of('transaction', { reason: plain }),
  'operator.acceptNonce': of('address', { chain: plain, address: plain, nonce: plain, reason: plain }),
  'operator.addDocument': of('company', {
    name: plain,
    documentKind: word(documentKinds),
    fileName: plain,
    sizeBytes: plain,
    sha256: digest,
  }),
  'operator.answerUnknown': of('transaction', { answer: word(unknownAnswers), hash: plain, reason: plain }),
  'operator.beginRestore': of('installation', { reason: plain }),
  'operator.bookPayment': of('payment', found),
  'operator.cancelAnnouncement': of('announcement'),
  'operator.changeBankRegistry': of('installation', { sha256: plain, changes: plain }),
  'operator.uploadBankFile': of('installation', { bank: plain, fileName: plain, sha256: plain }),
  'operator.takeBankFile': of('installation', { bank: plain, fileName: plain, sha256: plain, reason: plain }),
  'operator.collectBankFees': of('installation', { amount: plain, bank: plain, reason: plain }),
  'operator.settleCards': of('installation', { amount: plain, bank: plain, reason: plain }),
  // By the bank's own word there is no reason.
  'operator.takeBackCards': of('installation', { amount: plain, bank: plain, reason: plain }),
  'operator.takeBackFees': of('installation', { amount: plain, bank: plain, reason: plain }),
  'operator.withdrawBankExplanation': of('installation', {
    amount: plain,
    explainedAs: word(bankRecords),
    bank: plain,
    reason: plain,
  }),
  'operator.creditBankMoney': of('transaction', { amount: plain, reason: plain }),
  'operator.downloadBankFile': of('installation', { fileName: plain, sha256: plain }),
  'operator.editAnnouncement': of('announcement', announcement),
  'operator.downloadSolvency': of('installation', { day: plain }),
  'operator.exportOutputs': of('installation', { company: plain, chain: plain, count: plain }),
  'operator.exportTransactions': of('installation', { filter: transactionsFilter, count: plain }),
  'operator.freezeCompany': of('company', freeze),
  'operator.freezeMember': of('member', freeze),
  // What was frozen before causes were listed has a reason.
  'operator.freezeWallet': of('wallet', { ...freeze, reason: plain }),
  'operator.lookAs': of('company', { name: plain, reason: plain }),
  'operator.look': of('company', { name: plain }),
  'operator.matchPayment': of('payment', found),
  'operator.note': of('company', { name: plain }),
  'operator.readDocument': of('company', {
    name: plain,
    documentKind: word(documentKinds),
    fileName: plain,
  }),
  'operator.releaseRestore': of('installation', { reason: plain }),
  'operator.releaseTransfer': of('transaction', { reason: plain }),
  'operator.replaceEmpty': of('transaction', { reason: plain }),
  'operator.requestSolvency': of('installation'),
  'operator.resendPayment': of('transaction', { chain: plain, nonce: plain, reason: plain }),
  'operator.reopenItem': of('queueItem', { reason: plain }),
  'operator.resolveItem': of('queueItem', { reason: plain }),
  'operator.sendAgain': of('transaction', { reason: plain }),
  'operator.returnBankMoney': of('installation', { amount: plain, bookedOn: plain, reference: plain, reason: plain }),
  'operator.setFee': of('chainAsset', { fee: amount }),
  'operator.setMinimum': of('asset', { minimum: amount }),
  'operator.declineOtc': of('otcRequest', { company: plain, reason: plain }),
  'operator.noteOtc': of('otcRequest', { company: plain }),
  'operator.quoteOtc': of('otcRequest', { company: plain, rate: plain, minutes: plain, spread: plain }),
  'operator.setOtcMinimum': of('installation', { fromUsd: amount, reason: plain }),
  'operator.setPrice': of('price', price),
  'operator.speedUp': of('transaction', { reason: plain }),
  'operator.switchOff': of('switch', { name: plain, what: word(switchKinds, 'operator.switch.'), reason: plain }),
  'operator.switchOn': of('switch', { name: plain }),
  'operator.unfreezeCompany': of('company'),
  'operator.unfreezeMember': of('member'),
  'operator.unfreezeWallet': of('wallet'),
  'operator.withdrawPrice': of('price', price),
  'operator.setExchangeLimit': of('exchangeLimit', exchangeLimit),
  'operator.setExchangeTerms': of('exchangeTerms', exchangeTerms),
  'operator.withdrawExchangeTerms': of('exchangeTerms', { ...exchangeTerms, reason: plain }),
  'operator.writeOffDeficit': of('wallet', { amount: plain, reason: plain }),
  'operator.writeAnnouncement': of('announcement', announcement),
  'proposal.confirm': of('proposal', proposal),
  'proposal.done': of('proposal', proposal),
  'proposal.expire': of('proposal', proposal),
  'proposal.propose': of('proposal', proposal),
  'proposal.refused': of('proposal', proposal),
  'proposal.reject': of('proposal', proposal),
  'proposal.stale': of('proposal', proposal),
  'proposal.withdraw': of('proposal', proposal),
  'operator.resendTradeMessage': of('trade', {
    company: plain,
    name: plain,
    message: word(tradeMessages, 'queue.value.event.'),
    reason: plain,
  }),
  'operator.retryJob': of('job', { job: plain, reason: plain }),
  'operator.setJobAside': of('job', { job: plain, reason: plain }),
  'staff.activate': of('operator'),
  'staff.activateAgain': of('operator'),
  'staff.addPasskey': of('passkey', { name: plain }),
  'staff.changePassword': of('operator'),
  'staff.disable': of('operator', staff),
  'staff.endSession': of('session'),
  'staff.invite': of('operator', staff),
  'staff.reactivate': of('operator', staff),
  'staff.removePasskey': of('passkey', { name: plain }),
  'staff.reset': of('operator', staff),
  'staff.role': of('operator', staff),
  'staff.setLanguage': of('operator', staff),
  'staff.signIn': of('session', { method: word(operatorFactors) }),
  'staff.signInFailed': of(['operator', 'address'], {
    step: word(['code', 'password']),
    method: word(operatorFactors),
  }),
  'staff.signOut': of('session'),
  'staff.suspectPasskey': of('passkey', { name: plain, counter: { stored: plain, given: plain } }),
  'treasury.addAddress': of('treasuryAddress', { chain: plain, address: plain, name: plain }),
  'treasury.setTankThreshold': of('gasTank', { chain: plain, ...threshold }),
  'treasury.removeAddress': of('treasuryAddress', { chain: plain, address: plain, name: plain, reason: plain }),
} satisfies Record<string, EventDeclaration>;
