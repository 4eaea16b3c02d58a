import { expect, it } from 'vitest';
import { noticeQuery } from './notice-query.ts';

it('asks for the first page of everything when no filter is set', () => {
  expect(noticeQuery({ filters: {}, size: 20, cursor: null })).toEqual({ size: '20' });
});

it('hands on the filters, the keyword without white space around it', () => {
  const filters = { read: 'false', type: 'announcement', keyword: ' 維護 ' };
  expect(noticeQuery({ filters, size: 50, cursor: 'c1' })).toEqual({
    size: '50',
    cursor: 'c1',
    read: 'false',
    type: 'announcement',
    keyword: '維護',
  });
});

it('leaves aside what somebody typed into the address that is no filter', () => {
  const filters = { read: 'perhaps', type: 'spam', keyword: '   ' };
  expect(noticeQuery({ filters, size: 20, cursor: null })).toEqual({ size: '20' });
});
