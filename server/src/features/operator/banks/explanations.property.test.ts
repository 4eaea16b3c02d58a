import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { suspenseOf } from '../../../testing/bank-intake.ts';
import { type CardLot, ours, type SettlingWorld, settledBy, settlingWorld } from '../../../testing/card-settling.ts';
import type { Carded } from '../../../testing/cards.ts';
import { present } from '../../../testing/present.ts';

/** Any history of explained bookings, against a pure model of the rules of ADR 118. Cents. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 6);
let world: SettlingWorld;
beforeAll(async () => {
  world = await settlingWorld();
});
afterEach(() => world.verify());
afterAll(() => world.close());

const sum = (all: readonly bigint[]) => all.reduce((total, each) => total + each, 0n);

/** Ends all that is owed, and all fees. */
async function clear(): Promise<void> {
  await world.settleAll();
  const fees = sum(await world.fees());
  if (fees > 0n) await world.collect(await world.booked(fees));
}

/** The part of each company's share that a return of `minor` puts back, by the rule of ADR 118: the largest remainders have the units that are left. */
function returnedOf(shares: readonly bigint[], minor: bigint, order: readonly string[]): bigint[] {
  const [open, size] = [sum(shares), minor < 0n ? -minor : minor];
  const whole = open < 0n ? -open : open;
  const floors = shares.map((share) => {
    const product = share * size;
    const remainder = ((product % whole) + whole) % whole;
    return { part: (product - remainder) / whole, remainder };
  });
  const left = Number(minor - sum(floors.map(({ part }) => part)));
  const places = floors
    .map(({ remainder }, index) => ({ remainder, index }))
    .toSorted((a, b) =>
      a.remainder === b.remainder
        ? present(order[a.index]) < present(order[b.index])
          ? -1
          : 1
        : a.remainder > b.remainder
          ? -1
          : 1,
    );
  const given = new Set(places.slice(0, left).map(({ index }) => index));
  return floors.map(({ part }, index) => part + (given.has(index) ? 1n : 0n));
}

interface Booking {
  id: string;
  minor: bigint;
  about: 'fees' | 'cards' | null;
  /** What is explained and was not returned, of each company. */
  shares: bigint[];
  returns: { id: string; minor: bigint; parts: bigint[] }[];
  /** Whether the bank itself returned it. */
  isOver: boolean;
}

const happening = fc.record({
  company: fc.integer({ min: 0, max: 2 }),
  kind: fc.constantFrom(
    'fee',
    'fee',
    'clear',
    'clear',
    'refund',
    'explain',
    'explain',
    'explain',
    'return',
    'return',
    'word',
    'withdraw',
    'withdraw',
  ),
  about: fc.constantFrom('fees' as const, 'cards' as const),
  cents: fc.bigInt({ min: 1n, max: 1_500n }),
  pick: fc.nat(),
});

test('any history of explanations, returns and withdrawals: every account is what the rules name, to the cent', {
  timeout: 60_000 + rounds * 30_000,
}, async () => {
  const { of, companies, cleared, refunded, paidFee, owed, fees, booked, reversed } = world;
  const order = companies.map(({ company }) => company.id);
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 4, maxLength: 14 }), async (happenings) => {
      await clear();
      const lots = { fees: [] as CardLot[], cards: [] as CardLot[] };
      const has = { fees: [0n, 0n, 0n], cards: [0n, 0n, 0n] };
      const bookings: Booking[] = [];
      const start = await suspenseOf(of.db, ours);
      const held = { suspense: start['suspense'] ?? 0n, charges: start['charges'] ?? 0n };
      /** Held where `sign` is 1, given free where it is −1. */
      const hold = (minor: bigint, sign: bigint) => {
        held[minor > 0n ? 'suspense' : 'charges'] += minor * sign;
      };
      const add = (about: 'fees' | 'cards', parts: readonly bigint[], sign: bigint) => {
        has[about] = has[about].map((each, index) => each + (parts[index] ?? 0n) * sign);
      };
      for (const { company, kind, about, cents, pick } of happenings) {
        const card = companies[company] as Carded;
        const only = (minor: bigint) => [0, 1, 2].map((each) => (each === company ? minor : 0n));
        const oneOf = <T>(all: readonly T[]): T | undefined => all[pick % Math.max(all.length, 1)];
        const open = bookings.filter((each) => each.about !== null && sum(each.shares) !== 0n);
        if (kind === 'fee') {
          await paidFee(card, cents);
          lots.fees.push({ company, minor: cents });
          add('fees', only(cents), 1n);
        } else if (kind === 'clear' || kind === 'refund') {
          const minor = kind === 'clear' ? cents : -cents;
          await (kind === 'clear' ? cleared(card, cents) : refunded(card, cents));
          lots.cards.push({ company, minor });
          add('cards', only(minor), 1n);
        } else if (kind === 'explain') {
          const due = sum(has[about]);
          const size = due < 0n ? -due : due;
          // One that is held again is explained first, where it fits.
          let booking = bookings.find(
            ({ about: as, minor }) => as === null && minor * due < 0n && (minor < 0n ? -minor : minor) <= size,
          );
          if (booking === undefined && size > 0n) {
            const minor = cents > size ? size : cents;
            const id = await booked(minor, due < 0n ? 'CRDT' : 'DBIT');
            booking = { id, minor: due < 0n ? minor : -minor, about: null, shares: [], returns: [], isOver: false };
            bookings.push(booking);
            hold(booking.minor, 1n);
          }
          if (booking === undefined) continue;
          await (about === 'fees' ? world.collect(booking.id) : world.settle(booking.id));
          hold(booking.minor, -1n);
          booking.about = about;
          booking.shares = settledBy(lots[about], has[about], -booking.minor);
          add(about, booking.shares, -1n);
        } else if (kind === 'return') {
          const booking = oneOf(open);
          if (booking === undefined || booking.about === null) continue;
          const whole = sum(booking.shares);
          const size = whole < 0n ? -whole : whole;
          const part = cents > size ? size : cents;
          const id = await reversed(booking.id, { named: false, part });
          await world.takeBack(id, booking.id);
          const minor = whole < 0n ? -part : part;
          const parts = returnedOf(booking.shares, minor, order);
          for (const [index, each] of parts.entries()) {
            const share = present(booking.shares[index]);
            expect(each * (share < 0n ? -1n : 1n)).toBeGreaterThanOrEqual(0n);
            expect((share - each) * (share < 0n ? -1n : 1n)).toBeGreaterThanOrEqual(0n);
          }
          booking.shares = booking.shares.map((share, index) => share - present(parts[index]));
          booking.returns.push({ id, minor, parts });
          add(booking.about, parts, 1n);
        } else if (kind === 'word') {
          const booking = oneOf(open.filter(({ returns }) => returns.length === 0));
          if (booking === undefined || booking.about === null) continue;
          await reversed(booking.id);
          add(booking.about, booking.shares, 1n);
          booking.shares = [0n, 0n, 0n];
          booking.isOver = true;
        } else {
          const booking = oneOf(bookings.filter(({ about: as, isOver }) => as !== null && !isOver));
          if (booking === undefined || booking.about === null) continue;
          const last = booking.returns.at(-1);
          if (last === undefined) {
            await world.withdraw(booking.id);
            hold(booking.minor, 1n);
            add(booking.about, booking.shares, 1n);
            Object.assign(booking, { about: null, shares: [] });
          } else {
            const now = has[booking.about];
            const isThere = last.parts.every((part, index) => {
              const balance = present(now[index]);
              return part === 0n || (part > 0n ? balance >= part : balance <= part);
            });
            if (!isThere) {
              expect((await world.proposeWithdrawal(last.id)).key).toBe('bankExplanationShort');
              continue;
            }
            await world.withdraw(last.id);
            hold(last.minor, 1n);
            booking.shares = booking.shares.map((share, index) => share + present(last.parts[index]));
            booking.returns.pop();
            add(booking.about, last.parts, -1n);
          }
        }
        expect({ owed: await owed(), fees: await fees() }).toEqual({ owed: has.cards, fees: has.fees });
        const books = await suspenseOf(of.db, ours);
        expect({ suspense: books['suspense'] ?? 0n, charges: books['charges'] ?? 0n }).toEqual(held);
      }
    }),
    { numRuns: Math.min(rounds, 60) },
  );
});
