import { describe, expect, test } from 'vitest';
import {
  after,
  ann,
  type Before,
  began,
  bob,
  byBob,
  chainOf,
  changeOf,
  peopleOf,
  person,
  power,
  standing,
  taskOf,
} from '../../testing/approvers.ts';
import type { AuthorityChange } from '../organisation/index.ts';
import { ableAt, ableNow, type ChainNode, isWithinLimit, judge, type Progress, seatsOf, start } from './domain.ts';

/** Each condition of who may decide, at its edge. */

describe('an approver', () => {
  test('whom the node names decides, by themselves or by their role', () => {
    expect(standing(taskOf(), peopleOf(ann, bob))).toBe('for bob');
    const byRole: ChainNode = { needed: 1, people: [], roles: ['boss'] };
    expect(standing(taskOf({ nodes: [byRole] }), peopleOf(ann, person('bob', { roleId: 'boss' })))).toBe('for bob');
    expect(standing(taskOf({ nodes: [byRole] }), peopleOf(ann, bob))).toBe('notApprover');
  });

  test('is active, and has the permission', () => {
    expect(standing(taskOf(), peopleOf(ann, person('bob', { status: 'disabled' })))).toBe('noPermission');
    expect(standing(taskOf(), peopleOf(ann, person('bob', { status: 'invited' })))).toBe('noPermission');
    expect(standing(taskOf(), peopleOf(ann, person('bob', { permissions: [] })))).toBe('noPermission');
  });

  test('decides below their limit, and not at it', () => {
    const limited = person('bob', { quotaUsd: '1.01' });
    expect(standing(taskOf(), peopleOf(ann, limited))).toBe('for bob');
    expect(standing(taskOf(), peopleOf(ann, person('bob', { quotaUsd: '1' })))).toBe('overLimit');
    expect(standing(taskOf({ valueCents: null }), peopleOf(ann, person('bob', { quotaUsd: '0.01' })))).toBe('for bob');
    expect(isWithinLimit(limited, 101n)).toBe(false);
    // What has no value is within any limit.
    expect(isWithinLimit({ ...limited, quotaUsd: '0' }, null)).toBe(true);
  });

  test('has a place where they are active and did not apply for it', () => {
    const node: ChainNode = { needed: 1, people: ['ann', 'bob', 'dan'], roles: [] };
    const people = peopleOf(ann, bob, person('dan', { status: 'disabled' }), person('eve'));
    expect(seatsOf(node, 'ann', people).map(({ id }) => id)).toEqual(['bob']);
  });

  test('is neither the initiator nor who adopted it', () => {
    const nodes: ChainNode[] = [{ needed: 1, people: ['ann', 'bob', 'eve'], roles: [] }];
    const begun = { at: began, adoptable: true, adopterId: 'eve' };
    const all = peopleOf(ann, bob, person('eve'));
    expect(standing(taskOf({ nodes }), all, 'ann')).toBe('own');
    expect(standing(taskOf({ nodes, begun }), all, 'eve')).toBe('adopted');
    expect(standing(taskOf({ nodes, begun }), all)).toBe('for bob');
    expect(standing(taskOf({ nodes }), all, 'eve')).toBe('for eve');
  });

  test('decides while the task is pending, and on a node that it has', () => {
    const all = peopleOf(ann, bob);
    const ended = { ...start, pending: false };
    expect(judge(taskOf(), ended, bob, all)).toEqual({ obstacle: 'ended' });
    expect(ableNow(taskOf(), ended, all)).toEqual([]);
    expect(judge(taskOf(), { ...start, node: 1 }, bob, all)).toEqual({ obstacle: 'ended' });
    expect(ableNow(taskOf(), { ...start, node: 1 }, all)).toEqual([]);
  });

  test('of a later node waits for it; of an earlier one is none any more', () => {
    const byEve: ChainNode = { needed: 1, people: ['eve'], roles: [] };
    const all = peopleOf(ann, bob, person('eve'), person('kim'));
    const chain = taskOf({ nodes: [byEve, byEve, byBob] });
    expect(standing(chain, all)).toBe('notYet');
    expect(standing(chain, all, 'bob', { ...start, node: 1 })).toBe('notYet');
    expect(standing(taskOf({ nodes: [byEve, byBob, byEve] }), all)).toBe('notYet');
    expect(standing(taskOf({ nodes: [byBob, byEve] }), all, 'bob', { ...start, node: 1 })).toBe('notApprover');
    expect(standing(chain, all, 'kim')).toBe('notApprover');
    expect(standing(taskOf({ nodes: [byBob, byEve] }), all, 'eve', { ...start, node: 1 })).toBe('for eve');
  });

  test('decides once in a chain, also where the first decision was as a deputy', () => {
    const nodes: ChainNode[] = [byBob, { needed: 1, people: ['bob', 'eve'], roles: [] }];
    const all = peopleOf(ann, bob, person('eve'));
    const at = (approverId: string, seatId: string): Progress => ({
      pending: true,
      node: 1,
      decisions: [{ node: 0, approverId, seatId, outcome: 'approved' }],
    });
    expect(standing(taskOf({ nodes }), all, 'bob', at('bob', 'bob'))).toBe('alreadyDecided');
    expect(standing(taskOf({ nodes }), all, 'bob', at('bob', 'eve'))).toBe('alreadyDecided');
    expect(standing(taskOf({ nodes }), all, 'bob', at('eve', 'bob'))).toBe('alreadyDecided');
    expect(standing(taskOf({ nodes }), all, 'eve', at('bob', 'bob'))).toBe('for eve');
    // Nor for another, once for themselves; nor for one who has decided before the leave.
    const evesPlace: ChainNode = { needed: 2, people: ['eve'], roles: [] };
    const eveAway = peopleOf(ann, bob, person('eve', { onLeave: true, deputyId: 'bob' }));
    expect(standing(taskOf({ nodes: [byBob, evesPlace] }), eveAway, 'bob', at('kim', 'kim'))).toBe('for eve');
    expect(standing(taskOf({ nodes: [byBob, evesPlace] }), eveAway, 'bob', at('bob', 'bob'))).toBe('alreadyDecided');
    expect(standing(taskOf({ nodes: [byBob, evesPlace] }), eveAway, 'bob', at('eve', 'eve'))).toBe('alreadyDecided');
  });
});

describe('a deputy', () => {
  const away = person('bob', { onLeave: true, deputyId: 'dan' });
  const dan = person('dan');

  test('decides for a person on leave, who then does not', () => {
    expect(standing(taskOf(), peopleOf(ann, away, dan), 'dan')).toBe('for bob');
    expect(standing(taskOf(), peopleOf(ann, away, dan))).toBe('deputyDecides');
    expect(standing(taskOf(), peopleOf(ann, person('bob', { deputyId: 'dan' }), dan), 'dan')).toBe('notApprover');
    expect(standing(taskOf(), peopleOf(ann, person('bob', { deputyId: 'dan' }), dan))).toBe('for bob');
  });

  test('does not decide for an inactive member, nor for the member who adopted the task', () => {
    const left = { ...away, status: 'disabled' as const };
    expect(standing(taskOf(), peopleOf(ann, left, dan), 'dan')).toBe('notApprover');
    const begun = { at: began, adoptable: true, adopterId: 'bob' };
    expect(ableNow(taskOf({ begun }), start, peopleOf(ann, away, dan))).toEqual([]);
    expect('obstacle' in judge(taskOf({ begun }), start, dan, peopleOf(ann, away, dan))).toBe(true);
  });

  test('who is away as well, or not active, or not there leaves it to the person', () => {
    for (const deputy of [person('dan', { onLeave: true }), person('dan', { status: 'disabled' }), person('kim')])
      expect(standing(taskOf(), peopleOf(ann, away, deputy))).toBe('for bob');
    expect(standing(taskOf(), peopleOf(ann, person('bob', { onLeave: true })))).toBe('for bob');
  });

  test('uses their own seat before another’s, in whatever order the people are', () => {
    const nodes: ChainNode[] = [{ needed: 1, people: ['bob', 'dan'], roles: [] }];
    expect(standing(taskOf({ nodes }), peopleOf(ann, away, dan), 'dan')).toBe('for dan');
    expect(standing(taskOf({ nodes }), peopleOf(dan, away, ann), 'dan')).toBe('for dan');
    expect(ableAt(taskOf({ nodes }), nodes[0] as ChainNode, peopleOf(ann, away, dan))).toEqual([
      { actor: dan, seat: dan },
    ]);
  });

  test('of two people on leave decides for the first', () => {
    const nodes: ChainNode[] = [{ needed: 1, people: ['bob', 'bea'], roles: [] }];
    const bea = person('bea', { onLeave: true, deputyId: 'dan' });
    expect(standing(taskOf({ nodes }), peopleOf(ann, away, bea, dan), 'dan')).toBe('for bob');
    expect(standing(taskOf({ nodes }), peopleOf(bea, ann, away, dan), 'dan')).toBe('for bea');
  });

  test('who applied for it, or adopted it, decides in no place', () => {
    const annsPlace = peopleOf(ann, person('bob', { onLeave: true, deputyId: 'ann' }));
    expect(ableNow(taskOf(), start, annsPlace)).toEqual([]);
    const begun = { at: began, adoptable: true, adopterId: 'dan' };
    expect(ableNow(taskOf({ begun }), start, peopleOf(ann, away, dan))).toEqual([]);
    expect(ableNow(taskOf(), start, peopleOf(ann, away, dan))).toEqual([{ actor: dan, seat: away }]);
  });

  test('needs permission and limit of their own', () => {
    expect(standing(taskOf(), peopleOf(ann, away, person('dan', { permissions: [] })), 'dan')).toBe('noPermission');
    expect(standing(taskOf(), peopleOf(ann, away, person('dan', { quotaUsd: '1' })), 'dan')).toBe('overLimit');
    expect(ableNow(taskOf(), start, peopleOf(ann, away, person('dan', { quotaUsd: '1' })))).toEqual([]);
  });

  test('of a task has been one since it began; else the person decides', () => {
    const changed = (before: Before | null, at = after) => person('dan', { changes: [changeOf(before, { at })] });
    const stoodIn = { ...power, seats: ['bob'] };
    expect(standing(taskOf(), peopleOf(ann, away, changed(stoodIn)), 'dan')).toBe('for bob');
    for (const before of [power, null]) {
      expect(standing(taskOf(), peopleOf(ann, away, changed(before)), 'dan')).toBe('notApprover');
      expect(standing(taskOf(), peopleOf(ann, away, changed(before)))).toBe('for bob');
      expect(standing(taskOf(), peopleOf(ann, away, changed(before, began)), 'dan')).toBe('for bob');
      expect(ableNow(chainOf(), start, peopleOf(ann, away, changed(before)))[0]?.actor.id).toBe('dan');
    }
    const twice = person('dan', { changes: [changeOf(power), changeOf(stoodIn)] });
    expect(standing(taskOf(), peopleOf(ann, away, twice), 'dan')).toBe('notApprover');
  });

  test('takes a place that its person has had since the task began', () => {
    const stoodIn = person('dan', { changes: [changeOf({ ...power, seats: ['bob'] })] });
    const changed = { ...away, changes: [changeOf({ ...power, roleId: 'other' })] };
    expect(standing(taskOf(), peopleOf(ann, changed, stoodIn), 'dan')).toBe('for bob');
    const bossOnly: ChainNode = { needed: 1, people: [], roles: ['boss'] };
    const boss = (...changes: AuthorityChange[]) =>
      peopleOf(ann, { ...away, roleId: 'boss', changes }, { ...stoodIn, roleId: 'none' });
    expect(standing(taskOf({ nodes: [bossOnly] }), boss(), 'dan')).toBe('for bob');
    expect(standing(taskOf({ nodes: [bossOnly] }), boss(changeOf(power)), 'dan')).toBe('tooNew');
    expect(standing(taskOf({ nodes: [bossOnly] }), boss(changeOf(null)), 'dan')).toBe('tooNew');
    expect(standing(taskOf({ nodes: [bossOnly] }), boss(changeOf(null, { at: began })), 'dan')).toBe('for bob');
    expect(
      standing(taskOf({ nodes: [bossOnly] }), boss(changeOf({ ...power, roleId: 'boss' }), changeOf(power)), 'dan'),
    ).toBe('tooNew');
  });
});

describe('who came to the right after the task began does not decide on it', () => {
  const bobOnce = (...befores: (Before | null)[]) =>
    peopleOf(ann, person('bob', { changes: befores.map((before) => changeOf(before)) }));

  test('whether they lacked the right, the amount, or were not there', () => {
    expect(standing(taskOf(), bobOnce(power))).toBe('for bob');
    expect(standing(taskOf(), bobOnce(null))).toBe('tooNew');
    expect(standing(taskOf(), bobOnce({ ...power, rights: ['rule.manage'] }))).toBe('tooNew');
    expect(standing(taskOf(), bobOnce({ ...power, quotaCents: '101' }))).toBe('for bob');
    expect(standing(taskOf(), bobOnce({ ...power, quotaCents: '100' }))).toBe('tooNew');
    expect(standing(taskOf({ valueCents: null }), bobOnce({ ...power, quotaCents: '0' }))).toBe('for bob');
    expect(standing(taskOf(), bobOnce(power, null))).toBe('tooNew');
    expect(standing(taskOf(), bobOnce(null, power))).toBe('tooNew');
  });

  test('or had a role that no node names; a name in the node holds whatever the role was', () => {
    const nodes: ChainNode[] = [{ needed: 1, people: [], roles: ['staff'] }];
    expect(standing(taskOf({ nodes }), bobOnce(power))).toBe('for bob');
    expect(standing(taskOf({ nodes }), bobOnce({ ...power, roleId: 'other' }))).toBe('tooNew');
    expect(standing(taskOf(), bobOnce({ ...power, roleId: 'other' }))).toBe('for bob');
  });

  test('what changed up to its beginning does not count, nor anything where it has not begun', () => {
    const older = peopleOf(ann, person('bob', { changes: [changeOf(null, { at: began })] }));
    expect(standing(taskOf(), older)).toBe('for bob');
    expect(standing(chainOf(), bobOnce(null))).toBe('for bob');
  });
});
