import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { riskSubject } from '../../../testing/risk.ts';
import type { AssessedSubject, DayUsage, Ruleset } from '../domain.ts';
import type { EntryStanding, OwnCount, Standing } from '../store/judging.ts';
import type { Judged } from './judging.ts';
import { Tally } from './tally.ts';

/** What transactions of one batch are judged by, without a database: as it was read, and with what was counted since. */

const companyId = newId();
/** A Monday in Hong Kong, a Sunday in London. */
const atMicros = Date.parse('2026-03-01T18:00:00Z') * 1000;
const [today, yesterday] = ['2026-03-02', '2026-03-01'];
const ruleset = { policies: [] } as unknown as Ruleset;
const affiliation = { roleId: newId(), departmentIds: [newId()] };

let tally: Tally;
beforeEach(() => {
  tally = new Tally();
});

const subjectOf = (given: Partial<AssessedSubject> & { usd?: number } = {}): Judged => ({
  companyId,
  ...riskSubject(given),
});

function opened(subject: Judged, given: Partial<Standing> = {}, timeZone = 'Asia/Hong_Kong'): Judged {
  const standing = { atMicros, rulesetVersion: 7, onlyWhitelisted: false, entry: null, own: null, ...given };
  tally.open(subject, { standing, ruleset, timeZone, affiliation });
  return subject;
}

const usage = (day: string, transactions: number, quantityMinor: bigint, valueCents: bigint): DayUsage => ({
  day,
  transactions,
  quantityMinor,
  valueCents,
});

function counters(
  of: readonly ['coin' | 'currency', string, DayUsage[]?][],
  business: Judged['business'] = 'crypto_withdrawal',
) {
  for (const [kind, asset, days = []] of of) tally.openCounter({ companyId, business, kind, asset }, days);
}

const inputsOf = ({ accountKey, companyId: of, ...subject }: Judged) =>
  tally.inputsOf({ accountKey, companyId: of, ...subject }, subject);

function count(subject: Judged, whiteEntryId: string | null = null): void {
  const { accountKey: _, companyId: __, ...counted } = subject;
  tally.count({ companyId, subject: counted, affiliation, atMicros, day: today, whiteEntryId }, subject);
}

const entryOf = (given: Partial<EntryStanding> = {}): EntryStanding => ({
  id: newId(),
  kind: 'white',
  singleCents: 1000n,
  dailyCents: 2000n,
  cumulativeCents: 3000n,
  countedCents: 700n,
  countedOn: new Map([
    [yesterday, 400n],
    [today, 300n],
  ]),
  ...given,
});

const ownOf = (given: Partial<OwnCount> = {}): OwnCount => ({
  day: today,
  asset: 'USDT',
  quantityMinor: 5n,
  coin: null,
  valueCents: 100n,
  entryId: null,
  isGivenBack: false,
  ...given,
});

describe('of a company', () => {
  test('the day is that of its time zone, with the rules, and what the first of its transactions read holds for all', () => {
    opened(subjectOf());
    expect(tally.companyOf(companyId)).toEqual({
      ruleset,
      rulesetVersion: 7,
      onlyWhitelisted: false,
      day: today,
      counted: 0,
    });
    opened(subjectOf(), { rulesetVersion: 8 });
    expect(tally.companyOf(companyId).rulesetVersion).toBe(7);
    tally = new Tally();
    opened(subjectOf(), { onlyWhitelisted: true }, 'Europe/London');
    expect(tally.companyOf(companyId)).toMatchObject({ day: yesterday, onlyWhitelisted: true });
  });

  test('what was not read is not taken for empty', () => {
    const subject = opened(subjectOf());
    const notRead = 'what is judged was read before';
    expect(() => tally.companyOf(newId())).toThrow(notRead);
    expect(() => tally.ownOf(subjectOf())).toThrow(notRead);
    expect(() => inputsOf(subject)).toThrow(notRead);
    counters([['coin', 'ETH']]);
    expect(() => inputsOf(subject)).toThrow(notRead);
    counters([['coin', 'USDT']]);
    expect(inputsOf(subject)).toMatchObject({
      affiliation,
      onlyWhitelisted: false,
      whiteEntry: null,
      blackEntryId: null,
    });
    expect(() => inputsOf({ ...subject, accountKey: 'another' })).toThrow(notRead);
    expect(() => inputsOf({ ...subject, accountKind: 'bank_no' })).toThrow(notRead);
    expect(() => inputsOf({ ...subject, companyId: newId() })).toThrow(notRead);
    expect(() => count(opened(subjectOf({ business: 'payment' })))).toThrow(notRead);
  });
});

describe('the windows', () => {
  test('hold what was read of the asset, and leave the own count out unless it was given back', () => {
    const days = [usage(today, 3, 30n, 300n), usage(yesterday, 2, 20n, 200n)];
    counters([['coin', 'USDT', days]]);
    const judged = (own: OwnCount | null) => inputsOf(opened(subjectOf(), { own })).windows;
    expect(judged(null).day).toEqual({ transactions: 3, quantityMinor: 30n, valueCents: 300n });
    expect(judged(null).month).toEqual({ transactions: 5, quantityMinor: 50n, valueCents: 500n });
    expect(judged(ownOf()).day).toEqual({ transactions: 2, quantityMinor: 25n, valueCents: 200n });
    expect(judged(ownOf({ asset: 'ETH' })).day).toEqual({ transactions: 2, quantityMinor: 30n, valueCents: 200n });
    expect(judged(ownOf({ day: yesterday })).day).toEqual({ transactions: 3, quantityMinor: 30n, valueCents: 300n });
    expect(judged(ownOf({ isGivenBack: true })).day).toEqual({ transactions: 3, quantityMinor: 30n, valueCents: 300n });
  });

  test('are two of a payment that is paid with a coin, each without its part of the own count', () => {
    const given = { business: 'payment' as const, currency: 'USD', coin: 'USDT', quantityMinor: 500n };
    const paid = () => subjectOf({ ...given, paidWith: { quantityMinor: 5_000_000n, decimals: 6 } });
    counters(
      [
        ['currency', 'USD', [usage(today, 1, 900n, 900n)]],
        ['coin', 'USDT', [usage(today, 2, 9_000_000n, 1800n)]],
      ],
      'payment',
    );
    const own = ownOf({
      asset: 'USD',
      quantityMinor: 500n,
      valueCents: 500n,
      coin: { asset: 'USDT', quantityMinor: 5_000_000n },
    });
    const { windows, coinWindows } = inputsOf(opened(paid(), { own }));
    expect(windows.day).toEqual({ transactions: 0, quantityMinor: 400n, valueCents: 400n });
    expect(coinWindows?.day).toEqual({ transactions: 1, quantityMinor: 4_000_000n, valueCents: 1300n });
    // Its own count was in another coin, or paid with the currency itself.
    const other = inputsOf(opened(paid(), { own: { ...own, coin: { asset: 'ETH', quantityMinor: 1n } } }));
    expect(other.coinWindows?.day.quantityMinor).toBe(9_000_000n);
    expect(inputsOf(opened(paid(), { own: { ...own, coin: null } })).coinWindows?.day.quantityMinor).toBe(9_000_000n);
    counters([['coin', 'USDT']]);
    expect(inputsOf(opened(subjectOf()))).not.toHaveProperty('coinWindows');
  });

  test('hold what was counted since: its quantity in its own asset, its number and value in all assets of its kind', () => {
    counters([
      ['coin', 'USDT', [usage(today, 1, 10n, 100n)]],
      ['coin', 'ETH'],
      ['currency', 'USD'],
    ]);
    counters([['coin', 'USDT']], 'payment');
    const [first, second] = [opened(subjectOf({ usd: 2 })), opened(subjectOf({ usd: 3 }))];
    count(first);
    count(second);
    expect(tally.companyOf(companyId).counted).toBe(2);
    expect(inputsOf(opened(subjectOf())).windows.day).toEqual({
      transactions: 3,
      quantityMinor: 5_000_010n,
      valueCents: 600n,
    });
    const eth = inputsOf(opened(subjectOf({ coin: 'ETH' })));
    expect(eth.windows.day).toEqual({ transactions: 2, quantityMinor: 0n, valueCents: 500n });
    const none = { transactions: 0, quantityMinor: 0n, valueCents: 0n };
    expect(inputsOf(opened(subjectOf({ coin: null, currency: 'USD' }))).windows.day).toEqual(none);
    expect(inputsOf(opened(subjectOf({ business: 'payment' }))).windows.day).toEqual(none);
    // Each is now what its id has counted, and left out where it is judged again.
    expect(tally.ownOf(first)).toEqual(ownOf({ quantityMinor: 2_000_000n, valueCents: 200n }));
    expect(inputsOf(first).windows.day).toEqual({ transactions: 2, quantityMinor: 3_000_010n, valueCents: 400n });
  });

  test('of a payment with a coin hold both parts', () => {
    counters(
      [
        ['currency', 'USD'],
        ['coin', 'USDT'],
      ],
      'payment',
    );
    const paidWith = { quantityMinor: 5_000_000n, decimals: 6 };
    const paid = {
      business: 'payment' as const,
      currency: 'USD',
      coin: 'USDT',
      quantityMinor: 500n,
      valueUsdCents: 500n,
      paidWith,
    };
    const subject = opened(subjectOf(paid));
    count(subject);
    const { windows, coinWindows } = inputsOf(opened(subjectOf(paid)));
    expect(windows.day).toEqual({ transactions: 1, quantityMinor: 500n, valueCents: 500n });
    expect(coinWindows?.day).toEqual({ transactions: 1, quantityMinor: 5_000_000n, valueCents: 500n });
    const coin = { asset: 'USDT', quantityMinor: 5_000_000n };
    expect(tally.ownOf(subject)).toEqual(ownOf({ asset: 'USD', quantityMinor: 500n, valueCents: 500n, coin }));
  });
});

test('what was submitted today is that of both businesses, and of no other day', () => {
  opened(subjectOf());
  const part = { kind: 'coin' as const, asset: 'USDT', quantityMinor: 0n };
  expect(tally.countedToday(companyId, part)).toBe(0n);
  counters([['coin', 'USDT', [usage(today, 1, 10n, 1n), usage(yesterday, 1, 1000n, 1n)]]]);
  expect(tally.countedToday(companyId, part)).toBe(10n);
  counters(
    [
      ['coin', 'USDT', [usage(today, 1, 7n, 1n)]],
      ['currency', 'USDT', [usage(today, 1, 99n, 1n)]],
    ],
    'payment',
  );
  expect(tally.countedToday(companyId, part)).toBe(17n);
  expect(tally.countedToday(companyId, { ...part, asset: 'ETH' })).toBe(0n);
  counters([['coin', 'ETH', [usage(yesterday, 1, 1000n, 1n)]]]);
  expect(tally.countedToday(companyId, { ...part, asset: 'ETH' })).toBe(0n);
});

describe('an entry', () => {
  beforeEach(() => counters([['coin', 'USDT']]));

  test('of the black list stops, and is no white one', () => {
    const entry = entryOf({ kind: 'black' });
    expect(inputsOf(opened(subjectOf(), { entry }))).toMatchObject({ blackEntryId: entry.id, whiteEntry: null });
  });

  test('of the white list has its limits and what it let pass today and ever, without the own count of this entry', () => {
    const entry = entryOf();
    const judged = (own: OwnCount | null) => inputsOf(opened(subjectOf(), { entry, own }));
    const limits = { id: entry.id, singleCents: 1000n, dailyCents: 2000n, cumulativeCents: 3000n };
    const used = (usedTodayCents: bigint, usedCents: bigint) => ({ ...limits, usedTodayCents, usedCents });
    expect(judged(null)).toMatchObject({ blackEntryId: null, whiteEntry: used(300n, 700n) });
    expect(judged(ownOf({ entryId: entry.id })).whiteEntry).toEqual(used(200n, 600n));
    expect(judged(ownOf({ entryId: entry.id, day: yesterday })).whiteEntry).toEqual(used(300n, 600n));
    expect(judged(ownOf({ entryId: newId() })).whiteEntry).toEqual(used(300n, 700n));
    expect(judged(ownOf({ entryId: entry.id, isGivenBack: true })).whiteEntry).toEqual(used(300n, 700n));
    const unused = entryOf({ countedCents: 0n, countedOn: new Map() });
    expect(inputsOf(opened(subjectOf(), { entry: unused })).whiteEntry).toMatchObject({
      usedTodayCents: 0n,
      usedCents: 0n,
    });
  });

  test('counts what it let pass, for each that goes to its account', () => {
    const entry = entryOf();
    const account = riskSubject().account;
    const [first, second] = [subjectOf({ account, usd: 2 }), subjectOf({ account, usd: 1 })];
    for (const subject of [first, second]) opened(subject, { entry });
    count(first, entry.id);
    expect(tally.ownOf(first)).toMatchObject({ entryId: entry.id });
    expect(inputsOf(second).whiteEntry).toMatchObject({ usedTodayCents: 500n, usedCents: 900n });
    expect(inputsOf(first).whiteEntry).toMatchObject({ usedTodayCents: 300n, usedCents: 700n });
    // Of a day on which it let nothing pass yet.
    const fresh = entryOf({ countedCents: 0n, countedOn: new Map() });
    const third = opened(subjectOf({ usd: 4 }), { entry: fresh });
    count(third, fresh.id);
    expect([fresh.countedCents, fresh.countedOn.get(today)]).toEqual([400n, 400n]);
  });

  test('does not count what another entry, or none, let pass', () => {
    const entry = entryOf();
    count(opened(subjectOf(), { entry }), newId());
    count(opened(subjectOf(), { entry }), null);
    count(opened(subjectOf()), null);
    expect([entry.countedCents, entry.countedOn.get(today)]).toEqual([700n, 300n]);
  });
});
