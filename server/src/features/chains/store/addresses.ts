import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import type { RegisterMark } from '../signer/address-register.ts';

/**
 * Whose address is whose. `chain_address` is a company's account on a chain, `chain_further_address` what a family opens beside
 * it; the view `chain_own_address` has both.
 */

/** Whose address it is; the gas tank's and the treasury's have owners that no company is. */
export interface AddressOwner {
  companyId: string;
  address: string;
}

export const gasTankOwner = '00000000-0000-0000-0000-000000000000';
/** The platform's coins on a chain, with which exchanges are settled (docs/adr/0081-…). */
export const treasuryOwner = '00000000-0000-0000-0000-000000000001';

const platformOwners: readonly string[] = [gasTankOwner, treasuryOwner];

/** Whether an address is the platform's own: what reaches it is no deposit, and what leaves it is none of a company's money. */
export function isPlatformOwner(companyId: string): boolean {
  return platformOwners.includes(companyId);
}

/** As a list of literals. */
export const platformOwnersSql = sql.raw(platformOwners.map((id) => `'${id}'::uuid`).join(', '));

/** Which of these addresses belong to a company or to the platform. */
export async function ownersOf(tx: PlatformTx, chainId: string, addresses: readonly string[]): Promise<AddressOwner[]> {
  const { rows } = await sql<AddressOwner>`
    select company_id as "companyId", address from chain_own_address
    where chain_id = ${chainId} and address = any (${[...addresses]}::text[])`.execute(tx);
  return rows;
}

/** The companies that have an address on any chain. */
export async function companiesWithAddresses(tx: PlatformTx): Promise<string[]> {
  const { rows } = await sql<{ companyId: string }>`
    select distinct company_id as "companyId" from chain_address
    where company_id not in (${platformOwnersSql})`.execute(tx);
  return rows.map((row) => row.companyId);
}

/** The companies that have no address on any chain. */
export async function companiesWithoutAddress(tx: PlatformTx): Promise<string[]> {
  const { rows } = await sql<{ companyId: string }>`
    select company_id as "companyId" from companies_without_address()`.execute(tx);
  return rows.map((row) => row.companyId);
}

/** Opens the company's address on a chain, once; `derivationIndex` is null for the platform's own. */
export async function openAddress(
  tx: Tx,
  chainId: string,
  address: string,
  derivationIndex: number | null,
): Promise<void> {
  await sql`
    insert into chain_address (company_id, chain_id, address, derivation_index)
    values (company_id(), ${chainId}, ${address}, ${derivationIndex})
    on conflict (company_id, chain_id) do nothing`.execute(tx);
}

/** The company's index under the account key, the same on every chain; null before its first address. */
export async function findDerivationIndex(tx: Tx): Promise<number | null> {
  const { rows } = await sql<{ index: number }>`
    select derivation_index as index from chain_address
    where company_id = company_id() and derivation_index is not null limit 1`.execute(tx);
  return rows[0]?.index ?? null;
}

export async function nextDerivationIndex(tx: PlatformTx): Promise<number> {
  const { rows } = await sql<{ index: number }>`
    select nextval('company_derivation_index') as index`.execute(tx);
  const row = rows[0];
  if (!row) throw new Error('the sequence gave no number');
  return row.index;
}

/** The company's account on a chain, as the chain writes it; null until its wallets are opened. */
export async function findAccountAddress(tx: Tx, chainId: string): Promise<string | null> {
  const { rows } = await sql<{ address: string }>`
    select address from chain_address where company_id = company_id() and chain_id = ${chainId}`.execute(tx);
  return rows[0]?.address ?? null;
}

/** Whether an address on a chain, as the chain writes it, is one of the company's. */
export async function isOwnAddress(tx: Tx, chainId: string, address: string): Promise<boolean> {
  const { rows } = await sql`
    select from chain_own_address
    where company_id = company_id() and chain_id = ${chainId} and address = ${address}`.execute(tx);
  return rows.length > 0;
}

/**
 * Where deposits of the company are to go: the first address after the last that had one. Null until its wallets are opened.
 */
export async function findReceivingAddress(tx: Tx, chainId: string): Promise<string | null> {
  const { rows } = await sql<{ address: string | null }>`
    select receiving_address(${chainId}) as address`.execute(tx);
  return rows[0]?.address ?? null;
}

/** How far a branch of the company's addresses on a chain is opened and used. */
export interface AddressProgress {
  companyIndex: number;
  /** One below the branch's first while none is open. */
  lastOpened: number;
  /** One below the branch's first while none is used. */
  lastUsed: number;
}

/**
 * Null until the company's account on the chain is open.
 * @param from the branch's first ordinal: 0 for addresses that are shown, otherwise those of change
 */
export async function findAddressProgress(tx: Tx, chainId: string, from: number): Promise<AddressProgress | null> {
  const { rows } = await sql<AddressProgress>`
    select a.derivation_index as "companyIndex", coalesce(max(o.ordinal), ${from} - 1) as "lastOpened",
      coalesce(max(o.ordinal) filter (where o.first_used_at is not null), ${from} - 1) as "lastUsed"
    from chain_address a left join chain_own_address o on o.company_id = a.company_id and o.chain_id = a.chain_id
      and o.is_change = ${from > 0} and not o.is_apart
    where a.company_id = company_id() and a.chain_id = ${chainId} and a.derivation_index is not null
    group by 1`.execute(tx);
  return rows[0] ?? null;
}

/** An address of the company beside its account. */
interface FurtherAddress {
  address: string;
  ordinal: number;
  /** Opened for one purpose, and never shown as where the wallet's deposits are to go (docs/adr/0099). */
  isApart?: boolean;
}

/** Opens a further address of the company on a chain, once. @returns false where it was open */
export async function openFurtherAddress(
  tx: Tx,
  chainId: string,
  { address, ordinal, isApart = false }: FurtherAddress,
): Promise<boolean> {
  const { rows } = await sql`
    insert into chain_further_address (company_id, chain_id, address, derivation_index, is_apart)
    values (company_id(), ${chainId}, ${address}, ${ordinal}, ${isApart})
    on conflict (company_id, chain_id, derivation_index) do nothing returning 1`.execute(tx);
  return rows.length > 0;
}

/** The least place that an address may have that is opened apart; the signer's register gives it, or a later one. */
export async function nextApartPlace(tx: PlatformTx): Promise<number> {
  const { rows } = await sql<{ place: number }>`select nextval('apart_address_index') as place`.execute(tx);
  const row = rows[0];
  if (!row) throw new Error('the sequence gave no number');
  return row.place;
}

/** Up to which of its entries the addresses of the signer's register are open here. */
export async function findRegisterMark(tx: PlatformTx): Promise<RegisterMark> {
  const { rows } = await sql<RegisterMark>`select seq, hash from address_register_mark`.execute(tx);
  return rows[0] ?? { seq: 0, hash: '' };
}

export async function setRegisterMark(tx: PlatformTx, { seq, hash }: RegisterMark): Promise<void> {
  await sql`
    insert into address_register_mark (seq, hash) values (${seq}, ${hash})
    on conflict (one) do update set seq = excluded.seq, hash = excluded.hash`.execute(tx);
}

/** The company's accounts on chains of a family: the chain and the company's index under the family's keys. */
export async function findAccounts(tx: Tx, family: string): Promise<{ chainId: string; companyIndex: number }[]> {
  const { rows } = await sql<{ chainId: string; companyIndex: number }>`
    select a.chain_id as "chainId", a.derivation_index as "companyIndex" from chain_address a
    join chain c on c.id = a.chain_id and c.family = ${family}
    where a.company_id = company_id() and a.derivation_index is not null order by a.chain_id`.execute(tx);
  return rows;
}

/** Remembers that something reached these addresses of the company. */
export async function markUsed(tx: Tx, chainId: string, addresses: readonly string[]): Promise<void> {
  for (const table of [sql`chain_address`, sql`chain_further_address`]) {
    await sql`
      update ${table} set first_used_at = now()
      where company_id = company_id() and chain_id = ${chainId} and address = any (${[...addresses]}::text[])
        and first_used_at is null`.execute(tx);
  }
}
