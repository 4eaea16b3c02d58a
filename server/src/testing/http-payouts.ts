import { addBankPayee } from '@causeway/contract/bank-payees.ts';
import type { Payment } from '@causeway/sandbox/bank/model.ts';
import { announce } from '@causeway/sandbox/bank/outcomes.ts';
import { exportJWK, generateKeyPair } from 'jose';
import { sql } from 'kysely';
import { pino } from 'pino';
import { sendPayment } from '../features/outgoing/index.ts';
import { applyStatuses, bankOrders, createBankRail } from '../features/rails/index.ts';
import { keepPrices } from '../features/rates/index.ts';
import { createOpenSeal } from '../platform/crypto/seal.ts';
import type { Database } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { outgoingKinds } from './chain-families.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type HttpBank, openHttpBank } from './http-bank.ts';
import { type MainApp, mainApp } from './main-app.ts';
import { endToEndOf, type PayingCompany } from './payouts.ts';
import { succeed } from './succeed.ts';

/** Payments out of the sandbox's bank with an HTTP API, from their submission to what the bank books; its own books are the judge. */
export interface HttpPayoutWorld {
  world: MainApp;
  db: TestDatabase;
  http: HttpBank;
  /** What the worker complained of. */
  complaints: string[];
  /** A company with a wallet that the bank has credited, and a payee with an account. */
  company(currency: 'SGD' | 'JPY', wholeUnits: string): Promise<PayingCompany>;
  /** Hands an approved payment over, as the worker's job does. */
  send(companyId: string, id: string, database?: Database): Promise<void>;
  /** Visits the bank with the orders, reads, applies and posts. */
  visit(database?: Database): Promise<void>;
  /** The payments that the bank has of one of ours. */
  atBank(id: string): Payment[];
  /** Something that happens to a payment at the bank, with its events. */
  become(id: string, change: (turn: Parameters<typeof announce>[0], payment: string) => Payment): Promise<void>;
  close(): Promise<void>;
}

export async function httpPayoutWorld(timeoutMs?: number): Promise<HttpPayoutWorld> {
  const db = await testDatabase();
  const http = await openHttpBank(db, timeoutMs);
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
  const world = await mainApp(db, undefined, { authorisationKey: { ...(await exportJWK(privateKey)) } });
  const updatedAt = new Date(Date.now() + 365 * 86_400_000);
  const price = (asset: string, usd: string) => ({ asset, usd, source: 'test', updatedAt });
  await db.worker.withoutCompany((tx) => keepPrices(tx, [price('SGD', '0.74'), price('JPY', '0.0065')]));
  const complaints: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => complaints.push(line) });
  const openSeal = createOpenSeal({ ...(await exportJWK(publicKey)) });
  const atBank = (id: string) =>
    http.bank.records.all('payments').filter(({ endToEndId }) => endToEndId === endToEndOf(id));
  return {
    world,
    db,
    http,
    complaints,
    atBank,
    async company(currency, wholeUnits) {
      const tenant = await world.company();
      await http.openWallets(tenant.id);
      const { rows } = await db.worker.withCompany(tenant.id, (tx) =>
        sql<{ walletId: string; accountNumber: string }>`
          select w.id as "walletId", b.account_number as "accountNumber" from wallet w
          join bank_account b using (company_id, bank_id, asset_id) where company_id = company_id() and asset_id = ${currency}`.execute(
          tx,
        ),
      );
      const [wallet] = rows;
      if (!wallet) throw new Error('the company has no wallet');
      await http.payIn(wallet.accountNumber, wholeUnits);
      await http.visit();
      const body = { id: newId(), label: 'Supplier', ...newPayee(currency) };
      const { account } = (await succeed(world, addBankPayee, { as: tenant.admin, body })).data;
      return { ...tenant, ...wallet, payee: { id: body.id, versionId: account.id, account: account.account } };
    },
    send: (companyId, id, database = db.worker) => {
      const rail = createBankRail({ database, kinds: outgoingKinds, openSeal, log });
      return sendPayment({ database, kinds: outgoingKinds, rails: [rail] }, companyId, id);
    },
    async visit(database = db.worker) {
      await http.visit({
        database,
        deliver: bankOrders(database, outgoingKinds).deliver,
        settleFirst: () => applyStatuses(database, outgoingKinds),
      });
    },
    async become(id, change) {
      const [payment] = atBank(id);
      if (!payment) throw new Error('the bank has it');
      await http.bank.change((turn) => announce(turn, [change(turn, payment.id)]));
    },
    async close() {
      await world.close();
      await http.close();
      await db.close();
    },
  };
}

let lastAccount = 700_000_000;

function newPayee(currency: 'SGD' | 'JPY') {
  lastAccount += 1;
  const account = String(lastAccount);
  const enterprise = { holder: 'enterprise', enterpriseName: `Marina Supplies ${account} Pte Ltd` } as const;
  if (currency === 'SGD')
    return { ...enterprise, country: 'SG', currency, way: 'sgFast', bic: 'DBSSSGSG', account } as const;
  const branch = { bankCode: '0005', branchCode: '001', accountType: 'ordinary', account: account.slice(-7) } as const;
  return {
    ...enterprise,
    country: 'JP',
    currency,
    way: 'jpZengin',
    holderName: 'カ）マリナ',
    ...branch,
    purpose: 'GDDS',
  } as const;
}
