import { sql } from 'kysely';
import type { Tx } from '../../../platform/database.ts';

/** A wallet as the movements of its money need it. */
export interface WalletFacts {
  id: string;
  isFrozen: boolean;
}

export async function findWalletOf(tx: Tx, chainId: string, coin: string): Promise<WalletFacts | null> {
  const { rows } = await sql<WalletFacts>`
    select id, frozen_at is not null as "isFrozen" from wallet
    where company_id = company_id() and chain_id = ${chainId} and coin = ${coin}`.execute(tx);
  return rows[0] ?? null;
}

/** Freezes a wallet for the operator; one that is frozen keeps its first reason. Answers whether it was open. */
export async function freezeWallet(tx: Tx, walletId: string, reason: string): Promise<boolean> {
  const { rows } = await sql`
    update wallet set frozen_at = now(), frozen_reason = ${reason}
    where company_id = company_id() and id = ${walletId} and frozen_at is null returning 1`.execute(tx);
  return rows.length === 1;
}

/** The company's own address on a chain; null before its wallets are open. */
export async function ownAddress(tx: Tx, chainId: string): Promise<string | null> {
  const { rows } = await sql<{ address: string }>`
    select address from chain_address where company_id = company_id() and chain_id = ${chainId}`.execute(tx);
  return rows[0]?.address ?? null;
}
