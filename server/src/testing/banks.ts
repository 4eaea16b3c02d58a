import { sql } from 'kysely';
import pg from 'pg';
import { accountsByKind, move, post } from '../features/ledger/index.ts';
import { openBankWallet } from '../features/wallets/index.ts';
import { newId } from '../platform/ids.ts';
import type { TestDatabase } from './database.ts';

/** The test's bank `harbour-hk`, which holds Hong Kong dollars (a recharge costs 15.00) and yen. */
export async function openTestBank(db: TestDatabase): Promise<void> {
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  try {
    await client.query(
      `insert into causeway.bank (id, name, name_zh_hk, name_zh_cn, country, bic, clearing_code)
       values ('harbour-hk', 'Harbour Bank', '海港銀行', '海港银行', 'HK', 'HARBHKHH', '999')`,
    );
    await client.query(
      `insert into causeway.bank_asset (bank_id, asset_id, recharge_fee, collecting_account)
       values ('harbour-hk', 'HKD', 1500, '998001000000001'), ('harbour-hk', 'JPY', 0, '998001000000002')`,
    );
  } finally {
    await client.end();
  }
}

/** Adds an account of the installation at the test's bank, beside the one that its registry names. */
export async function openTestCollection(db: TestDatabase, number: string): Promise<void> {
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  try {
    await client.query(
      `insert into causeway.bank_collection (id, bank_id, asset_id, number)
       values (gen_random_uuid(), 'harbour-hk', 'HKD', $1)`,
      [number],
    );
  } finally {
    await client.end();
  }
}

let lastAccount = 100_000_000;

/** Opens a company's wallet at the test's bank, as the worker does; returns its id and account number. */
export async function openTestBankWallet(
  db: TestDatabase,
  companyId: string,
  currency: 'HKD' | 'JPY',
): Promise<{ id: string; number: string }> {
  const number = String(++lastAccount);
  const account = { holderName: 'Pearl River Trading Limited', accountNumber: number, branchCode: null, iban: null };
  const id = await db.worker.withCompany(companyId, (tx) =>
    openBankWallet(tx, { bank: 'harbour-hk', currency, account }),
  );
  return { id, number };
}

/** Puts money into a wallet at a bank: from the bank into one of its figures, in minor units. */
export async function creditAtBank(
  db: TestDatabase,
  companyId: string,
  walletId: string,
  amountMinor: bigint,
  kind: 'available' | 'outbound' | 'inbound' = 'available',
): Promise<void> {
  await db.worker.withCompany(companyId, async (tx) => {
    const accounts = await accountsByKind(tx, walletId, ['bank', kind]);
    const legs = move(accounts.bank.id, accounts[kind].id, amountMinor);
    await post(tx, { id: newId(), kind: 'deposit.credited', sourceId: newId(), description: 'test', legs });
  });
}

/** Writes a completed payment into a wallet at a bank and its credit, as the posting of a statement's entry will; returns its id. */
export async function insertBankDeposit(
  db: TestDatabase,
  companyId: string,
  wallet: { id: string; number: string },
  deposit: {
    currency: 'HKD' | 'JPY';
    quantityMinor: bigint;
    payerName: string;
    payerAccount: string;
    valueDate?: string;
    bankReference?: string;
  },
): Promise<string> {
  const id = newId();
  const { currency, quantityMinor, payerName, payerAccount, valueDate, bankReference } = deposit;
  await db.worker.withCompany(companyId, (tx) =>
    sql`
      insert into transaction (company_id, id, type, status, stage, direction, wallet_id, coin, quantity, payer_name,
        payer_account, payee_account, value_date, bank_reference, completed_at)
      values (company_id(), ${id}, 'fiat_deposit', 'completed', 'credited', 'in', ${wallet.id}, ${currency},
        ${quantityMinor.toString()}, ${payerName}, ${payerAccount}, ${wallet.number}, ${valueDate ?? null}::date,
        ${bankReference ?? null}, now())`.execute(tx),
  );
  return id;
}
