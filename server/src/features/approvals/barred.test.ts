import { describe, expect, test } from 'vitest';
import {
  ann,
  type Before,
  began,
  bob,
  byBob,
  chainOf,
  changeOf,
  now,
  peopleOf,
  person,
  power,
  standing,
  taskOf,
} from '../../testing/approvers.ts';
import type { AuthorityChange } from '../organisation/index.ts';
import { ableNow, barredAt, type Chain, type ChainNode, grantedByInitiatorAt, isAbandoned, start } from './domain.ts';

/** Who may not decide although a node names them: for when, from whom or about whom, each at its edge. */

const dayMs = 86_400_000;

describe('a change of controls', () => {
  const node: ChainNode = { needed: 1, people: [], roles: [], holders: 'rule.manage' };
  const nodes = [node];
  const holding = ['approval.decide', 'rule.manage'] as const;
  const holder = person('bob', { permissions: holding });
  const held = { ...power, rights: [...holding] };

  test('is decided by those who hold the permission, also where others are named', () => {
    expect(standing(taskOf({ nodes }), peopleOf(ann, holder))).toBe('for bob');
    expect(standing(taskOf({ nodes }), peopleOf(ann, bob))).toBe('noPermission');
    const all = peopleOf(ann, holder, person('eve', { permissions: ['approval.decide', 'list.manage'] }));
    expect(ableNow(taskOf({ nodes }), start, all).map(({ actor }) => actor.id)).toEqual(['bob']);
    const named = { ...node, people: ['eve'], roles: ['staff'] };
    expect(ableNow(taskOf({ nodes: [named] }), start, all).map(({ actor }) => actor.id)).toEqual(['bob']);
  });

  test('and held it ever since', () => {
    const changed = (before: Before) => peopleOf(ann, { ...holder, changes: [changeOf(before)] });
    expect(standing(taskOf({ nodes }), changed(held))).toBe('for bob');
    expect(standing(taskOf({ nodes }), changed(power))).toBe('tooNew');
    expect(standing(taskOf({ nodes: [{ ...node, people: ['bob'] }] }), changed(power))).toBe('tooNew');
  });

  test('by a deputy where both hold it and did', () => {
    const away = { ...holder, onLeave: true, deputyId: 'dan' };
    const dan = person('dan', { permissions: holding });

    expect(ableNow(taskOf({ nodes }), start, peopleOf(ann, away, dan))).toEqual([{ actor: dan, seat: dan }]);
    expect(standing(taskOf({ nodes }), peopleOf(ann, away, person('dan')), 'dan')).toBe('noPermission');
    const deputy = { ...dan, changes: [changeOf({ ...held, seats: ['bob'] })] };
    expect(standing(taskOf({ nodes }), peopleOf(ann, away, deputy), 'dan')).toBe('for dan');
    const newly = { ...dan, changes: [changeOf({ ...power, seats: ['bob'] })] };
    expect(standing(taskOf({ nodes }), peopleOf(ann, away, newly), 'dan')).toBe('tooNew');
  });

  test('is not decided by those who gain by it, nor in their places', () => {
    const except = (...ids: string[]) => taskOf({ nodes: [{ ...node, except: ids }] });
    expect(standing(except('eve'), peopleOf(ann, holder))).toBe('for bob');
    expect(standing(except('bob'), peopleOf(ann, holder))).toBe('concerned');
    expect(barredAt(except('bob'), { ...node, except: ['bob'] }, peopleOf(ann, holder))).toEqual([
      { actor: holder, bar: 'concerned' },
    ]);
    const byName: ChainNode = { needed: 1, people: ['bob'], roles: [], except: ['bob'] };
    const away = person('bob', { onLeave: true, deputyId: 'dan' });
    expect(standing(taskOf({ nodes: [byName] }), peopleOf(ann, away, person('dan')), 'dan')).toBe('concerned');
    expect(
      standing(taskOf({ nodes: [{ ...byName, except: ['dan'] }] }), peopleOf(ann, away, person('dan')), 'dan'),
    ).toBe('concerned');
  });
});

describe('to whom the initiator gave the right', () => {
  const grantOf = (more: Partial<AuthorityChange> = {}) =>
    changeOf(
      { ...power, rights: ['approval.decide', 'rule.manage'] },
      { at: new Date(now.getTime() - dayMs), byId: 'ann', ...more },
    );
  const given = (...changes: AuthorityChange[]) =>
    person('bob', { permissions: ['approval.decide', 'rule.manage'], changes });
  const at = new Date(now.getTime() - dayMs);

  test('is known for thirty days, by the last grant', () => {
    const chain = taskOf({ now });
    expect(grantedByInitiatorAt(chain, given(grantOf()))).toEqual(at);
    expect(grantedByInitiatorAt(chain, given())).toBeNull();
    expect(grantedByInitiatorAt(taskOf(), given(grantOf()))).toBeNull();
    expect(grantedByInitiatorAt(chain, given(grantOf({ gained: false })))).toBeNull();
    expect(grantedByInitiatorAt(chain, given(grantOf({ byId: 'admin' })))).toBeNull();
    const thirty = now.getTime() - 30 * dayMs;
    expect(grantedByInitiatorAt(chain, given(grantOf({ at: new Date(thirty) })))).toBeNull();
    expect(grantedByInitiatorAt(chain, given(grantOf({ at: new Date(thirty + 1) })))).toEqual(new Date(thirty + 1));
    const earlier = new Date(at.getTime() - dayMs);
    expect(grantedByInitiatorAt(chain, given(grantOf({ at: earlier }), grantOf()))).toEqual(at);
  });

  test('counts from the adopter as well', () => {
    const begun = { at: began, adoptable: true, adopterId: 'eve' };
    expect(grantedByInitiatorAt(taskOf({ now, begun }), given(grantOf({ byId: 'eve' })))).toEqual(at);
    expect(grantedByInitiatorAt(taskOf({ now, begun }), given(grantOf()))).toEqual(at);
    expect(grantedByInitiatorAt(taskOf({ now }), given(grantOf({ byId: 'eve' })))).toBeNull();
    expect(grantedByInitiatorAt(chainOf({ now }), given(grantOf()))).toEqual(at);
    expect(grantedByInitiatorAt(chainOf({ now }), given(grantOf({ byId: 'eve' })))).toBeNull();
  });

  const people = peopleOf(ann, given(grantOf()));

  test('decides on payments, unless the company forbids it', () => {
    expect(standing(taskOf({ now }), people)).toBe('for bob');
    expect(standing(taskOf({ now, reviewedSince: began }), people)).toBe('for bob');
    expect(standing(taskOf({ now, forbidsGrantees: false }), people)).toBe('for bob');
    expect(standing(taskOf({ now, forbidsGrantees: true }), people)).toBe('grantedByInitiator');
    expect(standing(taskOf({ forbidsGrantees: true }), people)).toBe('for bob');
    expect(standing(taskOf({ now, forbidsGrantees: true }), peopleOf(ann, given()))).toBe('for bob');
  });

  test('is no second person for a change of controls for seven days, once review was on', () => {
    const nodes: ChainNode[] = [{ needed: 1, people: [], roles: [], holders: 'rule.manage' }];
    const change = (more: Partial<Chain> = {}) => taskOf({ nodes, now, reviewedSince: began, ...more });
    expect(standing(change(), people)).toBe('grantedByInitiator');
    expect(standing(change({ reviewedSince: null }), people)).toBe('for bob');
    expect(standing(taskOf({ nodes, now }), people)).toBe('for bob');
    const seven = now.getTime() - 7 * dayMs;
    expect(standing(change(), peopleOf(ann, given(grantOf({ at: new Date(seven) }))))).toBe('for bob');
    expect(standing(change(), peopleOf(ann, given(grantOf({ at: new Date(seven + 1) }))))).toBe('grantedByInitiator');
    expect(standing(change({ reviewedSince: at }), people)).toBe('for bob');
    expect(standing(change({ reviewedSince: new Date(at.getTime() - 1) }), people)).toBe('grantedByInitiator');
  });
});

describe('a task whose initiator has left', () => {
  const gone = person('ann', { status: 'disabled' });

  test('waits for an administrator where one can adopt it', () => {
    expect(standing(taskOf(), peopleOf(gone, bob))).toBe('initiatorLeft');
    expect(standing(taskOf(), peopleOf(bob))).toBe('initiatorLeft');
    expect(barredAt(taskOf(), byBob, peopleOf(gone, bob))).toEqual([]);
    const kept = { at: began, adoptable: false, adopterId: null };
    expect(standing(taskOf({ begun: kept }), peopleOf(gone, bob))).toBe('for bob');
    const adopted = { at: began, adoptable: true, adopterId: 'eve' };
    expect(standing(taskOf({ begun: adopted }), peopleOf(gone, bob, person('eve')))).toBe('for bob');
    expect(standing(chainOf(), peopleOf(gone, bob))).toBe('for bob');
    expect(isAbandoned(taskOf(), peopleOf(ann, bob))).toBe(false);
  });

  test('says so before it speaks of limits', () => {
    expect(standing(taskOf(), peopleOf(gone, person('bob', { quotaUsd: '1' })))).toBe('initiatorLeft');
  });
});

test('the first seat that nothing bars is used, and the first bar is named where all are', () => {
  const nodes: ChainNode[] = [{ needed: 1, people: ['bob', 'dan'], roles: [], except: ['bob'] }];
  const away = person('bob', { onLeave: true, deputyId: 'dan' });
  const dan = person('dan');
  expect(standing(taskOf({ nodes }), peopleOf(ann, away, dan), 'dan')).toBe('for dan');
  // Their own seat is new to them, the one they take for bob is not.
  const byRole: ChainNode = { needed: 1, people: ['bob'], roles: ['boss'] };
  const boss = person('dan', { roleId: 'boss', changes: [changeOf({ ...power, seats: ['bob'] })] });
  expect(standing(taskOf({ nodes: [byRole] }), peopleOf(ann, away, boss), 'dan')).toBe('for bob');
  expect(barredAt(taskOf({ nodes: [byRole] }), byRole, peopleOf(ann, away, boss))).toEqual([]);
});
