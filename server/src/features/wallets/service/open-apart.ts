import type { Database, Tx } from '../../../platform/database/database.ts';
import { findRestoreMode } from '../../../platform/database/restore-mode.ts';
import type { Log } from '../../../platform/process/log.ts';
import {
  type AddressRegister,
  type AddressSource,
  type AddressSources,
  findAccounts,
  findRegisterMark,
  nextApartPlace,
  openFurtherAddress,
  type RegisteredAddress,
  setRegisterMark,
  sourceOf,
} from '../../chains/index.ts';

/** Addresses that are opened for one purpose, such as one payment request (docs/adr/0099), and found again after a restore (docs/adr/0106). */

/**
 * Takes the place of an address apart, which the signer's register has on its disk before the address is opened, let alone shown. Outside of any
 * transaction; a place that is not used afterwards stays unused. Rejects while the signer does not answer.
 */
export async function takeApartPlace(
  database: Database,
  register: AddressRegister,
  { companyId, family }: Pick<RegisteredAddress, 'companyId' | 'family'>,
): Promise<number> {
  const place = await database.withoutCompany(nextApartPlace);
  return register.register({ companyId, family, place });
}

/**
 * Opens an address apart on every chain of a family on which the company has an account: the same on all of them where the family writes one key in
 * one way, so that what is sent on the wrong one of them arrives. It is watched from now on, for ever, and may be shown once the transaction
 * is committed. Only a process that knows the extended public keys can open one.
 * @param place that `takeApartPlace` gave
 * @returns the address by chain; null while restore mode holds, or before the company's wallets are opened
 */
export async function openApart(tx: Tx, source: AddressSource, place: number): Promise<Map<string, string> | null> {
  if (await findRestoreMode(tx)) return null;
  const { opened } = await openAt(tx, source, place);
  return opened.size === 0 ? null : opened;
}

async function openAt(
  tx: Tx,
  { family, addressAt, apartFrom }: AddressSource,
  place: number,
): Promise<{ opened: Map<string, string>; isNew: boolean }> {
  const ordinal = apartFrom + place;
  const opened = new Map<string, string>();
  let isNew = false;
  for (const { chainId, companyIndex } of await findAccounts(tx, family.name)) {
    const address = addressAt(companyIndex, ordinal);
    if (await openFurtherAddress(tx, chainId, { address, ordinal, isApart: true })) isNew = true;
    opened.set(chainId, address);
  }
  return { opened, isNew };
}

interface Reopening {
  database: Database;
  sources: AddressSources;
  register: AddressRegister;
  log: Log;
}

/**
 * Opens every address that the signer's register has and the database has not: those that were shown after the backup that was restored. Of a
 * company that the database has lost, or whose account was opened after the backup, none can be; the log names it.
 * @returns how many were opened
 */
async function openRegistered({ database, sources, register, log }: Reopening): Promise<number> {
  for (let opened = 0; ; ) {
    const from = await database.withoutCompany(findRegisterMark);
    const { entries, mark } = await register.after(from);
    if (entries.length === 0) return opened;
    for (const { companyId, family, place } of entries) {
      const found = await database.withCompany(companyId, (tx) => openAt(tx, sourceOf(sources, { family }), place));
      if (found.opened.size === 0)
        log.warn({ companyId, family, place }, 'an address was shown of a company that has no account here');
      if (found.isNew) opened += 1;
    }
    await database.withoutCompany((tx) => setRegisterMark(tx, mark));
  }
}

/**
 * What a watcher does before it reads blocks: brings the addresses up to the register. No block is read before that has succeeded once, since a payment to an
 * address that is not known yet would be passed over for good; afterwards a signer that does not answer holds up no deposit.
 */
export function createRegisteredOpening(of: Reopening): () => Promise<void> {
  let hasSucceeded = false;
  let isFailing = false;
  return async () => {
    try {
      const opened = await openRegistered(of);
      if (opened > 0) of.log.info({ opened }, 'addresses of the signer’s register were opened');
      hasSucceeded = true;
      isFailing = false;
    } catch (error) {
      if (!hasSucceeded) throw error;
      if (!isFailing) of.log.warn({ err: error }, 'addresses cannot be compared with the signer’s register');
      isFailing = true;
    }
  };
}
