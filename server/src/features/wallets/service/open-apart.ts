import type { Tx } from '../../../platform/database/database.ts';
import { findRestoreMode } from '../../../platform/database/restore-mode.ts';
import { type AddressSource, findAccounts, nextApartOrdinal, openFurtherAddress } from '../../chains/index.ts';

/** Addresses that are opened for one purpose, such as one payment request (docs/adr/0099). */

/**
 * Opens an address apart on every chain of a family on which the company has an account: the same on all of them where the family writes one key in
 * one way, so that what is sent on the wrong one of them arrives. It is watched from now on, for ever, and may be shown once the transaction
 * is committed. Only a process that knows the extended public keys can open one.
 * @returns the address by chain; null while restore mode holds, or before the company's wallets are opened
 */
export async function openApart(
  tx: Tx,
  { family, addressAt, apartFrom }: AddressSource,
): Promise<Map<string, string> | null> {
  if (await findRestoreMode(tx)) return null;
  const accounts = await findAccounts(tx, family.name);
  if (accounts.length === 0) return null;
  const ordinal = apartFrom + (await nextApartOrdinal(tx));
  const opened = new Map<string, string>();
  for (const { chainId, companyIndex } of accounts) {
    const address = addressAt(companyIndex, ordinal);
    await openFurtherAddress(tx, chainId, { address, ordinal, isApart: true });
    opened.set(chainId, address);
  }
  return opened;
}
