import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';

/** What a member confirmed; never changed. */

export interface ConfirmationRow {
  id: string;
  tradeId: string;
  /** SHA-256, hex. */
  digest: string;
  walletId: string;
  initiatorId: string;
  initiatorName: string;
  createdAt: Date;
}

export async function insertConfirmation(tx: Tx, confirmation: Omit<ConfirmationRow, 'createdAt'>): Promise<void> {
  await sql`
    insert into trade_confirmation (company_id, id, trade_id, digest, wallet_id, initiator_id, initiator_name)
    values (company_id(), ${confirmation.id}, ${confirmation.tradeId}, ${Buffer.from(confirmation.digest, 'hex')}, ${confirmation.walletId},
      ${confirmation.initiatorId}, ${confirmation.initiatorName})`.execute(tx);
}

export async function readConfirmation(tx: Tx, id: string): Promise<ConfirmationRow | null> {
  const { rows } = await sql<ConfirmationRow>`
    select id, trade_id as "tradeId", encode(digest, 'hex') as digest, wallet_id as "walletId", initiator_id as "initiatorId",
      initiator_name as "initiatorName", created_at as "createdAt"
    from trade_confirmation where company_id = company_id() and id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** The wallet out of which a confirmation froze. */
export async function walletOfConfirmation(tx: Tx, id: string): Promise<string> {
  const confirmation = await readConfirmation(tx, id);
  invariant(confirmation, `confirmation ${id} is kept`);
  return confirmation.walletId;
}

/** What pays a trade: the company's wallet of its coin on its chain. */
export interface PayingWallet {
  id: string;
  availableMinor: bigint;
  isFrozen: boolean;
  /** Its company. */
  companyFrozen: boolean;
  /** US dollars for a whole coin; null while none is known. */
  price: { usd: string; updatedAt: Date } | null;
  family: string;
}

/** Null where the company has no such wallet. */
export async function findPayingWallet(tx: Tx, chainId: string, asset: string): Promise<PayingWallet | null> {
  const { rows } = await sql<Omit<PayingWallet, 'price'> & { usd: string | null; pricedAt: Date | null }>`
    select w.id, l.balance as "availableMinor", w.frozen_at is not null as "isFrozen", company.frozen_at is not null as "companyFrozen",
      r.usd::text, r.updated_at as "pricedAt", c.family
    from wallet w
    join company on company.company_id = w.company_id
    join chain c on c.id = w.chain_id
    join ledger_account l on l.company_id = w.company_id and l.owner_id = w.id and l.kind = 'available'
    left join rate r on r.asset_id = w.asset_id
    where w.company_id = company_id() and w.chain_id = ${chainId} and w.asset_id = ${asset}`.execute(tx);
  const [row] = rows;
  if (!row) return null;
  const { usd, pricedAt, ...wallet } = row;
  return { ...wallet, price: usd === null || pricedAt === null ? null : { usd, updatedAt: pricedAt } };
}

/** The company's payee at the seller's address; null: it has none. */
export async function findRecipient(
  tx: Tx,
  chainId: string,
  asset: string,
  address: string,
): Promise<{ id: string; name: string; usable: boolean } | null> {
  const { rows } = await sql<{ id: string; name: string; usable: boolean }>`
    select id, label as name, status = 'usable' as usable from crypto_payee
    where company_id = company_id() and chain_id = ${chainId} and coin = ${asset} and address = ${address} and status <> 'deleted'`.execute(
    tx,
  );
  return rows[0] ?? null;
}
