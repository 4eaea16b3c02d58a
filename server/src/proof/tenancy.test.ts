import type { Call } from '@causeway/contract/call.ts';
import { calls } from '@causeway/contract/calls.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { addDepartment, addMember, addRole } from '@causeway/contract/organisation.ts';
import { addCryptoPayee, listCryptoPayees } from '@causeway/contract/payees.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../platform/ids.ts';
import { cardTenancy } from '../testing/card-tables.ts';
import { collectionTenancy } from '../testing/collection-requests.ts';
import { credit } from '../testing/company.ts';
import { textFields, valueAt, withValue } from '../testing/contract-fields.ts';
import { testDatabase } from '../testing/database.ts';
import type { Answer } from '../testing/envelope.ts';
import { type MainApp, mainApp, type Request, type Tenant } from '../testing/main-app.ts';
import { transferContent, transferRequest, validRequests } from '../testing/valid-requests.ts';

let world: MainApp;
let owner: Tenant;
let stranger: Tenant;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
  owner = await world.company('Owner Limited');
  stranger = await world.company('Stranger Limited');
  await credit(world.db, owner, 'USDT', 1_000_000_000n);
  await credit(world.db, stranger, 'USDT', 1_000_000_000n);
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

/** Of policies about people, which are other contents than that of the valid request: tried in risk/people.test.ts. */
function peopleOf(content: string): Record<string, string> {
  return Object.fromEntries(['members', 'departments', 'roles'].map((name) => [`${content}.${name}.0`, 'unread']));
}

const ofEach = <T>(names: readonly string[], row: T) => Object.fromEntries(names.map((name) => [name, row]));
const ofWallet = { 'params.id': 'walletNotFound' };
const ofWebhook = { 'body.id': 'notFound' };
const ofPayment = {
  'body.id': 'own',
  'body.walletId': 'walletNotFound',
  'body.payeeId': 'payeeNotFound',
  'body.versionId': 'payeeNotFound',
  'body.attachmentIds.0': 'notFound',
};

/**
 * Every place in every call that takes an id, and the result for another company's id there: an error's key, the
 * same as for an id that never existed; `nothing`, a filter that lets nothing through; `own`, an id that the client
 * chooses, which is free however often other companies have used it; `unread`, an id that is only passed on; `apart`, tested beside its feature.
 */
const places: Record<string, Record<string, string>> = {
  ...{ getCaptcha: {}, prepareCaptcha: {}, getPasswordKey: {}, sendRegisterCode: {}, sendCode: {} },
  sendUserCode: {
    'body.subject.content.id': 'own',
    'body.subject.content.walletId': 'walletNotFound',
    'body.subject.content.payeeId': 'payeeNotFound',
    'body.subject.content.attachmentIds.0': 'unread',
  },
  ...{ register: {}, login: {}, logout: {}, reportActivity: {}, getUser: {}, setLanguage: {} },
  ...{ changePassword: {}, forgetPassword: {}, checkActivation: {}, activate: {} },
  listMembers: { 'query.id': 'nothing', 'query.roleId': 'nothing', 'query.departmentId': 'nothing' },
  addMember: { 'body.id': 'own', 'body.roleId': 'roleNotFound', 'body.departmentId': 'departmentNotFound' },
  editMember: {
    'body.id': 'memberNotFound',
    'body.roleId': 'roleNotFound',
    'body.departmentId': 'departmentNotFound',
  },
  deleteMember: { 'body.id': 'memberNotFound' },
  setMemberStatus: { 'body.id': 'memberNotFound' },
  setMemberLeave: { 'body.id': 'memberNotFound', 'body.deputyId': 'memberNotFound' },
  resetMemberPassword: { 'body.id': 'memberNotFound' },
  sendActivation: { 'body.id': 'memberNotFound' },
  getMemberImpact: { 'query.id': 'memberNotFound' },
  listPeople: {},
  listDepartments: {},
  addDepartment: { 'body.id': 'own', 'body.parentId': 'departmentNotFound' },
  editDepartment: { 'body.id': 'departmentNotFound', 'body.parentId': 'departmentNotFound' },
  deleteDepartment: { 'params.id': 'departmentNotFound' },
  addDepartmentMembers: { 'body.departmentId': 'departmentNotFound', 'body.memberIds.0': 'memberNotFound' },
  removeDepartmentMembers: { 'body.departmentId': 'departmentNotFound', 'body.memberIds.0': 'memberNotFound' },
  listRoles: {},
  addRole: { 'body.id': 'own' },
  editRole: { 'body.id': 'roleNotFound' },
  deleteRole: { 'body.id': 'roleNotFound' },
  copyRole: { 'body.id': 'roleNotFound', 'body.newId': 'own' },
  getRoleMenus: { 'query.id': 'roleNotFound' },
  ...{ getMenuGroups: {}, getCompanySettings: {}, setCompanySettings: {}, getMfa: {}, bindMfa: {} },
  ...{
    updateUser: {},
    unbindMfa: {},
    getRecoveryCodes: {},
    renewRecoveryCodes: {},
    listPasskeys: {},
    startPasskey: {},
  },
  ...{ addPasskey: {}, startPasskeyLogin: {}, loginWithPasskey: {}, listSessions: {}, endOtherSessions: {} },
  ...{ listTrustedBrowsers: {}, removeTrustedBrowsers: {} },
  ...ofEach(['renamePasskey', 'removePasskey', 'endSession', 'removeTrustedBrowser'], { 'params.id': 'notFound' }),
  uploadFile: {},
  ...{ getBatchTemplate: {}, uploadBatch: {}, listBatches: {}, addBatch: { 'body.id': 'own' } },
  ...ofEach(['getBatch', 'discardBatch', 'downloadWrongRows'], { 'params.id': 'batchNotFound' }),
  ...ofEach(['mapBatch', 'readBatch', 'recheckBatch', 'renameBatch'], { 'body.id': 'batchNotFound' }),
  listBatchRows: { 'query.batchId': 'batchNotFound' },
  mendBatchRow: { 'body.batchId': 'batchNotFound', 'body.rowId': 'batchRowNotFound' },
  addBatchRows: { 'body.batchId': 'batchNotFound', 'body.rows.0.id': 'own' },
  ...ofEach(['removeBatchRows', 'acceptBatchWarnings'], {
    'body.batchId': 'batchNotFound',
    'body.rows.0': 'batchRowNotFound',
  }),
  saveNewPayees: { 'body.batchId': 'batchNotFound' },
  ...ofEach(['getPayoutTemplate', 'removePayoutTemplate'], { 'params.id': 'payoutTemplateNotFound' }),
  ...ofEach(['editPayoutTemplate', 'pausePayoutSchedule', 'endPayoutSchedule'], {
    'body.id': 'payoutTemplateNotFound',
  }),
  ...{ listPayoutTemplates: {}, addPayoutTemplate: { 'body.id': 'own', 'body.fromId': 'batchNotFound' } },
  makeTemplateBatch: { 'body.id': 'own', 'body.templateId': 'payoutTemplateNotFound' },
  schedulePayoutTemplate: { 'body.id': 'payoutTemplateNotFound', 'body.initiatorId': 'memberNotFound' },
  downloadFile: { 'params.id': 'notFound' },
  listNotices: {},
  readNotices: { 'query.ids': 'notFound' },
  readAllNotices: {},
  deleteNotices: { 'query.ids': 'notFound' },
  ...{ deleteReadNotices: {}, getNoticePreferences: {}, setNoticePreferences: {}, getAlerts: {} },
  ...{ setAlerts: {} },
  watchWallet: { 'params.id': 'walletNotFound' },
  ...{ getFirstSteps: {}, dismissFirstSteps: {}, listRates: {}, getRateHistory: {}, listRateAlerts: {} },
  addRateAlert: { 'body.id': 'own' },
  removeRateAlert: { 'params.id': 'notFound' },
  ...{ listWebhooks: {}, addWebhook: { 'body.id': 'own' }, removeWebhook: { 'params.id': 'notFound' } },
  ...ofEach(['editWebhook', 'moveWebhook', 'setWebhookEnabled', 'endWebhookSecret', 'testWebhook'], ofWebhook),
  ...ofEach(['revealWebhookSecret', 'rotateWebhookSecret', 'resendWebhook', 'resendFailedWebhooks'], ofWebhook),
  ...{ listWebhookDeliveries: { 'query.endpointId': 'nothing' }, getWebhookDelivery: { 'params.id': 'notFound' } },
  listCryptoPayees: {},
  getCryptoPayee: { 'params.id': 'payeeNotFound' },
  addCryptoPayee: { 'body.id': 'own' },
  editCryptoPayee: { 'body.id': 'payeeNotFound' },
  deleteCryptoPayee: { 'params.id': 'payeeNotFound' },
  listBankPayees: {},
  getBankPayee: { 'params.id': 'payeeNotFound' },
  checkBankPayee: { 'body.id': 'payeeNotFound' },
  addBankPayee: { 'body.id': 'own' },
  editBankPayee: { 'body.id': 'payeeNotFound', 'body.versionId': 'payeeNotFound' },
  labelBankPayee: { 'body.id': 'payeeNotFound' },
  deleteBankPayee: { 'params.id': 'payeeNotFound' },
  ...{ checkAddress: {}, getOverview: {}, getHistory: {} },
  ...ofEach(['getFee', 'listFees', 'listChains', 'listWallets'], {}),
  ...{ getAddress: {}, getAddressV2: {}, listReceivingAddresses: {} },
  ...ofEach(['getStatement', 'getFunding', 'downloadFunding', 'listArriving', 'getArriving'], ofWallet),
  announceRecharge: { 'body.id': 'own', 'body.walletId': 'walletNotFound', 'body.proofIds.0': 'rechargeProofUnknown' },
  listRecharges: { 'query.walletId': 'nothing' },
  getRecharge: { 'params.id': 'rechargeNotFound' },
  withdrawRecharge: { 'body.id': 'rechargeNotFound' },
  transferOut: {
    'body.id': 'own',
    'body.walletId': 'walletNotFound',
    'body.payeeId': 'payeeNotFound',
    'body.attachmentIds.0': 'notFound',
    'body.restOf': 'notFound',
  },
  foreseeReview: { 'query.walletId': 'walletNotFound', 'query.payeeId': 'payeeNotFound' },
  listNetworkFees: { 'query.walletId': 'walletNotFound', 'query.payeeId': 'payeeNotFound' },
  quoteSpeedUp: { 'query.id': 'notFound' },
  speedUpTransfer: { 'body.id': 'notFound' },
  quoteAcceleration: { 'query.depositId': 'notFound' },
  accelerateDeposit: { 'body.depositId': 'notFound', 'body.id': 'own' },
  cancelTransfer: { 'body.id': 'notFound' },
  fiatTransferOut: ofPayment,
  createPayment: ofPayment,
  createCryptoPayment: { ...ofPayment, 'body.bankWalletId': 'walletNotFound', 'body.quoteId': 'quoteNotFound' },
  quoteCryptoPayment: {
    'body.walletId': 'walletNotFound',
    'body.bankWalletId': 'walletNotFound',
    'body.payeeId': 'payeeNotFound',
  },
  getCryptoPaymentOptions: { 'query.payeeId': 'payeeNotFound' },
  foreseePayout: { 'query.walletId': 'walletNotFound', 'query.payeeId': 'payeeNotFound' },
  cancelPayout: { 'body.id': 'notFound' },
  getExchangeOptions: {},
  quoteExchange: { 'body.sellWalletId': 'walletNotFound', 'body.buyWalletId': 'walletNotFound' },
  exchange: {
    'body.id': 'own',
    'body.sellWalletId': 'walletNotFound',
    'body.buyWalletId': 'walletNotFound',
    'body.quoteId': 'quoteNotFound',
  },
  ...ofEach(['checkBatch', 'listBatchRuns', 'getBatchRun', 'listBatchRunRows'], { 'params.id': 'batchNotFound' }),
  ...ofEach(['submitBatch', 'sendBatchAgain'], { 'body.id': 'own', 'body.batchId': 'batchNotFound' }),
  cancelBatch: { 'body.id': 'batchNotFound' },
  ...collectionTenancy,
  ...cardTenancy,
  ...{ listTrades: {}, exportTrades: {}, getTrade: { 'params.id': 'tradeNotFound' } },
  ...ofEach(['confirmTrade', 'releaseTrade'], { 'body.id': 'own', 'body.tradeId': 'tradeNotFound' }),
  ...ofEach(['declineTrade', 'disputeTrade'], { 'body.id': 'tradeNotFound' }),
  cancelExchange: { 'body.id': 'notFound' },
  ...{ listLimitOrders: {}, listStandingOrders: {}, getOtcTerms: {}, listOtc: {}, exportOtc: {} },
  addStandingOrder: { 'body.id': 'own', 'body.sellWalletId': 'walletNotFound', 'body.buyWalletId': 'walletNotFound' },
  ...{ stopStandingOrder: { 'body.id': 'notFound' }, getOtc: { 'params.id': 'notFound' } },
  askOtc: { 'body.key': 'own', 'body.sellWalletId': 'walletNotFound', 'body.buyWalletId': 'walletNotFound' },
  ...{ counterOtc: { 'params.id': 'notFound' }, noteOtc: { 'params.id': 'notFound' } },
  withdrawOtc: { 'params.id': 'notFound' },
  ...ofEach(
    ['listTransactions', 'exportTransactions'],
    // A transaction of a batch is of no card, and of no request: collections/found.test.ts asks for another company's.
    {
      ...ofEach(['query.walletId', 'query.batchId', 'query.batchRunId'], 'nothing'),
      ...{ 'query.cardId': 'apart', 'query.request': 'unread' },
    },
  ),
  getTransaction: { 'params.id': 'notFound' },
  downloadReceipt: { 'params.id': 'notFound' },
  listCategories: {},
  deleteCategory: { 'params.id': 'notFound' },
  ...{ listSavedFilters: {}, saveFilter: { 'body.id': 'own' }, deleteSavedFilter: { 'params.id': 'notFound' } },
  listStatements: {},
  getPeriodStatement: { 'params.id': 'walletNotFound' },
  downloadStatement: { 'query.walletId': 'walletNotFound' },
  ...{ listReserveProofs: {}, getReserveProof: {}, downloadReserveProof: {}, listRiskPolicies: {} },
  addRiskPolicy: { 'body.id': 'own', ...peopleOf('body.content') },
  editRiskPolicy: { 'body.id': 'riskPolicyNotFound', ...peopleOf('body.content') },
  deleteRiskPolicy: { 'body.id': 'riskPolicyNotFound' },
  moveRiskPolicy: { 'body.id': 'riskPolicyNotFound' },
  setRiskPolicyStatus: { 'body.id': 'riskPolicyNotFound' },
  listRiskPolicyLogs: { 'query.policyId': 'riskPolicyNotFound' },
  listIntercepts: { 'params.id': 'riskPolicyNotFound' },
  listRiskPolicyVersions: { 'params.id': 'riskPolicyNotFound' },
  replayRiskPolicies: { 'body.policy.id': 'riskPolicyNotFound', ...peopleOf('body.policy.content') },
  explainRisk: { 'params.id': 'notFound' },
  listNamelist: {},
  addListEntry: { 'body.id': 'own' },
  editListEntry: { 'body.id': 'listEntryNotFound' },
  deleteListEntry: { 'params.id': 'listEntryNotFound' },
  listNamelistLogs: { 'query.entryId': 'listEntryNotFound' },
  ...{ importNamelist: {}, exportNamelist: {}, getRiskSetting: {}, setRiskSetting: {} },
  listApprovals: { 'query.initiatorId': 'nothing' },
  getApproval: { 'params.id': 'notFound' },
  decideApprovals: { 'body.ids.0': 'notFound' },
  listTodo: {},
  getReviewSetting: {},
  // Whom a rule is for is tried in approvals/submitters.test.ts.
  addRule: {
    'body.id': 'own',
    'body.rule.nodes.0.approvers.0.id': 'notFound',
    'body.rule.submittedBy.0.id': 'unread',
  },
  changeRule: {
    'body.id': 'notFound',
    'body.rule.nodes.0.approvers.0.id': 'notFound',
    'body.rule.submittedBy.0.id': 'unread',
  },
  deleteRule: { 'body.id': 'notFound' },
  orderRules: { 'body.ids.0': 'notFound' },
  // `ids` belongs to another kind of change, which `orderRules` shows.
  checkReviewChange: {
    'body.change.id': 'own',
    'body.change.rule.nodes.0.approvers.0.id': 'notFound',
    'body.change.ids.0': 'unread',
    'body.change.rule.submittedBy.0.id': 'unread',
  },
  withdrawApproval: { 'body.id': 'notFound' },
  listPendingChanges: {},
  getControlMode: {},
  stopChange: { 'body.id': 'notFound' },
  adoptApproval: { 'body.id': 'notFound' },
  endApproval: { 'body.id': 'notFound' },
  ...{ setReviewEnabled: {}, setReviewOptions: {}, listApprovers: {}, listReviewLogs: {} },
  ...{ getServiceStatus: {}, getSupport: {}, streamEvents: {} },
  listAudit: { 'query.actor': 'nothing', 'query.subjectId': 'nothing' },
  getAuditEvent: { 'params.id': 'notFound' },
  listAuditFilters: {},
  exportAudit: { 'query.actor': 'nothing', 'query.subjectId': 'nothing' },
  getAuditKey: {},
};

function idAt(request: Request, path: string): string {
  const value = valueAt(request, path);
  expect(value, path).toBeTypeOf('string');
  return String(value);
}

/** All that an answer says, but for what differs from request to request by its nature. */
function said({ raw }: Answer) {
  const { 'x-request-id': _id, date: _date, ...headers } = raw.headers;
  return { status: raw.statusCode, headers, body: raw.body.replace(/"requestId":"[^"]*"/, '') };
}

async function valid(call: Call, tenant: Tenant): Promise<Request> {
  const make = validRequests[call.name];
  if (!make) throw new Error(`${call.name} has no valid request`);
  return make(world, tenant);
}

test('the table has every call, and every id that the contract knows of', () => {
  expect(Object.keys(places).sort()).toEqual(calls.map(({ name }) => name).sort());
  for (const call of calls) {
    const known = textFields(call)
      .filter(({ isId }) => isId)
      .map(({ path }) => path);
    expect(Object.keys(places[call.name] ?? {}), call.name).toEqual(expect.arrayContaining(known));
  }
});

const crossings = calls.flatMap((call) =>
  Object.entries(places[call.name] ?? {}).map(([path, outcome]) => ({ call, name: call.name, path, outcome })),
);

describe("another company's id", () => {
  test.each(crossings.filter(({ outcome }) => !['own', 'unread', 'apart', 'nothing'].includes(outcome)))(
    '$name, $path: answers as one that never existed',
    async ({ call, path, outcome }) => {
      const [own, foreign] = [await valid(call, owner), await valid(call, stranger)];
      const crossed = withValue(foreign, path, idAt(own, path));
      const before = await world.ask(call, crossed);
      expect(before).toMatchObject({ status: 404, key: outcome });
      expect(said(before)).toEqual(said(await world.ask(call, withValue(foreign, path, newId()))));

      // The id is good, and the rest of the stranger's request as well: only whose it is makes the difference.
      expect((await world.ask(call, own)).status).toBe(200);
      expect(said(await world.ask(call, crossed))).toEqual(said(before));
      expect((await world.ask(call, foreign)).status).toBe(200);
    },
  );

  test.each(crossings.filter(({ outcome }) => outcome === 'nothing'))(
    '$name, $path: lets nothing through, as one that never existed',
    async ({ call, path }) => {
      const [own, foreign] = [await valid(call, owner), await valid(call, stranger)];
      const [mine, theirs, random] = [
        own,
        withValue(foreign, path, idAt(own, path)),
        withValue(foreign, path, newId()),
      ];
      const answers = [await world.ask(call, mine), await world.ask(call, theirs), await world.ask(call, random)];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const [seen, crossed, none] = answers.map((answer) => said(answer).body);
      expect(crossed).toBe(none);
      expect(seen).not.toBe(none);
    },
  );

  test('as the id of a transfer or a payee of one’s own is free', async () => {
    const own = await transferContent(world, owner);
    const done = await transferRequest(world, owner, own);
    expect((await world.ask(transferOut, done)).status).toBe(200);
    const same = await transferRequest(world, stranger, { ...(await transferContent(world, stranger)), id: own.id });
    expect((await world.ask(transferOut, same)).status).toBe(200);

    const payee = await valid(addCryptoPayee, owner);
    expect((await world.ask(addCryptoPayee, payee)).status).toBe(200);
    const twin = withValue(await valid(addCryptoPayee, stranger), 'body.id', idAt(payee, 'body.id'));
    expect((await world.ask(addCryptoPayee, twin)).status).toBe(200);
    // Within one company it is taken.
    const again = withValue(await valid(addCryptoPayee, owner), 'body.id', idAt(payee, 'body.id'));
    expect(await world.ask(addCryptoPayee, again)).toMatchObject({ status: 409, key: 'idTaken' });
  });

  test.each([addMember, addRole, addDepartment])(
    'as the id of somebody or something new is free: $name',
    async (call) => {
      const own = await valid(call, owner);
      expect((await world.ask(call, own)).status).toBe(200);
      const same = withValue(await valid(call, stranger), 'body.id', idAt(own, 'body.id'));
      expect((await world.ask(call, same)).status).toBe(200);
      const again = withValue(await valid(call, owner), 'body.id', idAt(own, 'body.id'));
      expect(await world.ask(call, again)).toMatchObject({ status: 409, key: 'idTaken' });
    },
  );

  test('where it is only passed on, tells nothing', async () => {
    const own = await valid(sendUserCode, owner);
    const path = 'body.subject.content.attachmentIds.0';
    const one = withValue(await valid(sendUserCode, stranger), path, idAt(own, path));
    const other = withValue(await valid(sendUserCode, stranger), path, newId());
    expect(said(await world.ask(sendUserCode, one))).toEqual(said(await world.ask(sendUserCode, other)));
  });
});

test('nothing that a company may read holds an id, an address or a name of another', async () => {
  const marked = { ...(await transferContent(world, owner)), notes: 'owner-note' };
  expect((await world.ask(transferOut, await transferRequest(world, owner, marked))).status).toBe(200);
  const marks = [owner.id, owner.address, 'Owner Limited', marked.id, marked.payeeId, 'owner-note'];
  marks.push(owner.admin.email, ...Object.values(owner.wallets), ...marked.attachmentIds);
  const readable = calls.filter(({ method, answer, params }) => method === 'GET' && answer !== 'stream' && !params);
  for (const call of readable) {
    const answer = await world.ask(call, await valid(call, stranger));
    expect(answer.status, call.name).toBe(200);
    for (const mark of marks) expect(answer.raw.body, call.name).not.toContain(mark);
  }
  expect((await world.ask(listCryptoPayees, { as: owner.admin })).raw.body).toContain(marked.payeeId);
});
