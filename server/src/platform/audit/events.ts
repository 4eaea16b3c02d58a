import { cardControlFields } from '@causeway/contract/cards-rules.ts';
import { controlKinds } from '@causeway/contract/control-rules.ts';
import { languages, locales } from '@causeway/contract/locale.ts';
import { noticeGroups } from '@causeway/contract/notices-rules.ts';
import { codeRecipients } from '@causeway/contract/organisation-rules.ts';
import { permissions } from '@causeway/contract/permission.ts';
import {
  businesses,
  listAccountTypes,
  listEntryStatuses,
  listKinds,
  riskActions,
  riskDimensions,
  riskMethods,
  riskWindows,
} from '@causeway/contract/risk-rules.ts';
import { stages, transactionStatuses, transactionTypes } from '@causeway/contract/transactions-rules.ts';
import { webhookOffReasons } from '@causeway/contract/webhooks-rules.ts';
import { type EventDeclaration, of, subjectKinds } from './event-declaration.ts';
import {
  amount,
  digest,
  type Field,
  type Fields,
  instant,
  named,
  namedBeside,
  nameOfId,
  onOrOff,
  plain,
  proof,
  proofs,
  reference,
  sentence,
  truth,
  word,
} from './fields.ts';
import { operatorEvents } from './operator-events.ts';
import { productEvents } from './product-events.ts';

/**
 * Every event that the audit log can record: of which kinds of subjects, and with which fields. `words.test.ts` walks this list;
 * the tests' databases refuse an event whose detail has a field that is not declared here (`testing/audit-events.ts`).
 */

const stage: Field = word(stages, 'transaction.stage.');
const range: Fields = { from: instant, to: instant };

const profile: Fields = { firstName: plain, lastName: plain, mobileCountryCode: plain, mobile: plain };
const role: Fields = {
  name: plain,
  permissions: word(permissions, 'permission.'),
  quotaUsd: amount,
  active: onOrOff,
};
const department: Fields = { name: plain, parentId: named, position: plain };
const departmentMembers: Fields = { name: plain, members: plain, memberIds: namedBeside('members') };
const member: Fields = {
  firstName: plain,
  lastName: plain,
  email: plain,
  mobile: plain,
  role: nameOfId('roleId'),
  roleId: namedBeside('role'),
  department: plain,
  departmentId: namedBeside('department'),
  language: word(languages),
};
const settings: Fields = {
  timeZone: plain,
  codeRecipient: word(codeRecipients),
  waitingHours: plain,
  forbidOwnApprovers: onOrOff,
  approveNewPayees: onOrOff,
  changedPayeeDays: plain,
  baseCurrency: plain,
};

const recharge: Fields = { amount: plain, paidAt: instant };
/** On a chain, or at a bank. */
const payee: Fields = {
  label: plain,
  chain: plain,
  coin: plain,
  address: plain,
  name: plain,
  country: plain,
  currency: plain,
  account: plain,
};
const limits: Fields = { single: amount, daily: amount, cumulative: amount };
const listEntry: Fields = {
  kind: word(listKinds),
  payeeType: word(listAccountTypes),
  account: plain,
  remark: plain,
  limits,
};
const content: Fields = {
  dimension: word(riskDimensions),
  chains: plain,
  coins: plain,
  coin: plain,
  currency: plain,
  currencies: plain,
  countries: plain,
  members: plain,
  departments: plain,
  roles: plain,
  from: amount,
  to: amount,
};
const policy: Fields = {
  name: plain,
  business: word(businesses),
  method: word(riskMethods),
  content,
  result: word(riskActions),
  window: word(riskWindows),
  position: plain,
  active: onOrOff,
  version: plain,
};
const rule: Fields = {
  name: plain,
  lowerUsd: amount,
  upperUsd: amount,
  submittedBy: plain,
  active: onOrOff,
  nodes: { needed: plain, approvers: plain },
  order: plain,
  enabled: onOrOff,
};
const ruleChange: Fields = { name: plain, kind: word(['add', 'change', 'delete', 'order', 'switch']) };
/** What is shown of a proposed change, which names the texts of its values. */
const shown: Fields = Object.fromEntries(
  [
    ...Object.keys({ ...member, ...role, ...settings, ...listEntry, ...limits, ...policy }),
    ...[
      'status',
      'dimension',
      'onLeave',
      'deputy',
      'list',
      'onlyWhitelisted',
      'rows',
      'entries',
      'expiryDays',
      'reminderHours',
      ...cardControlFields,
    ],
  ].map((name) => [name, sentence]),
);
const proposed: Fields = { name: plain, change: word(controlKinds), effectiveAt: instant, reason: plain };
const decided: Fields = {
  taskId: reference,
  digest,
  step: plain,
  opinion: plain,
  deputyFor: named,
  grantedByInitiatorAt: instant,
};
const abandoned: Fields = { taskId: reference, initiator: plain, reason: plain };
const reviewed = ['batchRun', 'trade', 'transaction', 'task', 'payee'] as const;
const ruleChanged = of(['rule', 'setting'], { ...rule, taskId: reference });

const transfersFilter: Fields = {
  type: word(transactionTypes, 'transaction.type.'),
  status: word(transactionStatuses, 'transaction.status.'),
  coin: plain,
  walletId: named,
  ...range,
  amountMin: amount,
  amountMax: amount,
  keyword: plain,
  category: plain,
  invoiceNumber: plain,
  batchId: reference,
  batchRunId: reference,
  request: reference,
  cardId: reference,
};
const held: Fields = { chain: plain, address: plain, reason: word(['ahead', 'unexplained']), nonce: plain };
const rateAlerted: Fields = { rateAlert: plain };
export const auditEvents = {
  ...operatorEvents,
  ...productEvents,
  'alerts.choose': of('member', {
    lowBalance: onOrOff,
    largeIncoming: onOrOff,
    largeIncomingUsd: amount,
    newPayee: onOrOff,
    dailyDigest: onOrOff,
    digestHour: plain,
    digestAlways: onOrOff,
  }),
  'alerts.addRate': of('member', rateAlerted),
  'alerts.removeRate': of('member', rateAlerted),
  'alerts.watchWallet': of('wallet', { asset: plain, alertBelow: amount }),
  'approvals.addRule': ruleChanged,
  'approvals.adopt': of(reviewed, abandoned),
  'approvals.apply': of('task', { effectiveAt: instant }),
  'approvals.approve': of(reviewed, decided),
  'approvals.changeRule': ruleChanged,
  'approvals.deleteRule': ruleChanged,
  'approvals.disableReview': ruleChanged,
  'approvals.enableReview': ruleChanged,
  'approvals.end': of(reviewed, abandoned),
  'approvals.expire': of(reviewed, { taskId: reference, expiresAt: instant }),
  'approvals.orderRules': ruleChanged,
  'approvals.propose': of('task', { ...rule, ...ruleChange }),
  'approvals.proposeControl': of('task', { ...shown, ...proposed }),
  'approvals.reject': of(reviewed, decided),
  'approvals.setOptions': of('setting', { expiryDays: plain, reminderHours: plain }),
  'approvals.stop': of('task', { ...ruleChange, ...proposed, ...payee }),
  'approvals.takeEffect': of('task', { ...proposed, consent: truth }),
  'approvals.withdraw': of('task', { ...ruleChange, ...proposed }),
  'audit.export': of('company', {
    format: word(['csv', 'jsonl']),
    actor: named,
    action: word([], 'audit.action.'),
    subjectKind: word(subjectKinds, 'audit.subject.'),
    subjectId: named,
    keyword: plain,
    ...range,
  }),
  'files.expire': of('file'),
  'files.upload': of('file', { name: plain, type: plain, sizeBytes: plain, sha256: digest }),
  'identity.activate': of('member'),
  'identity.addPasskey': of('passkey', { name: plain }),
  'identity.bindAuthenticator': of('member'),
  'identity.changePassword': of('member'),
  'identity.createInvitation': of('invitation', { label: plain, expiresAt: instant }),
  'identity.endSession': of('session'),
  'identity.register': of('company', { agreed: word(['terms', 'paymentTerms', 'privacy']) }),
  'identity.removePasskey': of('passkey', { name: plain, ...proof }),
  'identity.removeTrustedBrowser': of('trustedBrowser'),
  'identity.renamePasskey': of('passkey', { name: plain }),
  'identity.renewRecoveryCodes': of('member', proof),
  'identity.resetPassword': of('member'),
  'identity.revokeInvitation': of('invitation'),
  'identity.setLanguage': of('member', { language: word(languages) }),
  'identity.signIn': of('session', { method: word(proofs) }),
  'identity.signInFailed': of(['member', 'address'], { step: word(['code', 'password']), method: word(proofs) }),
  'identity.signInGuarded': of(['member', 'address']),
  'identity.signOut': of('session'),
  'identity.suspectPasskey': of('passkey', { name: plain, counter: { stored: plain, given: plain } }),
  'identity.unbindAuthenticator': of('member', proof),
  'identity.updateUser': of('member', profile),
  'identity.useRecoveryCode': of('member', { left: plain }),
  'notices.publishAnnouncement': of(
    'announcement',
    Object.fromEntries(locales.map((locale) => [locale, { title: plain, body: plain }])),
  ),
  'notices.setPreferences': of('member', {
    mail: Object.fromEntries(noticeGroups.map((group) => [group, onOrOff])),
  }),
  'organisation.addDepartment': of('department', department),
  'organisation.addDepartmentMembers': of('department', departmentMembers),
  'organisation.addMember': of('member', member),
  'organisation.addRole': of('role', role),
  'organisation.changeSettings': of('company', settings),
  'organisation.copyRole': of('role', { ...role, from: named }),
  'organisation.deleteDepartment': of('department', department),
  'organisation.deleteMember': of('member', member),
  'organisation.deleteRole': of('role', role),
  'organisation.disableMember': of('member', { email: plain }),
  'organisation.editDepartment': of('department', department),
  'organisation.editMember': of('member', member),
  'organisation.editRole': of('role', role),
  'organisation.enableMember': of('member', { email: plain }),
  'organisation.removeDepartmentMembers': of('department', departmentMembers),
  'organisation.resetPassword': of('member', { email: plain }),
  'organisation.sendActivation': of('member', { email: plain }),
  'organisation.setLeave': of('member', { onLeave: truth, deputy: plain, deputyId: namedBeside('deputy') }),
  'payees.add': of('payee', { ...payee, needsApproval: truth }),
  'payees.delete': of('payee', payee),
  'payees.edit': of('payee', { ...payee, remark: plain }),
  'payees.editAccount': of('payee', { ...payee, needsApproval: truth }),
  'payees.stop': of('payee', { ...payee, reason: sentence }),
  'risk.activatePolicy': of('riskPolicy', policy),
  'risk.addEntry': of('riskListEntry', listEntry),
  'risk.addPolicy': of('riskPolicy', policy),
  'risk.deactivatePolicy': of('riskPolicy', policy),
  'risk.deleteEntry': of('riskListEntry', listEntry),
  'risk.deletePolicy': of('riskPolicy', policy),
  'risk.editEntry': of('riskListEntry', listEntry),
  'risk.editPolicy': of('riskPolicy', policy),
  'risk.exportEntries': of('company', {
    filter: {
      kind: word(listKinds),
      payeeType: word(listAccountTypes),
      status: word(listEntryStatuses),
      keyword: plain,
    },
  }),
  'risk.movePolicy': of('riskPolicy', policy),
  'risk.setOnlyWhitelisted': of('company', { whitelistOnly: onOrOff }),
  'statements.download': of(['company', 'wallet'], {
    name: plain,
    format: word(['csv', 'pdf', 'camt053']),
    from: plain,
    to: plain,
    timeZone: plain,
    count: plain,
  }),
  'statements.downloadProof': of('company', { day: plain }),
  'transactions.deleteCategory': of('company', { category: plain }),
  'payments.cancel': of('transaction'),
  'payments.fail': of('transaction', { stage, reason: sentence }),
  'payments.returned': of('transaction', { reason: sentence }),
  'payments.stop': of('transaction', { reason: sentence }),
  'payments.submit': of('transaction', { digest, ...proof, stage, invoiceNumber: plain, category: plain }),
  'batches.cancel': of('batchRun', { rows: plain }),
  'batches.giveBack': of('batchRun', { rows: plain }),
  'batches.submit': of('batch', { name: plain, runId: reference, digest, ...proof, rows: plain, stage }),
  'exchange.addStanding': of('standingOrder', { digest, ...proof }),
  'exchange.stopStanding': of('standingOrder'),
  'exchange.cancel': of('transaction'),
  'exchange.fail': of('transaction', { stage, reason: sentence }),
  'exchange.stop': of('transaction', { reason: sentence }),
  'exchange.submit': of('transaction', { digest, proof: word([...proofs, 'standingOrder']), stage }),
  'batches.add': of('batch', { name: plain, template: plain }),
  'batches.addTemplate': of('batchTemplate', { name: plain, rows: plain }),
  'batches.editTemplate': of('batchTemplate', { name: plain }),
  'batches.removeTemplate': of('batchTemplate', { name: plain }),
  'batches.schedule': of('batchTemplate', { name: plain, payDay: plain }),
  'batches.pauseSchedule': of('batchTemplate', { name: plain }),
  'batches.resumeSchedule': of('batchTemplate', { name: plain }),
  'batches.endSchedule': of('batchTemplate', { name: plain }),
  'batches.discard': of('batch', { name: plain, rows: plain }),
  'batches.savePayees': of('batch', { name: plain, rows: plain }),
  'batches.upload': of('batch', { name: plain, digest, rows: plain }),
  'otc.accept': of('otcRequest', { transactionId: named }),
  'otc.ask': of('otcRequest', { asset: plain, boughtAsset: plain, amount, deadline: instant }),
  'otc.counter': of('otcRequest', { rate: plain, amount }),
  'otc.export': of('company', { count: plain }),
  'otc.withdraw': of('otcRequest'),
  'transfers.cancel': of('transaction'),
  'settlement.fail': of('transaction', { stage: word(stages, 'transaction.stage.'), reason: sentence }),
  'settlement.make': of('wallet', { chain: plain, amount, coin: plain, from: plain, to: plain }),
  'sweep.fail': of('transaction', { stage: word(stages, 'transaction.stage.'), reason: sentence }),
  'sweep.make': of('wallet', { chain: plain, amount, coin: plain, from: plain, to: plain }),
  'transfers.closeTankPayment': of('payment', { hash: plain, nonce: plain, to: plain, coin: plain, amount: plain }),
  'transfers.endHold': of('address', held),
  'transfers.accelerate': of('transaction', { fee: plain }),
  'transfers.export': of('company', { filter: transfersFilter, count: plain }),
  'transfers.fail': of('transaction', { stage, reason: sentence }),
  'transfers.holdAddress': of('address', held),
  'transfers.speedUp': of('transaction', { fee: plain, extra: plain }),
  'transfers.stop': of('transaction', { reason: sentence }),
  'transfers.submit': of('transaction', { digest, ...proof, stage, invoiceNumber: plain, category: plain }),
  'transfers.supersede': of('transaction', { kind: word(['transfer', 'gas']), nonce: plain, address: plain }),
  'wallets.announceRecharge': of('wallet', { noticeId: reference, ...recharge, remark: plain, files: plain }),
  'wallets.freeze': of('wallet', {
    reason: word(['deposit reversed', 'payment found on the chain']),
    missingMinor: plain,
    sourceId: named,
  }),
  'wallets.matchRecharge': of('wallet', { noticeId: reference, ...recharge, transactionId: named }),
  'wallets.withdrawRecharge': of('wallet', { noticeId: reference, ...recharge }),
  'webhooks.add': of('webhook', { name: plain, description: plain, events: plain, ...proof }),
  'webhooks.disable': of('webhook', { name: plain, off: word(webhookOffReasons) }),
  'webhooks.edit': of('webhook', { name: plain, description: plain, events: plain }),
  'webhooks.enable': of('webhook', { name: plain }),
  'webhooks.endPrevious': of('webhook', { name: plain }),
  'webhooks.move': of('webhook', { name: plain, from: plain, ...proof }),
  'webhooks.remove': of('webhook', { name: plain }),
  'webhooks.resend': of('webhook', { name: plain, deliveryId: reference }),
  'webhooks.resendFailed': of('webhook', { name: plain, from: instant, count: plain }),
  'webhooks.reveal': of('webhook', { name: plain, ...proof }),
  'webhooks.rotate': of('webhook', { name: plain, keepHours: plain, ...proof }),
  'webhooks.test': of('webhook', { name: plain }),
} satisfies Record<string, EventDeclaration>;

export type AuditAction = keyof typeof auditEvents;

export function eventOf(action: string): EventDeclaration | undefined {
  return (auditEvents as Record<string, EventDeclaration>)[action];
}
