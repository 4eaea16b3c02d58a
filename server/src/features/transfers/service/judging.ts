import type { Locale } from '@causeway/contract/locale.ts';
import type { RiskMoment } from '@causeway/contract/risk-rules.ts';
import { type Tx, together } from '../../../platform/database.ts';
import { DomainError, RememberedError } from '../../../platform/domain-error.ts';
import { isStale, usdValue } from '../../rates/index.ts';
import {
  assess,
  type RiskSubject,
  type RiskVerdict,
  record,
  riskSentence,
  type Weighed,
  weigh,
} from '../../risk/index.ts';
import type { SubmissionRow } from '../store/submission.ts';

/** What risk is told of a transfer, and what becomes of its answer. */

/** What an amount is worth, in US cents. @throws DomainError rateStale when no price is fresh enough to decide by */
export function usdCentsOf(
  row: Pick<SubmissionRow, 'price' | 'coin' | 'decimals'>,
  amountMinor: bigint,
  now: Date,
): bigint {
  const { price, coin, decimals } = row;
  if (!price || isStale({ coin, ...price }, now)) throw new DomainError('rateStale', { coin });
  return usdValue(amountMinor, decimals, price.usd);
}

/** What risk looks at of a transfer; amounts in minor units, its value in US cents. */
interface Judged {
  id: string;
  chainId: string;
  coin: string;
  decimals: number;
  quantityMinor: bigint;
  valueUsdCents: bigint;
  payeeAccount: string;
  initiatorId: string;
}

/** Judges a transfer that is being submitted; to be recorded, whatever the verdict. @throws DomainError idTaken */
export function weighSubmission(tx: Tx, transfer: Judged): Promise<Weighed> {
  return weigh(tx, riskSubjectOf(transfer), 'submission');
}

/**
 * Refuses what risk denies; that it was denied stays on record, although nothing is moved.
 * @throws RememberedError riskRefused
 */
export async function refuseDenied(tx: Tx, weighed: Weighed, locale: Locale): Promise<void> {
  const { verdict } = weighed;
  if (verdict.allowed) return;
  await together(record(tx, weighed));
  throw new RememberedError('riskRefused', { reason: riskSentence(locale, verdict) });
}

/** Judges a transfer anew, by what it was worth when it was submitted. Null when it never was judged: risk was not there yet. */
export async function judgeAgain(
  tx: Tx,
  transfer: Omit<Judged, 'valueUsdCents'> & { valueUsdCents: bigint | null },
  moment: RiskMoment,
): Promise<RiskVerdict | null> {
  const { valueUsdCents } = transfer;
  return valueUsdCents === null ? null : assess(tx, riskSubjectOf({ ...transfer, valueUsdCents }), moment);
}

function riskSubjectOf(transfer: Judged): RiskSubject {
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
