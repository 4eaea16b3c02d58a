import { expect, it } from 'vitest';
import { memberQuery } from './member-query.ts';

const asked = { filters: {}, sort: null, size: 20, cursor: null };

it('asks for what the address says', () => {
  expect(
    memberQuery({ ...asked, filters: { keyword: 'chan', status: 'invited', role: 'r', department: 'd' } }),
  ).toEqual({
    keyword: 'chan',
    status: 'invited',
    roleId: 'r',
    departmentId: 'd',
    size: '20',
  });
  expect(memberQuery({ ...asked, sort: { by: 'lastLoginAt', order: 'desc' }, size: 50, cursor: 'c' })).toEqual({
    sort: 'lastLoginAt',
    order: 'desc',
    size: '50',
    cursor: 'c',
  });
});

it('searches for no more than the call takes', () => {
  expect(memberQuery({ ...asked, filters: { keyword: 'x'.repeat(200) } }).keyword).toHaveLength(128);
});

it('asks for those without a department', () => {
  expect(memberQuery({ ...asked, filters: { department: 'none' } })).toEqual({ unassigned: 'true', size: '20' });
});

it('leaves aside a status and an order that do not exist', () => {
  expect(memberQuery({ ...asked, filters: { status: 'gone' }, sort: { by: 'salary', order: 'asc' } })).toEqual({
    size: '20',
  });
});
