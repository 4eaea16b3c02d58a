import { controllingPermissions } from '@causeway/contract/permission.ts';
import { describe, expect, test } from 'vitest';
import type { RuleHold } from '../../organisation/index.ts';
import type { Approver } from '../domain.ts';
import { type Asked, judgeMode, secondPerson } from './second-person.ts';

/** What becomes of a change of controls: by who there is, whom it concerns, and whom another took away. */

const now = new Date('2026-11-02T09:30:00Z');
const later = new Date('2026-11-03T09:30:00Z');
const [permission] = controllingPermissions;

function holder(id: string, more: Partial<Approver> = {}): Approver {
  const permissions = [permission, 'approval.decide'] as const;
  const plain = {
    id,
    name: id,
    roleId: 'role',
    status: 'active',
    onLeave: false,
    deputyId: null,
    quotaUsd: null,
  } as const;
  return { ...plain, permissions, changes: [], ...more };
}

const none: RuleHold = { until: null, taken: new Set(), newcomers: new Set() };
const by = (...newcomers: string[]): RuleHold => ({
  until: later,
  taken: new Set(['gone']),
  newcomers: new Set(newcomers),
});

function modeAmong(
  people: readonly Approver[],
  {
    hold = none,
    concerned = [],
    reviewedSince = null,
  }: { hold?: RuleHold; concerned?: string[]; reviewedSince?: Date | null } = {},
) {
  const asked: Asked = { initiatorId: 'ann', permission, concerned };
  const settings = { reviewedSince, readAt: now };
  const found = { people: new Map(people.map((person) => [person.id, person])), settings, forbidsGrantees: false };
  return judgeMode(asked, found, hold, later);
}

const ann = holder('ann');

test('everyone who holds the permission can be the second person, except those who gain by the change', () => {
  expect(secondPerson(permission)).toEqual({ needed: 1, people: [], roles: [], holders: permission });
  expect(secondPerson(permission)).not.toHaveProperty('except');
  expect(secondPerson(permission, ['eve'])).toHaveProperty('except', ['eve']);
});

describe('a change', () => {
  test('needs consent where another person can give it', () => {
    expect(modeAmong([ann, holder('bob')])).toEqual({ kind: 'consent' });
  });

  test('takes effect at once where no one else holds the permission', () => {
    expect(modeAmong([ann])).toEqual({ kind: 'applies', alone: true });
    expect(modeAmong([ann, holder('bob', { permissions: [] })])).toEqual({ kind: 'applies', alone: true });
    expect(modeAmong([ann, holder('bob', { status: 'disabled' })])).toEqual({ kind: 'applies', alone: true });
  });

  test('that concerns the only other holder is known to be no one’s alone', () => {
    expect(modeAmong([ann, holder('bob')], { concerned: ['bob'] })).toEqual({ kind: 'applies', alone: false });
  });

  test('waits where review is on and no one can consent', () => {
    const reviewedSince = new Date('2026-10-01T00:00:00Z');
    expect(modeAmong([ann], { reviewedSince })).toEqual({ kind: 'waits', effectiveAt: later });
  });

  test('is held where only those who came after a removal could consent, or propose', () => {
    expect(modeAmong([ann, holder('new')], { hold: by('new') })).toEqual({ kind: 'held', hold: by('new') });
    expect(modeAmong([ann], { hold: by() })).toEqual({ kind: 'held', hold: by() });
    expect(modeAmong([ann, holder('bob')], { hold: by('ann') })).toEqual({ kind: 'held', hold: by('ann') });
    expect(modeAmong([ann, holder('bob'), holder('new')], { hold: by('new') })).toEqual({ kind: 'consent' });
  });
});
