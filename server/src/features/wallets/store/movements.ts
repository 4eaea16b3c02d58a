import { isPayout } from '@causeway/contract/payments-rules.ts';
import type { TransactionType } from '@causeway/contract/transactions-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** A wallet as the movements of its money need it. */
export interface WalletFacts {
  id: string;
  isFrozen: boolean;
}

export async function findWalletOf(tx: Tx, chainId: string, coin: string): Promise<WalletFacts | null> {
  const { rows } = await sql<WalletFacts>`
    select id, frozen_at is not null as "isFrozen" from wallet
    where company_id = company_id() and chain_id = ${chainId} and asset_id = ${coin}`.execute(tx);
  return rows[0] ?? null;
}

/** Whether nothing may leave it, since it or its company is frozen. */
export async function isWalletFrozen(tx: Tx, walletId: string): Promise<boolean> {
  const { rows } = await sql`
    select from wallet w where w.company_id = company_id() and w.id = ${walletId} and (w.frozen_at is not null
      or exists (select from company c where c.company_id = w.company_id and c.frozen_at is not null))`.execute(tx);
  return rows.length > 0;
}

/**
 * Holds back the operator's freezes of this company until the transaction ends: what looks afterwards whether something is frozen sees
 * every freeze that has committed, and a later freeze commits after this transaction.
 */
export async function holdFreezes(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(freeze_lock(company_id()))`.execute(tx);
}

/** Why the wallets of a held address are frozen. */
const heldReason = 'address held';

/**
 * Freezes a wallet for the operator. One that is frozen keeps its first reason, unless that is only a hold, which ends by
 * itself. @returns whether it changed
 */
export async function freezeWallet(tx: Tx, walletId: string, reason: string): Promise<boolean> {
  const { rows } = await sql`
    update wallet set frozen_at = coalesce(frozen_at, now()), frozen_reason = ${reason}
    where company_id = company_id() and id = ${walletId} and (frozen_at is null or frozen_reason = ${heldReason})
    returning 1`.execute(tx);
  return rows.length === 1;
}

/** Freezes the open wallets of the company's address on a chain. @returns their ids */
export async function freezeHeld(tx: Tx, chainId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update wallet set frozen_at = now(), frozen_reason = ${heldReason}
    where company_id = company_id() and chain_id = ${chainId} and frozen_at is null returning id`.execute(tx);
  return rows.map((row) => row.id);
}

/** Opens what `freezeHeld` froze, and nothing that is frozen for another reason. @returns their ids */
export async function thawHeld(tx: Tx, chainId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update wallet set frozen_at = null, frozen_reason = null
    where company_id = company_id() and chain_id = ${chainId} and frozen_reason = ${heldReason} returning id`.execute(
    tx,
  );
  return rows.map((row) => row.id);
}

/** Those of these transactions of the company that pay a bank account. */
export async function findPayments(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string; type: TransactionType }>`
    select id, type from transaction where company_id = company_id() and id = any (${[...ids]}::uuid[])`.execute(tx);
  return new Set(rows.filter(({ type }) => isPayout(type)).map(({ id }) => id));
}
