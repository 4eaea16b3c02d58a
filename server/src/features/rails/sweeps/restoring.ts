import type { Tx } from '../../../platform/database/database.ts';
import { sweepType } from './domain.ts';
import { makeSweep } from './making.ts';
import { findSignedSweep, findSweptWallet, lockSweeping, noteUnsweptAgain } from './store.ts';

/**
 * Makes a sweep again that the signer's journal has and a restored database has lost, under its id: otherwise the chain would show coins that leave an
 * address of ours by no payment of ours. Where the address was lost too, the company's account has received from a stranger, which is a deposit.
 * @returns its type; null where the journal has no such sweep, or the address was lost
 */
export async function restoreSweep(tx: Tx, id: string): Promise<typeof sweepType | null> {
  const signed = await findSignedSweep(tx, id);
  if (signed === null) return null;
  await lockSweeping(tx, signed.walletId);
  const wallet = await findSweptWallet(tx, signed.walletId);
  if (wallet === null) return null;
  const { address, amountMinor } = signed;
  await noteUnsweptAgain(tx, signed.walletId, address);
  await makeSweep(tx, { id, wallet, address, amountMinor });
  return sweepType;
}
