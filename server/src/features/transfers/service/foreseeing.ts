import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { foreseeReview } from '@causeway/contract/transfers.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { type ForeseenRouting, foreseeRouting } from '../../approvals/index.ts';
import { amountOf } from '../../ledger/index.ts';
import { findCodeRecipients } from '../../organisation/index.ts';
import { readSubmission } from '../store/submission.ts';
import { usdCentsOf } from './judging.ts';

/**
 * Who would have to approve this amount, were it submitted now. What else may be wrong with it, risk's verdict included, is
 * not said: nobody learns what risk forbids without a code.
 * @throws DomainError walletNotFound, amountFormat, amountTooManyDecimals, amountTooLarge
 */
export async function foresee(
  tx: Tx,
  context: SignedInContext,
  { walletId, amount }: Query<typeof foreseeReview>,
  clock: Clock,
): Promise<OutputInput<typeof foreseeReview>> {
  const row = await readSubmission(tx, { id: null, walletId, payeeId: null, attachmentIds: [] });
  if (!row) throw new DomainError('walletNotFound');
  const amountMinor = amountOf(amount, { coin: row.coin, decimals: row.decimals });
  const administrators = await findCodeRecipients(tx, context.session.userId);
  const review = await foreseeValue(tx, context, () => usdCentsOf(row, amountMinor, clock.now()));
  return { ...review, codeRecipient: administrators.length > 0 ? 'administrator' : 'initiator' };
}

async function foreseeValue(tx: Tx, context: SignedInContext, value: () => bigint): Promise<ForeseenRouting> {
  try {
    return await foreseeRouting(tx, context, value());
  } catch (error) {
    if (error instanceof DomainError && error.key === 'rateStale')
      return { outcome: 'rateStale', rule: null, steps: [] };
    throw error;
  }
}
