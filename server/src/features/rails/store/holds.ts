import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';

/** Sending addresses, a company's or the gas tank's, and the holds on them (docs/adr/0042). */

export interface Sender {
  /** The nil UUID for the gas tank. */
  companyId: string;
  chainId: string;
  address: string;
  /** The next nonce that we give out. */
  nextNonce: number;
}

export interface LockedSender extends Sender {
  isHeld: boolean;
  /** Up to which block the watcher has read; null before its first round. */
  readHeight: number | null;
}

/** Locks the sender's row, so that nonces and holds of one address change one after another. */
export async function lockSender(tx: PlatformTx, chainId: string, address: string): Promise<LockedSender> {
  for (const table of [sql`chain_address`, sql`chain_further_address`]) {
    const { rows } = await sql<LockedSender>`
      select a.company_id as "companyId", a.chain_id as "chainId", a.address, a.next_nonce as "nextNonce",
        exists (select from sender_hold h where h.company_id = a.company_id and h.chain_id = a.chain_id and h.address = a.address) as "isHeld",
        (select height from chain_cursor c where c.chain_id = a.chain_id) as "readHeight"
      from ${table} a where a.chain_id = ${chainId} and a.address = ${address} for update of a`.execute(tx);
    if (rows[0]) return rows[0];
  }
  invariant(false, `${address} is an address of ours on ${chainId}`);
}

/** An owner's account on a chain, the platform's own among them. */
export async function findAccount(tx: PlatformTx, chainId: string, ownerId: string): Promise<string> {
  const { rows } = await sql<{ address: string }>`
    select address from chain_address where chain_id = ${chainId} and company_id = ${ownerId}::uuid`.execute(tx);
  const address = rows[0]?.address;
  invariant(address !== undefined, `${ownerId} has an account on ${chainId}`);
  return address;
}

/** Whether an address is held: nothing is signed or sent from there until its transactions are explained (docs/adr/0042). */
export async function isHeld(tx: PlatformTx, chainId: string, address: string): Promise<boolean> {
  const { rows } = await sql`select from sender_hold where chain_id = ${chainId} and address = ${address}`.execute(tx);
  return rows.length > 0;
}

export interface Hold {
  companyId: string;
  chainId: string;
  address: string;
  reason: 'ahead' | 'unexplained';
  /** How many transactions of the address the chain counted. */
  chainNonce: number;
  nextNonce: number;
  heldAt: Date;
  /** Transactions below this nonce are settled outside, by the operator's word. */
  acceptedNonce: number | null;
}

const columns = sql`h.company_id as "companyId", h.chain_id as "chainId", h.address, h.reason,
  h.chain_nonce as "chainNonce", h.next_nonce as "nextNonce", h.held_at as "heldAt", h.accepted_nonce as "acceptedNonce"`;

/** Writes a hold of the current company's address, or renews it with the reason that it has by now. @returns whether it is new */
export async function putHold(tx: Tx, hold: Omit<Hold, 'companyId' | 'heldAt' | 'acceptedNonce'>): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into sender_hold as h (company_id, chain_id, address, reason, chain_nonce, next_nonce)
    values (company_id(), ${hold.chainId}, ${hold.address}, ${hold.reason}, ${hold.chainNonce}, ${hold.nextNonce})
    on conflict (company_id, chain_id, address) do update set
      reason = case when exists (select from unexplained_payment u where u.chain_id = h.chain_id
        and u.from_address = h.address and u.state = 'open') then 'unexplained' else 'ahead' end,
      chain_nonce = greatest(h.chain_nonce, excluded.chain_nonce), next_nonce = excluded.next_nonce
    returning xmax = 0 as "isNew"`.execute(tx);
  return rows[0]?.isNew ?? false;
}

/** @returns whether no other address of the company on the chain is held */
export async function dropHold(tx: Tx, chainId: string, address: string): Promise<boolean> {
  await sql`
    delete from sender_hold where company_id = company_id() and chain_id = ${chainId} and address = ${address}`.execute(
    tx,
  );
  const { rows } = await sql`select from sender_hold where company_id = company_id() and chain_id = ${chainId}`.execute(
    tx,
  );
  return rows.length === 0;
}

/** The holds on a chain, of all companies and the gas tank; on every chain when none is named. */
export async function findHolds(tx: PlatformTx, chainId: string | null): Promise<Hold[]> {
  const { rows } = await sql<Hold>`
    select ${columns} from sender_hold h where ${chainId}::text is null or h.chain_id = ${chainId}
    order by h.held_at`.execute(tx);
  return rows;
}
