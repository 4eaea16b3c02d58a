import type { AddressCode } from '@causeway/contract/payees.ts';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database.ts';

/** A saved withdrawal address as it is kept. */
export interface PayeeRow {
  id: string;
  label: string;
  chainId: string;
  coin: string;
  address: string;
  remark: string;
  status: 'usable' | 'unusable' | 'deleted';
  code: AddressCode;
  createdByName: string;
  createdAt: Date;
  /** `createdAt` to the microsecond, for cursors. */
  createdAtText: string;
}

const columns = sql`id, label, chain_id as "chainId", coin, address, remark, status, code, created_by_name as "createdByName",
  created_at as "createdAt", to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAtText"`;

/** What a list shows. `usableOn` holds `chain coin` pairs that are switched on; `usable` then asks for them or not. */
export interface PayeeFilter {
  chainId: string | null;
  coin: string | null;
  keyword: string | null;
  usable: boolean | null;
  usableOn: readonly string[];
}

function condition(filter: PayeeFilter) {
  const { chainId, coin, keyword, usable, usableOn } = filter;
  return sql`company_id = company_id() and status <> 'deleted'
    and (${chainId}::text is null or chain_id = ${chainId}) and (${coin}::text is null or coin = ${coin})
    and (${usable}::boolean is null
      or ${usable} = (status = 'usable' and chain_id || ' ' || coin = any (${[...usableOn]}::text[])))
    and (${keyword}::text is null
      or strpos(lower(label || chr(10) || address || chr(10) || remark), lower(${keyword})) > 0)`;
}

/** Payees that are not deleted, newest first, from after a cursor on. */
export async function listPayees(
  tx: Tx,
  filter: PayeeFilter,
  after: { createdAtText: string; id: string } | null,
  limit: number,
): Promise<PayeeRow[]> {
  const { rows } = await sql<PayeeRow>`
    select ${columns} from crypto_payee where ${condition(filter)}
      and (${after?.id ?? null}::uuid is null
        or (created_at, id) < (${after?.createdAtText ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by created_at desc, id desc limit ${limit}`.execute(tx);
  return rows;
}

/** How many there are, counted no further than `most`. */
export async function countPayees(tx: Tx, filter: PayeeFilter, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (select from crypto_payee where ${condition(filter)} limit ${most}) as matching`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** A payee that is not deleted. */
export async function findPayee(tx: Tx, id: string): Promise<PayeeRow | null> {
  const { rows } = await sql<PayeeRow>`
    select ${columns} from crypto_payee where company_id = company_id() and id = ${id} and status <> 'deleted'`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** Payees of an address on a chain, deleted ones last. */
export async function findPayeesByAddress(tx: Tx, chainId: string, address: string): Promise<PayeeRow[]> {
  const { rows } = await sql<PayeeRow>`
    select ${columns} from crypto_payee
    where company_id = company_id() and likeness = lower(substr(${address}, 3, 4) || right(${address}, 4))
      and chain_id = ${chainId} and address = ${address}
    order by status = 'deleted', created_at`.execute(tx);
  return rows;
}

/** Payees on a chain, deleted ones included, whose address has the same ends and is another. */
export async function findAlike(tx: Tx, chainId: string, address: string, likeness: string): Promise<PayeeRow[]> {
  const { rows } = await sql<PayeeRow>`
    select ${columns} from crypto_payee
    where company_id = company_id() and likeness = ${likeness} and chain_id = ${chainId} and address <> ${address}
    order by status = 'deleted', created_at limit 20`.execute(tx);
  return rows;
}

export interface NewPayee {
  id: string;
  label: string;
  chainId: string;
  coin: string;
  address: string;
  likeness: string;
  code: AddressCode;
  remark: string;
  createdBy: string;
  createdByName: string;
}

export async function insertPayee(tx: Tx, payee: NewPayee): Promise<void> {
  await sql`
    insert into crypto_payee (company_id, id, label, chain_id, coin, address, likeness, code, remark, created_by,
      created_by_name)
    values (company_id(), ${payee.id}, ${payee.label}, ${payee.chainId}, ${payee.coin}, ${payee.address},
      ${payee.likeness}, ${payee.code}, ${payee.remark}, ${payee.createdBy}, ${payee.createdByName})`.execute(tx);
}

/** Writes what was found at the address of a payee. */
export async function setCode(tx: Tx, id: string, code: AddressCode): Promise<void> {
  await sql`update crypto_payee set code = ${code} where company_id = company_id() and id = ${id}`.execute(tx);
}

/** Takes a payee out of the book; null when it is not in it. */
export async function markDeleted(tx: Tx, id: string): Promise<PayeeRow | null> {
  const { rows } = await sql<PayeeRow>`
    update crypto_payee set status = 'deleted', deleted_at = now()
    where company_id = company_id() and id = ${id} and status <> 'deleted' returning ${columns}`.execute(tx);
  return rows[0] ?? null;
}

/**
 * Makes the payees of an account unusable (it was blacklisted), or usable again; deleted ones stay as they are.
 * @returns the ids of those that changed
 */
export async function setUsability(
  tx: Tx,
  target: { accountKind: 'crypto_address' | 'bank_no'; accounts: readonly string[] },
  usable: boolean,
): Promise<string[]> {
  // Bank payees come with the banks.
  if (target.accountKind === 'bank_no') return [];
  const accounts = [...target.accounts];
  const { rows } = await sql<{ id: string }>`
    update crypto_payee set status = ${usable ? 'usable' : 'unusable'}
    where company_id = company_id() and address = any (${accounts}::text[])
      and likeness = any (select lower(substr(a, 3, 4) || right(a, 4)) from unnest(${accounts}::text[]) a)
      and status = ${usable ? 'unusable' : 'usable'}
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}
