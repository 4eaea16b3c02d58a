import type { Call } from '@causeway/contract/call.ts';
import { calls } from '@causeway/contract/calls.ts';
import { locales } from '@causeway/contract/locale.ts';
import { systemRoles } from '@causeway/contract/permission.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { registeredCalls } from '../platform/http/route.ts';
import { newId } from '../platform/ids.ts';
import { hasText } from '../platform/text/texts.ts';
import { cardAccess } from '../testing/card-tables.ts';
import { collectionCallers } from '../testing/collection-requests.ts';
import { credit } from '../testing/company.ts';
import { testDatabase } from '../testing/database.ts';
import { type MainApp, mainApp, type Request, type Tenant } from '../testing/main-app.ts';
import { validRequests } from '../testing/valid-requests.ts';

let world: MainApp;
let tenant: Tenant;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
  tenant = await world.company();
  await credit(world.db, tenant, 'USDT', 1_000_000_000n);
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

/**
 * Who may call what, read off the table of decisions, "System roles" by hand and not from the program:
 * A administrator, F finance, P approver, V viewer; `all` is anybody, `in` anybody signed in.
 */
const oracle: Record<string, string> = {
  getCaptcha: 'all',
  prepareCaptcha: 'all',
  getPasswordKey: 'all',
  sendRegisterCode: 'all',
  sendCode: 'all',
  sendUserCode: 'in',
  register: 'all',
  login: 'all',
  logout: 'in',
  reportActivity: 'in',
  getUser: 'in',
  setLanguage: 'in',
  changePassword: 'in',
  forgetPassword: 'all',
  checkActivation: 'all',
  activate: 'all',
  getMfa: 'in',
  bindMfa: 'in',
  // Names alone, for forms to choose from.
  listPeople: 'in',
  // Members, roles, departments.
  listMembers: 'A',
  addMember: 'A',
  editMember: 'A',
  deleteMember: 'A',
  setMemberStatus: 'A',
  setMemberLeave: 'A',
  resetMemberPassword: 'A',
  sendActivation: 'A',
  getMemberImpact: 'A',
  listDepartments: 'A',
  addDepartment: 'A',
  editDepartment: 'A',
  deleteDepartment: 'A',
  addDepartmentMembers: 'A',
  removeDepartmentMembers: 'A',
  listRoles: 'A',
  addRole: 'A',
  editRole: 'A',
  deleteRole: 'A',
  copyRole: 'A',
  getRoleMenus: 'A',
  getMenuGroups: 'A',
  // Company settings.
  getCompanySettings: 'A',
  setCompanySettings: 'A',
  // Webhooks: what leaves the company is for those who run it.
  listWebhooks: 'A',
  addWebhook: 'A',
  editWebhook: 'A',
  moveWebhook: 'A',
  setWebhookEnabled: 'A',
  removeWebhook: 'A',
  revealWebhookSecret: 'A',
  rotateWebhookSecret: 'A',
  endWebhookSecret: 'A',
  testWebhook: 'A',
  listWebhookDeliveries: 'A',
  getWebhookDelivery: 'A',
  resendWebhook: 'A',
  resendFailedWebhooks: 'A',
  // One's own account is everybody's.
  updateUser: 'in',
  getFirstSteps: 'in',
  dismissFirstSteps: 'in',
  unbindMfa: 'in',
  getRecoveryCodes: 'in',
  renewRecoveryCodes: 'in',
  listPasskeys: 'in',
  startPasskey: 'in',
  addPasskey: 'in',
  renamePasskey: 'in',
  removePasskey: 'in',
  startPasskeyLogin: 'all',
  loginWithPasskey: 'all',
  listSessions: 'in',
  endSession: 'in',
  endOtherSessions: 'in',
  listTrustedBrowsers: 'in',
  removeTrustedBrowser: 'in',
  removeTrustedBrowsers: 'in',
  // Create and cancel own transfers, manage payees.
  uploadFile: 'AF',
  // Drafts of batches: made by those who pay, seen by those who see transactions.
  uploadBatch: 'AF',
  addBatch: 'AF',
  mapBatch: 'AF',
  readBatch: 'AF',
  recheckBatch: 'AF',
  mendBatchRow: 'AF',
  addBatchRows: 'AF',
  removeBatchRows: 'AF',
  acceptBatchWarnings: 'AF',
  renameBatch: 'AF',
  discardBatch: 'AF',
  addPayoutTemplate: 'AF',
  editPayoutTemplate: 'AF',
  removePayoutTemplate: 'AF',
  makeTemplateBatch: 'AF',
  schedulePayoutTemplate: 'AF',
  pausePayoutSchedule: 'AF',
  endPayoutSchedule: 'AF',
  saveNewPayees: 'AF',
  getBatchTemplate: 'AFPV',
  listBatches: 'AFPV',
  listPayoutTemplates: 'AFPV',
  getPayoutTemplate: 'AFPV',
  getBatch: 'AFPV',
  listBatchRows: 'AFPV',
  downloadWrongRows: 'AFPV',
  transferOut: 'AF',
  foreseeReview: 'AF',
  listNetworkFees: 'AF',
  quoteSpeedUp: 'AF',
  speedUpTransfer: 'AF',
  quoteAcceleration: 'AF',
  accelerateDeposit: 'AF',
  cancelTransfer: 'AF',
  fiatTransferOut: 'AF',
  createPayment: 'AF',
  createCryptoPayment: 'AF',
  quoteCryptoPayment: 'AF',
  getCryptoPaymentOptions: 'AF',
  foreseePayout: 'AF',
  cancelPayout: 'AF',
  quoteExchange: 'AF',
  exchange: 'AF',
  cancelExchange: 'AF',
  checkBatch: 'AF',
  submitBatch: 'AF',
  sendBatchAgain: 'AF',
  cancelBatch: 'AF',
  listBatchRuns: 'AFPV',
  getBatchRun: 'AFPV',
  listBatchRunRows: 'AFPV',
  ...collectionCallers,
  ...cardAccess,
  listTrades: 'AFPV',
  ...{ getTrade: 'AFPV', exportTrades: 'AF' },
  confirmTrade: 'AF',
  declineTrade: 'AF',
  releaseTrade: 'AF',
  disputeTrade: 'AF',
  addStandingOrder: 'AF',
  stopStandingOrder: 'AF',
  askOtc: 'AF',
  counterOtc: 'AF',
  noteOtc: 'AF',
  withdrawOtc: 'AF',
  watchWallet: 'AF',
  addCryptoPayee: 'AF',
  editCryptoPayee: 'AF',
  deleteCryptoPayee: 'AF',
  addBankPayee: 'AF',
  editBankPayee: 'AF',
  labelBankPayee: 'AF',
  deleteBankPayee: 'AF',
  checkBankPayee: 'AF',
  deleteCategory: 'AF',
  // See wallets, transactions, payees, notices.
  downloadFile: 'AFPV',
  getOtcTerms: 'AFPV',
  listOtc: 'AFPV',
  getOtc: 'AFPV',
  listNotices: 'AFPV',
  readNotices: 'AFPV',
  readAllNotices: 'AFPV',
  deleteNotices: 'AFPV',
  deleteReadNotices: 'AFPV',
  getNoticePreferences: 'AFPV',
  setNoticePreferences: 'AFPV',
  getAlerts: 'AFPV',
  setAlerts: 'AFPV',
  listRates: 'AFPV',
  getRateHistory: 'AFPV',
  listRateAlerts: 'AFPV',
  addRateAlert: 'AFPV',
  removeRateAlert: 'AFPV',
  listCryptoPayees: 'AFPV',
  getCryptoPayee: 'AFPV',
  listBankPayees: 'AFPV',
  getBankPayee: 'AFPV',
  checkAddress: 'AFPV',
  getOverview: 'AFPV',
  getHistory: 'AFPV',
  getFee: 'AFPV',
  listFees: 'AFPV',
  getExchangeOptions: 'AFPV',
  listLimitOrders: 'AFPV',
  listStandingOrders: 'AFPV',
  listChains: 'AFPV',
  listWallets: 'AFPV',
  getAddress: 'AFPV',
  getAddressV2: 'AFPV',
  listReceivingAddresses: 'AFPV',
  getStatement: 'AFPV',
  getFunding: 'AFPV',
  downloadFunding: 'AFPV',
  listArriving: 'AFPV',
  getArriving: 'AFPV',
  listRecharges: 'AFPV',
  getRecharge: 'AFPV',
  // Who makes transfers announces what comes in.
  announceRecharge: 'AF',
  withdrawRecharge: 'AF',
  listTransactions: 'AFPV',
  getTransaction: 'AFPV',
  downloadReceipt: 'AFPV',
  listCategories: 'AFPV',
  listSavedFilters: 'AFPV',
  saveFilter: 'AFPV',
  deleteSavedFilter: 'AFPV',
  // See rules, policies, lists, their logs.
  explainRisk: 'AFP',
  listRiskPolicies: 'AFP',
  listRiskPolicyLogs: 'AFP',
  listRiskPolicyVersions: 'AFP',
  listIntercepts: 'AFP',
  listNamelist: 'AFP',
  listNamelistLogs: 'AFP',
  getRiskSetting: 'AFP',
  // Exports.
  exportTransactions: 'AF',
  exportOtc: 'AF',
  listStatements: 'AF',
  getPeriodStatement: 'AF',
  downloadStatement: 'AF',
  listReserveProofs: 'AF',
  getReserveProof: 'AF',
  downloadReserveProof: 'AF',
  exportNamelist: 'AF',
  // Approval rules, risk policies, lists, company settings.
  addRiskPolicy: 'A',
  editRiskPolicy: 'A',
  deleteRiskPolicy: 'A',
  moveRiskPolicy: 'A',
  setRiskPolicyStatus: 'A',
  replayRiskPolicies: 'A',
  addListEntry: 'A',
  editListEntry: 'A',
  deleteListEntry: 'A',
  importNamelist: 'A',
  setRiskSetting: 'A',
  // Decide approvals: Administrator, Approver. Seeing what one is part of is for all who see transactions.
  listApprovals: 'AFPV',
  getApproval: 'AFPV',
  decideApprovals: 'AP',
  listTodo: 'in',
  // See rules and their logs.
  getReviewSetting: 'AFP',
  listReviewLogs: 'AFP',
  // Approval rules and settings.
  addRule: 'A',
  changeRule: 'A',
  deleteRule: 'A',
  orderRules: 'A',
  checkReviewChange: 'A',
  // Of the caller's own proposals alone.
  withdrawApproval: 'in',
  // Everybody who approves or administers; others see what concerns them.
  listPendingChanges: 'in',
  getControlMode: 'in',
  stopChange: 'in',
  // Of those who manage members.
  adoptApproval: 'A',
  endApproval: 'A',
  setReviewEnabled: 'A',
  setReviewOptions: 'A',
  listApprovers: 'A',
  getServiceStatus: 'all',
  getSupport: 'all',
  streamEvents: 'in',
  // Audit log and exports.
  listAudit: 'A',
  getAuditEvent: 'A',
  listAuditFilters: 'A',
  exportAudit: 'A',
  getAuditKey: 'A',
};

/** A stream never ends; its status, which says whether the caller may open it, is known with its head. */
async function streamStatus(token: string | null): Promise<number> {
  if (!world.app.server.listening) await world.app.listen({ host: '127.0.0.1', port: 0 });
  const address = world.app.server.address();
  if (typeof address !== 'object' || !address) throw new Error('the server has no address');
  const ended = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${address.port}/web/events`, {
    signal: ended.signal,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
  ended.abort();
  return answer.status;
}

/** Names things that are not there: enough to be told who may call, too little to do anything. */
function emptyRequest(call: Call): Request {
  return { params: { id: newId() }, ...(call.method === 'GET' ? {} : { body: {} }) };
}

test('every call of the contract is registered, and none beside it', () => {
  expect([...registeredCalls(world.app)].sort()).toEqual(calls.map(({ name }) => name).sort());
});

test('the tables of this proof name every call', () => {
  const names = calls.map(({ name }) => name).sort();
  expect(Object.keys(oracle).sort()).toEqual(names);
  expect(Object.keys(validRequests).sort()).toEqual(names);
});

describe.each(calls.map((call) => [call.name, call] as const))('%s', (name, call) => {
  test('answers as the contract says', async () => {
    if (call.answer === 'stream') {
      expect(await streamStatus(tenant.admin.token)).toBe(200);
      return;
    }
    const request = await validRequests[name]?.(world, tenant);
    const answer = await world.ask(call, request);
    expect(answer.status, answer.raw.body).toBe(200);
  });

  test('asks for a session that holds, unless it is public', async () => {
    if (oracle[name] === 'all') {
      const answer = await world.ask(call, emptyRequest(call));
      expect([401, 403]).not.toContain(answer.status);
      return;
    }
    if (call.answer === 'stream') {
      expect(await streamStatus(null)).toBe(401);
      expect(await streamStatus('x'.repeat(43))).toBe(401);
      return;
    }
    for (const headers of [{}, { authorization: 'Bearer ' }, { authorization: `Bearer ${'x'.repeat(43)}` }]) {
      const answer = await world.ask(call, { ...emptyRequest(call), headers });
      expect(answer).toMatchObject({ status: 401, key: 'sessionEnded' });
    }
  });

  test.each(systemRoles)('lets in whom the table says: %s', async (role) => {
    const letter = { administrator: 'A', finance: 'F', approver: 'P', viewer: 'V' }[role];
    const allowed = ['all', 'in'].includes(oracle[name] ?? '') || oracle[name]?.includes(letter);
    const as = await world.member(tenant, role);
    if (call.answer === 'stream') {
      expect(await streamStatus(as.token)).toBe(allowed ? 200 : 403);
      return;
    }
    const answer = await world.ask(call, { ...emptyRequest(call), as });
    if (allowed) expect([401, 403]).not.toContain(answer.status);
    else expect(answer).toMatchObject({ status: 403, key: 'noPermission' });
  });
});

test('everything that these calls wrote into the audit log can be said in every language', async () => {
  const { rows } = await world.db.operator.pool.query<{ action: string; kind: string }>(
    'select distinct action, subject_kind as kind from audit_event order by action',
  );
  expect(rows.length).toBeGreaterThan(30);
  for (const locale of locales) {
    const missing = rows.flatMap(({ action, kind }) => [`audit.action.${action}`, `audit.subject.${kind}`]);
    expect(missing.filter((id) => !hasText(locale, id))).toEqual([]);
  }
});
