import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MidInput, makeMid, midHoldsMs, type SourcePrice } from './domain.ts';

const now = new Date('2026-11-25T12:00:00Z');
const rules = { needed: 2, disagreementBp: 100, jumpBp: 1000, wideBp: 500, bandBp: 300 };

function said(source: string, price: number | string, changes: Partial<SourcePrice> = {}): SourcePrice {
  const text = String(price);
  return { source, bid: text, ask: text, fault: null, at: ago(5), expiresAt: ago(-55), ...changes };
}

function ago(seconds: number): Date {
  return new Date(now.getTime() - seconds * 1000);
}

function made(prices: SourcePrice[], changes: Partial<MidInput> = {}) {
  return makeMid({ prices, last: null, band: null, now, rules, ...changes });
}

describe('sources that agree', () => {
  test('give the median, or the mean of the middle two; it holds a minute at most, and not longer than enough of them are young', () => {
    expect(made([said('a', 100), said('b', '100.4', { at: ago(20), expiresAt: ago(-40) })])).toEqual({
      mid: { usd: '100.2', at: ago(20), holdsUntil: ago(-40), sources: ['a', 'b'] },
      problem: null,
      leftOut: [],
    });
    const three = made([said('b', 100.3), said('c', 100.9), said('a', 100, { expiresAt: ago(-1) })]);
    expect(three.mid).toMatchObject({ usd: '100.3', holdsUntil: ago(-55), sources: ['a', 'b', 'c'] });
    const far = { expiresAt: ago(-3600) };
    expect(made([said('a', 1, far), said('b', 1, far)]).mid?.holdsUntil).toEqual(new Date(now.getTime() + midHoldsMs));
  });

  test('are as many as the asset needs', () => {
    const prices = [said('a', 100), said('b', 100)];
    expect(made(prices.slice(0, 1)).problem).toBe('single');
    expect(made(prices, { rules: { ...rules, needed: 3 } })).toMatchObject({ mid: null, problem: 'single' });
    expect(made(prices.slice(0, 1), { rules: { ...rules, needed: 1 } }).mid?.usd).toBe('100');
    expect(made([]).problem).toBe('none');
  });
});

describe('a source that lies', () => {
  const lies: [string, Partial<SourcePrice>, string][] = [
    ['that is crossed', { bid: '101', ask: '100' }, 'crossed'],
    ['of zero', { bid: '0', ask: '100' }, 'notPositive'],
    ['below zero', { bid: '-100', ask: '-100' }, 'notPositive'],
    ['with a gap between bid and ask', { bid: '50', ask: '150' }, 'wide'],
    ['that is too old', { expiresAt: now }, 'stale'],
    ['from the future', { at: ago(-61) }, 'ahead'],
    ['that is no number', { fault: 'unreadable' }, 'unreadable'],
    ['a tenth of the others', { bid: '10', ask: '10' }, 'disagreeing'],
  ];

  test.each(lies)('with a price %s is left out and named', (_, lie, fault) => {
    const lied = made([said('honest', 100), said('liar', 100, lie), said('other', 100)]);
    expect(lied).toMatchObject({ mid: { usd: '100', sources: ['honest', 'other'] }, problem: null });
    expect(lied.leftOut).toEqual([{ source: 'liar', fault }]);
  });

  test.each(lies)('with a price %s leaves one honest source alone, which is not quoted', (_, lie, fault) => {
    const lied = made([said('honest', 100), said('liar', 100, lie)]);
    expect(lied.mid).toBeNull();
    expect(lied.problem).toBe(fault === 'disagreeing' ? 'disagreeing' : 'single');
  });

  test('all of them being too old is said as such', () => {
    expect(made([said('a', 1, { expiresAt: now }), said('b', 1, { expiresAt: now })]).problem).toBe('stale');
  });
});

describe('a jump', () => {
  const last = { usd: '100', heldUntil: ago(30) };

  test('of one source is left out, of two that agree it is believed', () => {
    const alone = made([said('a', 100), said('b', 100), said('c', 120)], { last });
    expect(alone).toMatchObject({ mid: { usd: '100' }, leftOut: [{ source: 'c', fault: 'jumping' }] });
    const confirmed = made([said('a', 120), said('b', '120.5'), said('c', 100)], { last });
    expect(confirmed).toMatchObject({ mid: { usd: '120.25' }, leftOut: [{ source: 'c', fault: 'disagreeing' }] });
    expect(made([said('a', 120), said('b', 100)], { last }).problem).toBe('single');
  });

  test('of a single source that is enough is not believed within an hour', () => {
    const alone = { ...rules, needed: 1 };
    expect(made([said('a', 120)], { last, rules: alone }).mid).toBeNull();
    expect(made([said('a', 120)], { last: { ...last, heldUntil: ago(3601) }, rules: alone }).mid?.usd).toBe('120');
    expect(made([said('a', 109)], { last, rules: alone }).mid?.usd).toBe('109');
  });
});

test('a currency far from its reference rate is left out, though two sources say so', () => {
  const lied = made([said('a', '0.140'), said('b', '0.140')], { band: '0.128' });
  expect(lied).toMatchObject({
    mid: null,
    problem: 'none',
    leftOut: [{ fault: 'outsideBand' }, { fault: 'outsideBand' }],
  });
  expect(made([said('a', '0.130'), said('b', '0.130')], { band: '0.128' }).mid?.usd).toBe('0.13');
});

describe('whatever sources say', () => {
  const price = fc.oneof(
    fc
      .double({ min: 1e-9, max: 1e9, noNaN: true })
      .map((value) => new Decimal(value).toSignificantDigits(10).toFixed()),
    fc.constantFrom('0', '-1', '1', '1.001', '1.005', '1.02', '0.99', '2'),
  );
  const anything = fc.record({
    bid: price,
    ask: price,
    at: fc.integer({ min: -200, max: 3600 }).map(ago),
    expiresAt: fc.integer({ min: -3600, max: 200 }).map(ago),
    fault: fc.constantFrom(null, null, null, 'unreadable' as const),
  });
  const sources = (most: number) =>
    fc.array(anything, { maxLength: most }).map((all) => all.map((each, i) => ({ ...each, source: `s${i}` })));
  const honest = (count: number) =>
    fc
      .array(fc.integer({ min: 9_960, max: 10_040 }), { minLength: count, maxLength: count })
      .map((all) => all.map((tenThousandths, i) => said(`h${i}`, tenThousandths / 10_000)));

  test('a mid lies between the prices that it was made from, which agree, are young and are enough', () => {
    fc.assert(
      fc.property(sources(6), fc.integer({ min: 1, max: 3 }), price, (prices, needed, lastUsd) => {
        const last = new Decimal(lastUsd).gt(0) ? { usd: lastUsd, heldUntil: ago(10) } : null;
        const { mid, problem, leftOut } = made(prices, { rules: { ...rules, needed }, last });
        expect(mid === null).toBe(problem !== null);
        if (!mid) return;
        const used = prices.filter(({ source }) => mid.sources.includes(source));
        expect([...mid.sources, ...leftOut.map(({ source }) => source)].toSorted()).toEqual(
          prices.map(({ source }) => source).toSorted(),
        );
        expect(used.length).toBeGreaterThanOrEqual(needed);
        const middles = used.map(({ bid, ask }) => new Decimal(bid).plus(ask).div(2));
        const [low, high] = [Decimal.min(...middles), Decimal.max(...middles)];
        // Prices have 20 significant digits.
        const rounding = new Decimal('1e-18');
        expect(low.times(new Decimal(1).minus(rounding)).lte(mid.usd)).toBe(true);
        expect(high.times(new Decimal(1).plus(rounding)).gte(mid.usd)).toBe(true);
        expect(high.lte(low.times('1.01').times(new Decimal(1).plus(rounding)))).toBe(true);
        expect(used.every(({ bid, ask }) => new Decimal(bid).gt(0) && new Decimal(bid).lte(ask))).toBe(true);
        expect(mid.holdsUntil.getTime()).toBeLessThanOrEqual(now.getTime() + midHoldsMs);
        expect(mid.holdsUntil.getTime()).toBeGreaterThan(now.getTime());
        expect(used.filter(({ expiresAt }) => expiresAt >= mid.holdsUntil).length).toBeGreaterThanOrEqual(needed);
      }),
    );
  });

  test('a minority of liars never moves the mid further than the limit from an honest source', () => {
    fc.assert(
      fc.property(honest(2), sources(1), (truth, lies) => {
        const { mid, problem } = made([...truth, ...lies]);
        expect(problem).toBeNull();
        expect(
          truth.some(({ bid }) =>
            new Decimal(bid)
              .div(mid?.usd ?? 0)
              .minus(1)
              .abs()
              .lte('0.0101'),
          ),
        ).toBe(true);
      }),
    );
  });

  test('the order in which sources are listed changes nothing', () => {
    fc.assert(
      fc.property(sources(5), (prices) => {
        expect(made(prices.toReversed()).mid).toEqual(made(prices).mid);
      }),
    );
  });
});
