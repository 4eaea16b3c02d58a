import { merchantGroupNames, merchantGroupOf } from '@causeway/contract/cards-rules.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Asked,
  type Bounds,
  bindingOf,
  decide,
  type Facts,
  forcedOf,
  isContradictory,
  isStricter,
  merchantFigure,
  movesOf,
  type Said,
  sumUp,
} from './domain.ts';

const limit = fc.option(fc.bigInt(1n, 50n), { nil: null });
const groups = fc.uniqueArray(fc.constantFrom('fuel', 'lodging', 'gambling', 'other' as const), { minLength: 1 });
const codes = fc.uniqueArray(fc.constantFrom('HK', 'CN', 'US'), { minLength: 1 });
const mode = fc.constantFrom('allow' as const, 'deny' as const);
const bounds: fc.Arbitrary<Bounds> = fc.record({
  limits: fc.record({ each: limit, day: limit, month: limit, total: limit }),
  categories: fc.option(fc.record({ mode, groups }), { nil: null }) as fc.Arbitrary<Bounds['categories']>,
  countries: fc.option(fc.record({ mode, codes }), { nil: null }),
  online: fc.boolean(),
});
/** Bounds before and after a change. Of two by chance one in a hundred is stricter, so that most parts are made so, or stay as they were. */
const changed: fc.Arbitrary<[Bounds, Bounds]> = fc
  .record({
    before: bounds,
    other: bounds,
    lowers: fc.record({ each: often(), day: often(), month: often(), total: often() }),
    takes: fc.record({ categories: fc.boolean(), countries: fc.boolean(), online: often() }),
  })
  .map(({ before, other, lowers, takes }) => {
    const limit = (name: keyof Bounds['limits']) => {
      const [was, is] = [before.limits[name], other.limits[name]];
      return !lowers[name] || was === null || (is !== null && is < was) ? is : was;
    };
    const after = {
      limits: { each: limit('each'), day: limit('day'), month: limit('month'), total: limit('total') },
      categories: takes.categories ? before.categories : other.categories,
      countries: takes.countries ? before.countries : other.countries,
      online: takes.online ? before.online && other.online : other.online,
    };
    return [before, after];
  });

/** True four times of five. */
function often(): fc.Arbitrary<boolean> {
  return fc.integer({ min: 0, max: 4 }).map((number) => number > 0);
}

const asked: fc.Arbitrary<Asked> = fc.record({
  kind: fc.constantFrom('authorization', 'incremental', 'final', 'inquiry'),
  amountMinor: fc.bigInt(0n, 60n),
  currency: fc.constantFrom('HKD', 'HKD', 'HKD', 'USD'),
  group: fc.constantFrom('fuel', 'lodging', 'gambling', 'other'),
  country: fc.constantFrom('HK', 'CN', 'US', null),
  isOnline: fc.constantFrom(true, false, null),
  mayBePartial: fc.boolean(),
});
const amount = fc.bigInt(0n, 40n);
const unspent = { day: 0n, month: 0n, total: 0n, purchase: 0n };
const facts: fc.Arbitrary<Facts> = fc
  .record({
    isRestoring: fc.constant(false),
    companyFrozen: fc.constant(false),
    walletFrozen: fc.constant(false),
    holderActive: fc.constant(true),
    state: fc.constant('active' as const),
    frozenBy: fc.constant(null),
    isBlocked: fc.constant(false),
    isExpired: fc.constant(false),
    asset: fc.constant('HKD'),
    availableMinor: fc.bigInt(0n, 60n),
    spent: fc.record({ day: amount, month: amount, total: amount, purchase: amount }),
    bounds: fc.array(bounds, { maxLength: 3 }),
  })
  .map((given) => given as Facts);

describe('a decision', () => {
  test('never exceeds what is available, nor a limit, nor what was asked', () => {
    fc.assert(
      fc.property(asked, facts, (one, by) => {
        const decision = decide(one, by);
        if (decision.outcome === 'declined') return;
        expect(decision.approvedMinor <= one.amountMinor && decision.approvedMinor <= by.availableMinor).toBe(true);
        if (!one.mayBePartial && one.kind !== 'inquiry') expect(decision.approvedMinor).toBe(one.amountMinor);
        for (const { limits, online } of decision.approvedMinor > 0n ? by.bounds : []) {
          expect(limits.day === null || by.spent.day + decision.approvedMinor <= limits.day).toBe(true);
          expect(limits.month === null || by.spent.month + decision.approvedMinor <= limits.month).toBe(true);
          expect(limits.total === null || by.spent.total + decision.approvedMinor <= limits.total).toBe(true);
          expect(limits.each === null || by.spent.purchase + decision.approvedMinor <= limits.each).toBe(true);
          expect(online || one.isOnline === false).toBe(true);
        }
      }),
    );
  });

  test('what is stricter approves nothing that was declined before, and nothing more', () => {
    fc.assert(
      fc.property(asked, facts, changed, (one, by, [before, after]) => {
        fc.pre(isStricter(before, after));
        const approvedBy = (own: Bounds) => {
          // Nothing else declines, so that what these bounds allow is seen to the unit.
          const freely = { ...one, currency: by.asset, mayBePartial: true };
          const decision = decide(freely, { ...by, availableMinor: 60n, spent: unspent, bounds: [own] });
          return decision.outcome === 'approved' ? decision.approvedMinor : -1n;
        };
        expect(approvedBy(after) <= approvedBy(before)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    ['isRestoring', { isRestoring: true }, 'restoring'],
    ['companyFrozen', { companyFrozen: true }, 'companyFrozen'],
    ['walletFrozen', { walletFrozen: true }, 'walletFrozen'],
    ['holderActive', { holderActive: false }, 'holderInactive'],
    ['ordered', { state: 'ordered' }, 'cardInactive'],
    ['inactive', { state: 'inactive' }, 'cardInactive'],
    ['failed', { state: 'failed' }, 'cardInactive'],
    ['closed', { state: 'closed' }, 'cardClosed'],
    ['holder', { frozenBy: 'holder' }, 'cardFrozenByHolder'],
    ['administrator', { frozenBy: 'administrator' }, 'cardFrozenByAdministrator'],
    ['blocked', { isBlocked: true }, 'cardBlocked'],
    ['expired', { isExpired: true }, 'cardExpired'],
  ])('is declined for %s', (_, also, reason) => {
    const [one] = fc.sample(
      asked.filter(({ kind }) => kind === 'authorization'),
      1,
    );
    const [by] = fc.sample(facts, 1);
    expect(decide(one as Asked, { ...(by as Facts), ...(also as Partial<Facts>) })).toEqual({
      outcome: 'declined',
      reason,
    });
    // Money that comes is taken whatever holds.
    const credit = decide({ ...(one as Asked), kind: 'credit' }, { ...(by as Facts), ...(also as Partial<Facts>) });
    expect(credit).toMatchObject({ outcome: 'approved', approvedMinor: 0n });
  });

  test('says where each bound comes from: the lowest limit, and every list', () => {
    const own: Bounds = {
      limits: { each: 5n, day: 9n, month: null, total: null },
      categories: null,
      countries: null,
      online: true,
    };
    const rule: Bounds = { ...own, limits: { each: 7n, day: 8n, month: 30n, total: null }, online: false };
    const card = { source: 'card', name: null, ruleId: null, bounds: own } as const;
    const sales = { source: 'department', name: 'Sales', ruleId: 'r', bounds: rule } as const;
    expect(bindingOf([card, sales]).map(({ bound, from, limitMinor }) => [bound, from.source, limitMinor])).toEqual([
      ...[
        ['each', 'card', 5n],
        ['day', 'department', 8n],
        ['month', 'department', 30n],
        ['online', 'department', null],
      ],
    ]);
  });
});

describe('what a purchase comes to', () => {
  const said: fc.Arbitrary<Said> = fc.record({
    type: fc.constantFrom('requested', 'authorized', 'declined', 'adjusted', 'reversed', 'expired', 'cleared'),
    token: fc.uuid(),
    requestToken: fc.constant(null),
    amountMinor: fc.option(fc.bigInt(0n, 100n), { nil: null }),
    isLast: fc.boolean(),
    at: fc.integer({ min: 0, max: 8 }).map((second) => new Date(second * 1000)),
  });

  test('is the same in whatever order it arrives, never below nothing, and moves are exact', () => {
    fc.assert(
      fc.property(fc.array(said, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 8 }), (all, order) => {
        const shuffled = all.toSorted(
          (one, other) => (order[all.indexOf(one)] ?? 0) - (order[all.indexOf(other)] ?? 0),
        );
        const sums = sumUp(all);
        expect(sumUp(shuffled)).toEqual(sums);
        expect(sums.heldMinor >= 0n && sums.clearedMinor >= 0n).toBe(true);
        const moves = movesOf({ heldMinor: 3n, clearedMinor: 4n }, sums);
        expect(moves.outboundMinor + moves.cardMinor + moves.availableMinor).toBe(0n);
      }),
    );
  });

  test('nothing is held after an expiry, a last clearing or a full reversal that nothing follows', () => {
    fc.assert(
      fc.property(
        fc.array(said, { maxLength: 8 }),
        fc.constantFrom('expired', 'cleared', 'reversed' as const),
        (all, type) => {
          const end: Said = {
            type,
            token: 'end',
            requestToken: null,
            amountMinor: type === 'cleared' ? 1n : null,
            isLast: true,
            at: new Date(60_000),
          };
          expect(sumUp([...all, end]).heldMinor).toBe(0n);
        },
      ),
    );
  });

  test('the issuer’s word on a request replaces ours', () => {
    const at = new Date(0);
    const ours: Said = { type: 'requested', token: 'r', requestToken: null, amountMinor: 100n, isLast: false, at };
    const its = (type: Said['type'], amountMinor: bigint | null): Said => ({
      ...ours,
      type,
      token: 'e',
      requestToken: 'r',
      amountMinor,
    });
    expect(sumUp([ours]).heldMinor).toBe(100n);
    expect(sumUp([ours, its('authorized', 100n)])).toEqual({ heldMinor: 100n, clearedMinor: 0n, isForced: false });
    expect(sumUp([its('authorized', 80n), ours]).heldMinor).toBe(80n);
    expect(sumUp([ours, its('declined', null)]).heldMinor).toBe(0n);
    // In our place: we were not asked.
    expect(sumUp([its('authorized', 80n)]).isForced).toBe(true);
  });
});

describe('how a purchase was forced', () => {
  const said = (...all: [Said['type'], bigint | null, Partial<Said>?][]): Said[] =>
    all.map(([type, amountMinor, about], index) => ({
      ...{ type, token: `${index}`, requestToken: null, amountMinor, isLast: false, at: new Date(index) },
      ...about,
    }));
  const last = { isLast: true };

  test.each<[string, Said[], ReturnType<typeof forcedOf>]>([
    ['within its hold', said(['requested', 140n], ['cleared', 140n, last]), null],
    ['a tip', said(['requested', 140n], ['cleared', 155n, last]), { how: 'above', takenMinor: 155n, heldMinor: 140n }],
    [
      'in parts, the last above the rest',
      said(['requested', 100n], ['cleared', 60n], ['cleared', 60n, last]),
      { how: 'above', takenMinor: 120n, heldMinor: 100n },
    ],
    [
      'above, and once more',
      said(['requested', 100n], ['cleared', 120n, last], ['cleared', 30n]),
      { how: 'above', takenMinor: 150n, heldMinor: 100n },
    ],
    [
      'above what a partial reversal held',
      said(['requested', 100n], ['reversed', 30n], ['cleared', 90n]),
      { how: 'above', takenMinor: 90n, heldMinor: 70n },
    ],
    ['without an approval', said(['cleared', 60n, last]), { how: 'unasked', takenMinor: 60n, heldMinor: 0n }],
    [
      'after the hold had expired',
      said(['requested', 140n], ['expired', null], ['cleared', 140n]),
      { how: 'released', takenMinor: 140n, heldMinor: 0n },
    ],
    [
      'after its last clearing',
      said(['requested', 100n], ['cleared', 40n, last], ['cleared', 50n]),
      { how: 'released', takenMinor: 50n, heldMinor: 0n },
    ],
    [
      'approved by the issuer',
      said(['authorized', 80n, { requestToken: 'not asked' }], ['cleared', 80n]),
      { how: 'byIssuer', takenMinor: 80n, heldMinor: 0n },
    ],
    ['covered by what came later', said(['requested', 140n], ['adjusted', 155n], ['cleared', 155n, last]), null],
  ])('%s', (_, all, expected) => {
    expect(forcedOf(all)).toEqual(expected);
    expect(forcedOf(all.toReversed())).toEqual(expected);
  });
});

test.each([
  ['10', 'USD', '10.00'],
  ['10.5', 'EUR', '10.50'],
  ['1500', 'JPY', '1500'],
  ['1.2', 'KWD', '1.200'],
  ['1.255', 'USD', '1.255'],
  ['10', 'QQQ', '10'],
  [null, null, null],
])('%s %s has the decimals of its currency', (amount, currency, expected) => {
  expect(merchantFigure(amount, currency)).toBe(expected);
});

describe('what cannot all be so', () => {
  const at = new Date(0);
  const of = (type: Said['type'], about: Partial<Said> = {}): Said => ({
    ...{ type, token: type, requestToken: null, amountMinor: 100n, isLast: false, at },
    ...about,
  });
  const asked = of('requested', { token: 'r' });
  const declined = of('declined', { requestToken: 'r', amountMinor: null });

  test.each<[string, readonly Said[], boolean]>([
    ['declined and cleared', [asked, declined, of('cleared')], true],
    ['never approved, declined and cleared', [declined, of('cleared')], true],
    ['approved and declined', [of('authorized', { requestToken: 'r' }), declined], true],
    ['declined alone', [asked, declined], false],
    ['a declined increment', [asked, of('declined', { requestToken: 'more' }), of('cleared')], false],
    ['approved in our place', [declined, of('authorized'), of('cleared')], false],
    ['cleared for nothing', [declined, of('cleared', { amountMinor: 0n })], false],
    ['forced', [of('cleared')], false],
  ])('%s', (_, said, expected) => {
    expect([isContradictory(said), isContradictory(said.toReversed())]).toEqual([expected, expected]);
  });
});

test('every merchant category code is in one group', () => {
  expect(merchantGroupOf('5812')).toBe('restaurants');
  expect(merchantGroupOf('7995')).toBe('gambling');
  expect(merchantGroupOf('6011')).toBe('cash');
  expect(merchantGroupOf('')).toBe('other');
  for (let code = 0; code < 10_000; code += 1)
    expect(merchantGroupNames).toContain(merchantGroupOf(String(code).padStart(4, '0')));
});
