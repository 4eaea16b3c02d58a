import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../platform/database/database.ts';
import { eachPayment } from '../chains/index.ts';

/** What the operator reads and decides of payments that only the chain knows. Amounts in minor units. */

export interface HeldAddress {
  /** The nil UUID for the gas tank. */
  companyId: string;
  company: string;
  chain: string;
  address: string;
  reason: string;
  /** How many transactions the chain counts, and how many nonces we gave. */
  chainNonce: number;
  nextNonce: number;
  acceptedNonce: number | null;
  unexplained: number;
  heldAt: Date;
}

export async function findHeldAddresses(tx: PlatformTx, most = 1000): Promise<HeldAddress[]> {
  const { rows } = await sql<HeldAddress>`
    select h.company_id as "companyId", coalesce(c.name, 'the gas tank') as company, h.chain_id as chain, h.address, h.reason,
      h.chain_nonce as "chainNonce", h.next_nonce as "nextNonce", h.accepted_nonce as "acceptedNonce",
      (select count(*) from unexplained_payment u
        where u.chain_id = h.chain_id and u.from_address = h.address and u.state = 'open') as unexplained,
      h.held_at as "heldAt"
    from sender_hold h left join company c on c.company_id = h.company_id order by h.held_at limit ${most}`.execute(tx);
  return rows;
}

export interface UnexplainedRow {
  id: string;
  companyId: string;
  /** Null for the gas tank. */
  company: string | null;
  chainId: string;
  fromAddress: string;
  nonce: number | null;
  toAddress: string | null;
  coin: string | null;
  decimals: number | null;
  amountMinor: bigint;
  networkFeeWei: bigint;
  succeeded: boolean;
  hash: string;
  blockNumber: number;
  seenAt: Date;
  state: string;
  decision: string | null;
  obstacle: string | null;
  journaledId: string | null;
  /** Whether our signer could have made the transaction, and it moved nothing else. */
  isSignable: boolean;
}

/** The journal's word on a payment: the same sender and nonce, or the same transaction; and the same payee, coin and amount. */
const journaled = sql`
  select m.transfer_id from signer_journal j ${eachPayment}
  where j.company_id = u.company_id and j.kind = 'transfer' and j.chain_id = u.chain_id
    and case when j.plan is null then j.from_address = u.from_address and j.nonce = u.nonce else j.tx_hash = u.hash end
    and lower(m.to_address) = lower(u.to_address) and j.coin = u.coin and m.amount = u.amount
  limit 1`;

/** Open payments, the oldest first; one of any state when its id is named. */
export async function findUnexplained(tx: PlatformTx, id: string | null, most = 1000): Promise<UnexplainedRow[]> {
  const { rows } = await sql<UnexplainedRow>`
    select u.id, u.company_id as "companyId", c.name as company, u.chain_id as "chainId",
      u.from_address as "fromAddress", u.nonce, u.to_address as "toAddress", u.coin, a.decimals,
      u.amount as "amountMinor", u.network_fee as "networkFeeWei", u.succeeded, u.hash, u.block_number as "blockNumber",
      u.seen_at as "seenAt", u.state, u.decision, u.obstacle, (${journaled}) as "journaledId",
      u.raw is not null and u.nonce is not null and not exists (select from unexplained_payment o
        where o.chain_id = u.chain_id and o.hash = u.hash and o.id <> u.id) as "isSignable"
    from unexplained_payment u
    left join company c on c.company_id = u.company_id
    left join asset a on a.id = u.coin
    where case when ${id}::uuid is null then u.state = 'open' else u.id = ${id}::uuid end
    order by u.block_number, u.nonce, u.id limit ${most}`.execute(tx);
  return rows;
}

export interface OperatorTransfer {
  chainId: string;
  /** Names the chain's `ChainFamily`; null where no chain carries it. */
  family: string | null;
  coin: string;
  quantityMinor: bigint;
  payee: string | null;
  /** Pending, and no block has it. */
  isWaiting: boolean;
}

export async function findOperatorTransfer(tx: Tx, id: string): Promise<OperatorTransfer | null> {
  const { rows } = await sql<OperatorTransfer>`
    select t.chain_id as "chainId", c.family, t.coin, t.quantity as "quantityMinor", t.payee_account as payee,
      t.direction = 'out' and t.chain_id is not null and t.type not in ('crypto_exchange_out', 'crypto_payout')
        and t.status = 'pending' and not exists (select from chain_send s
        where s.company_id = t.company_id and s.transfer_id = t.id and s.kind = 'transfer'
          and s.mined_block is not null) as "isWaiting"
    from transaction t left join chain c on c.id = t.chain_id
    where t.company_id = company_id() and t.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** The transfer that the signer's journal names for a payment; null when it names none. */
export async function findJournaledTransfer(tx: Tx, id: string): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`
    select (${journaled}) as id from unexplained_payment u where u.company_id = company_id() and u.id = ${id}`.execute(
    tx,
  );
  return rows[0]?.id ?? null;
}

/** Undecided payments whose transfer the journal names and the database has, waiting to be paid. */
export async function findJournaledMatches(tx: PlatformTx): Promise<{ row: UnexplainedRow; transferId: string }[]> {
  const rows = await findUnexplained(tx, null);
  const candidates = rows.filter((row) => row.decision === null && row.journaledId !== null && row.isSignable);
  const ids = candidates.flatMap(({ journaledId }) => journaledId ?? []);
  const { rows: waiting } = await sql<{ id: string; companyId: string }>`
    select t.id, t.company_id as "companyId" from transaction t
    where t.id = any (${ids}::uuid[]) and t.direction = 'out' and t.chain_id is not null
      and t.type not in ('crypto_exchange_out', 'crypto_payout') and t.status = 'pending'
      and not exists (select from chain_send s where s.company_id = t.company_id and s.transfer_id = t.id
        and s.kind = 'transfer' and s.mined_block is not null)`.execute(tx);
  const known = new Set(waiting.map(({ id, companyId }) => `${companyId}/${id}`));
  return candidates.flatMap((row) => {
    const transferId = row.journaledId;
    return transferId !== null && known.has(`${row.companyId}/${transferId}`) ? [{ row, transferId }] : [];
  });
}

/** Writes a decision on an open payment, once. @returns false when another came first */
export async function decide(
  tx: Tx,
  id: string,
  made: { decision: 'match' | 'book'; transferId: string | null; reason: string | null; by: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update unexplained_payment set decision = ${made.decision}, transfer_id = ${made.transferId}, reason = ${made.reason},
      decided_by = ${made.by}, decided_at = now()
    where company_id = company_id() and id = ${id} and state = 'open' and decision is null`.execute(tx);
  return numAffectedRows === 1n;
}

export type Released = { outcome: 'released'; companyId: string } | { outcome: 'unknown' | 'minable' };

/** Writes the decision to give back a transfer of which nothing can be mined. */
export async function markReleased(tx: PlatformTx, transferId: string, reason: string, by: string): Promise<Released> {
  const { rows } = await sql<{ companyId: string; isSuperseded: boolean }>`
    select t.company_id as "companyId",
      coalesce((select bool_and(s.superseded_at is not null) from chain_send s
        where s.company_id = t.company_id and s.transfer_id = t.id and s.kind = 'transfer'), false) as "isSuperseded"
    from transaction t
    where t.id = ${transferId} and t.direction = 'out' and t.chain_id is not null and t.status = 'pending'`.execute(tx);
  const row = rows[0];
  if (!row) return { outcome: 'unknown' };
  if (!row.isSuperseded) return { outcome: 'minable' };
  await sql`
    update chain_send set release_reason = ${reason}, release_by = ${by}
    where company_id = ${row.companyId} and transfer_id = ${transferId} and kind = 'transfer'`.execute(tx);
  return { outcome: 'released', companyId: row.companyId };
}

/** Accepts an address's transactions below a nonce, which must be what the chain counts. @returns its company */
export async function updateAcceptedNonce(
  tx: PlatformTx,
  chainId: string,
  address: string,
  nonce: number,
): Promise<string | null> {
  const { rows } = await sql<{ companyId: string }>`
    update sender_hold set accepted_nonce = ${nonce}
    where chain_id = ${chainId} and lower(address) = lower(${address}) and chain_nonce = ${nonce}
    returning company_id as "companyId"`.execute(tx);
  return rows[0]?.companyId ?? null;
}
