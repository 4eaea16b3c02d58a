import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';

/** The operator's book of addresses. */

export interface AddressRow {
  id: string;
  chainId: string;
  chainName: string;
  address: string;
  addressKey: string;
  label: string;
  addedAt: Date;
  removedAt: Date | null;
}

const columns = sql`d.id, d.chain_id as "chainId", c.name as "chainName", d.address, d.address_key as "addressKey", d.label,
  d.added_at as "addedAt", d.removed_at as "removedAt"`;

/** Those in use, by chain and label. */
export async function findAddresses(tx: PlatformTx): Promise<AddressRow[]> {
  const { rows } = await sql<AddressRow>`
    select ${columns} from operator_treasury_address d join chain c on c.id = d.chain_id
    where d.removed_at is null order by c.name, lower(d.label), d.id`.execute(tx);
  return rows;
}

/** With `lock` it stays as it is until the transaction ends. */
export async function findAddress(tx: PlatformTx, id: string, { lock }: { lock: boolean }): Promise<AddressRow | null> {
  const { rows } = await sql<AddressRow>`
    select ${columns} from operator_treasury_address d join chain c on c.id = d.chain_id
    where d.id = ${id} ${lock ? sql`for update of d` : sql``}`.execute(tx);
  return rows[0] ?? null;
}

export async function isInBook(tx: PlatformTx, chainId: string, addressKey: string): Promise<boolean> {
  const { rows } = await sql`
    select from operator_treasury_address
    where chain_id = ${chainId} and address_key = ${addressKey} and removed_at is null`.execute(tx);
  return rows.length > 0;
}

export async function insertAddress(
  tx: Tx,
  row: Pick<AddressRow, 'id' | 'chainId' | 'address' | 'addressKey' | 'label'> & { addedBy: string },
): Promise<void> {
  await sql`
    insert into operator_treasury_address (id, chain_id, address, address_key, label, added_by)
    values (${row.id}, ${row.chainId}, ${row.address}, ${row.addressKey}, ${row.label}, ${row.addedBy})`.execute(tx);
}

/** @returns false where it had been removed */
export async function markRemoved(tx: Tx, id: string, by: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update operator_treasury_address set removed_at = now(), removed_by = ${by}
    where id = ${id} and removed_at is null`.execute(tx);
  return numAffectedRows === 1n;
}

/** Whether an address is a company's or the gas tank's, on whatever chain; all spellings count. */
export async function isOurs(tx: PlatformTx, address: string): Promise<boolean> {
  const { rows } = await sql`
    select from chain_address where lower(address) = lower(${address})
    union all select from chain_further_address where lower(address) = lower(${address}) limit 1`.execute(tx);
  return rows.length > 0;
}
