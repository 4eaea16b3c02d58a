import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { findDerivationIndex, type Send } from '../../chains/index.ts';
import type { ChainPayment } from '../service/payment.ts';

/** Why a payment cannot be planned for good; the stage's reason. */
export type Impossible =
  | 'stage.reason.networkFeeTooLow'
  | 'stage.reason.tooManyCoins'
  | 'stage.reason.depositConfirmed'
  | 'stage.reason.depositGone'
  | 'stage.reason.superseded';

export type Planned = { send: Send } | { impossible: Impossible } | 'waits';

export async function companyIndexOf(tx: Tx, { payer }: Pick<ChainPayment, 'payer'>): Promise<number> {
  if (payer === 'treasury') return 0;
  const index = await findDerivationIndex(tx);
  invariant(index !== null, 'a company that pays has an address');
  return index;
}
