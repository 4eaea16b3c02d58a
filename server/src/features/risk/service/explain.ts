import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Explanation, RiskCheck } from '@causeway/contract/risk.ts';
import { businesses } from '@causeway/contract/risk-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { findChains } from '../../chains/index.ts';
import { findCalled } from '../../organisation/index.ts';
import { factsOf, type Inputs, judgeLists, judgePolicies, type Ruleset } from '../domain.ts';
import { type AssessmentRow, findAssessments } from '../store/assessments.ts';
import { inputsFromJson } from '../store/inputs.ts';
import { rulesetsOf } from '../store/rulesets.ts';
import { riskSentence } from './assess.ts';
import { namedIn } from './content.ts';
import { usdOf } from './figures.ts';
import { namesNeeded, policySaw, policyWhy, type Wording, whitelistSaw, whitelistWithin } from './sentences.ts';

/** A transaction is judged a handful of times; beyond this only the newest judgements are explained. */
const maxJudgements = 50;

/**
 * Every list and policy that was asked about a transaction, what it saw and why it matched, by the policies as they were
 * then: computed again from the recorded inputs. Null when it was never judged.
 */
export async function explain(tx: Tx, transactionId: string, locale: Locale): Promise<Explanation | null> {
  const rows = await findAssessments(tx, transactionId, maxJudgements);
  const [newest] = rows;
  if (!newest) return null;
  const chains = new Map((await findChains(tx)).map(({ id, name }) => [id, name]));
  const rulesets = await rulesetsOf(
    tx,
    rows.map(({ companyId, rulesetVersion }) => ({ companyId, version: rulesetVersion })),
  );
  const called = await findCalled(tx, [...idsNamed(rows, rulesets)], locale);
  const judgements = rows.map((row, i) => {
    const ruleset = rulesets[i];
    invariant(ruleset, 'each judgement has its ruleset');
    return judgementOf(row, ruleset, { locale, chains, called });
  });
  return { transactionId, subject: subjectOf(newest), judgements };
}

/** Whom these policies name, and where the initiator belonged. */
function idsNamed(rows: readonly AssessmentRow[], rulesets: readonly Ruleset[]): Set<string> {
  const policies = [...new Set(rulesets)].flatMap((ruleset) => businesses.flatMap((of) => ruleset[of].policies));
  const named = policies.flatMap(({ definition }) => namedIn(definition.content));
  return new Set([...named, ...rows.flatMap(({ inputs }) => namesNeeded(inputsFromJson(inputs)))]);
}

function subjectOf({ inputs, initiatorName, submitted }: AssessmentRow): Explanation['subject'] {
  const { subject } = inputsFromJson(inputs);
  const { business, chainId: chain, coin, currency, account } = subject;
  return {
    business,
    chain,
    coin,
    currency,
    quantity: formatAmount(subject.quantityMinor, subject.decimals),
    valueUsd: usdOf(subject.valueUsdCents),
    account,
    initiator: initiatorName,
    submitted,
  };
}

/** The same for its call. @throws DomainError notFound */
export async function explainTransaction(
  tx: Tx,
  { locale }: SignedInContext,
  { id }: { id: string },
): Promise<Explanation> {
  const explanation = await explain(tx, id, locale);
  if (!explanation) throw new DomainError('notFound');
  return explanation;
}

function judgementOf(row: AssessmentRow, ruleset: Ruleset, wording: Wording): Explanation['judgements'][number] {
  const inputs = inputsFromJson(row.inputs);
  return {
    id: row.id,
    at: row.at.toISOString(),
    moment: row.moment,
    allowed: row.allowed,
    reason: row.reason,
    sentence: riskSentence(wording.locale, row),
    rulesetVersion: row.rulesetVersion,
    checks: checksOf(inputs, ruleset, wording),
  };
}

function checksOf(inputs: Inputs, ruleset: Ruleset, wording: Wording): RiskCheck[] {
  const { locale } = wording;
  const checks = listChecks(inputs, locale);
  if (checks.some(({ outcome }) => outcome === 'stopped')) return checks;
  const facts = factsOf(inputs);
  judgePolicies(ruleset, facts, (policy, finding, outcome) => {
    checks.push({
      step: 'policy',
      outcome,
      subjectId: policy.id,
      name: policy.definition.name,
      position: policy.position,
      version: policy.version,
      saw: policySaw(wording, policy, facts),
      why: policyWhy(wording, policy, finding),
    });
  });
  return checks;
}

/** The black list, and the white list if the black one let it pass. */
function listChecks(inputs: Inputs, locale: Locale): RiskCheck[] {
  // The company's own wallet is on no list.
  if (inputs.subject.accountKind === null) return [];
  const { subject, blackEntryId, whiteEntry } = inputs;
  const judgement = judgeLists(inputs);
  const isBlack = blackEntryId !== null;
  const stopped = judgement && riskSentence(locale, judgement);
  const account = translate(locale, 'risk.saw.account', { account: subject.account });
  const noPolicy = { position: null, version: null };
  const black: RiskCheck = {
    step: 'blacklist',
    outcome: isBlack ? 'stopped' : 'passed',
    subjectId: blackEntryId,
    name: translate(locale, 'risk.step.blacklist'),
    ...noPolicy,
    saw: account,
    why: isBlack && stopped !== null ? stopped : translate(locale, 'risk.why.blacklist.none'),
  };
  if (isBlack) return [black];
  const within = whiteEntry ? whitelistWithin(locale, whiteEntry) : translate(locale, 'risk.why.whitelist.none');
  const white: RiskCheck = {
    step: 'whitelist',
    outcome: stopped === null ? 'passed' : 'stopped',
    subjectId: whiteEntry?.id ?? null,
    name: translate(locale, 'risk.step.whitelist'),
    ...noPolicy,
    saw: whiteEntry ? whitelistSaw(locale, inputs, whiteEntry) : account,
    why: stopped ?? within,
  };
  return [black, white];
}
