import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { actorOf, canBeStaffed, isWithinLimit, type People, type Rule } from './domain.ts';
import { type Found, findAll } from './findings.ts';
import type { Initiator } from './submitter-groups.ts';

const runs = Number(process.env['PROOF_ROUNDS'] ?? 20) * 5;
const ids = ['a', 'b', 'c', 'd', 'e'];
const roleIds = ['r1', 'r2'];
/** `desk` is in `treasury`. */
const parents = new Map<string, string | null>([
  ['treasury', null],
  ['desk', 'treasury'],
  ['sales', null],
]);
const departments = new Map([...parents].map(([id, parent]) => [id, parent === null ? [id] : [id, parent]]));
/** Amounts meet and miss each other's edges by a cent. */
const cents = fc.constantFrom(0n, 1n, 2n, 3n, 5n, 6n, 8n);
const most = 12n;

const person = (id: string) =>
  fc.record({
    id: fc.constant(id),
    name: fc.constant(id),
    roleId: fc.constantFrom(...roleIds),
    departmentId: fc.constantFrom(null, ...parents.keys()),
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
  .map((all): People<Initiator> => new Map(all.map((one): [string, Initiator] => [one.id, one])));

const node = fc.record({
  needed: fc.integer({ min: 1, max: 3 }),
  people: fc.uniqueArray(fc.constantFrom(...ids, 'gone'), { maxLength: 3 }),
  roles: fc.uniqueArray(fc.constantFrom(...roleIds), { maxLength: 1 }),
});

const submitters = fc.option(
  fc.record({
    people: fc.uniqueArray(fc.constantFrom(...ids, 'gone'), { maxLength: 2 }),
    roles: fc.uniqueArray(fc.constantFrom(...roleIds, 'gone'), { maxLength: 1 }),
    departments: fc.uniqueArray(fc.constantFrom(...parents.keys()), { maxLength: 1 }),
  }),
  { freq: 3 },
);

const rules = fc
  .array(
    fc.record({
      lowerCents: cents,
      width: fc.constantFrom(1n, 2n, 4n, null),
      submitters,
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

/** A person who submits; whom a rule is for is found by walking up the structure. */
type Someone = Pick<Initiator, 'id' | 'departmentId'> & { roleId: string | null };

function isMeant({ submitters: of }: Rule, { id, roleId, departmentId }: Someone): boolean {
  if (of === null) return true;
  const within = (department: string | null): boolean =>
    department !== null && (of.departments.includes(department) || within(parents.get(department) ?? null));
  return of.people.includes(id) || (roleId !== null && of.roles.includes(roleId)) || within(departmentId);
}

/** Everybody who could ever be there beside those who are: of any role or none that matters, in any department or none. */
const strangers: Someone[] = [null, ...roleIds].flatMap((roleId) =>
  [null, ...parents.keys()].map((departmentId) => ({ id: 'stranger', roleId, departmentId })),
);

/** Those whom a rule names, each as the barest person that could be meant. */
function named({ submitters: of }: Rule, there: readonly Someone[]): Someone[] {
  return [
    ...there.filter(({ id }) => of?.people.includes(id)),
    ...(of?.roles ?? []).filter((id) => id !== 'gone').map((roleId) => ({ id: '', roleId, departmentId: null })),
    ...(of?.departments ?? []).map((departmentId) => ({ id: '', roleId: null, departmentId })),
  ];
}

const maySubmit = ({ status }: Initiator) => status === 'active';

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

test('gaps, overlaps and rules never reached are what trying every amount by every person finds', () => {
  fc.assert(
    fc.property(rules, people, (given, all) => {
      const found = findAll({ rules: given, enabled: true, people: all, departments, initiating, roles });
      const matchOf = (value: bigint, of: Someone) => given.find((rule) => covers(rule, value) && isMeant(rule, of));
      const there = [...all.values()];
      const submitting = there.filter(maySubmit);
      for (const value of amounts) {
        const gaps = found.filter((each) => each.kind === 'gap' && holds(each, value));
        const without = submitting.filter((of) => matchOf(value, of) === undefined).map(({ id }) => id);
        const isAnybodyWithout = strangers.some((of) => matchOf(value, of) === undefined);
        const whole = gaps.some(({ about }) => about.initiators === undefined && !about.others);
        expect(whole).toBe([...there, ...strangers].every((of) => matchOf(value, of) === undefined));
        const said = whole ? without : gaps.flatMap(({ about }) => about.initiators ?? []);
        expect(said.sort()).toEqual(without);
        expect(gaps.some(({ about }) => about.others)).toBe(!whole && isAnybodyWithout && without.length === 0);
        expect(gaps.length).toBeLessThanOrEqual(1);
      }
      for (const [index, rule] of given.entries()) {
        const everyone = [...there, ...strangers].filter((of) => isMeant(rule, of));
        const isReached = everyone.some((of) => amounts.some((value) => matchOf(value, of) === rule));
        const shadowed = found.some((each) => each.kind === 'shadowed' && each.rule?.id === rule.id);
        expect(shadowed).toBe(rule.active && everyone.length > 0 && !isReached);
        const nobody = found.some((each) => each.kind === 'nobodySubmits' && each.rule?.id === rule.id);
        const submits = submitting.some((of) => isMeant(rule, of));
        expect(nobody).toBe(rule.active && rule.submitters !== null && !submits);
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
          const isException = earlier.submitters !== null && rule.submitters === null;
          // That a stranger could be on two lists of which no member is on both is no overlap.
          const both = [
            ...submitting,
            ...given.filter(({ active }) => active).flatMap((each) => named(each, there)),
          ].some((of) => isMeant(rule, of) && isMeant(earlier, of));
          const clash = earlier.submitters === null ? everyone.length > 0 : both;
          for (const value of amounts) {
            expect(said(value)).toBe(!isException && clash && covers(earlier, value) && covers(rule, value));
          }
        }
      }
    }),
    { numRuns: runs },
  );
});

test('the transfers that nobody could approve are those for which every way of trying fails', () => {
  fc.assert(
    fc.property(rules, people, (given, all) => {
      const found = findAll({ rules: given, enabled: true, people: all, departments, initiating, roles });
      const nobody = found.filter(({ kind }) => kind === 'nobodyCanApprove');
      for (const value of amounts) {
        const matchOf = (of: Someone) => given.find((each) => covers(each, value) && isMeant(each, of));
        for (const rule of given) {
          const here = nobody.filter((each) => each.rule?.id === rule.id && holds(each, value));
          const everyone = [...all.values(), ...strangers];
          const isReached = everyone.some((of) => matchOf(of) === rule);
          const whole = here.some(({ about }) => about.initiators === undefined);
          expect(whole).toBe(isReached && !canPassByTrying(rule, '', value, all));
          for (const initiator of [...all.values()].filter(maySubmit)) {
            const said = here.some(({ about }) => about.initiators?.includes(initiator.id));
            const fails = matchOf(initiator) === rule && !canPassByTrying(rule, initiator.id, value, all);
            expect(said || (whole && matchOf(initiator) === rule)).toBe(fails);
          }
        }
      }
    }),
    { numRuns: runs },
  );
});

test('an approver is over their limit exactly for the amounts of the band that they may not approve', () => {
  fc.assert(
    fc.property(rules, people, (given, all) => {
      const found = findAll({ rules: given, enabled: true, people: all, departments, initiating, roles });
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
