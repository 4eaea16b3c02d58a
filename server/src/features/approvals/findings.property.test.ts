import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Approver, actorOf, canBeStaffed, isWithinLimit, type People, type Rule } from './domain.ts';
import { type Found, findAll } from './findings.ts';

const runs = Number(process.env['PROOF_ROUNDS'] ?? 40) * 5;
const ids = ['a', 'b', 'c', 'd', 'e'];
const roleIds = ['r1', 'r2'];
/** Amounts meet and miss each other's edges by a cent. */
const cents = fc.constantFrom(0n, 1n, 2n, 3n, 5n, 6n, 8n);
const most = 12n;

const person = (id: string) =>
  fc.record({
    id: fc.constant(id),
    name: fc.constant(id),
    roleId: fc.constantFrom(...roleIds),
    status: fc.constantFrom('active' as const, 'active' as const, 'active' as const, 'disabled' as const),
    onLeave: fc.constantFrom(false, false, true),
    deputyId: fc.constantFrom(null, ...ids.filter((other) => other !== id)),
    quotaUsd: fc.constantFrom(null, null, '0.02', '0.05', '0.09'),
    permissions: fc.constantFrom(
      ['approval.decide', 'transfer.create'] as const,
      ['approval.decide', 'transfer.create'] as const,
      ['transfer.create'] as const,
    ),
    changes: fc.constant([]),
  });

const people = fc
  .tuple(...ids.map(person))
  .map((all): People => new Map(all.map((one): [string, Approver] => [one.id, one])));

const node = fc.record({
  needed: fc.integer({ min: 1, max: 3 }),
  people: fc.uniqueArray(fc.constantFrom(...ids, 'gone'), { maxLength: 3 }),
  roles: fc.uniqueArray(fc.constantFrom(...roleIds), { maxLength: 1 }),
});

const rules = fc
  .array(
    fc.record({
      lowerCents: cents,
      width: fc.constantFrom(1n, 2n, 4n, null),
      nodes: fc.array(node, { minLength: 1, maxLength: 3 }),
      active: fc.constantFrom(true, true, true, false),
    }),
    { maxLength: 4 },
  )
  .map((all) =>
    all.map(
      ({ width, ...rule }, index): Rule => ({
        ...rule,
        id: `rule${index}`,
        name: `Rule ${index}`,
        version: 1,
        upperCents: width === null ? null : rule.lowerCents + width,
      }),
    ),
  );

const roles = new Map(roleIds.map((id) => [id, { active: true, quotaUsd: null }]));

const covers = (rule: Rule, value: bigint) =>
  rule.active && value >= rule.lowerCents && (rule.upperCents === null || value < rule.upperCents);
const holds = ({ range }: Found, value: bigint) =>
  range !== null && value >= range.lower && (range.upper === null || value < range.upper);
const amounts = Array.from({ length: Number(most) + 2 }, (_, index) => BigInt(index));

/** Tries every way to fill every place, one after another; no cleverness. */
function canPassByTrying(rule: Rule, initiatorId: string, value: bigint, all: People): boolean {
  const places = rule.nodes.flatMap((each) => Array.from({ length: each.needed }, () => each));
  const options = places.map((place) =>
    [...all.values()]
      .filter((seat) => place.people.includes(seat.id) || place.roles.includes(seat.roleId))
      .filter((seat) => seat.status === 'active' && seat.id !== initiatorId)
      .map((seat) => ({ seat: seat.id, actor: actorOf(seat, all) }))
      .filter(({ actor }) => actor.id !== initiatorId && actor.status === 'active')
      .filter(({ actor }) => actor.permissions.includes('approval.decide') && isWithinLimit(actor, value)),
  );
  const fill = (index: number, used: readonly string[]): boolean => {
    const here = options[index];
    if (!here) return true;
    return here.some(
      ({ seat, actor }) =>
        !used.includes(seat) && !used.includes(actor.id) && fill(index + 1, [...used, seat, actor.id]),
    );
  };
  return fill(0, []);
}

const initiating = ['transfer.create'] as const;

test('gaps, overlaps and shadowed rules are what trying every amount finds', () => {
  fc.assert(
    fc.property(rules, people, (given, all) => {
      const found = findAll({ rules: given, enabled: true, people: all, initiating, roles });
      const matchOf = (value: bigint) => given.find((rule) => covers(rule, value));
      for (const value of amounts) {
        expect(found.some((each) => each.kind === 'gap' && holds(each, value))).toBe(matchOf(value) === undefined);
      }
      for (const [index, rule] of given.entries()) {
        const shadowed = found.some((each) => each.kind === 'shadowed' && each.rule?.id === rule.id);
        expect(shadowed).toBe(rule.active && amounts.every((value) => matchOf(value) !== rule));
        if (shadowed || !rule.active) continue;
        for (const earlier of given.slice(0, index)) {
          const said = (value: bigint) =>
            found.some(
              (each) =>
                each.kind === 'overlap' &&
                each.rule?.id === rule.id &&
                each.about.rule === earlier.id &&
                holds(each, value),
            );
          for (const value of amounts) expect(said(value)).toBe(covers(earlier, value) && covers(rule, value));
        }
      }
    }),
    { numRuns: runs },
  );
});

test('the transfers that nobody could approve are those for which every way of trying fails', () => {
  fc.assert(
    fc.property(rules, people, (given, all) => {
      const found = findAll({ rules: given, enabled: true, people: all, initiating, roles });
      const nobody = found.filter(({ kind }) => kind === 'nobodyCanApprove');
      for (const value of amounts) {
        const rule = given.find((each) => covers(each, value));
        if (!rule) continue;
        const here = nobody.filter((each) => each.rule?.id === rule.id && holds(each, value));
        expect(here.some(({ about }) => about.initiators === undefined)).toBe(!canPassByTrying(rule, '', value, all));
        for (const initiator of all.values()) {
          if (initiator.status !== 'active') continue;
          const said = here.some(({ about }) => about.initiators?.includes(initiator.id) ?? true);
          expect(said).toBe(!canPassByTrying(rule, initiator.id, value, all));
        }
      }
    }),
    { numRuns: runs },
  );
});

test('an approver is over their limit exactly for the amounts of the band that they may not approve', () => {
  fc.assert(
    fc.property(rules, people, (given, all) => {
      const found = findAll({ rules: given, enabled: true, people: all, initiating, roles });
      for (const rule of given.filter(({ active }) => active)) {
        for (const [index, { people: named }] of rule.nodes.entries()) {
          for (const id of named) {
            const one = all.get(id);
            const said = found.filter(
              (each) => each.rule?.id === rule.id && each.node === index && each.about.person === id,
            );
            if (one?.status !== 'active') {
              expect(said.map(({ kind }) => kind)).toEqual(['approverInactive']);
              continue;
            }
            const actor = actorOf(one, all);
            if (!actor.permissions.includes('approval.decide') || (one.onLeave && actor === one)) {
              expect(said.map(({ kind }) => kind)).toEqual([one.onLeave ? 'approverOnLeave' : 'approverMayNotDecide']);
              continue;
            }
            for (const value of amounts.filter((each) => covers(rule, each))) {
              expect(said.some((each) => holds(each, value))).toBe(!isWithinLimit(actor, value));
            }
          }
        }
      }
    }),
    { numRuns: runs },
  );
});

test('places are staffed without anybody taking two', () => {
  expect(
    canBeStaffed([
      { needed: 1, actors: ['a', 'b'] },
      { needed: 1, actors: ['a'] },
    ]),
  ).toBe(true);
  expect(
    canBeStaffed([
      { needed: 2, actors: ['a', 'b'] },
      { needed: 1, actors: ['a'] },
    ]),
  ).toBe(false);
  const many = Array.from({ length: 5000 }, (_, index) => `p${index}`);
  expect(canBeStaffed(Array.from({ length: 10 }, () => ({ needed: 20, actors: many })))).toBe(true);
});
