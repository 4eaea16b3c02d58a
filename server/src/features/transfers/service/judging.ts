import { isStale, usdValue } from '../../rates/index.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError, invariant, RememberedError } from '../../../platform/domain-error.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { assess, type RiskMoment, type RiskSubject, type RiskVerdict, sayVerdict } from '../../risk/index.ts';
import type { ReviewedTransfer } from '../store/reviewing.ts';
import type { SubmissionRow } from '../store/submission.ts';

/** What risk is told of a transfer, and what becomes of its answer. */

/** What an amount is worth, in US cents. @throws DomainError rateStale when no price is fresh enough to decide by */
export function valueOf(row: Pick<SubmissionRow, 'price' | 'coin' | 'decimals'>, amountMinor: bigint, now: Date): bigint {
  const { price, coin, decimals } = row;
  if (!price || isStale({ coin, ...price }, now)) throw new DomainError('rateStale', { coin });
  return usdValue(amountMinor, decimals, price.usd);
}

/**
 * Judges a transfer that is being submitted and counts it. What is denied stays on record, although nothing is moved.
 * @throws RememberedError riskRefused
 */
export async function judgeSubmission(tx: Tx, subject: RiskSubject, locale: Locale): Promise<void> {
  const verdict = await assess(tx, subject, 'submission');
  if (!verdict.allowed) throw new RememberedError('riskRefused', { reason: sayVerdict(verdict, locale) });
}

/** Judges a transfer anew, by what it was worth when it was submitted. Null when it was never judged (before risk was there). */
export async function judgeAgain(tx: Tx, transfer: ReviewedTransfer, moment: RiskMoment): Promise<RiskVerdict | null> {
  const { valueUsdCents } = transfer;
  if (valueUsdCents === null) return null;
  return assess(tx, riskSubjectOf({ ...transfer, valueUsdCents }), moment);
}

function riskSubjectOf(transfer: ReviewedTransfer & { valueUsdCents: bigint }): RiskSubject {
  const { id, chainId, coin, quantityMinor, decimals, valueUsdCents, payeeAccount, initiatorId } = transfer;
  return {
    id,
    business: 'crypto_withdrawal',
    chainId,
    coin,
    quantityMinor,
    decimals,
    valueUsdCents,
    currency: null,
    region: null,
    accountKind: 'crypto_address',
    account: payeeAccount,
    initiatorId,
  };
}
