import { expect, it } from 'vitest';
import { type CheckNode, isLocked, stateOf, toggled } from './check-tree-model.ts';

const leaf = (id: string, locked?: string): CheckNode => ({ id, label: id, locked });
const payees: CheckNode = { id: 'payees', label: 'Payees', children: [leaf('see'), leaf('manage')] };
const wallets: CheckNode = {
  id: 'wallets',
  label: 'Wallets',
  children: [leaf('view', 'comes with another'), leaf('send')],
};
const all: CheckNode = { id: 'all', label: 'All', children: [payees, wallets] };

it('a branch is on, off or mixed by the leaves under it', () => {
  expect(stateOf(all, new Set())).toBe('off');
  expect(stateOf(all, new Set(['see']))).toBe('mixed');
  expect(stateOf(payees, new Set(['see', 'manage']))).toBe('on');
  expect(stateOf(all, new Set(['see', 'manage', 'view', 'send']))).toBe('on');
});

it('a press ticks what is left of a branch, and the next one takes all of it away', () => {
  const some = toggled(payees, new Set(['see']));
  expect([...some]).toEqual(['see', 'manage']);
  expect([...toggled(payees, some)]).toEqual([]);
});

it('a press leaves locked leaves as they are, ticked or not', () => {
  expect([...toggled(all, new Set(['view']))].sort()).toEqual(['manage', 'see', 'send', 'view']);
  expect([...toggled(all, new Set(['view', 'see', 'manage', 'send']))]).toEqual(['view']);
  expect([...toggled(wallets, new Set())]).toEqual(['send']);
});

it('a branch whose leaves are all locked is locked itself', () => {
  expect(isLocked(wallets)).toBe(false);
  expect(isLocked({ id: 'x', label: 'x', children: [leaf('a', 'no'), leaf('b', 'no')] })).toBe(true);
});
