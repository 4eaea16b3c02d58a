import type { RiskMoment } from '@causeway/contract/risk-rules.ts';
import { assess } from '../features/risk/service/assess.ts';
import { type Judged, type Judging, openJudging, type RiskVerdict } from '../features/risk/service/judging.ts';
import { lockRisk } from '../features/risk/store/judging.ts';
import { type CompaniesTx, together } from '../platform/database/database.ts';
import { DomainError } from '../platform/domain-error.ts';
import type { TestDatabase } from './database.ts';

/** Judgements in one transaction, and in one each. */

export type Decision = Pick<RiskVerdict, 'allowed' | 'reason' | 'subjectId' | 'subjectName'> | 'idTaken';

const decisionOf = ({ allowed, reason, subjectId, subjectName }: RiskVerdict): Decision => ({
  allowed,
  reason,
  subjectId,
  subjectName,
});

function takenOrThrow(error: unknown): 'idTaken' {
  if (error instanceof DomainError && error.key === 'idTaken') return 'idTaken';
  throw error;
}

/** Opens the judging as a batch does: locks and reads in one trip. */
export async function openForJudging(
  tx: CompaniesTx,
  subjects: readonly Judged[],
  moment: RiskMoment = 'submission',
): Promise<Judging> {
  const companyIds = subjects.map(({ companyId }) => companyId);
  const locked = moment === 'submission' ? lockRisk(tx, companyIds) : Promise.resolve();
  const [, judging] = await together([locked, openJudging(tx, subjects, moment)]);
  return judging;
}

function decideNext(judging: Judging, subject: Judged): Decision {
  try {
    const weighed = judging.weigh(subject);
    judging.note(weighed);
    return decisionOf(weighed.verdict);
  } catch (error) {
    return takenOrThrow(error);
  }
}

/** Decides all in one transaction. */
export function inOneBatch(
  db: TestDatabase,
  subjects: readonly Judged[],
  moment: RiskMoment = 'submission',
): Promise<Decision[]> {
  return db.app.withCompanies(
    subjects.map(({ companyId }) => companyId),
    async (tx) => {
      const judging = await openForJudging(tx, subjects, moment);
      const decisions = subjects.map((subject) => decideNext(judging, subject));
      tx.leave([...judging.write(tx)]);
      return decisions;
    },
  );
}

/** Decides each in a transaction of its own, in order. */
export async function oneByOne(
  db: TestDatabase,
  subjects: readonly Judged[],
  moment: RiskMoment = 'submission',
): Promise<Decision[]> {
  const decisions: Decision[] = [];
  for (const { companyId, ...subject } of subjects) {
    decisions.push(
      await db.app.withCompany(companyId, (tx) => assess(tx, subject, moment)).then(decisionOf, takenOrThrow),
    );
  }
  return decisions;
}
