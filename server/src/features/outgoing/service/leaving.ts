import { transactionLives } from '@causeway/contract/transactions-lives.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { LifecycleRow } from '../../transactions/index.ts';
import { findBoughtSide } from '../store/payments.ts';

/**
 * What leaves of a payment, and from which wallet: what it says itself, or, once its currency is bought for it, that (docs/adr/0086-…). The rest of
 * its row stays as it is.
 */
export async function leavingOf(tx: Tx, payment: LifecycleRow): Promise<LifecycleRow> {
  if (transactionLives[payment.type].leaves !== 'bought') return payment;
  const bought = await findBoughtSide(tx, payment.id);
  invariant(bought, `what leaves of payment ${payment.id} is known`);
  return { ...payment, ...bought, chainId: null };
}
