import { describe, expect, test } from 'vitest';
import { changedPowers, type Holder, powersOf } from './authority.ts';

const holder = (more: Partial<Holder> = {}): Holder => ({
  id: 'a',
  roleId: 'approver',
  invitedAt: null,
  rights: ['approval.decide'],
  quotaCents: null,
  onLeave: false,
  deputyId: null,
  ...more,
});
const gainedBy = (before: Holder[], after: Holder[]): string[] =>
  changedPowers(powersOf(before), powersOf(after))
    .filter(({ gained }) => gained)
    .map(({ memberId }) => memberId);

describe('somebody gains', () => {
  const viewer = holder({ rights: [] });
  const all = holder({ rights: ['approval.decide', 'rule.manage'], roleId: 'administrator' });
  const cases: [string, Holder[], Holder[], string[]][] = [
    ['who is new', [], [holder()], ['a']],
    ['who is new and controls nothing', [], [viewer], []],
    ['another right', [viewer], [holder()], ['a']],
    ['a higher amount', [holder({ quotaCents: 9n })], [holder({ quotaCents: 10n })], ['a']],
    ['no limit any more', [holder({ quotaCents: 9n })], [holder()], ['a']],
    ['a limit', [holder()], [holder({ quotaCents: 10n })], []],
    ['a lower amount', [holder({ quotaCents: 10n })], [holder({ quotaCents: 9n })], []],
    ['a role that other rules name', [holder()], [holder({ roleId: 'other' })], ['a']],
    ['a lesser role, after one that could change the rules', [all], [holder()], []],
    ['what was taken away', [holder()], [], []],
    ['another mailbox for the invitation', [holder({ invitedAt: 'x' })], [holder({ invitedAt: 'y' })], ['a']],
    ['a password of their own', [holder({ invitedAt: 'x' })], [holder()], []],
    ['a seat', [holder({ id: 'b' })], [holder({ id: 'b', onLeave: true, deputyId: 'c' }), viewerNamed('c')], ['c']],
    ['a seat of somebody who cannot decide', [viewer, holder({ id: 'b' })], [away('a'), holder({ id: 'b' })], ['b']],
    ['leave without a deputy', [holder()], [holder({ onLeave: true })], []],
  ];
  test.each(cases)('%s', (_, before, after, gained) => {
    expect(gainedBy(before, after)).toEqual(gained);
  });

  test('nothing, where nothing changed', () => {
    expect(changedPowers(powersOf([all]), powersOf([all]))).toEqual([]);
  });
});

function away(id: string): Holder {
  return holder({ id, rights: [], onLeave: true, deputyId: 'b' });
}

function viewerNamed(id: string): Holder {
  return holder({ id, rights: [] });
}
