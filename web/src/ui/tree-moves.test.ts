import { describe, expect, it } from 'vitest';
import { dropped, placeOf, rowsOf, stepped, type TreeNode, withMoved } from './tree-moves.ts';

const leaf = (id: string, ...children: TreeNode[]): TreeNode => ({ id, label: id, children });
/** finance(treasury, accounts(payables)), sales, legal */
const tree = [leaf('finance', leaf('treasury'), leaf('accounts', leaf('payables'))), leaf('sales'), leaf('legal')];
const deep = 8;

const written = (nodes: readonly TreeNode[]): string =>
  nodes.map(({ id, children = [] }) => (children.length ? `${id}(${written(children)})` : id)).join(' ');

describe('a step of the keyboard', () => {
  const after = (id: string, step: Parameters<typeof stepped>[2], maxDepth = deep) => {
    const to = stepped(tree, id, step, maxDepth);
    return to === undefined ? 'nowhere' : written(withMoved(tree, id, to));
  };
  it('up and down changes the order among siblings, and stops at the ends', () => {
    expect(after('sales', 'up')).toBe('sales finance(treasury accounts(payables)) legal');
    expect(after('sales', 'down')).toBe('finance(treasury accounts(payables)) legal sales');
    expect(after('finance', 'up')).toBe('nowhere');
    expect(after('legal', 'down')).toBe('nowhere');
  });
  it('in goes under the sibling above, as its last', () => {
    expect(after('sales', 'in')).toBe('finance(treasury accounts(payables) sales) legal');
    expect(after('treasury', 'in')).toBe('nowhere');
  });
  it('out stands behind the parent, with all that is under it', () => {
    expect(after('accounts', 'out')).toBe('finance(treasury) accounts(payables) sales legal');
    expect(after('finance', 'out')).toBe('nowhere');
  });
  it('goes no deeper than allowed, counting what is under the node', () => {
    expect(after('accounts', 'in', 3)).toBe('nowhere');
    expect(after('accounts', 'in', 4)).toBe('finance(treasury(accounts(payables))) sales legal');
  });
});

describe('a drop', () => {
  const after = (id: string, over: string, zone: Parameters<typeof dropped>[3], maxDepth = deep) => {
    const to = dropped(tree, id, over, zone, maxDepth);
    return to === undefined ? 'nowhere' : written(withMoved(tree, id, to));
  };
  it('lands before, inside and after a line', () => {
    expect(after('legal', 'treasury', 'before')).toBe('finance(legal treasury accounts(payables)) sales');
    expect(after('legal', 'treasury', 'after')).toBe('finance(treasury legal accounts(payables)) sales');
    expect(after('legal', 'treasury', 'inside')).toBe('finance(treasury(legal) accounts(payables)) sales');
    expect(after('finance', 'legal', 'before')).toBe('sales finance(treasury accounts(payables)) legal');
  });
  it('on itself, on what is under it, and where it stands already leads nowhere', () => {
    expect(after('finance', 'finance', 'inside')).toBe('nowhere');
    expect(after('finance', 'payables', 'inside')).toBe('nowhere');
    expect(after('sales', 'finance', 'after')).toBe('nowhere');
    expect(after('sales', 'legal', 'before')).toBe('nowhere');
  });
  it('too deep leads nowhere', () => {
    expect(after('accounts', 'legal', 'inside', 3)).not.toBe('nowhere');
    expect(after('finance', 'legal', 'inside', 3)).toBe('nowhere');
  });
});

it('rows know their level, place and parent, and hide what is closed', () => {
  const rows = rowsOf(tree, new Set(['finance']));
  expect(rows.map(({ node, level, place, siblings, parentId }) => [node.id, level, place, siblings, parentId])).toEqual(
    [
      ['finance', 1, 1, 3, null],
      ['treasury', 2, 1, 2, 'finance'],
      ['accounts', 2, 2, 2, 'finance'],
      ['sales', 1, 2, 3, null],
      ['legal', 1, 3, 3, null],
    ],
  );
  expect(placeOf(tree, 'payables')).toEqual({ parentId: 'accounts', position: 0 });
});
