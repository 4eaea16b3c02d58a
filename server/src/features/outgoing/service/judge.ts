import type { RiskMoment } from '@causeway/contract/risk-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { assess, type RiskVerdict } from '../../risk/index.ts';
import type { SubmittedKind } from '../kind.ts';

/** Judges a payment again, at its value when it was submitted. Null when it never was judged: risk was not there yet. */
export async function judgeAgain(
  tx: Tx,
  kind: SubmittedKind,
  id: string,
  moment: RiskMoment,
): Promise<RiskVerdict | null> {
  const subject = await kind.riskSubject(tx, id);
  return subject && assess(tx, subject, moment);
}
