import type { Locale } from '@causeway/contract/locale.ts';
import type { RiskMoment } from '@causeway/contract/risk-rules.ts';
import { type Tx, together } from '../../../platform/database/database.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { AssessedSubject } from '../domain.ts';
import { uncountFlows } from '../store/counts.ts';
import { lockCompany } from '../store/judging.ts';
import { openJudging, type RiskVerdict } from './judging.ts';

/**
 * Judges a transaction and records the judgement (docs/adr/0025). At submission an allowed one is also counted, under the
 * company's lock, which is held to the end of the transaction; later its own count is left out of what it is judged against.
 * A denied one is refused by the caller with `riskRefused`, at submission as a RememberedError, so that the record stays.
 *
 * Order of locks: task, transaction, this, ledger accounts.
 * @throws DomainError idTaken when a transaction of this id was counted before
 */
export async function assess(tx: Tx, subject: AssessedSubject, moment: RiskMoment): Promise<RiskVerdict> {
  const judged = { ...subject, companyId: tx.companyId };
  const [, judging] = await together([
    moment === 'submission' ? lockCompany(tx) : Promise.resolve(),
    openJudging(tx, [judged], moment),
  ]);
  const weighed = judging.weigh(judged);
  judging.note(weighed);
  await together([...judging.write(tx)]);
  return weighed.verdict;
}

/**
 * What `assess` would find at submission, by what is known now. Nothing is counted or recorded, and no lock is taken: a submission that
 * runs at the same time may change the answer.
 */
export async function foreseeRisk(
  tx: Tx,
  subject: AssessedSubject,
): Promise<Pick<RiskVerdict, 'allowed' | 'reason' | 'subjectName'>> {
  const judged = { ...subject, companyId: tx.companyId };
  const judging = await openJudging(tx, [judged], 'submission');
  return judging.weigh(judged).verdict;
}

/**
 * Gives the count of a transaction back: it failed, was cancelled or refused. Idempotent. Called before the ledger is
 * posted to, as `assess` is, so that locks are taken in one order; under the company's lock, since one transaction may give
 * several back, with postings in between.
 */
export function forget(tx: Tx, transactionId: string): Promise<void> {
  return forgetAll(tx, [transactionId]);
}

/** The same of several. */
export async function forgetAll(tx: Tx, transactionIds: readonly string[]): Promise<void> {
  await together([lockCompany(tx), uncountFlows(tx, transactionIds)]);
}

/** Why a transaction was stopped, in the sentence for its initiator. */
export function riskSentence(
  locale: Locale,
  { reason, subjectName }: Pick<RiskVerdict, 'reason' | 'subjectName'>,
): string {
  if (reason === null) return translate(locale, 'risk.reason.none');
  return translate(locale, `risk.reason.${reason}`, { name: subjectName ?? '' });
}
