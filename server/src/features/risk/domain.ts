import { parseAmount } from '@causeway/contract/money.ts';
import type { PolicyDefinition } from '@causeway/contract/risk.ts';
import {
  type Business,
  businesses,
  type ListAccountType,
  type RiskReason,
  type RiskWindow,
} from '@causeway/contract/risk-rules.ts';
import { invariant } from '../../platform/domain-error.ts';
import type { Affiliation } from '../organisation/index.ts';
import { type Day, windowStart } from './calendar.ts';
import { FigureRules, NameRules, noPlace, type Span } from './first-match.ts';
import { assetKindOf } from './parts.ts';

/**
 * The judgement of one transaction: black list, white list, policies in their order, the first match decides (docs/adr/0025).
 * Pure: the same inputs and the same ruleset give the same result for ever, on which explanations and replays rest.
 */

/** What of a transaction is judged; amounts in minor units of the coin or currency, values in cents of a US dollar. */
export interface RiskSubject {
  /** The transaction's id. */
  id: string;
  business: Business;
  chainId: string | null;
  coin: string | null;
  quantityMinor: bigint;
  decimals: number;
  valueUsdCents: bigint;
  currency: string | null;
  /** Of the coin that a payment in a currency is paid with; absent: of one that is in a coin, or paid with the currency itself. */
  paidWith?: { quantityMinor: bigint; decimals: number };
  /** ISO 3166-1 alpha-2. */
  region: string | null;
  /** Null: it goes to the company's own wallet, which no list is about. */
  accountKind: ListAccountType | null;
  /** As its own rule writes it: an address by its chain's, a bank account in capitals without blanks. */
  account: string;
  initiatorId: string;
}

/** A transaction as it is handed in to be judged. */
export interface AssessedSubject extends RiskSubject {
  /** The same for all spellings of the account: what its list entry is found by. */
  accountKey: string;
}

/** What a window holds: of one business, of its coins or of its currencies, and for the quantity of one of them. */
export interface Figures {
  transactions: number;
  quantityMinor: bigint;
  valueCents: bigint;
}

/** Cents of a US dollar. */
export interface WhiteEntry {
  id: string;
  singleCents: bigint;
  dailyCents: bigint;
  cumulativeCents: bigint;
  /** Sent today, and since the entry was made; without the transaction that is judged. */
  usedTodayCents: bigint;
  usedCents: bigint;
}

export interface Inputs {
  subject: RiskSubject;
  /** Of the initiator, at the moment of judging. Null: judged before it was recorded, when no policy asked for it. */
  affiliation: Affiliation | null;
  /** What the windows hold without the transaction that is judged. */
  windows: Record<RiskWindow, Figures>;
  /** The same of coins, of what is paid with one. */
  coinWindows?: Record<RiskWindow, Figures>;
  blackEntryId: string | null;
  whiteEntry: WhiteEntry | null;
  onlyWhitelisted: boolean;
}

export interface Policy {
  id: string;
  version: number;
  /** From 1. */
  position: number;
  definition: PolicyDefinition;
}

/** How a transaction relates to a policy's content; `unconcerned`: the policy is about another coin or currency, or about coins where it has none. */
export type Finding = 'inside' | 'outside' | 'unconcerned';
export type Outcome = 'stopped' | 'exempted' | 'passed' | 'notConcerned';

export interface Judgement {
  allowed: boolean;
  reason: RiskReason | null;
  /** The entry or policy. */
  subjectId: string | null;
  subjectName: string | null;
}

/** The inputs as the policies ask for them: sums with this transaction. */
export interface Facts {
  subject: RiskSubject;
  affiliation: Affiliation | null;
  sums: Sums;
  /** Of the coin that it is in, or paid with; null: of none. */
  coinSums: Sums | null;
}

type Sums = Record<RiskWindow, { transactions: number; quantity: bigint; valueCents: bigint }>;

interface CompiledPolicy extends Policy {
  question: Question;
}

/**
 * What a policy looks at; those with the same key look at the same. A transaction has one chain and several departments, each of which may
 * be on a list; it has none where it is not known. Null: it is not concerned.
 */
type Question =
  | { key: string; names: readonly string[]; see(facts: Facts): readonly string[] | null }
  | { key: string; span: Span & { from: bigint }; see(facts: Facts): bigint | null };

/** The active policies of one version that are about one business, and the way to the first that decides. */
interface Compiled {
  policies: readonly CompiledPolicy[];
  /** Returns an index of `policies`. */
  groups: readonly ((facts: Facts) => number)[];
}

export type Ruleset = Record<Business, Compiled>;

/** Called for every policy asked, in order; its arguments are the explanation. */
export type Visit = (policy: Policy, finding: Finding, outcome: Outcome) => void;

/** One scale for quantities of every asset: no asset has more decimals. */
export const quantityDecimals = 18;
/** From an asset's decimals to that scale. */
const scales = Array.from(
  { length: quantityDecimals + 1 },
  (_, decimals) => 10n ** BigInt(quantityDecimals - decimals),
);

export function compile(policies: readonly Policy[]): Ruleset {
  const compiled = policies.map((policy) => ({ ...policy, question: questionOf(policy.definition) }));
  const of = (business: Business): Compiled => {
    const own = compiled.filter((policy) => policy.definition.business === business);
    return { policies: own, groups: groupsOf(own) };
  };
  return Object.fromEntries(businesses.map((business) => [business, of(business)])) as Record<Business, Compiled>;
}

/** Judges; `visit` is called for each policy asked. */
export function judge(ruleset: Ruleset, inputs: Inputs, visit?: Visit): Judgement {
  return judgeLists(inputs) ?? judgePolicies(ruleset, factsOf(inputs), visit);
}

/** Black list, white list's limits (each may be reached and not passed), "only whitelisted"; null when they let it pass. */
export function judgeLists({ subject, blackEntryId, whiteEntry, onlyWhitelisted }: Inputs): Judgement | null {
  const value = subject.valueUsdCents;
  const stop = (reason: RiskReason, subjectId: string | null): Judgement => ({
    allowed: false,
    reason,
    subjectId,
    subjectName: subject.account,
  });
  if (subject.accountKind === null) return null;
  if (blackEntryId !== null) return stop('blacklisted', blackEntryId);
  if (whiteEntry === null) return onlyWhitelisted ? stop('notWhitelisted', null) : null;
  if (value > whiteEntry.singleCents) return stop('whitelistSingle', whiteEntry.id);
  if (whiteEntry.usedTodayCents + value > whiteEntry.dailyCents) return stop('whitelistDaily', whiteEntry.id);
  if (whiteEntry.usedCents + value > whiteEntry.cumulativeCents) return stop('whitelistCumulative', whiteEntry.id);
  return null;
}

/** The first policy that decides. With `visit` each is asked in turn; without, only those that can be the first. */
export function judgePolicies(ruleset: Ruleset, facts: Facts, visit?: Visit): Judgement {
  const { policies, groups } = ruleset[facts.subject.business];
  if (visit) {
    for (const policy of policies) {
      const finding = findingOf(policy.question, facts);
      const outcome = outcomeOf(policy.definition, finding);
      visit(policy, finding, outcome);
      if (outcome === 'stopped' || outcome === 'exempted') return judgementOf(policy);
    }
    return judgementOf(undefined);
  }
  let place = noPlace;
  for (const first of groups) place = Math.min(place, first(facts));
  return judgementOf(policies[place]);
}

/** By the policy that decided; none: allowed. */
function judgementOf(policy: Policy | undefined): Judgement {
  if (!policy || policy.definition.result === 'allow') {
    return { allowed: true, reason: null, subjectId: null, subjectName: null };
  }
  return { allowed: false, reason: 'policy', subjectId: policy.id, subjectName: policy.definition.name };
}

function outcomeOf({ method, result }: PolicyDefinition, finding: Finding): Outcome {
  if (finding === 'unconcerned') return 'notConcerned';
  if (method === 'forbid') return finding === 'inside' ? 'stopped' : 'passed';
  if (result === 'deny') return finding === 'outside' ? 'stopped' : 'passed';
  return finding === 'inside' ? 'exempted' : 'passed';
}

export function factsOf({
  subject,
  windows,
  coinWindows,
  affiliation,
}: Pick<Inputs, 'subject' | 'windows' | 'coinWindows' | 'affiliation'>): Facts {
  const sums = sumsOf(subject, subject, windows);
  const { paidWith } = subject;
  invariant(
    (paidWith === undefined) === (coinWindows === undefined),
    'what is paid with a coin is judged by its windows',
  );
  if (paidWith && coinWindows) return { subject, affiliation, sums, coinSums: sumsOf(subject, paidWith, coinWindows) };
  return { subject, affiliation, sums, coinSums: assetKindOf(subject) === 'coin' ? sums : null };
}

function sumsOf(
  { valueUsdCents }: RiskSubject,
  { quantityMinor, decimals }: NonNullable<RiskSubject['paidWith']>,
  windows: Record<RiskWindow, Figures>,
): Sums {
  const scale = scales[decimals];
  invariant(scale !== undefined, 'no asset has more than eighteen decimals');
  const sum = (held: Figures) => ({
    transactions: held.transactions + 1,
    quantity: (held.quantityMinor + quantityMinor) * scale,
    valueCents: held.valueCents + valueUsdCents,
  });
  return { day: sum(windows.day), week: sum(windows.week), month: sum(windows.month) };
}

/** Makes the question of a policy, so that asking it parses nothing. */
function questionOf({ content, window }: PolicyDefinition): Question {
  const { dimension } = content;
  switch (dimension) {
    case 'chain':
      return { key: dimension, names: content.chains, see: ({ subject }) => concerned(subject.chainId) };
    case 'coin':
      return { key: dimension, names: content.coins, see: ({ subject }) => concerned(subject.coin) };
    case 'fiat_currency':
      return { key: dimension, names: content.currencies, see: ({ subject }) => concerned(subject.currency) };
    case 'payment_region':
      return { key: dimension, names: content.countries, see: ({ subject }) => concerned(subject.region) };
    case 'initiator':
      return { key: dimension, names: content.members, see: ({ subject }) => [subject.initiatorId] };
    case 'department':
      return { key: dimension, names: content.departments, see: ({ affiliation }) => affiliation?.departmentIds ?? [] };
    case 'role':
      return { key: dimension, names: content.roles, see: ({ affiliation }) => known(affiliation?.roleId ?? null) };
    case 'crypto_quantity':
      return {
        key: `${dimension} ${content.coin} ${window}`,
        span: spanOf(content, quantityDecimals),
        see: ({ subject, coinSums }) => (subject.coin === content.coin ? (coinSums?.[window].quantity ?? null) : null),
      };
    case 'fiat_amount':
      return {
        key: `${dimension} ${content.currency} ${window}`,
        span: spanOf(content, quantityDecimals),
        see: ({ subject, sums }) => (subject.currency === content.currency ? sums[window].quantity : null),
      };
    case 'crypto_value':
      return {
        key: `${dimension} ${window}`,
        span: spanOf(content, 2),
        see: ({ coinSums }) => coinSums?.[window].valueCents ?? null,
      };
    case 'crypto_frequency':
      return {
        key: `${dimension} ${window}`,
        span: spanOf(content, 0),
        see: ({ coinSums }) => (coinSums === null ? null : BigInt(coinSums[window].transactions)),
      };
    case 'fiat_frequency':
      return {
        key: `${dimension} ${window}`,
        span: spanOf(content, 0),
        see: ({ subject, sums }) => (subject.currency === null ? null : BigInt(sums[window].transactions)),
      };
  }
}

function concerned(name: string | null): readonly string[] | null {
  return name === null ? null : [name];
}

function known(roleId: string | null): readonly string[] {
  return roleId === null ? [] : [roleId];
}

function findingOf(question: Question, facts: Facts): Finding {
  if ('names' in question) {
    const seen = question.see(facts);
    if (seen === null) return 'unconcerned';
    return seen.some((name) => question.names.includes(name)) ? 'inside' : 'outside';
  }
  const figure = question.see(facts);
  if (figure === null) return 'unconcerned';
  const { from, to } = question.span;
  return figure >= from && (to === null || figure < to) ? 'inside' : 'outside';
}

/** Policies with the same question, each group answering with the place of the first of them that decides. */
function groupsOf(policies: readonly CompiledPolicy[]): ((facts: Facts) => number)[] {
  const names = new Map<string, NameRules>();
  const figures = new Map<string, FigureRules>();
  const groups: ((facts: Facts) => number)[] = [];
  policies.forEach(({ question, definition }, place) => {
    // Whatever is stopped or exempted lies inside, but for what "allow only" denies.
    const decidesInside = definition.method === 'forbid' || definition.result === 'allow';
    if ('names' in question) {
      const rules = names.get(question.key) ?? new NameRules();
      if (!names.has(question.key)) {
        groups.push((facts) => {
          const seen = question.see(facts);
          return seen === null ? noPlace : rules.first(seen);
        });
      }
      names.set(question.key, rules);
      rules.add(place, question.names, decidesInside);
      return;
    }
    const rules = figures.get(question.key) ?? new FigureRules();
    if (!figures.has(question.key)) {
      groups.push((facts) => {
        const figure = question.see(facts);
        return figure === null ? noPlace : rules.first(figure);
      });
    }
    figures.set(question.key, rules);
    rules.add(place, decidesInside ? [question.span] : outsideOf(question.span));
  });
  return groups;
}

function outsideOf({ from, to }: Span): Span[] {
  return [{ from: null, to: from }, ...(to === null ? [] : [{ from: to, to: null }])];
}

/** from ≤ x < to; `to` null: no upper end. */
function spanOf({ from, to }: { from: string; to: string | null }, decimals: number): Span & { from: bigint } {
  return { from: minorOf(from, decimals), to: to === null ? null : minorOf(to, decimals) };
}

function minorOf(text: string, decimals: number): bigint {
  const parsed = parseAmount(text, decimals);
  invariant(parsed.ok, `a saved policy's figure can be read: ${text}`);
  return parsed.minor;
}

/** What one day of a company's holds; the quantity is that of one coin or currency. */
export interface DayUsage extends Figures {
  day: Day;
}

/**
 * What the windows that a day lies in hold. `own` is the judged transaction's earlier count, which is left out; its quantity
 * only if it was counted in the same coin or currency.
 */
export function windowsAt(
  today: Day,
  usage: readonly DayUsage[],
  own: { day: Day; quantityMinor: bigint; valueCents: bigint; sameAsset: boolean } | null,
): Record<RiskWindow, Figures> {
  const windowOf = (window: RiskWindow): Figures => {
    const start = windowStart(window, today);
    const holds = (day: Day) => day >= start && day <= today;
    const sum: Figures = { transactions: 0, quantityMinor: 0n, valueCents: 0n };
    for (const each of usage) {
      if (!holds(each.day)) continue;
      sum.transactions += each.transactions;
      sum.quantityMinor += each.quantityMinor;
      sum.valueCents += each.valueCents;
    }
    if (own && holds(own.day)) {
      sum.transactions -= 1;
      sum.quantityMinor -= own.sameAsset ? own.quantityMinor : 0n;
      sum.valueCents -= own.valueCents;
    }
    return sum;
  };
  return { day: windowOf('day'), week: windowOf('week'), month: windowOf('month') };
}
