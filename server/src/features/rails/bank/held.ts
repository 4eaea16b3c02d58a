import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { creditLocked } from './crediting.ts';
import { creditWallet, lockHeld, lockReturn, markReversed, release } from './store.ts';

/** `settled`: the money is no longer held, or is another amount. `noWallet`: the company has another wallet, or none. */
export type HeldOutcome = { is: 'credited'; transactionId: string } | { is: 'settled' | 'noWallet' };

/**
 * Credits money in suspense to the current company, as two operators agreed: by the posting of every deposit, under the money's lock. What
 * matched it meanwhile, or another agreement, has won.
 */
export async function creditHeld(
  tx: Tx,
  moneyId: string,
  { walletId, amountMinor }: { walletId: string; amountMinor: bigint },
): Promise<HeldOutcome> {
  const money = await lockHeld(tx, moneyId);
  if (!money || money.isUndetailed || money.amountMinor !== amountMinor) return { is: 'settled' };
  const wallet = await creditWallet(tx, money.bank, money.asset);
  if (wallet?.walletId !== walletId) return { is: 'noWallet' };
  const [transactionId] = await creditLocked(tx, wallet, [money], new Map([[money.id, 'operator']]));
  return transactionId === undefined ? { is: 'settled' } : { is: 'credited', transactionId };
}

/**
 * Ends money in suspense that the bank sent back, by a debit that it booked: neither is held any more. False when one of them is settled
 * otherwise by now, or they do not belong together.
 */
export async function returnHeld(tx: PlatformTx, moneyId: string, takenId: string): Promise<boolean> {
  if (!(await lockReturn(tx, moneyId, takenId))) return false;
  await release(tx, moneyId, newId());
  await release(tx, takenId, newId());
  await markReversed(tx, takenId, moneyId);
  return true;
}
