import { type AddressCode, listCryptoPayees } from '@causeway/contract/payees.ts';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/database.ts';
import { contains, defineList } from '../../platform/database/list.ts';
import { setBankUsability } from './bank/store.ts';

/** A saved withdrawal address as it is kept. */
export interface PayeeRow {
  id: string;
  label: string;
  chainId: string;
  coin: string;
  address: string;
  remark: string;
  /** Computed by the database: deleted, else waiting or rejected, else unusable while the address is on the black list. */
  status: 'usable' | 'unusable' | 'waiting' | 'rejected' | 'deleted';
  code: AddressCode;
  createdByName: string;
  createdAt: Date;
}

const columns = sql<PayeeRow>`id, label, chain_id as "chainId", coin, address, remark, status, code, created_by_name as "createdByName",
  created_at as "createdAt"`;

/** Payees that are not deleted, newest first; `usableOn` holds the `chain coin` pairs that are switched on. */
export const payeeList = defineList(listCryptoPayees, {
  from: () => sql`crypto_payee`,
  where: (_: { usableOn: readonly string[] }) => sql`company_id = company_id() and deleted_at is null`,
  filters: {
    chain: (chain) => sql`chain_id = ${chain}`,
    coin: (coin) => sql`coin = ${coin}`,
    status: (status, { usableOn }) => {
      // PostgreSQL takes most rows for not null, as they are, and then reads the page in order; of `= any` it expects few.
      const isOn = sql`array_position(${[...usableOn]}::text[], chain_id || ' ' || coin) is not null`;
      if (status === 'usable') return sql`(status = 'usable' and ${isOn})`;
      if (status === 'unusable') return sql`(status = 'unusable' or status = 'usable' and not ${isOn})`;
      return sql`status = ${status}`;
    },
    keyword: (keyword) => contains(sql`label || chr(10) || address || chr(10) || remark`, keyword),
  },
  columns: () => columns,
  orders: { time: { by: sql`created_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`id`,
});

/** A payee that is not deleted. */
export async function findPayee(tx: Tx, id: string): Promise<PayeeRow | null> {
  const { rows } = await sql<PayeeRow>`
    select ${columns} from crypto_payee where company_id = company_id() and id = ${id} and status <> 'deleted'`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** Payees of an address on a chain; those that were deleted or not approved come last. */
export async function findPayeesByAddress(
  tx: Tx,
  chainId: string,
  address: string,
  likeness: string,
): Promise<PayeeRow[]> {
  const { rows } = await sql<PayeeRow>`
    select ${columns} from crypto_payee
    where company_id = company_id() and likeness = ${likeness}
      and chain_id = ${chainId} and address = ${address}
    order by status in ('deleted', 'rejected'), created_at`.execute(tx);
  return rows;
}

/** Payees on a chain, deleted ones included, whose address looks like this one and is another. */
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
  /** `none`: it needs no approval. */
  approval: 'none' | 'waiting';
  createdBy: string;
  createdByName: string;
}

export async function insertPayee(tx: Tx, payee: NewPayee): Promise<void> {
  await sql`
    insert into crypto_payee (company_id, id, label, chain_id, coin, address, likeness, code, remark, approval, created_by,
      created_by_name)
    values (company_id(), ${payee.id}, ${payee.label}, ${payee.chainId}, ${payee.coin}, ${payee.address},
      ${payee.likeness}, ${payee.code}, ${payee.remark}, ${payee.approval}, ${payee.createdBy},
      ${payee.createdByName})`.execute(tx);
}

/** Writes what was found at the address of a payee. */
export async function setCode(tx: Tx, id: string, code: AddressCode): Promise<void> {
  await sql`update crypto_payee set code = ${code} where company_id = company_id() and id = ${id}`.execute(tx);
}

/** Writes label and remark of a payee that is not deleted; returns both as they were before, null when it is not in the book. */
export async function setWords(
  tx: Tx,
  payee: Pick<PayeeRow, 'id' | 'label' | 'remark'>,
): Promise<Pick<PayeeRow, 'label' | 'remark'> | null> {
  const { rows } = await sql<Pick<PayeeRow, 'label' | 'remark'>>`
    update crypto_payee p set label = ${payee.label}, remark = ${payee.remark}
    from (select company_id, id, label, remark from crypto_payee
      where company_id = company_id() and id = ${payee.id} and status <> 'deleted' for update) as old
    where p.company_id = old.company_id and p.id = old.id returning old.label, old.remark`.execute(tx);
  return rows[0] ?? null;
}

/** Takes a payee out of the book; null when it is not in it. */
export async function markDeleted(tx: Tx, id: string): Promise<PayeeRow | null> {
  const { rows } = await sql<PayeeRow>`
    update crypto_payee set deleted_at = now()
    where company_id = company_id() and id = ${id} and deleted_at is null returning ${columns}`.execute(tx);
  return rows[0] ?? null;
}

/** Ends the waiting of a payee. @returns whether it waited */
export async function setApproval(tx: Tx, id: string, approval: 'approved' | 'rejected'): Promise<boolean> {
  const { rows } = await sql`
    update crypto_payee set approval = ${approval}
    where company_id = company_id() and id = ${id} and approval = 'waiting' and deleted_at is null
    returning id`.execute(tx);
  return rows.length > 0;
}

/**
 * Makes the payees of an account unusable (it was blacklisted), or usable again; deleted ones stay as they are, and what
 * waits for approval still does. An address comes as its chain writes it, with what its family says a hurried eye compares.
 * @returns the ids of those that changed
 */
export async function setUsability(
  tx: Tx,
  target: { accountKind: 'crypto_address' | 'bank_no'; accounts: readonly { account: string; likeness: string }[] },
  usable: boolean,
): Promise<string[]> {
  const accounts = target.accounts.map(({ account }) => account);
  if (target.accountKind === 'bank_no') return setBankUsability(tx, accounts, usable);
  const likenesses = target.accounts.map(({ likeness }) => likeness);
  const { rows } = await sql<{ id: string }>`
    update crypto_payee set blocked = ${!usable}
    where company_id = company_id() and address = any (${accounts}::text[])
      and likeness = any (${likenesses}::text[])
      and deleted_at is null and blocked = ${usable}
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}
