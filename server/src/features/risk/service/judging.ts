import { businesses, type RiskMoment, type RiskReason } from '@causeway/contract/risk-rules.ts';
import { type CompaniesTx, together } from '../../../platform/database/database.ts';
import { announceAll } from '../../../platform/database/outbox.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { slices } from '../../../platform/turns.ts';
import { type Affiliation, findAffiliations, findSettingsOf } from '../../organisation/index.ts';
import type { Day } from '../calendar.ts';
import { type AssessedSubject, judge } from '../domain.ts';
import { riskEvents } from '../events.ts';
import { partsOf } from '../parts.ts';
import { insertAssessments, type NewAssessment, recordHits } from '../store/assessments.ts';
import { type Counted, countEntries, countFlows } from '../store/counts.ts';
import { type Counter, lockRisk, readStandings, readUsage } from '../store/judging.ts';
import { rulesetsOf } from '../store/rulesets.ts';
import { Tally } from './tally.ts';

export interface RiskVerdict {
  allowed: boolean;
  reason: RiskReason | null;
  /** The entry or policy that stopped it. */
  subjectId: string | null;
  subjectName: string | null;
  assessmentId: string;
}

/** `affiliation`: of the initiator, where it was read already in this database transaction. */
export type Judged = AssessedSubject & { companyId: string; affiliation?: Affiliation };

/** A judgement that is made and not yet on record. */
export interface Weighed {
  verdict: RiskVerdict;
  judged: Judged;
  day: Day;
  assessment: NewAssessment;
  /**
   * What its company had submitted of its coin or currency on its day before, by whatever business, and of the coin that it is paid with; minor
   * units. At submission alone.
   */
  submittedTodayMinor: bigint;
  submittedCoinsTodayMinor: bigint;
  /** How many of its company this judging had counted before. */
  countedBefore: number;
}

/** Judges several transactions in one database transaction, one after another, by what was read at its beginning. */
export interface Judging {
  /**
   * Judges a subject as if those noted before were on record already.
   * @throws DomainError idTaken at submission, when a transaction of this id was counted
   */
  weigh(subject: Judged): Weighed;
  /**
   * Puts a judgement on record, before the next one of its company is made. An allowed one of a submission counts for those
   * weighed after it.
   */
  note(weighed: Weighed): void;
  /** Issues the statements that write what was noted, in order, as they are asked for; to be awaited together or left for the commit. */
  write(tx: CompaniesTx): Iterable<Promise<void>>;
  /** What was noted so far, for `writeNoted`. */
  noted(): Noted;
  /** The same of those noted that were denied, where all are refused since some are: the others were never submitted. */
  writeDenied(tx: CompaniesTx): Promise<void>[];
}

/** Judgements of submissions that were all allowed, and what they count: plain data, which can be kept and written later. */
export interface Noted {
  assessments: readonly NewAssessment[];
  counted: readonly Counted[];
}

/** Issues the statements that put judgements of submissions on record and count what they let pass, as they are asked for; under `lockRisk`. */
export function* writeNoted(tx: CompaniesTx, { assessments, counted }: Noted): Generator<Promise<void>> {
  const listed = counted.filter(({ whiteEntryId }) => whiteEntryId !== null);
  if (assessments.length > 0) for (const some of slices(assessments)) yield insertAssessments(tx, some);
  if (counted.length > 0) for (const some of slices(counted)) yield countFlows(tx, some);
  if (listed.length > 0) yield countEntries(tx, listed);
}

/** Reads all by which these are judged; at submission under `lockRisk`, which is issued before. */
export async function openJudging(tx: CompaniesTx, subjects: readonly Judged[], moment: RiskMoment): Promise<Judging> {
  const companyIds = subjects.map(({ companyId }) => companyId);
  const counters = countersOf(subjects, moment);
  // In one round trip; each statement sees what was committed while the lock was waited for.
  const unread = subjects.filter(({ affiliation }) => affiliation === undefined);
  const [settings, standings, usage, read] = await together([
    findSettingsOf(tx, companyIds),
    readStandings(tx, subjects),
    readUsage(tx, counters),
    unread.length === 0
      ? Promise.resolve([])
      : findAffiliations(
          tx,
          unread.map(({ companyId, initiatorId: memberId }) => ({ companyId, memberId })),
        ),
  ]);
  const affiliations = new Map(unread.map((subject, i) => [subject, read[i]]));
  const rulesets = await rulesetsOf(
    tx,
    standings.map(({ rulesetVersion }, i) => ({ companyId: companyIds[i] ?? '', version: rulesetVersion })),
  );
  const tally = new Tally();
  subjects.forEach((subject, i) => {
    const [standing, ruleset, timeZone] = [standings[i], rulesets[i], settings.get(subject.companyId)?.timeZone];
    const affiliation = subject.affiliation ?? affiliations.get(subject);
    invariant(standing && ruleset && affiliation && timeZone !== undefined, 'for each that is judged all was read');
    tally.open(subject, { standing, ruleset, timeZone, affiliation });
  });
  counters.forEach((counter, i) => {
    tally.openCounter(counter, usage[i] ?? []);
  });
  return new BatchJudging(tally, moment, standings[0]?.atMicros ?? 0);
}

/** Notices are given by a job, so that they cost a submission nothing, and are as many whether it came alone or in a batch. */
function stoppedEvent({ companyId, id }: NewAssessment) {
  return { companyId, name: riskEvents.stopped, payload: { assessmentId: id } };
}

/** By which windows these are judged, each once; at submission also those of the other business that submits the same coins. */
function countersOf(subjects: readonly Judged[], moment: RiskMoment): Counter[] {
  const counters = new Map<string, Counter>();
  for (const subject of subjects) {
    const { companyId } = subject;
    for (const { kind, asset } of partsOf(subject)) {
      const submitting = moment === 'submission' && kind === 'coin' ? businesses : [subject.business];
      for (const business of submitting) {
        counters.set(`${companyId} ${business} ${asset}`, { companyId, business, kind, asset });
      }
    }
  }
  return [...counters.values()];
}

class BatchJudging implements Judging {
  readonly #tally: Tally;
  readonly #moment: RiskMoment;
  #atMicros: number;
  readonly #noted: NewAssessment[] = [];
  readonly #counted: Counted[] = [];

  constructor(tally: Tally, moment: RiskMoment, atMicros: number) {
    this.#tally = tally;
    this.#moment = moment;
    this.#atMicros = atMicros;
  }

  weigh(judged: Judged): Weighed {
    const { accountKey: _, affiliation: __, companyId, ...subject } = judged;
    const { day, ruleset, rulesetVersion, counted } = this.#tally.companyOf(companyId);
    const own = this.#moment === 'submission' ? this.#tally.ownOf(judged) : null;
    // Before it is judged: what is denied stays on record, which must not be another transaction's.
    if (own && !own.isGivenBack) throw new DomainError('idTaken');
    const inputs = this.#tally.inputsOf(judged, subject);
    const judgement = judge(ruleset, inputs);
    // Under the id of a transaction that gave its count back nothing is counted again.
    if (own && judgement.allowed) throw new DomainError('idTaken');
    const moment = this.#moment;
    const assessment = { companyId, id: newId(), atMicros: this.#tick(), moment, inputs, judgement, rulesetVersion };
    const verdict = { ...judgement, assessmentId: assessment.id };
    const parts = partsOf(subject);
    const today = {
      submittedTodayMinor: this.#tally.countedToday(companyId, parts[0]),
      submittedCoinsTodayMinor: this.#tally.countedToday(companyId, parts[1] ?? parts[0]),
    };
    return { verdict, judged, day, assessment, ...today, countedBefore: counted };
  }

  note({ judged, day, assessment, countedBefore }: Weighed): void {
    const { companyId, atMicros, inputs, judgement } = assessment;
    const { counted } = this.#tally.companyOf(companyId);
    invariant(counted === countedBefore, 'a judgement is noted before the next one of its company is made');
    this.#noted.push(assessment);
    if (this.#moment !== 'submission' || !judgement.allowed) return;
    const { subject, affiliation, whiteEntry } = inputs;
    const count = { companyId, subject, affiliation, atMicros, day, whiteEntryId: whiteEntry?.id ?? null };
    this.#counted.push(count);
    this.#tally.count(count, judged);
  }

  noted(): Noted {
    return { assessments: this.#noted, counted: this.#counted };
  }

  writeDenied(tx: CompaniesTx): Promise<void>[] {
    const denied = this.#noted.filter(({ judgement }) => !judgement.allowed);
    if (denied.length === 0) return [];
    return [insertAssessments(tx, denied), recordHits(tx, denied), announceAll(tx, denied.map(stoppedEvent))];
  }

  *write(tx: CompaniesTx): Generator<Promise<void>> {
    const denied = this.#noted.filter(({ judgement }) => !judgement.allowed);
    const isStoppedLate = this.#moment !== 'submission' && denied.length > 0;
    const companyIds = denied.map(({ companyId }) => companyId);
    // What is stopped late gives its count back next: under the same lock, which comes before the row of what stopped it.
    if (isStoppedLate) yield lockRisk(tx, companyIds);
    yield* writeNoted(tx, this.noted());
    if (denied.length > 0) {
      yield recordHits(tx, denied);
      yield announceAll(tx, denied.map(stoppedEvent));
    }
  }

  /** Judgements of a batch are a microsecond apart, since replays and explanations order them by their time. */
  #tick(): number {
    const now = this.#atMicros;
    this.#atMicros += 1;
    return now;
  }
}
