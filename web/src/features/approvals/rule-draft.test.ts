import { ruleContent } from '@causeway/contract/review.ts';
import { describe, expect, it } from 'vitest';
import { newId } from '../../lib/new-id.ts';
import { byContract } from '../../ui/by-contract.ts';
import { draftOf, isNamed, moved, newNode, type RuleDraft, ruleOf, wrongPart } from './rule-draft.ts';

const mei = { kind: 'person', id: 'mei' } as const;
const desk = { kind: 'role', id: 'desk' } as const;

const saved = {
  name: 'Large payments',
  lower: '10000.00',
  upper: '250000.00',
  nodes: [
    { needed: 1, approvers: [{ ...mei, name: 'Mei Chan', gone: false }] },
    { needed: 2, approvers: [{ ...desk, name: 'Payments desk', gone: false }] },
  ],
  active: true,
};

function draft(change: Partial<RuleDraft>): RuleDraft {
  return { ...draftOf(saved), ...change };
}

const keys = (nodes: readonly { key: string }[]) => nodes.map(({ key }) => key);

describe('a rule while it is being written', () => {
  it('comes back as it was saved when nothing is changed, without what only names it', () => {
    const { nodes, ...rest } = saved;
    expect(ruleOf(draftOf(saved))).toEqual({
      ...rest,
      nodes: nodes.map(({ needed, approvers }) => ({
        needed,
        approvers: approvers.map(({ kind, id }) => ({ kind, id })),
      })),
    });
  });

  it('has no upper bound when that is ticked, whatever stands in the field', () => {
    expect(ruleOf(draft({ unbounded: true })).upper).toBeNull();
    expect(draftOf({ ...saved, upper: null })).toMatchObject({ unbounded: true, upper: '' });
    expect(ruleOf(draftOf({ ...saved, upper: null })).upper).toBeNull();
  });

  it('without a bound and without the tick is not taken for a rule without bound', () => {
    expect(ruleOf(draft({ upper: '' })).upper).toBe('');
  });

  it('begins with one empty step that needs one approval', () => {
    expect(draftOf(null)).toMatchObject({
      name: '',
      lower: '0',
      nodes: [{ approvers: [], needed: '1' }],
      active: true,
    });
  });

  it.each([
    ['2', 2],
    [' 2 ', 2],
    ['', 0],
    ['1.5', 0],
    ['-1', 0],
    ['two', 0],
    ['1e1', 0],
  ])('reads %j approvals as %i', (needed, number) => {
    expect(ruleOf(draft({ nodes: [{ ...newNode(), needed }] })).nodes[0]?.needed).toBe(number);
  });

  it('is rid of the blanks around what was typed', () => {
    expect(ruleOf(draft({ name: '  Small ', lower: ' 0 ', upper: ' 10 ' }))).toMatchObject({
      name: 'Small',
      lower: '0',
      upper: '10',
    });
  });
});

describe('the steps of a chain', () => {
  const nodes = [newNode(), newNode(), newNode()];
  const [a, b, c] = keys(nodes);

  it('move to their new place, the others keeping their order', () => {
    expect(keys(moved(nodes, 0, 2))).toEqual([b, c, a]);
    expect(keys(moved(nodes, 2, 0))).toEqual([c, a, b]);
    expect(keys(moved(nodes, 1, 1))).toEqual([a, b, c]);
  });

  it('stay as they are when there is no such step, and are never changed in place', () => {
    expect(keys(moved(nodes, 7, 0))).toEqual([a, b, c]);
    expect(keys(nodes)).toEqual([a, b, c]);
  });

  it('know who is named in any of them, a person and a role of the same id being two', () => {
    const chain = [newNode(), { ...newNode(), approvers: [mei] }];
    expect(isNamed(chain, mei)).toBe(true);
    expect(isNamed(chain, { kind: 'role', id: 'mei' })).toBe(false);
    expect(isNamed(chain, desk)).toBe(false);
  });
});

describe('the wrong part of a chain', () => {
  const checked = (change: Partial<RuleDraft>) => byContract(ruleContent)(ruleOf(draft({ nodes: full, ...change })));
  const full = [1, 2].map(() => ({ ...newNode(), approvers: [{ kind: 'role' as const, id: newId() }] }));

  it('is the first field that is wrong, whatever is wrong outside of the chain', () => {
    expect(wrongPart(checked({ nodes: [...full, newNode()] }))).toEqual({ index: 2, field: 'approvers' });
    const needed = full.map((node, at) => ({ ...node, needed: at === 1 ? '0' : '1' }));
    expect(wrongPart(checked({ nodes: needed, name: '' }))).toEqual({ index: 1, field: 'needed' });
  });

  it('is none of a chain that is right, or wrong as a whole', () => {
    expect(wrongPart(checked({}))).toBeNull();
    expect(wrongPart(checked({ name: '' }))).toBeNull();
    expect(wrongPart(checked({ nodes: [] }))).toBeNull();
  });
});
