import { parseAmount } from '@causeway/contract/money.ts';
import type { PolicyDefinition } from '@causeway/contract/risk.ts';
import {
  type Business,
  businesses,
  type RiskReason,
  type RiskWindow,
  riskWindows,
} from '@causeway/contract/risk-rules.ts';
import { invariant } from '../../platform/domain-error.ts';
import { type Day, windowStart } from './calendar.ts';

/**
 * The judgement of one transaction: black list, white list, policies in their order, the first match decides (docs/adr/0010).
 * Pure: the same inputs and the same ruleset give the same answer for ever, which is what explanations and replays stand on.
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
  /** ISO 3166-1 alpha-2. */
  region: string | null;
  accountKind: 'crypto_address' | 'bank_no';
  /** EIP-55, or the account in capitals without blanks. */
  account: string;
  initiatorId: string;
}

/** What a window holds: of one business, and for the quantity of one coin or currency. */
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
  /** Sent today, and since the entry stands; without the transaction that is judged. */
  usedTodayCents: bigint;
  usedCents: bigint;
}

export interface Inputs {
  subject: RiskSubject;
  /** What the windows hold without the transaction that is judged. */
  windows: Record<RiskWindow, Figures>;
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

/** Where a transaction stands to a policy's content; `unconcerned`: the policy is about another coin or currency. */
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
  sums: Record<RiskWindow, { transactions: number; quantity: bigint; valueCents: bigint }>;
}

interface CompiledPolicy extends Policy {
  find(facts: Facts): Finding;
}

/** The active policies of one version, by business, in their order. */
export type Ruleset = Record<Business, readonly CompiledPolicy[]>;

/** Told of every policy asked, in order; what it is told is what explains. */
export type Visit = (policy: Policy, finding: Finding, outcome: Outcome) => void;

/** One scale for quantities of every asset: no asset has more decimals. */
export const quantityDecimals = 18;

export function compile(policies: readonly Policy[]): Ruleset {
  const compiled = policies.map((policy) => ({ ...policy, find: finder(policy.definition) }));
  const of = (business: Business) => compiled.filter((policy) => policy.definition.business === business);
  return Object.fromEntries(businesses.map((business) => [business, of(business)])) as unknown as Ruleset;
}

/** Judges; `visit` is told of each policy asked. */
export function judge(ruleset: Ruleset, inputs: Inputs, visit?: Visit): Judgement {
  return judgeLists(inputs) ?? judgePolicies(ruleset, factsOf(inputs.subject, inputs.windows), visit);
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
  if (blackEntryId !== null) return stop('blacklisted', blackEntryId);
  if (whiteEntry === null) return onlyWhitelisted ? stop('notWhitelisted', null) : null;
  if (value > whiteEntry.singleCents) return stop('whitelistSingle', whiteEntry.id);
  if (whiteEntry.usedTodayCents + value > whiteEntry.dailyCents) return stop('whitelistDaily', whiteEntry.id);
  if (whiteEntry.usedCents + value > whiteEntry.cumulativeCents) return stop('whitelistCumulative', whiteEntry.id);
  return null;
}

export function judgePolicies(ruleset: Ruleset, facts: Facts, visit?: Visit): Judgement {
  for (const policy of ruleset[facts.subject.business]) {
    const finding = policy.find(facts);
    const outcome = outcomeOf(policy.definition, finding);
    visit?.(policy, finding, outcome);
    if (outcome === 'stopped') {
      return { allowed: false, reason: 'policy', subjectId: policy.id, subjectName: policy.definition.name };
    }
    if (outcome === 'exempted') break;
  }
  return { allowed: true, reason: null, subjectId: null, subjectName: null };
}

function outcomeOf({ method, result }: PolicyDefinition, finding: Finding): Outcome {
  if (finding === 'unconcerned') return 'notConcerned';
  if (method === 'forbid') return finding === 'inside' ? 'stopped' : 'passed';
  if (result === 'deny') return finding === 'outside' ? 'stopped' : 'passed';
  return finding === 'inside' ? 'exempted' : 'passed';
}

export function factsOf(subject: RiskSubject, windows: Record<RiskWindow, Figures>): Facts {
  const scale = 10n ** BigInt(quantityDecimals - subject.decimals);
  const sums = riskWindows.map((window) => {
    const held = windows[window];
    return [
      window,
      {
        transactions: held.transactions + 1,
        quantity: (held.quantityMinor + subject.quantityMinor) * scale,
        valueCents: held.valueCents + subject.valueUsdCents,
      },
    ];
  });
  return { subject, sums: Object.fromEntries(sums) };
}

/** Makes the question of a policy, so that asking it parses nothing. */
function finder({ content, window }: PolicyDefinition): (facts: Facts) => Finding {
  switch (content.dimension) {
    case 'chain':
      return member(content.chains, ({ chainId }) => chainId);
    case 'coin':
      return member(content.coins, ({ coin }) => coin);
    case 'fiat_currency':
      return member(content.currencies, ({ currency }) => currency);
    case 'payment_region':
      return member(content.countries, ({ region }) => region);
    case 'crypto_quantity':
    case 'fiat_amount': {
      const asset = content.dimension === 'fiat_amount' ? content.currency : content.coin;
      const of = content.dimension === 'fiat_amount' ? currencyOf : coinOf;
      const within = range(content, quantityDecimals);
      return ({ subject, sums }) => (of(subject) === asset ? within(sums[window].quantity) : 'unconcerned');
    }
    case 'crypto_value': {
      const within = range(content, 2);
      return ({ sums }) => within(sums[window].valueCents);
    }
    case 'crypto_frequency':
    case 'fiat_frequency': {
      const [from, to] = [Number(content.from), content.to === null ? Number.POSITIVE_INFINITY : Number(content.to)];
      return ({ sums }) => {
        const { transactions } = sums[window];
        return transactions >= from && transactions < to ? 'inside' : 'outside';
      };
    }
  }
}

function coinOf({ coin }: RiskSubject): string | null {
  return coin;
}

function currencyOf({ currency }: RiskSubject): string | null {
  return currency;
}

function member(list: readonly string[], of: (subject: RiskSubject) => string | null): (facts: Facts) => Finding {
  const names: ReadonlySet<string | null> = new Set(list);
  return ({ subject }) => (names.has(of(subject)) ? 'inside' : 'outside');
}

/** from ≤ x < to; `to` null: no upper end. */
function range({ from, to }: { from: string; to: string | null }, decimals: number): (x: bigint) => Finding {
  const low = minorOf(from, decimals);
  if (to === null) return (x) => (x >= low ? 'inside' : 'outside');
  const high = minorOf(to, decimals);
  return (x) => (x >= low && x < high ? 'inside' : 'outside');
}

function minorOf(text: string, decimals: number): bigint {
  const parsed = parseAmount(text, decimals);
  invariant(parsed.ok, `a saved policy's figure can be read: ${text}`);
  return parsed.minor;
}

/** The coin of a withdrawal, the currency of a payment. */
export function assetOf({ business, coin, currency }: Pick<RiskSubject, 'business' | 'coin' | 'currency'>): string {
  return (business === 'payment' ? currency : coin) ?? '';
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
  const windows = riskWindows.map((window) => {
    const start = windowStart(window, today);
    const holds = (day: Day) => day >= start && day <= today;
    const sum: Figures = { transactions: 0, quantityMinor: 0n, valueCents: 0n };
    for (const each of usage.filter(({ day }) => holds(day))) {
      sum.transactions += each.transactions;
      sum.quantityMinor += each.quantityMinor;
      sum.valueCents += each.valueCents;
    }
    if (own && holds(own.day)) {
      sum.transactions -= 1;
      sum.quantityMinor -= own.sameAsset ? own.quantityMinor : 0n;
      sum.valueCents -= own.valueCents;
    }
    return [window, sum];
  });
  return Object.fromEntries(windows);
}

/** A transaction of the past, as it was counted. */
export interface Flow {
  subject: RiskSubject;
  day: Day;
}

/**
 * Runs the past anew: each flow is judged by the windows as they would have been, in which what is stopped was never
 * counted. Flows come in the order of their time.
 */
export class Replay {
  readonly #ruleset: Ruleset;
  /** By business, window and its first day: all transactions; with an asset behind: its quantity. */
  readonly #held = new Map<string, Figures>();
  readonly #stopped = new Set<string>();
  readonly #starts = new Map<Day, Record<RiskWindow, Day>>();

  constructor(ruleset: Ruleset) {
    this.#ruleset = ruleset;
  }

  /** Judges, and counts what is let pass; `facts` is what the policies saw. */
  judge(flow: Flow): { judgement: Judgement; facts: Facts } {
    const facts = factsOf(flow.subject, this.#windowsOf(flow));
    const judgement = judgePolicies(this.#ruleset, facts);
    if (judgement.allowed) this.count(flow);
    else this.#stopped.add(flow.subject.id);
    return { judgement, facts };
  }

  /** Counts without judging: what stands before the time that is replayed. */
  count(flow: Flow): void {
    this.#add(flow, 1);
  }

  /** It failed or was cancelled at this point of time; what was stopped was never counted. */
  giveBack(flow: Flow): void {
    if (!this.#stopped.has(flow.subject.id)) this.#add(flow, -1);
  }

  #add({ subject, day }: Flow, sign: 1 | -1): void {
    const starts = this.#startsOf(day);
    for (const window of riskWindows) {
      const all = this.#at(subject.business, window, starts[window], null);
      all.transactions += sign;
      all.valueCents += BigInt(sign) * subject.valueUsdCents;
      const own = this.#at(subject.business, window, starts[window], assetOf(subject));
      own.quantityMinor += BigInt(sign) * subject.quantityMinor;
    }
  }

  #windowsOf({ subject, day }: Flow): Record<RiskWindow, Figures> {
    const starts = this.#startsOf(day);
    const entries = riskWindows.map((window) => {
      const { transactions, valueCents } = this.#at(subject.business, window, starts[window], null);
      const { quantityMinor } = this.#at(subject.business, window, starts[window], assetOf(subject));
      return [window, { transactions, valueCents, quantityMinor }];
    });
    return Object.fromEntries(entries);
  }

  #at(business: Business, window: RiskWindow, start: Day, asset: string | null): Figures {
    const key = `${business} ${window} ${start} ${asset ?? '*'}`;
    let figures = this.#held.get(key);
    if (!figures) {
      figures = { transactions: 0, quantityMinor: 0n, valueCents: 0n };
      this.#held.set(key, figures);
    }
    return figures;
  }

  #startsOf(day: Day): Record<RiskWindow, Day> {
    const known = this.#starts.get(day);
    if (known) return known;
    const starts = { day: day, week: windowStart('week', day), month: windowStart('month', day) };
    this.#starts.set(day, starts);
    return starts;
  }
}
