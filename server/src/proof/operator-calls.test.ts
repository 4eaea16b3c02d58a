import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Call } from '@causeway/contract/call.ts';
import { calls } from '@causeway/contract/calls.ts';
import { locales } from '@causeway/contract/locale.ts';
import { operatorCalls } from '@causeway/contract/operator-calls.ts';
import { type OperatorRole, operatorPermissions, operatorRoles } from '@causeway/contract/operator-rules.ts';
import { permissions } from '@causeway/contract/permission.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registeredCalls } from '../platform/http/route.ts';
import { newId } from '../platform/ids.ts';
import { hasText } from '../platform/text/texts.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../testing/main-app.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../testing/operator-app.ts';

/**
 * The two sides are apart: no process serves a call of the other, no credential of one opens a call of the other, and each role of the
 * operator opens what the table says.
 */

let db: TestDatabase;
let company: MainApp;
let operator: OperatorApp;
let tenant: Tenant;
let people: Record<OperatorRole, TestOperator>;
const folders = { main: '', operator: '' };

beforeAll(async () => {
  db = await testDatabase();
  for (const side of ['main', 'operator'] as const) {
    folders[side] = mkdtempSync(join(tmpdir(), 'causeway-web-'));
    writeFileSync(join(folders[side], 'index.html'), `<title>${side}</title>`);
  }
  company = await mainApp(db, undefined, { webDir: folders.main });
  operator = await operatorApp(db, { webDir: folders.operator });
  tenant = await company.company();
  const made = await Promise.all(operatorRoles.map(async (role) => [role, await operator.operator(role)] as const));
  people = Object.fromEntries(made) as Record<OperatorRole, TestOperator>;
});
afterAll(async () => {
  expect(company.complaints).toEqual([]);
  expect(operator.complaints).toEqual([]);
  await operator.close();
  await company.close();
  await db.close();
  for (const folder of Object.values(folders)) rmSync(folder, { recursive: true });
});

/** Who may call: `all` without a session, `in` every operator, or roles by letter: V S T C A. */
const oracle: Record<string, string> = {
  operatorCaptcha: 'all',
  operatorPasswordKey: 'all',
  operatorLogin: 'all',
  operatorLoginCode: 'all',
  operatorLoginPasskeyOptions: 'all',
  operatorLoginPasskey: 'all',
  checkOperatorActivation: 'all',
  activateOperator: 'all',
  getOperator: 'in',
  operatorLogout: 'in',
  reportOperatorActivity: 'in',
  setOperatorLanguage: 'in',
  changeOperatorPassword: 'in',
  listOperatorPasskeys: 'in',
  startOperatorPasskey: 'in',
  addOperatorPasskey: 'in',
  removeOperatorPasskey: 'in',
  listOperatorSessions: 'in',
  endOperatorSession: 'in',
  listOperators: 'VSTCA',
  proposeStaff: 'A',
  proposeStaffRole: 'A',
  disableStaff: 'A',
  proposeStaffReactivation: 'A',
  proposeStaffReset: 'A',
  listProposals: 'VSTCA',
  getProposal: 'VSTCA',
  confirmProposal: 'STCA',
  rejectProposal: 'STCA',
  withdrawProposal: 'in',
  listOperatorAudit: 'CA',
  getOperatorAuditEvent: 'CA',
  listOperatorAuditFilters: 'CA',
  exportOperatorAudit: 'CA',
  getOperatorAuditKey: 'CA',
  summariseQueue: 'VSTCA',
  listQueue: 'VSTCA',
  getQueueItem: 'VSTCA',
  takeQueueItem: 'STCA',
  handOverQueueItem: 'STCA',
  commentQueueItem: 'STCA',
  resolveQueueItem: 'STCA',
  reopenQueueItem: 'STCA',
  listCompanies: 'VSTCA',
  getCompany: 'VSTCA',
  getCompanyActivity: 'VSTCA',
  getCompanyControls: 'VSTCA',
  listCompanyDocuments: 'SCA',
  addCompanyDocument: 'SCA',
  downloadCompanyDocument: 'SCA',
  listCompanyNotes: 'VSTCA',
  addCompanyNote: 'STCA',
  beginLook: 'SCA',
  listFreezes: 'VSTCA',
  freezeSubject: 'CA',
  proposeUnfreeze: 'CA',
  listCompanyInvitations: 'VSTCA',
  listOperatorTransactions: 'VSTCA',
  listOperatorTransactionFilters: 'VSTCA',
  exportOperatorTransactions: 'SCA',
  getOperatorTransaction: 'VSTCA',
  inviteNewCompany: 'SA',
  revokeCompanyInvitation: 'SA',
  listPricesInForce: 'VSTCA',
  listPriceHistory: 'VSTCA',
  tryPrice: 'TA',
  proposePrice: 'TA',
  withdrawPrice: 'TA',
  listOperatorAssets: 'VSTCA',
  switchOff: 'TA',
  proposeSwitchOn: 'TA',
  listAnnouncements: 'VSTCA',
  writeAnnouncement: 'SA',
  editAnnouncement: 'SA',
  cancelAnnouncement: 'SA',
  getTreasury: 'VSTCA',
  proposeTankThreshold: 'TA',
  listCollectableFees: 'VSTCA',
  listFeeSources: 'VSTCA',
  listTreasuryAddresses: 'VSTCA',
  proposeTreasuryAddress: 'TA',
  removeTreasuryAddress: 'TA',
  proposeFeeWithdrawal: 'TA',
  listFeePayments: 'VSTCA',
  listSettlements: 'VSTCA',
  listOutputSets: 'VSTCA',
  getOutputSet: 'VSTCA',
  listOutputs: 'VSTCA',
  exportOutputs: 'SCA',
  getExchangePosition: 'VSTCA',
  changeExchangeLimit: 'TA',
  listExchangeTerms: 'VSTCA',
  listDeskRequests: 'VSTCA',
  getDeskRequest: 'VSTCA',
  priceDeskRequest: 'VSTCA',
  quoteDeskRequest: 'TA',
  declineDeskRequest: 'TA',
  noteDeskRequest: 'TA',
  changeOtcMinimum: 'TA',
  listOperatorTrades: 'VSTCA',
  getOperatorTrade: 'VSTCA',
  resendTradeMessage: 'STCA',
  proposeExchangeTerms: 'TA',
  withdrawExchangeTerms: 'TA',
  listHedgeOrders: 'VSTCA',
  getHedgeOrder: 'VSTCA',
  getHealth: 'VSTCA',
  getSupportShown: 'VSTCA',
  listMarketRates: 'VSTCA',
  listTables: 'VSTCA',
  listVerifications: 'VSTCA',
  listFailedJobs: 'VSTCA',
  retryJob: 'STCA',
  setJobAside: 'STCA',
  getSolvency: 'VSTCA',
  listSolvencySeries: 'VSTCA',
  listSolvencyOwed: 'VSTCA',
  listSolvencyHeld: 'VSTCA',
  listSolvencyTiming: 'VSTCA',
  checkSolvency: 'VSTCA',
  downloadSolvency: 'VSTCA',
  requestSolvency: 'STCA',
  listExceptions: 'VSTCA',
  getExceptionActs: 'VSTCA',
  proposeException: 'STCA',
  getBanks: 'VSTCA',
  listBankFiles: 'VSTCA',
  getBankFile: 'VSTCA',
  downloadBankFile: 'SCA',
  getBankReconciliation: 'VSTCA',
  listBankMoneys: 'VSTCA',
  getBankMoney: 'VSTCA',
  findBankCreditTargets: 'VSTCA',
  proposeBankCredit: 'STCA',
  proposeBankReturn: 'STCA',
  proposeBankFees: 'TA',
  listCardsOwed: 'VSTCA',
  getCardSettlement: 'VSTCA',
  proposeCardSettlement: 'TA',
  getBankExplanation: 'VSTCA',
  proposeBankTakeBack: 'TA',
  proposeBankWithdrawal: 'TA',
  uploadBankFile: 'STCA',
  proposeBankFile: 'STCA',
};
const letters: Record<OperatorRole, string> = {
  viewer: 'V',
  support: 'S',
  treasury: 'T',
  compliance: 'C',
  administrator: 'A',
};

/** Where a parameter is no id. */
const placeholders: Record<string, string> = { day: '2020-01-01', asset: 'USDT' };

/** Names things that are not there: enough to learn who may call, too little to do anything. */
function emptyRequest(call: Call) {
  const params = Object.fromEntries(
    [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, placeholders[name ?? ''] ?? newId()]),
  );
  return { params, ...(call.method === 'GET' ? {} : { body: {} }) };
}

test('the two sides share no call, no path and no permission', () => {
  const names = new Set(calls.map(({ name }) => name));
  expect(operatorCalls.filter(({ name, path }) => names.has(name) || !path.startsWith('/operator/'))).toEqual([]);
  expect(calls.filter(({ path }) => path.startsWith('/operator/'))).toEqual([]);
  expect(operatorPermissions.filter((one) => (permissions as readonly string[]).includes(one))).toEqual([]);
});

test('each process registers its own calls and no others; whether the service works, both', () => {
  const own = operatorCalls.map(({ name }) => name);
  expect([...registeredCalls(operator.app)].sort()).toEqual([...own, 'getServiceStatus'].sort());
  expect([...registeredCalls(company.app)].filter((name) => own.includes(name))).toEqual([]);
});

test('the table names every call of the operator', () => {
  expect(Object.keys(oracle).sort()).toEqual(operatorCalls.map(({ name }) => name).sort());
});

describe.each(operatorCalls.map((call) => [call.name, call] as const))('%s', (name, call) => {
  const isPublic = oracle[name] === 'all';

  test('asks for a session of an operator, unless it is public', async () => {
    const credentials = ['', `Bearer ${'x'.repeat(43)}`, `Bearer ${tenant.admin.token}`];
    for (const role of ['finance', 'approver', 'viewer'] as const) {
      credentials.push(`Bearer ${(await company.member(tenant, role)).token}`);
    }
    for (const authorization of credentials) {
      const { status, key } = await operator.ask(call, { ...emptyRequest(call), headers: { authorization } });
      if (isPublic) expect([401, 403]).not.toContain(status);
      else expect({ status, key }).toEqual({ status: 401, key: 'sessionEnded' });
    }
  });

  test.each(operatorRoles)('lets in whom the table says: %s', async (role) => {
    // One of its own: some of these calls end the session.
    const as = ['operatorLogout'].includes(name) ? await operator.operator(role) : people[role];
    const isAllowed = isPublic || oracle[name] === 'in' || oracle[name]?.includes(letters[role]);
    const answer = await operator.ask(call, { ...emptyRequest(call), as });
    if (!isAllowed) expect(answer).toMatchObject({ status: 403, key: 'noPermission' });
    else expect([401, 403]).not.toContain(answer.status);
  });

  test('is not there in the process of companies, whoever asks', async () => {
    for (const token of [null, tenant.admin.token, people.administrator.token]) {
      const answer = await company.app.inject({
        method: call.method,
        url: call.path.replaceAll(/\{\w+\}/g, newId()),
        headers: token === null ? {} : { authorization: `Bearer ${token}` },
      });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ key: 'notFound' });
    }
  });
});

describe.each(calls.map((call) => [call.name, call] as const))('a company’s %s', (name, call) => {
  test('is opened by no operator', async () => {
    if (call.access === 'public') return;
    const url = call.path.replaceAll(/\{\w+\}/g, newId());
    for (const { token } of Object.values(people)) {
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': newId() };
      const answer = await company.app.inject({ method: call.method, url, headers });
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toMatchObject({ key: 'sessionEnded' });
    }
  });

  test('is not there in the operator’s process, whoever asks', async () => {
    if (name === 'getServiceStatus') return;
    const url = call.path.replaceAll(/\{\w+\}/g, newId());
    for (const token of [null, tenant.admin.token, people.administrator.token]) {
      const headers = token === null ? {} : { authorization: `Bearer ${token}` };
      expect((await operator.app.inject({ method: call.method, url, headers })).statusCode).toBe(404);
    }
  });
});

test('each process serves its own web app', async () => {
  for (const [side, app] of [['main', company.app] as const, ['operator', operator.app] as const]) {
    for (const url of ['/', '/sign-in', '/staff']) {
      expect((await app.inject({ url })).body).toBe(`<title>${side}</title>`);
    }
    const document = (await app.inject({ url: '/openapi.json' })).json() as { paths: Record<string, unknown> };
    const paths = Object.keys(document.paths).filter((path) => path !== '/common/status');
    expect(paths.every((path) => path.startsWith('/operator/') === (side === 'operator'))).toBe(true);
  }
});

test('an error is said in the operator’s language', async () => {
  const said = await Promise.all(
    locales.map(async (locale) => {
      const answer = await operator.app.inject({ url: '/operator/me', headers: { 'accept-language': locale } });
      return answer.json().errors[0];
    }),
  );
  expect(new Set(said).size).toBe(3);
});

test('everything that the operator’s people did can be said in every language', async () => {
  const { rows } = await db.operator.pool.query<{ action: string; kind: string }>(
    "select distinct action, subject_kind as kind from audit_event where company_id = '00000000-0000-0000-0000-000000000000'",
  );
  for (const locale of locales) {
    const ids = rows.flatMap(({ action, kind }) => [`audit.action.${action}`, `audit.subject.${kind}`]);
    expect(ids.filter((id) => !hasText(locale, id))).toEqual([]);
  }
});
