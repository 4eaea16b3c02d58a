import { listAudit } from '@causeway/contract/audit.ts';
import * as files from '@causeway/contract/files.ts';
import * as identity from '@causeway/contract/identity.ts';
import * as account from '@causeway/contract/identity-account.ts';
import { listNotices } from '@causeway/contract/notices.ts';
import { setMemberStatus } from '@causeway/contract/organisation.ts';
import * as payees from '@causeway/contract/payees.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { CompactEncrypt, importJWK, type JWK } from 'jose';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { createInvitation } from '../features/identity/index.ts';
import { notify } from '../features/notices/index.ts';
import { newId } from '../platform/ids.ts';
import { approvalRequests } from './approval-requests.ts';
import { bankPayeeRequests } from './bank-payee-requests.ts';
import { batchRequests } from './batch-drafts.ts';
import { batchRunRequests, filterOfBatch } from './batches.ts';
import { networkFeeRequests } from './bitcoin/network-fee-requests.ts';
import { cardRequests } from './card-requests.ts';
import { randomAddress } from './company.ts';
import { exchangeRequests } from './exchange-requests.ts';
import { solveCaptcha } from './identity.ts';
import { type MainApp, type Member, memberPassword, type Request, type Tenant } from './main-app.ts';
import { invitation, organisationRequests } from './organisation.ts';
import { otcRequests } from './otc-world.ts';
import { ownEvents } from './own-events.ts';
import { type SoftPasskey, softPasskey } from './passkey.ts';
import { paymentRequests } from './payment-requests.ts';
import { present } from './present.ts';
import { rateRequests } from './rate-requests.ts';
import { rechargeRequests } from './recharge-requests.ts';
import { riskRequests } from './risk-requests.ts';
import { statementRequests } from './statement-requests.ts';
import { succeed } from './succeed.ts';
import { arrivedTest, reviewOf, transactionRequests } from './transaction-requests.ts';
import { insertTestTransaction } from './transactions.ts';
import { webhookRequests } from './webhook-requests.ts';

/**
 * For every call of the contract a request that succeeds for this company, with everything that it needs made first. Tests
 * that walk the calls begin here, so a call without an entry fails them.
 */
export const validRequests: Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> = {
  getCaptcha: async () => ({}),
  prepareCaptcha: async (_, { admin }) => ({ body: { scenario: 'login', email: admin.email } }),
  getPasswordKey: async () => ({}),
  sendRegisterCode: async (world) => ({ body: { email: newEmail(), captcha: await captcha(world) } }),
  sendCode: async (world, { admin }) => ({
    body: { scenario: 'forget', email: admin.email, captcha: await captcha(world) },
  }),
  sendUserCode: async (world, tenant) => ({
    as: await world.member(tenant, 'administrator'),
    body: { scenario: 'transaction', subject: { kind: 'transfer', content: await transferContent(world, tenant) } },
  }),
  register: async (world) => {
    const email = newEmail();
    const request = { body: { email, captcha: await captcha(world) } };
    const { ticket } = (await succeed(world, identity.sendRegisterCode, request)).data;
    const expiresAt = new Date(Date.now() + 3_600_000);
    const invitation = await createInvitation(world.db.operator, { label: 'test', expiresAt, operator: 'test' });
    return {
      body: {
        companyName: 'Harbour Trading',
        email,
        ticket,
        code: await world.takeCode(),
        password: await encrypted(world),
        invitationCode: invitation.code,
        agreeTerms: true,
        agreePaymentTerms: true,
        agreePrivacy: true,
      },
    };
  },
  login: async (world, tenant) => ({
    body: {
      loginMethod: 'email',
      email: (await world.member(tenant, 'viewer')).email,
      password: await encrypted(world),
    },
  }),
  logout: async (world, tenant) => ({ as: await world.member(tenant, 'viewer') }),
  reportActivity: async (_, { admin }) => ({ as: admin }),
  getUser: async (_, { admin }) => ({ as: admin }),
  setLanguage: async (_, { admin }) => ({ as: admin, body: { language: 'zh_HK' } }),
  changePassword: async (world, tenant) => {
    const as = await world.member(tenant, 'viewer');
    await succeed(world, identity.sendUserCode, { as, body: { scenario: 'update_psd' } });
    const passwords = { currentPassword: await encrypted(world), newPassword: await encrypted(world, 'Other-Horse2') };
    return { as, body: { ...passwords, method: 'email', code: await world.takeCode() } };
  },
  forgetPassword: async (world, tenant) => {
    const { email } = await world.member(tenant, 'viewer');
    const body = { scenario: 'forget', email, captcha: await captcha(world) };
    const { ticket } = (await succeed(world, identity.sendCode, { body })).data;
    return {
      body: { email, ticket, code: await world.takeCode(), newPassword: await encrypted(world, 'Other-Horse2') },
    };
  },
  checkActivation: async (world, tenant) => ({ body: { token: await invitation(world, tenant) } }),
  activate: async (world, tenant) => ({
    body: { token: await invitation(world, tenant), password: await encrypted(world) },
  }),
  ...organisationRequests,
  getMfa: async (_, { admin }) => ({ as: admin }),
  bindMfa: async (world, tenant) => bindRequest(world, await world.member(tenant, 'viewer')),
  updateUser: async (world, tenant) => ({
    as: await world.member(tenant, 'viewer'),
    body: { firstName: 'Ada', lastName: 'Wong', mobileCountryCode: '852', mobile: '91234567' },
  }),
  unbindMfa: async (world, tenant) => {
    const { as, recoveryCode } = await withAuthenticator(world, tenant);
    return { as, body: { proof: { method: 'recovery', recoveryCode } } };
  },
  getRecoveryCodes: async (_, { admin }) => ({ as: admin }),
  renewRecoveryCodes: async (world, tenant) => {
    const { as, recoveryCode } = await withAuthenticator(world, tenant);
    return { as, body: { proof: { method: 'recovery', recoveryCode } } };
  },
  listPasskeys: async (_, { admin }) => ({ as: admin }),
  startPasskey: async (world, tenant) => {
    const as = await world.member(tenant, 'viewer');
    return { as, body: { proof: await securityProof(world, as, { action: 'addPasskey' }) } };
  },
  addPasskey: async (world, tenant) => {
    const as = await world.member(tenant, 'viewer');
    const { data } = await succeed(world, account.startPasskey, {
      as,
      body: { proof: await securityProof(world, as, { action: 'addPasskey' }) },
    });
    return { as, body: { name: 'Laptop', response: softPasskey().create(data) } };
  },
  renamePasskey: async (world, tenant) => {
    const { as, id } = await withPasskey(world, tenant);
    return { as, params: { id }, body: { name: 'Phone' } };
  },
  removePasskey: async (world, tenant) => {
    const { as, id } = await withPasskey(world, tenant);
    return { as, params: { id }, body: { proof: await securityProof(world, as, { action: 'removePasskey', id }) } };
  },
  startPasskeyLogin: async (world, tenant) => ({ body: { ticket: (await passkeyTicket(world, tenant)).ticket } }),
  loginWithPasskey: async (world, tenant) => {
    const { ticket, passkey } = await passkeyTicket(world, tenant);
    const { data } = await succeed(world, account.startPasskeyLogin, { body: { ticket } });
    return { body: { ticket, response: passkey.get(data) } };
  },
  listSessions: async (_, { admin }) => ({ as: admin }),
  endSession: async (world, tenant) => {
    const as = await world.member(tenant, 'viewer');
    await signInAgain(world, as);
    const { data } = await succeed(world, account.listSessions, { as });
    return { as, params: { id: present(data[1]).id } };
  },
  endOtherSessions: async (world, tenant) => ({ as: await world.member(tenant, 'viewer') }),
  listTrustedBrowsers: async (_, { admin }) => ({ as: admin }),
  removeTrustedBrowser: async (world, tenant) => {
    const as = await world.member(tenant, 'viewer');
    await signInAgain(world, as);
    const { data } = await succeed(world, account.listTrustedBrowsers, { as });
    return { as, params: { id: present(data[0]).id } };
  },
  removeTrustedBrowsers: async (world, tenant) => ({ as: await world.member(tenant, 'viewer') }),
  uploadFile: async (_, { admin }) => ({ as: admin, upload: { name: 'invoice.pdf', content: testPdf } }),
  downloadFile: async (world, tenant) => ({ as: tenant.admin, params: { id: await attachment(world, tenant) } }),
  listNotices: async (_, { admin }) => ({ as: admin }),
  readNotices: async (world, tenant) => ({ as: tenant.admin, query: { ids: await unreadNotice(world, tenant) } }),
  readAllNotices: async (_, { admin }) => ({ as: admin }),
  deleteNotices: async (world, tenant) => ({ as: tenant.admin, query: { ids: await unreadNotice(world, tenant) } }),
  deleteReadNotices: async (_, { admin }) => ({ as: admin }),
  getNoticePreferences: async (_, { admin }) => ({ as: admin }),
  setNoticePreferences: async (_, { admin }) => ({ as: admin, body: { groups: [{ group: 'risk', mail: false }] } }),
  getAlerts: async (_, { admin }) => ({ as: admin }),
  setAlerts: async (_, { admin }) => ({ as: admin, body: { on: { lowBalance: true }, digestHour: 18 } }),
  watchWallet: async (_, { admin, wallets }) => ({ as: admin, params: { id: wallets.USDT }, body: { below: '5' } }),
  getFirstSteps: async (_, { admin }) => ({ as: admin }),
  dismissFirstSteps: async (_, { admin }) => ({ as: admin, body: { dismissed: true } }),
  ...{ ...rateRequests, ...webhookRequests },
  listCryptoPayees: async (_, { admin }) => ({ as: admin }),
  getCryptoPayee: async (world, tenant) => ({ as: tenant.admin, params: { id: await payee(world, tenant) } }),
  addCryptoPayee: async (_, { admin }) => ({ as: admin, body: { id: newId(), ...newPayee() } }),
  editCryptoPayee: async (world, tenant) => ({
    as: tenant.admin,
    body: { id: await payee(world, tenant), label: 'Supplier Ltd', remark: 'quarterly' },
  }),
  deleteCryptoPayee: async (world, tenant) => ({ as: tenant.admin, params: { id: await payee(world, tenant) } }),
  ...bankPayeeRequests,
  checkAddress: async (_, { admin }) => ({ as: admin, query: { chain: 'ethereum', address: randomAddress() } }),
  getOverview: async (_, { admin }) => ({ as: admin }),
  getHistory: async (_, { admin }) => ({ as: admin }),
  getFee: async (_, { admin }) => ({
    as: admin,
    query: { feeType: 'crypto_withdraw_fee', asset: 'USDT', chain: 'ethereum', amount: '5' },
  }),
  listFees: async (_, { admin }) => ({ as: admin }),
  listChains: async (_, { admin }) => ({ as: admin }),
  listWallets: async (_, { admin }) => ({ as: admin }),
  getAddress: async (_, { admin }) => ({ as: admin, query: { chain: 'ethereum' } }),
  listReceivingAddresses: async (_, { admin }) => ({ as: admin, query: { chain: 'ethereum' } }),
  getAddressV2: async (_, { admin }) => ({ as: admin, query: { coin: 'USDT', chain: 'ethereum', amount: '5' } }),
  getStatement: async (_, { admin, wallets }) => ({ as: admin, params: { id: wallets.USDT }, query: { size: '10' } }),
  ...rechargeRequests(attachment),
  ...cardRequests(attachment),
  ...{ ...exchangeRequests, ...otcRequests, ...paymentRequests(attachment), ...networkFeeRequests },
  ...{ ...batchRequests, ...batchRunRequests },
  ...riskRequests,
  transferOut: async (world, tenant) => {
    const content = await transferContent(world, tenant);
    const request = await transferRequest(world, tenant, content);
    return { ...request, body: { ...request.body, restOf: await arrivedTest(world, tenant, content.payeeId) } };
  },
  foreseeReview: async (world, tenant) => ({
    as: tenant.admin,
    query: { walletId: tenant.wallets.USDT, payeeId: await payee(world, tenant), amount: '5' },
  }),
  cancelTransfer: async (world, tenant) => {
    const request = await transferRequest(world, tenant, await transferContent(world, tenant));
    const { data } = await succeed(world, transferOut, request);
    return { ...request, body: { id: data.id } };
  },
  listTransactions: async (world, tenant) => ({ as: tenant.admin, query: await filterOfBatch(world, tenant) }),
  exportTransactions: async (world, tenant) => ({ as: tenant.admin, query: await filterOfBatch(world, tenant) }),
  getTransaction: async (world, tenant) => ({
    as: tenant.admin,
    params: { id: await insertTestTransaction(world.db, tenant) },
  }),
  downloadReceipt: async (world, tenant) => ({
    as: tenant.admin,
    params: { id: await insertTestTransaction(world.db, tenant) },
  }),
  ...transactionRequests,
  ...statementRequests,
  ...approvalRequests,
  adoptApproval: async (world, tenant) => ({ as: tenant.admin, body: { id: await abandonedTask(world, tenant) } }),
  endApproval: async (world, tenant) => ({
    as: tenant.admin,
    body: { id: await abandonedTask(world, tenant), reason: 'the initiator has left' },
  }),
  getServiceStatus: async () => ({}),
  getSupport: async () => ({}),
  streamEvents: async (_, { admin }) => ({ as: admin }),
  listAudit: async (world, tenant) => ({ as: tenant.admin, query: await ownEvents(world, tenant) }),
  getAuditEvent: async (world, tenant) => {
    const query = await ownEvents(world, tenant);
    const { items } = (await succeed(world, listAudit, { as: tenant.admin, query })).data;
    return { as: tenant.admin, params: { id: present(items[0]).id } };
  },
  listAuditFilters: async (_, { admin }) => ({ as: admin }),
  exportAudit: async (world, tenant) => ({
    as: tenant.admin,
    query: { ...(await ownEvents(world, tenant)), format: 'csv' },
  }),
  getAuditKey: async (_, { admin }) => ({ as: admin }),
};

async function bindRequest(world: MainApp, as: Member): Promise<Request> {
  const { secret } = (await succeed(world, identity.getMfa, { as })).data;
  const code = new TOTP({ secret: Secret.fromBase32(present(secret)) }).generate();
  return { as, body: { password: await encrypted(world), code } };
}

async function withAuthenticator(world: MainApp, tenant: Tenant): Promise<{ as: Member; recoveryCode: string }> {
  const as = await world.member(tenant, 'viewer');
  const { data } = await succeed(world, identity.bindMfa, await bindRequest(world, as));
  return { as, recoveryCode: present(data.recoveryCodes[0]) };
}

/** A code by mail, with the password, for one change of how a member signs in. */
export async function securityProof(world: MainApp, as: Member, content: object): Promise<object> {
  const body = { scenario: 'transaction', subject: { kind: 'security', content } };
  await succeed(world, identity.sendUserCode, { as, body });
  return { method: 'email', code: await world.takeCode(), password: await encrypted(world) };
}

/** A member with a passkey that has been used nowhere yet. */
export async function withPasskey(
  world: MainApp,
  tenant: Pick<Tenant, 'id'>,
): Promise<{ as: Member; id: string; passkey: SoftPasskey }> {
  const as = await world.member(tenant, 'viewer');
  const body = { proof: await securityProof(world, as, { action: 'addPasskey' }) };
  const { data } = await succeed(world, account.startPasskey, { as, body });
  const passkey = softPasskey();
  const response = passkey.create(data);
  const made = await succeed(world, account.addPasskey, { as, body: { name: 'Laptop', response } });
  passkey.counter += 1;
  return { as, id: made.data.id, passkey };
}

async function passkeyTicket(world: MainApp, tenant: Tenant): Promise<{ ticket: string; passkey: SoftPasskey }> {
  const { as, passkey } = await withPasskey(world, tenant);
  const body = { loginMethod: 'email', email: as.email, password: await encrypted(world) };
  return { ticket: present((await succeed(world, identity.login, { body })).data.ticket), passkey };
}

/** Once more, in a browser that may skip the code from then on. */
export async function signInAgain(world: MainApp, { email }: Member): Promise<string> {
  const first = { loginMethod: 'email', email, password: await encrypted(world) };
  const { ticket } = (await succeed(world, identity.login, { body: first })).data;
  await succeed(world, identity.sendCode, { body: { scenario: 'login', ticket } });
  const body = { loginMethod: 'email', ticket, code: await world.takeCode(), skipVerification: true };
  return present((await succeed(world, identity.login, { body })).data.accessToken);
}

export const testPdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF', 'latin1');

export { succeed } from './succeed.ts';

/** An unread notice. */
async function unreadNotice(world: MainApp, { id, admin }: Tenant): Promise<string> {
  const values = { amount: '5', coin: 'USDT', chain: 'Ethereum', needed: 6 };
  await world.db.worker.withCompany(id, (tx) =>
    notify(tx, { kind: 'depositCredited', sourceId: newId(), values, link: null }),
  );
  const { items } = (await succeed(world, listNotices, { as: admin, query: { read: 'false' } })).data;
  return present(items[0]).id;
}

export interface TransferBody {
  id: string;
  walletId: string;
  payeeId: string;
  amount: string;
  attachmentIds: string[];
  notes: string;
}

/** A transfer of 5 USDT to a new payee, with one attachment. */
export async function transferContent(world: MainApp, tenant: Tenant): Promise<TransferBody> {
  const [payeeId, file] = [await payee(world, tenant), await attachment(world, tenant)];
  return { id: newId(), walletId: tenant.wallets.USDT, payeeId, amount: '5', attachmentIds: [file], notes: 'rent' };
}

/** A transfer with its code, asked for and taken from the mail; by a member of its own, whose codes are not yet counted. */
export async function transferRequest(
  world: MainApp,
  tenant: Tenant,
  content: object,
  as?: Member,
): Promise<Request & { body: Record<string, unknown> }> {
  const member = as ?? (await world.member(tenant, 'administrator'));
  const body = { scenario: 'transaction', subject: { kind: 'transfer', content } };
  await succeed(world, identity.sendUserCode, { as: member, body });
  return { as: member, body: { ...content, fee: '1', codeMethod: 'email', code: await world.takeCode() } };
}

export async function payee(world: MainApp, tenant: Tenant): Promise<string> {
  return (await succeed(world, payees.addCryptoPayee, { as: tenant.admin, body: newPayee() })).data.id;
}

export function newPayee() {
  return { label: 'Supplier', chain: 'ethereum', coin: 'USDT', address: randomAddress(), remark: 'monthly' };
}

export async function attachment(world: MainApp, tenant: Tenant): Promise<string> {
  const upload = { name: 'invoice.pdf', content: testPdf };
  return (await succeed(world, files.uploadFile, { as: tenant.admin, upload })).data.id;
}

/** The task of a pending transfer whose initiator is no longer active; review is on for its submission alone. */
async function abandonedTask(world: MainApp, tenant: Tenant): Promise<string> {
  await world.member(tenant, 'approver');
  const initiator = await world.member(tenant, 'finance');
  const request = await transferRequest(world, tenant, await transferContent(world, tenant), initiator);
  const setReview = reviewOf(world, tenant);
  await setReview(true);
  const { id } = (await succeed(world, transferOut, request)).data;
  await setReview(false);
  const body = { id: initiator.session.userId, enabled: false };
  await succeed(world, setMemberStatus, { as: tenant.admin, body });
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql<{ id: string }>`select id from approval_task where subject_id = ${id}`.execute(tx),
  );
  return present(rows[0]).id;
}

async function captcha(world: MainApp): Promise<string> {
  return solveCaptcha((await succeed(world, identity.getCaptcha, {})).data);
}

export async function encrypted(world: MainApp, password = memberPassword): Promise<string> {
  const { kty = '', n = '', e = '' } = world.passwordKey as JWK;
  const key = await importJWK({ kty, n, e }, 'RSA-OAEP-256');
  return new CompactEncrypt(new TextEncoder().encode(password))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
    .encrypt(key);
}

function newEmail(): string {
  return `${newId()}@example.com`;
}
