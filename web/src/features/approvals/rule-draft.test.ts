import { ruleContent } from '@causeway/contract/review.ts';
import { describe, expect, it } from 'vitest';
import { newId } from '../../lib/new-id.ts';
import { byContract } from '../../ui/by-contract.ts';
import { problemsOf } from '../../ui/form-state.ts';
import { draftOf, isNamed, newNode, type RuleDraft, ruleOf } from './rule-draft.ts';

const mei = { kind: 'person', id: 'mei' } as const;
const desk = { kind: 'role', id: 'desk' } as const;

const saved = {
  name: 'Large payments',
  lower: '10000.00',
  upper: '250000.00',
  submittedBy: [{ kind: 'department' as const, id: 'treasury', name: 'Treasury', gone: false }],
  nodes: [
    { needed: 1, approvers: [{ ...mei, name: 'Mei Chan', gone: false }] },
    { needed: 2, approvers: [{ ...desk, name: 'Payments desk', gone: false }] },
  ],
  active: true,
};

function draft(change: Partial<RuleDraft>): RuleDraft {
  return { ...draftOf(saved), ...change };
}

describe('a rule while it is being written', () => {
  it('comes back as it was saved when nothing is changed, without what only names it', () => {
    const { nodes, submittedBy, ...rest } = saved;
    expect(ruleOf(draftOf(saved))).toEqual({
      ...rest,
      submittedBy: submittedBy.map(({ kind, id }) => ({ kind, id })),
      nodes: nodes.map(({ needed, approvers }) => ({
        needed,
        approvers: approvers.map(({ kind, id }) => ({ kind, id })),
      })),
    });
  });

  it('of a rule for everybody names no one', () => {
    expect(ruleOf(draftOf({ ...saved, submittedBy: null })).submittedBy).toEqual([]);
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
  it('know who is named in any of them, a person and a role of the same id being two', () => {
    const chain = [newNode(), { ...newNode(), approvers: [mei] }];
    expect(isNamed(chain, mei)).toBe(true);
    expect(isNamed(chain, { kind: 'role', id: 'mei' })).toBe(false);
    expect(isNamed(chain, desk)).toBe(false);
  });
});

describe('what is wrong with a chain', () => {
  const treasury = { kind: 'role' as const, id: newId() };
  const full = [1, 2].map(() => ({ ...newNode(), approvers: [{ kind: 'role' as const, id: newId() }] }));
  const wrong = (nodes: RuleDraft['nodes']) =>
    Object.keys(problemsOf(byContract(ruleContent)(ruleOf(draft({ nodes, submittedBy: [treasury] })))));

  it('is said of the part of the node that is wrong', () => {
    expect(wrong([...full, newNode()])).toEqual(['nodes.2.approvers']);
    expect(wrong(full.map((node, at) => ({ ...node, needed: at === 1 ? '0' : '1' })))).toEqual(['nodes.1.needed']);
  });

  it('is nothing of a chain that is right, and said of the whole where it is empty', () => {
    expect(wrong(full)).toEqual([]);
    expect(wrong([])).toEqual(['nodes']);
  });
});
