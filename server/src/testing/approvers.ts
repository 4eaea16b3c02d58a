import { expect } from 'vitest';
import {
  type Approver,
  ableAt,
  ableNow,
  barredAt,
  type Chain,
  type ChainNode,
  judge,
  type People,
  type Progress,
  start,
  usedIn,
} from '../features/approvals/domain.ts';
import type { AuthorityChange } from '../features/organisation/index.ts';

/** People, chains and tasks for tests of who may decide: `ann` applied, `bob` would decide. No database. */

export const began = new Date('2026-03-02T09:00:00Z');
/** A moment after the task began. */
export const after = new Date(began.getTime() + 1);
export const now = new Date('2026-04-20T09:00:00Z');

export function person(id: string, more: Partial<Approver> = {}): Approver {
  return {
    id,
    name: id,
    roleId: 'staff',
    status: 'active',
    onLeave: false,
    deputyId: null,
    quotaUsd: null,
    permissions: ['approval.decide'],
    changes: [],
    ...more,
  };
}

export const peopleOf = (...all: Approver[]): People => new Map(all.map((one) => [one.id, one]));

export const byBob: ChainNode = { needed: 1, people: ['bob'], roles: [] };
export const chainOf = (more: Partial<Chain> = {}): Chain => ({
  initiatorId: 'ann',
  nodes: [byBob],
  valueCents: 100n,
  ...more,
});
/** A task that has begun. */
export const taskOf = (more: Partial<Chain> = {}): Chain =>
  chainOf({ begun: { at: began, adoptable: true, adopterId: null }, ...more });

/** What a member could do before a change. */
export type Before = NonNullable<AuthorityChange['before']>;
export const power: Before = {
  roleId: 'staff',
  invitedAt: null,
  rights: ['approval.decide'],
  quotaCents: null,
  seats: [],
};
export const changeOf = (before: Before | null, more: Partial<AuthorityChange> = {}): AuthorityChange => ({
  at: after,
  byId: 'admin',
  byName: 'admin',
  before,
  gained: true,
  ...more,
});

export const ann = person('ann');
export const bob = person('bob');

/** What becomes of bob, or another, in all three ways of asking: they agree, or the test fails. */
export function standing(chain: Chain, people: People, id = 'bob', progress: Progress = start): string {
  const asked = people.get(id);
  const node = chain.nodes[progress.node];
  if (!asked || !node) throw new Error('no such person or node');
  const judged = judge(chain, progress, asked, people);
  const used = usedIn(progress);
  const able = ableAt(chain, node, people, used).find(({ actor }) => actor.id === id);
  const bar = barredAt(chain, node, people, used).find(({ actor }) => actor.id === id)?.bar;
  expect(able?.seat).toBe('seat' in judged ? judged.seat : undefined);
  expect(ableNow(chain, progress, people).find(({ actor }) => actor.id === id)).toEqual(able);
  const barred = ['tooNew', 'grantedByInitiator', 'concerned'];
  if (bar !== undefined || ('obstacle' in judged && barred.includes(judged.obstacle)))
    expect(bar).toBe('obstacle' in judged ? judged.obstacle : undefined);
  return 'seat' in judged ? `for ${judged.seat.id}` : judged.obstacle;
}
