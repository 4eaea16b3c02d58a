import type { Locale } from '@causeway/contract/locale.ts';
import type { RiskMoment } from '@causeway/contract/risk-rules.ts';
import { type Tx, together } from '../../../platform/database/database.ts';
import { RememberedError } from '../../../platform/domain-error.ts';
import { assess, type Judging, type RiskVerdict, riskSentence, type Weighed } from '../../risk/index.ts';
import type { OutgoingKind } from '../kind.ts';

/**
 * Refuses what risk denies, which is noted; that it was denied stays on record, although nothing is moved.
 * @throws RememberedError riskRefused
 */
export async function refuseDenied(tx: Tx, judging: Judging, { verdict }: Weighed, locale: Locale): Promise<void> {
  if (verdict.allowed) return;
  await together(judging.write(tx));
  throw new RememberedError('riskRefused', { reason: riskSentence(locale, verdict) });
}

/** Judges a payment again, at its value when it was submitted. Null when it never was judged: risk was not there yet. */
export async function judgeAgain(
  tx: Tx,
  kind: OutgoingKind,
  id: string,
  moment: RiskMoment,
): Promise<RiskVerdict | null> {
  const subject = await kind.riskSubject(tx, id);
  return subject && assess(tx, subject, moment);
}
