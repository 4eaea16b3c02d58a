import type { PolicyDefinition, RiskContent } from '@causeway/contract/risk.ts';
import { type Business, dimensionsOf, riskWindows } from '@causeway/contract/risk-rules.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { riskSubject } from '../../testing/risk.ts';
import { compile, type DayUsage, factsOf, judgePolicies, type Policy, windowsAt } from './domain.ts';
import { type Part, partsOf } from './parts.ts';
import { type Flow, Replay } from './replay.ts';

/**
 * The engine against an oracle that knows nothing of days kept or of rulesets compiled: it has the plain list of what was
 * let pass, and adds up numbers. Everything is small and whole, so that limits are often met exactly.
 */
interface Sent {
  id: string;
  business: Business;
  chain: string;
  asset: string;
  region: string;
  /** Who submits, of which role, and in which department. */
  who: keyof typeof members;
  /** Whole units, and whole dollars. */
  quantity: number;
  usd: number;
  /** Of the coin that pays, where that is another one than what is paid. */
  paidWith: Amount | null;
  /** Days since Thursday, 1 January 1970. */
  day: number;
}

interface Amount {
  asset: string;
  quantity: number;
}

const coinOf = ({ asset, quantity, paidWith }: Sent): Amount | null => (isCoin(asset) ? { asset, quantity } : paidWith);
const currencyOf = ({ asset, quantity }: Sent): Amount | null => (isCoin(asset) ? null : { asset, quantity });

/** Each with their role and department; Cy has no department, the last is not known. */
const members = {
  ann: { role: 'clerk', department: 'desk' },
  bob: { role: 'clerk', department: 'treasury' },
  cy: { role: 'intern', department: null },
  dee: { role: 'intern', department: 'sales' },
  nobody: null,
} as const;
const parents: Record<string, string | null> = { desk: 'treasury', treasury: 'finance', finance: null, sales: null };

/** Walks up from where the member is, as one would in the structure. */
function isUnder(department: string | null, wanted: readonly string[]): boolean {
  if (department === null) return false;
  return wanted.includes(department) || isUnder(parents[department] ?? null, wanted);
}

const epochMonday = 4;

function sameWindow(window: string, one: number, other: number): boolean {
  if (window === 'day') return one === other;
  if (window === 'week') return Math.floor((one - epochMonday) / 7) === Math.floor((other - epochMonday) / 7);
  return textOf(one).slice(0, 7) === textOf(other).slice(0, 7);
}

function textOf(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

/** The name of what stops a transaction, or null. */
function oracle(policies: readonly PolicyDefinition[], before: readonly Sent[], sent: Sent): string | null {
  for (const { name, business, method, content, result, window } of policies) {
    if (business !== sent.business) continue;
    const held = [...before, sent].filter(
      (each) => each.business === business && sameWindow(window, each.day, sent.day),
    );
    let inside: boolean;
    // Of coins, or of currencies: a transaction that has none is not what it is about.
    const isOfCoins = content.dimension === 'coin' || content.dimension.startsWith('crypto_');
    const isOfCurrencies = content.dimension.startsWith('fiat_') || content.dimension === 'payment_region';
    const amountOf = isOfCoins ? coinOf : currencyOf;
    const own = amountOf(sent);
    if ((isOfCoins || isOfCurrencies) && own === null) continue;
    if ('chains' in content) inside = content.chains.includes(sent.chain);
    else if ('coins' in content) inside = content.coins.includes(own?.asset ?? '');
    else if ('currencies' in content) inside = content.currencies.includes(own?.asset ?? '');
    else if ('countries' in content) inside = content.countries.includes(sent.region);
    else if ('members' in content) inside = content.members.includes(sent.who);
    else if ('roles' in content) inside = content.roles.includes(members[sent.who]?.role ?? '');
    else if ('departments' in content) inside = isUnder(members[sent.who]?.department ?? null, content.departments);
    else {
      const of = 'coin' in content ? content.coin : 'currency' in content ? content.currency : null;
      if (of !== null && of !== own?.asset) continue;
      const figures = held.flatMap((each) => {
        const amount = amountOf(each);
        if (amount === null || (of !== null && amount.asset !== of)) return [];
        return of !== null ? amount.quantity : content.dimension === 'crypto_value' ? each.usd : 1;
      });
      const sum = figures.reduce((total, figure) => total + figure, 0);
      inside = sum >= Number(content.from) && (content.to === null || sum < Number(content.to));
    }
    if (method === 'allow_only' && result === 'allow') {
      if (inside) return null;
    } else if (inside === (method === 'forbid')) return name;
  }
  return null;
}

/** A payment of a coin is an exchange, which has no country. */
const assets = { crypto_withdrawal: ['USDT', 'ETH'], payment: ['USD', 'HKD', 'USDT'] };
const isCoin = (asset: string) => assets.crypto_withdrawal.includes(asset);
const decimals: Record<string, number> = { USDT: 6, ETH: 18, USD: 2, HKD: 2 };
const someOf = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 });
const range = fc
  .tuple(fc.integer({ min: 0, max: 12 }), fc.option(fc.integer({ min: 1, max: 12 })))
  .map(([from, more]) => ({ from: String(from), to: more === null ? null : String(from + more) }));

function contentFor(business: Business): fc.Arbitrary<RiskContent> {
  return fc.constantFrom(...dimensionsOf[business]).chain((dimension): fc.Arbitrary<RiskContent> => {
    switch (dimension) {
      case 'chain':
        return someOf(['ethereum', 'base']).map((chains) => ({ dimension, chains }));
      case 'coin':
        return someOf(assets.crypto_withdrawal).map((coins) => ({ dimension, coins }));
      case 'fiat_currency':
        return someOf(assets.payment).map((currencies) => ({ dimension, currencies }));
      case 'payment_region':
        return someOf(['HK', 'SG', 'US']).map((countries) => ({ dimension, countries }));
      case 'initiator':
        return someOf(Object.keys(members)).map((ids) => ({ dimension, members: ids }));
      case 'department':
        return someOf([...Object.keys(parents), 'gone']).map((departments) => ({ dimension, departments }));
      case 'role':
        return someOf(['clerk', 'intern', 'gone']).map((roles) => ({ dimension, roles }));
      case 'crypto_quantity':
        return fc
          .tuple(fc.constantFrom(...assets.crypto_withdrawal), range)
          .map(([coin, ends]) => ({ dimension, coin, ...ends }));
      case 'fiat_amount':
        return fc
          .tuple(fc.constantFrom(...assets.payment.filter((asset) => !isCoin(asset))), range)
          .map(([currency, ends]) => ({ dimension, currency, ...ends }));
      default:
        return range.map((ends) => ({ dimension, ...ends }));
    }
  });
}

const business = fc.constantFrom<Business>('crypto_withdrawal', 'payment');
const policy: fc.Arbitrary<PolicyDefinition> = business.chain((of) =>
  fc
    .record({
      name: fc.uuid(),
      business: fc.constant(of),
      method: fc.constantFrom('forbid' as const, 'allow_only' as const),
      content: contentFor(of),
      result: fc.constantFrom('deny' as const, 'allow' as const),
      window: fc.constantFrom(...riskWindows),
    })
    .map((made) => (made.method === 'forbid' ? { ...made, result: 'deny' as const } : made)),
);

const firstDay = Date.parse('2026-02-20T00:00:00Z') / 86_400_000;
const history = fc.array(
  business.chain((of) =>
    fc.record({
      business: fc.constant(of),
      chain: fc.constantFrom('ethereum', 'base'),
      asset: fc.constantFrom(...assets[of]),
      region: fc.constantFrom('HK', 'SG', 'US'),
      who: fc.constantFrom(...(Object.keys(members) as (keyof typeof members)[])),
      quantity: fc.integer({ min: 1, max: 4 }),
      usd: fc.integer({ min: 1, max: 4 }),
      coins: fc.option(
        fc.record({ asset: fc.constantFrom(...assets.crypto_withdrawal), quantity: fc.integer({ min: 1, max: 4 }) }),
      ),
      /** Days since the one before: through the end of a month, and of weeks. */
      later: fc.constantFrom(0, 0, 0, 1, 1, 3, 6),
      /** Given back after so many more, if ever. */
      forgottenAfter: fc.option(fc.integer({ min: 0, max: 4 }), { freq: 4 }),
    }),
  ),
  { minLength: 1, maxLength: 25 },
);

function affiliationOf(member: (typeof members)[keyof typeof members]): Flow['affiliation'] {
  if (member === null) return { roleId: null, departmentIds: [] };
  const departmentIds: string[] = [];
  for (let at: string | null = member.department; at !== null; at = parents[at] ?? null) departmentIds.push(at);
  return { roleId: member.role, departmentIds };
}

function flowOf(sent: Sent): Flow {
  const isPayment = sent.business === 'payment';
  const places = decimals[sent.asset] ?? 0;
  const { paidWith } = sent;
  const coinPlaces = decimals[paidWith?.asset ?? ''] ?? 0;
  const subject = riskSubject({
    id: sent.id,
    business: sent.business,
    chainId: isPayment ? null : sent.chain,
    coin: coinOf(sent)?.asset ?? null,
    currency: isCoin(sent.asset) ? null : sent.asset,
    region: isPayment && !isCoin(sent.asset) ? sent.region : null,
    quantityMinor: BigInt(sent.quantity) * 10n ** BigInt(places),
    decimals: places,
    valueUsdCents: BigInt(sent.usd) * 100n,
    initiatorId: sent.who,
    ...(paidWith && {
      paidWith: { quantityMinor: BigInt(paidWith.quantity) * 10n ** BigInt(coinPlaces), decimals: coinPlaces },
    }),
  });
  return { subject, affiliation: affiliationOf(members[sent.who]), day: textOf(sent.day) };
}

function asPolicies(definitions: readonly PolicyDefinition[]): Policy[] {
  return definitions.map((definition, i) => ({ id: definition.name, version: 1, position: i + 1, definition }));
}

const runs = {
  numRuns: Number(process.env['PROOF_HISTORIES'] ?? 10) * 60,
  seed: Number(process.env['PROOF_SEED'] ?? 7),
};

describe('the engine judges as one who adds up a plain list', () => {
  test('replaying a history in which what is stopped is not counted, and some is given back', () => {
    const stops = { some: 0, none: 0 };
    fc.assert(
      fc.property(fc.array(policy, { maxLength: 6 }), history, (definitions, steps) => {
        const replay = new Replay(compile(asPolicies(definitions)));
        let counted: Sent[] = [];
        let day = firstDay;
        const due = new Map<number, Sent[]>();
        steps.forEach(({ later, forgottenAfter, coins, ...step }, i) => {
          for (const sent of due.get(i) ?? []) {
            replay.giveBack(flowOf(sent));
            counted = counted.filter(({ id }) => id !== sent.id);
          }
          day += later;
          const sent = { ...step, id: newId(), day, paidWith: paidWithOf(step, coins) };
          const expected = oracle(definitions, counted, sent);
          const { judgement } = replay.judge(flowOf(sent));
          expect(judgement.subjectName).toBe(expected);
          expect(judgement.allowed).toBe(expected === null);
          stops[expected === null ? 'none' : 'some'] += 1;
          if (expected === null) counted.push(sent);
          if (forgottenAfter !== null) {
            const at = i + 1 + forgottenAfter;
            due.set(at, [...(due.get(at) ?? []), sent]);
          }
        });
      }),
      runs,
    );
    expect(Math.min(stops.some, stops.none)).toBeGreaterThan(100);
  });

  test('from sums by day, with the own earlier count left out', () => {
    fc.assert(
      fc.property(fc.array(policy, { maxLength: 6 }), history, fc.boolean(), (definitions, steps, isCounted) => {
        let day = firstDay;
        const all = steps.map(({ later, forgottenAfter: _, coins, ...step }): Sent => {
          day += later;
          return { ...step, id: newId(), day, paidWith: paidWithOf(step, coins) };
        });
        const judged = { ...(all.at(-1) as Sent), day };
        const before = all.slice(0, -1);
        const ruleset = compile(asPolicies(definitions));
        // Judged later than it was counted: at a decision some days on.
        const today = isCounted ? day + 2 : day;
        const { subject, affiliation } = flowOf(judged);
        const windowsOf = (part: Part) => {
          const { valueUsdCents: valueCents } = subject;
          const own = { day: textOf(day), quantityMinor: part.quantityMinor, valueCents, sameAsset: true };
          return windowsAt(textOf(today), usageOf(isCounted ? all : before, judged, part), isCounted ? own : null);
        };
        const [part, coin] = partsOf(subject);
        const coinWindows = coin && { coinWindows: windowsOf(coin) };
        const facts = factsOf({ subject, affiliation, windows: windowsOf(part), ...coinWindows });
        const expected = oracle(definitions, before, { ...judged, day: today });
        expect(judgePolicies(ruleset, facts).subjectName).toBe(expected);
        // Asked one by one, as an explanation does, they say the same, and the last one asked is the one that decided.
        const asked: string[] = [];
        expect(judgePolicies(ruleset, facts, ({ id }) => asked.push(id)).subjectName).toBe(expected);
        if (expected !== null) expect(asked.at(-1)).toBe(expected);
      }),
      runs,
    );
  });
});

/** Payments alone are paid with something else than what they pay, and only where that is a currency. */
function paidWithOf({ business, asset }: Pick<Sent, 'business' | 'asset'>, coins: Amount | null): Amount | null {
  return business === 'payment' && !isCoin(asset) ? coins : null;
}

/** As the store reads it: one row a day, of coins or of currencies. */
function usageOf(sent: readonly Sent[], judged: Sent, { kind, asset }: Part): DayUsage[] {
  const days = new Map<string, DayUsage>();
  for (const each of sent.filter(({ business }) => business === judged.business)) {
    const { subject, day } = flowOf(each);
    for (const part of partsOf(subject).filter((one) => one.kind === kind)) {
      const row = days.get(day) ?? { day, transactions: 0, quantityMinor: 0n, valueCents: 0n };
      row.transactions += 1;
      row.valueCents += subject.valueUsdCents;
      if (part.asset === asset) row.quantityMinor += part.quantityMinor;
      days.set(day, row);
    }
  }
  return [...days.values()];
}
