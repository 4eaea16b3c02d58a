import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { ForeseenReview, foreseeReview } from '@causeway/contract/transfers.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { foreseeRouting } from '../../approvals/index.ts';
import { amountOf } from '../../ledger/index.ts';
import { findCodeRecipients } from '../../organisation/index.ts';
import { usdCentsOf } from '../../outgoing/index.ts';
import { readSubmission } from '../store/submission.ts';

/**
 * Who would have to approve this amount, were it submitted now. What else may be wrong with it, risk's verdict included, is
 * not said: without a code a member does not learn what risk forbids.
 * @throws DomainError walletNotFound, amountFormat, amountTooManyDecimals, amountTooLarge
 */
export async function foresee(
  tx: Tx,
  context: SignedInContext,
  { walletId, amount }: Query<typeof foreseeReview>,
): Promise<OutputInput<typeof foreseeReview>> {
  const row = await readSubmission(tx, { id: null, walletId, payeeId: null });
  if (!row) throw new DomainError('walletNotFound');
  const amountMinor = amountOf(amount, { asset: row.coin, decimals: row.decimals });
  const [administrators = []] = await findCodeRecipients(tx, [context.session]);
  const review = await foreseeValue(tx, context, () => usdCentsOf(row, amountMinor, context.clock.now()));
  return { ...review, codeRecipient: administrators.length > 0 ? 'administrator' : 'initiator' };
}

async function foreseeValue(
  tx: Tx,
  context: SignedInContext,
  value: () => bigint,
): Promise<Omit<ForeseenReview, 'codeRecipient'>> {
  try {
    return await foreseeRouting(tx, context, value());
  } catch (error) {
    if (error instanceof DomainError && error.key === 'rateStale')
      return { outcome: 'rateStale', rule: null, steps: [] };
    throw error;
  }
}
