import { type RiskWindow, riskWindows } from '@causeway/contract/risk-rules.ts';
import { type Day, windowStart } from './calendar.ts';
import {
  type Facts,
  type Figures,
  factsOf,
  type Inputs,
  type Judgement,
  judgePolicies,
  type RiskSubject,
  type Ruleset,
} from './domain.ts';
import { type Part, partsOf } from './parts.ts';

/** A transaction of the past, as it was counted. */
export interface Flow {
  subject: RiskSubject;
  /** Null: not known. */
  affiliation: Inputs['affiliation'];
  day: Day;
}

/** One window of one business, of its coins or of its currencies: all transactions, and the quantities of each. */
interface Held {
  transactions: number;
  valueCents: bigint;
  quantities: Map<string, bigint>;
}

/**
 * Replays the past: each flow is judged by the windows as they would have been, in which what is stopped was never
 * counted. Flows come in the order of their time.
 */
export class Replay {
  readonly #ruleset: Ruleset;
  /** By business and kind of asset, window, and its first day. */
  readonly #held = new Map<string, Held>();
  /** The windows of a day, by business and kind of asset: those of most flows are those of the flow before. */
  readonly #ofDay = new Map<string, Record<RiskWindow, Held>>();
  readonly #stopped = new Set<string>();

  constructor(ruleset: Ruleset) {
    this.#ruleset = ruleset;
  }

  /** Judges, and counts what is let pass; `facts` is what the policies saw. */
  judge(flow: Flow): { judgement: Judgement; facts: Facts } {
    const windowsOf = (part: Part) => {
      const held = this.#windowsOf(flow, part);
      const figures = (window: RiskWindow): Figures => {
        const { transactions, valueCents, quantities } = held[window];
        return { transactions, valueCents, quantityMinor: quantities.get(part.asset) ?? 0n };
      };
      return { day: figures('day'), week: figures('week'), month: figures('month') };
    };
    const { subject, affiliation } = flow;
    const [part, coin] = partsOf(subject);
    const coins = coin && { coinWindows: windowsOf(coin) };
    const facts = factsOf({ subject, affiliation, windows: windowsOf(part), ...coins });
    const judgement = judgePolicies(this.#ruleset, facts);
    if (judgement.allowed) this.count(flow);
    else this.#stopped.add(flow.subject.id);
    return { judgement, facts };
  }

  /** Counts without judging: the flows before the time that is replayed. */
  count(flow: Flow): void {
    this.#add(flow, 1);
  }

  /** It failed or was cancelled at this point of time; what was stopped was never counted. */
  giveBack(flow: Flow): void {
    if (!this.#stopped.has(flow.subject.id)) this.#add(flow, -1);
  }

  #add(flow: Flow, sign: 1 | -1): void {
    const { subject } = flow;
    const value = BigInt(sign) * subject.valueUsdCents;
    for (const part of partsOf(subject)) {
      const windows = this.#windowsOf(flow, part);
      for (const window of riskWindows) {
        const held = windows[window];
        held.transactions += sign;
        held.valueCents += value;
        held.quantities.set(part.asset, (held.quantities.get(part.asset) ?? 0n) + BigInt(sign) * part.quantityMinor);
      }
    }
  }

  #windowsOf({ subject, day }: Flow, { kind }: Part): Record<RiskWindow, Held> {
    const counter = `${subject.business} ${kind}`;
    const known = this.#ofDay.get(`${counter} ${day}`);
    if (known) return known;
    const at = (window: RiskWindow): Held => {
      const key = `${counter} ${window} ${windowStart(window, day)}`;
      const held = this.#held.get(key) ?? { transactions: 0, valueCents: 0n, quantities: new Map() };
      this.#held.set(key, held);
      return held;
    };
    const windows = { day: at('day'), week: at('week'), month: at('month') };
    this.#ofDay.set(`${counter} ${day}`, windows);
    return windows;
  }
}
