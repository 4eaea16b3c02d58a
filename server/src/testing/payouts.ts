import { addBankPayee } from '@causeway/contract/bank-payees.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { createPayment, fiatTransferOut } from '@causeway/contract/payments.ts';
import { getTransaction } from '@causeway/contract/transactions.ts';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect } from 'vitest';
import type { OrderFolder } from '../features/banks/index.ts';
import { sendPayment } from '../features/outgoing/index.ts';
import { deliverOrders } from '../features/rails/bank/payouts/delivering.ts';
import { makeOrders } from '../features/rails/bank/payouts/orders.ts';
import { applyStatuses, createBankRail, settleMoneys } from '../features/rails/index.ts';
import { keepPrices } from '../features/rates/index.ts';
import { createOpenSeal, createSeal, type Seal } from '../platform/crypto/seal.ts';
import type { Database } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { keepFile, notification, type TestBooking, takeIn } from './bank-intake.ts';
import { document, header } from './bank-messages.ts';
import { newBankAccount } from './bank-payee-requests.ts';
import { openTestBank, openTestBankWallet } from './banks.ts';
import { outgoingKinds } from './chain-families.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type MainApp, type MainAppOptions, mainApp, type Request, type Tenant } from './main-app.ts';
import { succeed } from './succeed.ts';

/** Payments out of the test's bank (`openTestBank`), from their submission to what the bank books. */

export const testBank = 'harbour-hk';

export interface PayoutWorld {
  world: MainApp;
  db: TestDatabase;
  /** The bank's folder, as the bank would find it. */
  folder: TestFolder;
  /** As the HTTP process seals. */
  seal: Seal;
  publicKey: JWK;
  /** What the worker complained of. */
  complaints: string[];
  /** A company with a wallet in Hong Kong dollars that the bank has credited, and a payee with an account. */
  company(wholeUnits: string): Promise<PayingCompany>;
  /** Hands an approved payment over, as the worker's job does. */
  send(companyId: string, id: string, database?: Database): Promise<void>;
  /** Makes orders and puts them into the folder. */
  order(folder?: OrderFolder, database?: Database): Promise<void>;
  /** A file of the bank's, read, applied and posted. */
  bankSays(content: string, name?: string): Promise<void>;
  close(): Promise<void>;
}

export interface PayingCompany extends Tenant {
  walletId: string;
  accountNumber: string;
  payee: { id: string; versionId: string; account: string };
}

/** `ofMain`: what the company's process has of the database. */
export async function payoutWorld(
  ofMain = (database: Database) => database,
  options: Pick<MainAppOptions, 'rowsAtOnce'> = {},
): Promise<PayoutWorld> {
  const db = await testDatabase();
  await openTestBank(db);
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
  const world = await mainApp({ ...db, app: ofMain(db.app) }, undefined, {
    ...options,
    authorisationKey: { ...(await exportJWK(privateKey)) },
  });
  const updatedAt = new Date(Date.now() + 365 * 86_400_000);
  await db.worker.withoutCompany((tx) => keepPrices(tx, [{ asset: 'HKD', usd: '0.128', source: 'test', updatedAt }]));
  const complaints: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => complaints.push(line) });
  const openSeal = createOpenSeal({ ...(await exportJWK(publicKey)) });
  const sendingIn = (database: Database) => {
    const rail = createBankRail({ database, kinds: outgoingKinds, openSeal, log });
    return { database, kinds: outgoingKinds, rails: [rail] };
  };
  const folder = testFolder();
  const order = async (into: OrderFolder = folder, database: Database = db.worker) => {
    await makeOrders(database, testBank, new Date());
    await deliverOrders(database, testBank, into);
  };
  return {
    world,
    db,
    seal: createSeal({ ...(await exportJWK(privateKey)) }),
    publicKey: await exportJWK(publicKey),
    folder,
    complaints,
    order,
    async company(wholeUnits) {
      const tenant = await world.company();
      const { id: walletId, number: accountNumber } = await openTestBankWallet(db, tenant.id, 'HKD');
      // The bank's fee for what arrives is 15.00.
      await takeIn(
        db,
        notification([{ amount: wholeUnits, details: [{ to: accountNumber, payer: 'Customer' }], ref: newId() }]),
      );
      const body = { id: newId(), label: 'Bank supplier', ...newBankAccount() };
      const { account } = (await succeed(world, addBankPayee, { as: tenant.admin, body })).data;
      return {
        ...tenant,
        walletId,
        accountNumber,
        payee: { id: body.id, versionId: account.id, account: account.account },
      };
    },
    send: (companyId, id, database = db.worker) => sendPayment(sendingIn(database), companyId, id),
    async bankSays(content, name) {
      await takeIn(db, content, name);
      await applyStatuses(db.worker, outgoingKinds);
      await settleMoneys(db.worker);
    },
    async close() {
      await world.close();
      await db.close();
    },
  };
}

export interface TestFolder extends OrderFolder {
  files: Map<string, Buffer>;
  /** Takes every whole file away, as the bank does. */
  take(): { name: string; text: string }[];
}

const ending = '.tmp';

/** A folder that behaves as an SFTP server's does. */
function testFolder(): TestFolder {
  const files = new Map<string, Buffer>();
  return {
    kind: 'folder',
    files,
    async look(name) {
      if (files.has(name)) return 'whole';
      return files.has(name + ending) ? 'unfinished' : 'none';
    },
    async put(name, content) {
      files.set(name + ending, Buffer.from(content));
    },
    async finish(name) {
      const content = files.get(name + ending);
      if (!content || files.has(name)) throw new Error(`${name} cannot be renamed`);
      files.delete(name + ending);
      files.set(name, content);
    },
    take() {
      const whole = [...files].filter(([name]) => !name.endsWith(ending));
      for (const [name] of whole) files.delete(name);
      return whole.map(([name, content]) => ({ name, text: content.toString('utf8') }));
    },
  };
}

export interface Wish {
  amount: string;
  form?: 'transfer' | 'payment';
  fee?: string;
  remittance?: string;
  purpose?: string;
  charges?: string;
  attachmentIds?: string[];
  notes?: string;
  payeeId?: string;
  versionId?: string;
}

/** A request to pay, with a code that is bound to it. */
export async function payoutRequest(
  { world }: Pick<PayoutWorld, 'world'>,
  company: PayingCompany,
  wish: Wish,
): Promise<Request & { body: Record<string, unknown> & { id: string } }> {
  const { fee = '0', form = 'transfer', ...rest } = wish;
  const content = {
    id: newId(),
    form,
    walletId: company.walletId,
    payeeId: company.payee.id,
    versionId: company.payee.versionId,
    attachmentIds: [],
    ...rest,
  };
  const code = { scenario: 'transaction', subject: { kind: 'payout', content } };
  const { key } = await world.ask(sendUserCode, { as: company.admin, body: code });
  if (key === 'tooManyRequests') {
    // In many rounds one person would ask for more codes than one may: another goes on.
    company.admin = await world.member(company, 'administrator');
    await succeed(world, sendUserCode, { as: company.admin, body: code });
  } else expect(key).toBeNull();
  const proof = { fee, codeMethod: 'email', code: await world.takeCode() };
  return {
    as: company.admin,
    body: { ...content, ...(form === 'payment' ? { kind: 'fiat_payout' } : {}), ...proof },
  };
}

/** Submits it. @returns its id */
export async function submitted(test: Pick<PayoutWorld, 'world'>, company: PayingCompany, wish: Wish): Promise<string> {
  const request = await payoutRequest(test, company, wish);
  const call = wish.form === 'payment' ? createPayment : fiatTransferOut;
  return (await succeed(test.world, call, request)).data.id;
}

/** Submits it, and has the bank ordered to make it. */
export async function ordered(test: PayoutWorld, company: PayingCompany, wish: Wish): Promise<string> {
  const id = await submitted(test, company, wish);
  await test.send(company.id, id);
  await test.order();
  return id;
}

export async function detailOf({ world }: Pick<PayoutWorld, 'world'>, company: PayingCompany, id: string) {
  return (await succeed(world, getTransaction, { as: company.admin, params: { id } })).data;
}

export const endToEndOf = (id: string): string => id.replaceAll('-', '').toUpperCase();

/** What the wallet has, in minor units. */
export async function balancesOf(
  { db }: Pick<PayoutWorld, 'db'>,
  { id, walletId }: PayingCompany,
): Promise<Record<string, bigint>> {
  const { rows } = await db.app.withCompany(id, (tx) =>
    sql<{ kind: string; balance: bigint }>`
      select kind, balance from ledger_account where company_id = company_id() and owner_id = ${walletId}`.execute(tx),
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
}

/** In which message of ours a payment is. */
export async function messageOf({ db }: Pick<PayoutWorld, 'db'>, id: string): Promise<string> {
  const { rows } = await db.operator.withoutCompany((tx) =>
    sql<{ messageId: string }>`
      select o.message_id as "messageId" from bank_order_line l join bank_order o on o.id = l.order_id
      where l.transaction_id = ${id}`.execute(tx),
  );
  return rows[0]?.messageId ?? '';
}

let lastReport = 0;

export interface TestStatus {
  /** Of the payment; without any of the three it is of the whole message. */
  endToEnd?: string;
  instruction?: string;
  uetr?: string;
  status: string;
  reason?: string;
  words?: string;
}

/** A pain.002 about one message of ours. */
export function statusReport(messageId: string, statuses: readonly TestStatus[]): string {
  const why = ({ reason, words }: TestStatus) =>
    reason === undefined
      ? ''
      : `<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn>${words === undefined ? '' : `<AddtlInf>${words}</AddtlInf>`}</StsRsnInf>`;
  const named = (name: string, text: string | undefined) => (text === undefined ? '' : `<${name}>${text}</${name}>`);
  const namesOf = ({ endToEnd, instruction, uetr }: TestStatus) =>
    named('OrgnlInstrId', instruction) + named('OrgnlEndToEndId', endToEnd) + named('OrgnlUETR', uetr);
  const whole = statuses.find((each) => namesOf(each) === '');
  const parts = statuses
    .filter((each) => namesOf(each) !== '')
    .map((each) => `<TxInfAndSts>${namesOf(each)}<TxSts>${each.status}</TxSts>${why(each)}</TxInfAndSts>`)
    .join('');
  lastReport += 1;
  return document(
    'pain.002.001.10',
    'CstmrPmtStsRpt',
    `${header.replace('MSG-1', `R-${lastReport}`)}<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId>` +
      `<OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${whole ? `<GrpSts>${whole.status}</GrpSts>${why(whole)}` : ''}</OrgnlGrpInfAndSts>` +
      (parts === ''
        ? ''
        : `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${messageId}</OrgnlPmtInfId>${parts}</OrgnlPmtInfAndSts>`),
  );
}

/** The bank's booking of a payment, as the test's notifications and statements have it. */
export function paid(id: string, amount: string, ref = `D-${id.slice(-12)}`): TestBooking {
  return { amount, sign: 'DBIT', ref, details: [{ e2e: endToEndOf(id) }] };
}

/** What came back of one. */
export function sentBack(
  id: string,
  amount: string,
  ref = `B-${id.slice(-12)}`,
  returnedWords: readonly string[] = [],
): TestBooking {
  return { amount, ref, details: [{ e2e: endToEndOf(id), text: 'RETURN', returned: 'AC04', returnedWords }] };
}

export { keepFile, notification };
