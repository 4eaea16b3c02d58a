import type { Locale } from '@causeway/contract/locale.ts';
import type { RiskMoment, RiskReason } from '@causeway/contract/risk-rules.ts';
import { databaseError, type Tx, together } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { translate } from '../../../platform/text/texts.ts';
import { findCompanySettings } from '../../organisation/index.ts';
import { type Day, dayIn } from '../calendar.ts';
import {
  type AssessedSubject,
  assetOf,
  type DayUsage,
  type Inputs,
  judge,
  type RiskSubject,
  windowsAt,
} from '../domain.ts';
import {
  countFlow,
  insertAssessment,
  lockCompany,
  type NewAssessment,
  readListUsage,
  readStanding,
  readUsage,
  recordHit,
  type Standing,
  uncountFlow,
} from '../store/judging.ts';
import { rulesetOf } from '../store/rulesets.ts';

export interface RiskVerdict {
  allowed: boolean;
  reason: RiskReason | null;
  /** The entry or policy that stopped it. */
  subjectId: string | null;
  subjectName: string | null;
  assessmentId: string;
}

/**
 * Judges a transaction and records the judgement (docs/adr/0025). At submission an allowed one is also counted, under the
 * company's lock, which is held to the end of the transaction; later its own count is left out of what it is judged against.
 * A denied one is refused by the caller with `riskRefused`, at submission as a RememberedError, so that the record stays.
 *
 * Order of locks: task, transaction, this, ledger accounts.
 * @throws DomainError idTaken when a transaction of this id was counted before
 */
export async function assess(tx: Tx, subject: AssessedSubject, moment: RiskMoment): Promise<RiskVerdict> {
  const weighed = await weigh(tx, subject, moment);
  await together(record(tx, weighed));
  return weighed.verdict;
}

/** A judgement that is made and not yet on record. */
export interface Weighed {
  verdict: RiskVerdict;
  subject: RiskSubject;
  day: Day;
  assessment: NewAssessment;
}

/**
 * The first half of `assess`: takes the lock of a submission, reads and judges, and writes nothing.
 * @throws DomainError idTaken when a transaction of this id was counted before
 */
export async function weigh(tx: Tx, { accountKey, ...subject }: AssessedSubject, moment: RiskMoment): Promise<Weighed> {
  const account = { type: subject.accountKind, key: accountKey };
  // In one round trip; each statement sees what was committed while the lock was waited for.
  const [, { timeZone }, standing, usage, listUsage] = await together([
    moment === 'submission' ? lockCompany(tx) : Promise.resolve(),
    findCompanySettings(tx),
    readStanding(tx, subject.id, account),
    readUsage(tx, subject.business, assetOf(subject)),
    readListUsage(tx, account),
  ]);
  // Before it is judged: what is denied stays on record, which must not be another transaction's.
  if (moment === 'submission' && standing.own !== null) throw new DomainError('idTaken');
  const day = dayIn(timeZone, standing.at);
  const inputs = inputsOf(subject, day, standing, usage, listUsage);
  const ruleset = await rulesetOf(tx, standing.companyId, standing.rulesetVersion);
  const judgement = judge(ruleset, inputs);
  const { at, rulesetVersion } = standing;
  const assessment = { id: newId(), at, moment, inputs, judgement, rulesetVersion };
  return { verdict: { ...judgement, assessmentId: assessment.id }, subject, day, assessment };
}

/** The second half: its statements, issued in order and to be awaited together. */
export function record(tx: Tx, { subject, day, assessment }: Weighed): Promise<void>[] {
  const { at, moment, inputs, judgement } = assessment;
  if (!judgement.allowed) {
    return [
      // What is stopped late gives its count back next: under the same lock, which comes before the row of what stopped it.
      ...(moment === 'submission' ? [] : [lockCompany(tx)]),
      insertAssessment(tx, assessment),
      recordHit(tx, assessment),
    ];
  }
  const written = insertAssessment(tx, assessment);
  if (moment !== 'submission') return [written];
  return [written, count(tx, subject, { at, day, whiteEntryId: inputs.whiteEntry?.id ?? null })];
}

/**
 * Gives the count of a transaction back: it failed, was cancelled or refused. Idempotent. Called before the ledger is
 * posted to, as `assess` is, so that locks are taken in one order; under the company's lock, since one transaction may give
 * several back, with postings in between.
 */
export async function forget(tx: Tx, transactionId: string): Promise<void> {
  await together([lockCompany(tx), uncountFlow(tx, transactionId)]);
}

/** Why a transaction was stopped, in the sentence for its initiator. */
export function riskSentence(
  locale: Locale,
  { reason, subjectName }: Pick<RiskVerdict, 'reason' | 'subjectName'>,
): string {
  if (reason === null) return translate(locale, 'risk.reason.none');
  return translate(locale, `risk.reason.${reason}`, { name: subjectName ?? '' });
}

async function count(tx: Tx, subject: RiskSubject, counted: Parameters<typeof countFlow>[2]): Promise<void> {
  try {
    await countFlow(tx, subject, counted);
  } catch (error) {
    if (databaseError(error)?.constraint === 'risk_flow_pkey') throw new DomainError('idTaken');
    throw error;
  }
}

function inputsOf(
  subject: RiskSubject,
  day: Day,
  standing: Standing,
  usage: readonly DayUsage[],
  listUsage: readonly { day: Day; valueCents: bigint }[],
): Inputs {
  const { own, entry, onlyWhitelisted } = standing;
  const windows = windowsAt(day, usage, own && { ...own, sameAsset: own.asset === assetOf(subject) });
  const isOwnEntry = own !== null && entry !== null && own.entryId === entry.id;
  const today = listUsage.find((each) => each.day === day)?.valueCents ?? 0n;
  return {
    subject,
    windows,
    blackEntryId: entry?.kind === 'black' ? entry.id : null,
    whiteEntry:
      entry?.kind === 'white'
        ? {
            id: entry.id,
            singleCents: entry.singleCents,
            dailyCents: entry.dailyCents,
            cumulativeCents: entry.cumulativeCents,
            usedTodayCents: today - (isOwnEntry && own.day === day ? own.valueCents : 0n),
            usedCents: entry.countedCents - (isOwnEntry ? own.valueCents : 0n),
          }
        : null,
    onlyWhitelisted,
  };
}
