import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import type { Obstruction } from '../../transactions/index.ts';

/** What the rails of chains know of a transaction beside its row. */

/** Hashes under which a payment was broadcast, the newest first. */
export async function readBroadcastHashes(tx: Tx, transferId: string): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select hash from chain_send
    where company_id = company_id() and transfer_id = ${transferId} and kind = 'transfer'
      and first_broadcast_at is not null and not is_empty
    order by attempt desc`.execute(tx);
  return rows.map((row) => row.hash);
}

/** What is known of a deposit that waits for a block, and the cheapest rate that is published for its chain. */
export interface WaitingTerms {
  replaceable: boolean;
  /** Thousandths of a satoshi per virtual byte; null while it is not known. */
  feeRate: number | null;
  /** Null until rates are published. */
  economyRate: number | null;
  urgentRate: number | null;
}

/** Null for a deposit that a block has, and for what is none. */
export async function findWaitingTerms(tx: Tx, transactionId: string): Promise<WaitingTerms | null> {
  const { rows } = await sql<WaitingTerms>`
    select d.replaceable, d.fee_rate as "feeRate", r.economy as "economyRate", r.urgent as "urgentRate"
    from deposit d left join bitcoin_fee_rate r on r.chain_id = d.chain_id
    where d.company_id = company_id() and d.transaction_id = ${transactionId} and d.state = 'inbound'
      and d.block_number is null and d.replaceable is not null`.execute(tx);
  return rows[0] ?? null;
}

/**
 * Why a pending payment does not go on although its stage would let it; null when nothing is in its way. `behind` is the payment whose
 * nonce comes first, where the chain's family counts them.
 */
export async function findObstruction(tx: Tx, transferId: string): Promise<Obstruction | null> {
  const { rows } = await sql<{
    isSuperseded: boolean;
    isCoinLost: boolean;
    isRestoring: boolean;
    isHeld: boolean;
    isMined: boolean;
    isReplaced: boolean;
    isSigned: boolean;
    isCompanyFrozen: boolean;
    isWalletFrozen: boolean;
    isSwitchedOff: boolean;
    waitsFor: 'exchanged' | 'swept' | null;
    behind: string | null;
  }>`
    select exists (select from restore_mode where released_at is null) as "isRestoring",
      coalesce(bool_and(s.superseded_at is not null), false) as "isSuperseded",
      exists (select from bitcoin_lost_coin l where l.company_id = company_id() and l.payment_id = t.id) as "isCoinLost",
      exists (select from sender_hold h where h.company_id = company_id() and h.chain_id = t.chain_id) as "isHeld",
      coalesce(bool_or(s.mined_block is not null and not s.is_empty), false) as "isMined",
      coalesce(bool_or(s.is_empty or s.empty_wanted_at is not null), false) as "isReplaced", coalesce(bool_or(s.raw is not null), false) as "isSigned",
      exists (select from company c where c.company_id = company_id() and c.frozen_at is not null) as "isCompanyFrozen",
      exists (select from wallet w where w.company_id = company_id() and w.id = t.wallet_id and w.frozen_at is not null) as "isWalletFrozen",
      exists (select from chain c left join chain_asset ca on ca.chain_id = c.id and ca.coin = t.coin
        where c.id = t.chain_id and (c.paused or ca.withdrawals_paused)) as "isSwitchedOff",
      (select x.cause from settlement_wait x where x.company_id = company_id() and x.transaction_id = t.id) as "waitsFor",
      (select o.transfer_id from chain_send o
        where o.company_id = company_id() and o.chain_id = t.chain_id and o.kind = 'transfer' and o.final_at is null
          and o.transfer_id <> t.id and o.nonce is not null and (max(s.nonce) is null or o.nonce < max(s.nonce))
        group by o.transfer_id, o.nonce having not bool_or(o.mined_block is not null)
        order by o.nonce limit 1) as behind
    from transaction t
    left join chain_send s on s.company_id = t.company_id and s.transfer_id = t.id and s.kind = 'transfer'
    where t.company_id = company_id() and t.id = ${transferId} and t.chain_id is not null
      -- That leaves from a bank.
      and t.type <> 'crypto_payout'
      and t.stage in ('approved', 'signing', 'broadcast')
    group by t.id, t.chain_id, t.coin, t.wallet_id`.execute(tx);
  const row = rows[0];
  if (!row || row.isMined) return null;
  if (row.isSuperseded && row.isCoinLost) return { text: 'transaction.waiting.coinGone', behind: null };
  if (row.isSuperseded) return { text: 'transaction.waiting.superseded', behind: null };
  if (row.isRestoring) return { text: 'transaction.waiting.restoring', behind: null };
  if (row.isHeld) return { text: 'transaction.waiting.held', behind: null };
  if (row.isReplaced) return { text: 'transaction.waiting.emptied', behind: null };
  if (row.isCoinLost) return { text: 'transaction.waiting.coinMissing', behind: null };
  // What is signed goes its way.
  if (!row.isSigned && row.isCompanyFrozen) return { text: 'transaction.waiting.companyFrozen', behind: null };
  if (!row.isSigned && row.isWalletFrozen) return { text: 'transaction.waiting.walletFrozen', behind: null };
  if (!row.isSigned && row.isSwitchedOff) return { text: 'transaction.waiting.switchedOff', behind: null };
  if (!row.isSigned && row.waitsFor !== null) return { text: `transaction.waiting.${row.waitsFor}Coins`, behind: null };
  return row.behind === null ? null : { text: 'transaction.waiting.behind', behind: row.behind };
}
