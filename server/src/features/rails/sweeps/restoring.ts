import type { Tx } from '../../../platform/database/database.ts';
import { openFurtherAddress } from '../../chains/index.ts';
import { sweepType } from './domain.ts';
import { makeSweep } from './making.ts';
import { findSignedSweep, findSweptWallet, lockSweeping, noteUnsweptAgain } from './store.ts';

/**
 * Makes a sweep again that the signer's journal has and a restored database has lost, under its id, with the address that it was from if that
 * was lost too: otherwise the chain would show coins that leave an address of no one.
 * @returns its type; null where the journal has no such sweep
 */
export async function restoreSweep(tx: Tx, id: string): Promise<typeof sweepType | null> {
  const signed = await findSignedSweep(tx, id);
  if (signed === null) return null;
  await lockSweeping(tx, signed.walletId);
  const wallet = await findSweptWallet(tx, signed.walletId);
  if (wallet === null) return null;
  const { chainId, address, ordinal, amountMinor } = signed;
  await openFurtherAddress(tx, chainId, { address, ordinal, isApart: true });
  await noteUnsweptAgain(tx, signed.walletId, address);
  await makeSweep(tx, { id, wallet, address, amountMinor });
  return sweepType;
}
