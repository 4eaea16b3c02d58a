import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ann, bob, chainOf, peopleOf, person } from '../../testing/approvers.ts';
import {
  advance,
  type ChainNode,
  canBePassed,
  canBeStaffed,
  centsOf,
  decisionDigest,
  type Progress,
  start,
} from './domain.ts';

/** What decisions do to a task, and whether the rest of it can be passed. */

describe('a decision', () => {
  const nodes = [
    { needed: 2, people: [], roles: [] },
    { needed: 1, people: [], roles: [] },
  ];
  const with_ = (node: number, ...decisions: [number, 'approved' | 'rejected'][]): Progress => ({
    pending: true,
    node,
    decisions: decisions.map(([at, outcome], index) => ({
      node: at,
      outcome,
      approverId: `${index}`,
      seatId: `${index}`,
    })),
  });

  test('that rejects ends the task; the last approval of a node goes on, that of the last node approves', () => {
    expect(advance(nodes, with_(0), 'rejected')).toEqual({ end: 'rejected' });
    expect(advance(nodes, with_(0), 'approved')).toEqual({ node: 0 });
    expect(advance(nodes, with_(0, [0, 'rejected']), 'approved')).toEqual({ node: 0 });
    expect(advance(nodes, with_(0, [0, 'approved']), 'approved')).toEqual({ node: 1 });
    expect(advance(nodes, with_(1, [0, 'approved'], [0, 'approved']), 'approved')).toEqual({ end: 'approved' });
    expect(() => advance(nodes, with_(2), 'approved')).toThrow('one of its nodes');
  });

  test('is bound to its company, outcome and tasks, in whatever order these are named', () => {
    const [one, other] = [
      { id: '1', digest: 'a' },
      { id: '2', digest: 'b' },
    ];
    const digest = decisionDigest('company', [one, other], 'approved');
    const sealed = [
      'causeway.decision.1',
      'company',
      'approved',
      [
        ['1', 'a'],
        ['2', 'b'],
      ],
    ];
    expect(digest).toBe(createHash('sha256').update(JSON.stringify(sealed)).digest('hex'));
    expect(decisionDigest('company', [other, one], 'approved')).toBe(digest);
    const others = [
      decisionDigest('another', [one, other], 'approved'),
      decisionDigest('company', [one, other], 'rejected'),
      decisionDigest('company', [one], 'approved'),
      decisionDigest('company', [one, { ...other, digest: 'c' }], 'approved'),
      decisionDigest('company', [one, { ...other, id: '3' }], 'approved'),
    ];
    expect(new Set([digest, ...others]).size).toBe(6);
  });
});

describe('the rest of a chain', () => {
  const nodes: ChainNode[] = [
    { needed: 2, people: ['bob', 'eve', 'kim'], roles: [] },
    { needed: 1, people: ['kim'], roles: [] },
  ];
  const all = peopleOf(ann, bob, person('eve'), person('kim'));
  const approvedBy = (...ids: string[]): Progress => ({
    pending: true,
    node: 0,
    decisions: ids.map((id) => ({ node: 0, approverId: id, seatId: id, outcome: 'approved' })),
  });

  test('can be passed where every missing approval has a person of its own', () => {
    expect(canBePassed(chainOf({ nodes }), start, all)).toBe(true);
    expect(canBePassed(chainOf({ nodes }), start, peopleOf(ann, bob, person('kim')))).toBe(false);
    expect(canBePassed(chainOf({ nodes }), approvedBy('eve'), peopleOf(ann, bob, person('kim')))).toBe(true);
    expect(canBePassed(chainOf({ nodes }), approvedBy('kim'), all)).toBe(false);
    expect(canBePassed(chainOf({ nodes }), { ...approvedBy('bob', 'eve'), node: 1 }, all)).toBe(true);
    expect(canBePassed(chainOf({ nodes }), { ...approvedBy('bob', 'eve'), node: 1 }, peopleOf(ann, bob))).toBe(false);
  });

  test('moves people between nodes where that is the only way', () => {
    expect(
      canBeStaffed([
        { needed: 1, actors: ['a', 'b', 'c'] },
        { needed: 1, actors: ['a', 'b'] },
        { needed: 1, actors: ['a'] },
      ]),
    ).toBe(true);
    expect(
      canBeStaffed([
        { needed: 1, actors: ['a', 'b'] },
        { needed: 1, actors: ['a', 'b'] },
        { needed: 1, actors: ['a', 'b'] },
      ]),
    ).toBe(false);
    expect(canBeStaffed([{ needed: -1, actors: [] }])).toBe(true);
    expect(canBeStaffed([])).toBe(true);
  });
});

test('a limit is read in cents, and nothing else is taken for one', () => {
  expect(centsOf('1.01')).toBe(101n);
  for (const text of ['1.001', '-1', '']) expect(() => centsOf(text)).toThrow('amount in US dollars');
});
