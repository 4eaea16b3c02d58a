import { describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { forbidding, riskSubject } from '../../testing/risk.ts';
import { compile, factsOf, type Inputs, judge, judgeLists, type Policy, type WhiteEntry, windowsAt } from './domain.ts';

/** The rules of judgement one by one; the property tests beside this file compare the engine with an oracle. */

const nothing = { transactions: 0, quantityMinor: 0n, valueCents: 0n };
const windows = { day: nothing, week: nothing, month: nothing };
const entry: WhiteEntry = {
  id: newId(),
  singleCents: 5_000n,
  dailyCents: 8_000n,
  cumulativeCents: 20_000n,
  usedTodayCents: 0n,
  usedCents: 0n,
};

function inputs(given: Partial<Inputs> & { usd?: number } = {}): Inputs {
  const { usd = 50, ...others } = given;
  return {
    subject: riskSubject({ usd, account: '0xAB' }),
    affiliation: null,
    windows,
    blackEntryId: null,
    whiteEntry: null,
    onlyWhitelisted: false,
    ...others,
  };
}

function policy(content: Parameters<typeof forbidding>[0]): Policy {
  return { id: newId(), version: 1, position: 1, definition: { ...forbidding(content), window: 'day' } };
}

describe('the lists', () => {
  test('let an account pass that is on none of them', () => {
    expect(judgeLists(inputs())).toBeNull();
  });

  test('stop a blacklisted account, also one that is whitelisted, and name the entry and the account', () => {
    const judged = judgeLists(inputs({ blackEntryId: 'b', whiteEntry: entry }));
    expect(judged).toEqual({ allowed: false, reason: 'blacklisted', subjectId: 'b', subjectName: '0xAB' });
  });

  test('stop every account outside the white list once only whitelisted ones are paid', () => {
    expect(judgeLists(inputs({ onlyWhitelisted: true }))).toMatchObject({ reason: 'notWhitelisted', subjectId: null });
    expect(judgeLists(inputs({ onlyWhitelisted: true, whiteEntry: entry }))).toBeNull();
  });

  test.each([
    ['whitelistSingle', {}, 50],
    ['whitelistDaily', { usedTodayCents: 4_000n }, 40],
    ['whitelistCumulative', { usedCents: 16_000n }, 40],
  ] as const)('let each limit be reached and not passed: %s', (reason, used, usd) => {
    const whiteEntry = { ...entry, ...used };
    expect(judgeLists(inputs({ whiteEntry, usd }))).toBeNull();
    expect(judgeLists(inputs({ whiteEntry, usd: usd + 0.01 }))).toMatchObject({ reason, subjectId: entry.id });
  });
});

describe('the judgement', () => {
  test('asks the lists first, then the policies', () => {
    const ruleset = compile([policy({ dimension: 'coin', coins: ['USDT'] })]);
    expect(judge(ruleset, inputs({ blackEntryId: 'b' }))).toMatchObject({ reason: 'blacklisted' });
    expect(judge(ruleset, inputs())).toMatchObject({ allowed: false, reason: 'policy' });
    expect(judge(compile([]), inputs())).toMatchObject({ allowed: true, reason: null });
  });

  test('tells a visitor that a policy about another coin is not concerned', () => {
    const seen: string[] = [];
    const range = { from: '0', to: null };
    const ruleset = compile([policy({ dimension: 'crypto_quantity', coin: 'USDC', ...range })]);
    judge(ruleset, inputs(), (_, finding, outcome) => seen.push(finding, outcome));
    expect(seen).toEqual(['unconcerned', 'notConcerned']);
  });

  test('does not concern a transaction without a coin with a policy about coins, whatever it allows', () => {
    const allowOnly = { method: 'allow_only', result: 'deny' } as const;
    const about = policy({ dimension: 'coin', coins: ['ETH'] });
    const ruleset = compile([{ ...about, definition: { ...about.definition, ...allowOnly } }]);
    const subject = riskSubject({ coin: null, currency: 'USD' });
    const seen: string[] = [];
    expect(judge(ruleset, inputs({ subject }), (_, finding) => seen.push(finding))).toMatchObject({ allowed: true });
    expect(seen).toEqual(['unconcerned']);
    expect(judge(ruleset, inputs({ subject }))).toMatchObject({ allowed: true });
    expect(judge(ruleset, inputs({ subject: riskSubject({ coin: 'USDT' }) }))).toMatchObject({ allowed: false });
  });

  test('asks no list about the company’s own wallet', () => {
    const subject = riskSubject({ accountKind: null });
    const listed = { blackEntryId: newId(), onlyWhitelisted: true };
    expect(judge(compile([]), { ...inputs({ subject }), ...listed })).toMatchObject({ allowed: true });
  });

  test('takes a member who is not known for one without department and role', () => {
    const inside = { name: 'desk', method: 'forbid', result: 'deny' } as const;
    const only = { name: 'only the desk', method: 'allow_only', result: 'deny' } as const;
    const policies = [
      policy({ dimension: 'department', departments: ['desk'] }),
      policy({ dimension: 'role', roles: ['clerk'] }),
    ];
    for (const about of policies) {
      const judgedBy = (definition: Partial<Policy['definition']>, affiliation: Inputs['affiliation']) =>
        judge(compile([{ ...about, definition: { ...about.definition, ...definition } }]), inputs({ affiliation }))
          .subjectName;
      const known = { roleId: 'clerk', departmentIds: ['desk'] };
      expect([judgedBy(inside, null), judgedBy(inside, known)]).toEqual([null, 'desk']);
      expect([judgedBy(only, null), judgedBy(only, known)]).toEqual(['only the desk', null]);
    }
  });

  test('judges what is paid with a coin by that coin’s windows, and nothing else by any', () => {
    const paidWith = { quantityMinor: 1n, decimals: 6 };
    const subject = riskSubject({ business: 'payment', chainId: null, currency: 'USD', decimals: 2, paidWith });
    const given = { affiliation: null, windows };
    expect(() => factsOf({ ...given, subject })).toThrow('judged by its windows');
    expect(() => factsOf({ ...given, subject: riskSubject(), coinWindows: windows })).toThrow('judged by its windows');
    expect(factsOf({ ...given, subject, coinWindows: windows }).coinSums?.day.transactions).toBe(1);
  });

  test('refuses to judge an asset of more than eighteen decimals', () => {
    expect(() => factsOf({ subject: riskSubject({ decimals: 19 }), affiliation: null, windows })).toThrow(
      'eighteen decimals',
    );
  });
});

test('a window holds no day after the one that is judged', () => {
  const used = (day: string) => ({ day, transactions: 1, quantityMinor: 1n, valueCents: 1n });
  // Monday to Wednesday; judged on Tuesday.
  const usage = [used('2026-11-02'), used('2026-11-03'), used('2026-11-04')];
  const { day, week, month } = windowsAt('2026-11-03', usage, null);
  expect([day.transactions, week.transactions, month.transactions]).toEqual([1, 2, 2]);
});

describe('payments, of which exchanges of coins are some', () => {
  const payment = { business: 'payment', chainId: null, accountKind: null } as const;
  const bank = riskSubject({ ...payment, coin: null, currency: 'USD', region: 'HK', decimals: 2 });
  const exchange = riskSubject({ ...payment, coin: 'USDT', currency: null });
  const small = { ...policy({ dimension: 'crypto_value', from: '0', to: '1000' }), id: 'small' };
  const often = { ...policy({ dimension: 'fiat_frequency', from: '1', to: null }), id: 'often' };
  const byPolicies = (policies: Policy[], subject: typeof bank) => {
    const own = policies.map((each) => ({ ...each, definition: { ...each.definition, business: 'payment' as const } }));
    return judge(compile(own), inputs({ subject })).subjectId;
  };

  test('a policy that exempts small values of coins exempts no payment of a bank', () => {
    const exempting = { ...small, definition: { ...small.definition, method: 'allow_only', result: 'allow' } } as const;
    const country = { ...policy({ dimension: 'payment_region', countries: ['HK'] }), id: 'country' };
    expect(byPolicies([exempting, country], bank)).toBe('country');
    expect(byPolicies([exempting, { ...often, definition: { ...small.definition } }], exchange)).toBeNull();
  });

  test('values of coins are about coins alone, frequency of payments about currencies alone', () => {
    expect([byPolicies([small], bank), byPolicies([small], exchange)]).toEqual([null, 'small']);
    expect([byPolicies([often], bank), byPolicies([often], exchange)]).toEqual(['often', null]);
  });
});
