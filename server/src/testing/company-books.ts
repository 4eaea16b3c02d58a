import { sql } from 'kysely';
import { expect } from 'vitest';
import { type AccountKind, accountsOf, verifyLedger } from '../features/ledger/index.ts';
import type { TestDatabase } from './database.ts';

/** A wallet's balances by kind of account, in minor units; those of nothing left out. */
export async function walletBalances(
  db: TestDatabase,
  companyId: string,
  walletId: string,
): Promise<Partial<Record<AccountKind, bigint>>> {
  const accounts = await db.worker.withCompany(companyId, (tx) => accountsOf(tx, [walletId]));
  const standing = accounts.filter(({ balanceMinor }) => balanceMinor !== 0n);
  return Object.fromEntries(standing.map(({ kind, balanceMinor }) => [kind, balanceMinor]));
}

/** Each of the company's balances is the sum of its entries, and all of them together are nothing. */
export async function expectCompanyBooks(db: TestDatabase, companyId: string): Promise<void> {
  const { rows } = await db.worker.withCompany(companyId, (tx) =>
    sql<{ balance: bigint; version: number; total: bigint; entries: number }>`
      select a.balance, a.version, coalesce(sum(e.amount), 0) as total, count(e.amount) as entries
      from ledger_account a
      left join ledger_entry e on e.company_id = a.company_id and e.account_id = a.id
      where a.company_id = company_id() group by a.company_id, a.id`.execute(tx),
  );
  for (const { balance, version, total, entries } of rows) expect([balance, version]).toEqual([total, entries]);
  expect(rows.reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n);
}

/** The whole ledger recomputed from its entries agrees with itself. */
export async function expectLedgerToAgree(db: TestDatabase): Promise<void> {
  const { mismatches } = await db.operator.withoutCompany(verifyLedger);
  expect(mismatches).toEqual([]);
}
