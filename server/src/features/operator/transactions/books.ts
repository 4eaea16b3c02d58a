import { formatAmount } from '@causeway/contract/money.ts';
import type { LedgerPosting } from '@causeway/contract/operator-transactions.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** What the ledger has of a transaction. Amounts in minor units. */

interface EntryRow {
  id: string;
  kind: string;
  description: string;
  at: Date;
  correctsId: string | null;
  account: string;
  accountId: string;
  walletId: string;
  asset: string;
  decimals: number;
  amountMinor: bigint;
  balanceAfterMinor: bigint;
}

/**
 * The postings of a transaction, of the gas that was advanced for it, and what corrects them, in the order in which they were made; each with
 * all its entries.
 */
export async function postingsOf(tx: Tx, transactionId: string): Promise<LedgerPosting[]> {
  const { rows } = await sql<EntryRow>`
    with own as (
      select p.id from ledger_posting p
      where p.company_id = company_id() and p.source_id = any (array(
        select ${transactionId}::uuid
        union select s.payment_id from chain_send s where s.company_id = company_id() and s.transfer_id = ${transactionId}))
    )
    select p.id, p.kind, p.description, p.created_at as at, p.corrects_id as "correctsId", a.kind as account, a.id as "accountId",
      a.owner_id as "walletId", e.asset_id as asset, x.decimals, e.amount as "amountMinor", e.balance_after as "balanceAfterMinor"
    from own
    join ledger_posting p on p.company_id = company_id() and p.id = own.id
    join ledger_entry e on e.company_id = p.company_id and e.posting_id = p.id
    join ledger_account a on a.company_id = e.company_id and a.id = e.account_id
    join asset x on x.id = e.asset_id
    order by p.created_at, p.id, e.asset_id, e.amount, a.id`.execute(tx);
  return [...Map.groupBy(rows, ({ id }) => id).values()].map(shown);
}

function shown(entries: readonly EntryRow[]): LedgerPosting {
  const [{ id, kind, description, at, correctsId }] = entries as [EntryRow];
  const sums = [...Map.groupBy(entries, ({ asset }) => asset)].map(([asset, its]) => ({
    asset,
    sum: formatAmount(
      its.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
      its[0]?.decimals ?? 0,
    ),
  }));
  return {
    id,
    kind,
    description,
    at: at.toISOString(),
    correctsId,
    entries: entries.map(({ account, accountId, walletId, asset, decimals, amountMinor, balanceAfterMinor }) => ({
      account,
      accountId,
      walletId,
      asset,
      decimals,
      amount: formatAmount(amountMinor, decimals),
      balanceAfter: formatAmount(balanceAfterMinor, decimals),
    })),
    sums,
  };
}
