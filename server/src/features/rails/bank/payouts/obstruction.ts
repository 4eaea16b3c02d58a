import { sql } from 'kysely';
import type { Tx } from '../../../../platform/database/database.ts';
import type { Obstruction } from '../../../transactions/index.ts';

/** Why a payment out of a bank does not go on although its stage would let it; null when nothing is in its way, and of other payments. */
export async function findPayoutObstruction(tx: Tx, id: string): Promise<Obstruction | null> {
  const { rows } = await sql<{
    isRestoring: boolean;
    isCompanyFrozen: boolean;
    isWalletFrozen: boolean;
    isClosed: boolean;
    isOrdered: boolean;
  }>`
    select exists (select from restore_mode where released_at is null) as "isRestoring",
      exists (select from company c where c.company_id = company_id() and c.frozen_at is not null) as "isCompanyFrozen",
      w.frozen_at is not null as "isWalletFrozen", not b.enabled or not ba.enabled or ba.payouts_paused or ba.payouts_off as "isClosed",
      p.message_id is not null as "isOrdered"
    from transaction t
    join payout p on p.company_id = t.company_id and p.transaction_id = t.id
    join wallet w on w.company_id = t.company_id and w.id = coalesce(p.wallet_id, t.wallet_id)
    join bank b on b.id = p.bank_id
    join bank_asset ba on ba.bank_id = p.bank_id and ba.asset_id = p.asset_id
    where t.company_id = company_id() and t.id = ${id} and t.stage in ('approved', 'instructed')`.execute(tx);
  const [row] = rows;
  // What the bank has goes its way.
  if (!row || row.isOrdered) return null;
  const of = (reason: string): Obstruction => ({ text: `transaction.waiting.${reason}`, behind: null });
  if (row.isRestoring) return of('restoring');
  if (row.isCompanyFrozen) return of('companyFrozen');
  if (row.isWalletFrozen) return of('walletFrozen');
  return row.isClosed ? of('payoutsOff') : null;
}
