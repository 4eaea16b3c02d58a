import { join } from 'node:path';
import { createDeposit, rejectDeposit, reverseDeposit, settleDeposit } from '@causeway/sandbox/bank/api-deposits.ts';
import { type Bank, startBank } from '@causeway/sandbox/bank/bank.ts';
import { CLIENT_ID } from '@causeway/sandbox/bank/connections.ts';
import {
  createHttpMemory,
  fetchMessages,
  httpAccounts,
  httpGateway,
  type OrderFolder,
  readMessages,
  type TransferDesk,
} from '../features/banks/index.ts';
import { evmAddresses, sourcesByFamily } from '../features/chains/index.ts';
import { settleMoneys } from '../features/rails/index.ts';
import { createWalletOpening } from '../features/wallets/index.ts';
import type { HttpConnection } from '../platform/config/bank-connections.ts';
import type { Database } from '../platform/database/database.ts';
import { createLog } from '../platform/process/log.ts';
import { exampleBank, registerTestBanks } from './bank-registry.ts';
import type { TestDatabase } from './database.ts';

/** The sandbox's bank with an HTTP API, and the product beside it as a worker runs it. */
export interface HttpBank {
  bank: Bank;
  connection: HttpConnection;
  /** Visits the bank, reads and posts; returns how many messages were new. */
  visit(as?: VisitAs): Promise<number>;
  /** From now on as a worker that was started again. */
  restart(): void;
  /** Opens what the company lacks, at the bank as well. */
  openWallets(companyId: string): Promise<void>;
  /** Of each company, at its account of this number; returns the deposit's id. */
  payIn(
    to: string,
    amount: string,
    more?: { status?: 'PENDING' | 'SETTLED'; payer?: string; text?: string },
  ): Promise<string>;
  become(deposit: string, state: 'settled' | 'rejected' | 'reversed'): Promise<void>;
  close(): Promise<void>;
}

/** With orders, or by another worker. */
export interface VisitAs {
  database?: Database;
  deliver?: (bank: string, orders: OrderFolder | TransferDesk) => Promise<unknown>;
  /** Applies what the bank said of orders, before its moneys are posted. */
  settleFirst?: () => Promise<unknown>;
}

const log = createLog('test', 'silent');
const xpub =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP';
const gasTank = '0x00000000000000000000000000000000000000a1';
const treasury = '0x00000000000000000000000000000000000000a2';

/** @param timeoutMs after which a request has no answer; a proof on a busy machine gives it longer */
export async function openHttpBank(db: TestDatabase, timeoutMs = 3000): Promise<HttpBank> {
  const [example] = exampleBank().currencies;
  if (!example) throw new Error('the example has a currency');
  const held = (currency: 'SGD' | 'JPY', collectingAccount: string) => ({ ...example, currency, collectingAccount });
  const currencies = [held('SGD', '70200000001'), held('JPY', '39200000001')];
  const place = { country: 'SG', bic: 'MRDPSGSG', timeZone: 'Asia/Singapore', address: '8 Meridian Quay' };
  const names = { id: 'meridian', name: 'Meridian Payments', nameZhHk: '子午線支付', nameZhCn: '子午线支付' };
  const clearing = { clearingSystem: undefined, clearingCode: undefined, accounts: undefined };
  await registerTestBanks(db, [exampleBank({ ...names, ...place, ...clearing, opensAccounts: true, currencies })]);
  const bank = await startBank({ everyMs: 50, webhookRetryMs: 20 });
  const connection: HttpConnection = {
    bank: 'meridian',
    kind: 'http',
    url: bank.api.url,
    clientId: CLIENT_ID,
    apiKeyFile: join(bank.dir, 'keys/api-key'),
    accountCountries: {},
    pollIntervalMs: 1000,
    timeoutMs,
  };
  const started = () => httpGateway(connection, createHttpMemory(db.worker, 'meridian'));
  let gateway = started();
  const openers = [httpAccounts(connection)];
  const opening = createWalletOpening(db.worker, sourcesByFamily([evmAddresses({ xpub, gasTank, treasury })]), {
    openers,
    log,
  });
  const change = { settled: settleDeposit, rejected: rejectDeposit, reversed: reverseDeposit };
  return {
    bank,
    connection,
    async visit({ database = db.worker, deliver, settleFirst } = {}) {
      const fetched = await fetchMessages({ database, log, ...(deliver ? { deliver } : {}) }, gateway);
      await readMessages(database);
      await settleFirst?.();
      await settleMoneys(database);
      return fetched;
    },
    restart() {
      gateway = started();
    },
    openWallets: (companyId) => opening.open(companyId),
    payIn: (to, amount, { status = 'SETTLED', payer = 'Kowloon Mills', text = 'Invoice 7' } = {}) =>
      bank.change((turn) => {
        const account = turn.all('globalAccounts').find(({ number }) => number === to);
        if (!account) throw new Error(`no account ${to}`);
        const wish = { globalAccount: account.id, amount, payer: { name: payer }, reference: text, status };
        return createDeposit(turn, wish);
      }),
    become: (deposit, state) => bank.change((turn) => change[state](turn, deposit)),
    close: () => bank.stop(),
  };
}
