import { listApprovals } from 'virtual:calls/approvals';
import { listAudit } from 'virtual:calls/audit';
import { listNotices } from 'virtual:calls/notices';
import { listMembers, listRoles } from 'virtual:calls/organisation';
import { listCryptoPayees } from 'virtual:calls/payees';
import { listNamelist } from 'virtual:calls/risk-lists';
import { listTransactions } from 'virtual:calls/transactions';
import { calls } from '@causeway/contract/calls.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { askedOf } from './list.ts';
import { isIgnored, queryOf } from './list-query.ts';

const id = '0195f3a0-0000-7000-8000-000000000001';
const parse = ({ query = {} }: { query?: Parameters<typeof queryOf>[0] }, filters: Record<string, string>) =>
  queryOf(query, filters);

test('what the call takes is sent as it is', () => {
  const approvals = { status: 'pending', kind: 'transfer', amountMin: '1.5', amountMax: '007' };
  expect(parse(listApprovals, approvals)).toEqual(approvals);
  expect(parse(listCryptoPayees, { chain: 'ethereum', coin: 'USDT', status: 'usable' })).toEqual({
    chain: 'ethereum',
    coin: 'USDT',
    status: 'usable',
  });
  expect(parse(listAudit, { actor: 'system', action: 'payees.add' })).toEqual({
    actor: 'system',
    action: 'payees.add',
  });
  expect(parse(listAudit, { actor: id })).toEqual({ actor: id });
});

test('what the call would refuse is left out: an address may be typed by hand', () => {
  expect(
    parse(listApprovals, { status: 'done', kind: 'X!', amountMin: '1e3', amountMax: '-1', from: 'today' }),
  ).toEqual({});
  expect(parse(listNotices, { read: 'maybe', type: 'x', keyword: '   ' })).toEqual({});
  expect(parse(listAudit, { actor: 'somebody', action: 'signIn', subjectKind: 'A b' })).toEqual({});
  expect(parse(listNamelist, { kind: 'grey', other: 'x' })).toEqual({});
});

test('a keyword is trimmed, and cut to what the call takes', () => {
  expect(parse(listNotices, { keyword: `  ${'x'.repeat(200)}` })).toEqual({ keyword: 'x'.repeat(100) });
  expect(parse(listCryptoPayees, { keyword: ' pearl ' })).toEqual({ keyword: 'pearl' });
});

test('days become instants of the reader’s calendar, the end being the first after its day', () => {
  const { from = '', to = '' } = parse(listAudit, { from: '2026-11-21', to: '2026-11-21' });
  expect(Date.parse(to) - Date.parse(from)).toBe(24 * 3_600_000);
  expect(new Date(from).getHours()).toBe(0);
});

test('a filter that is not in force is known', () => {
  const field = listApprovals.query?.['amountMin'];
  expect(isIgnored(field, '1e5')).toBe(true);
  expect(isIgnored(field, '100')).toBe(false);
  expect(isIgnored(field, undefined)).toBe(false);
});

test('whatever an address says, the contract takes what is sent', () => {
  const lists = calls.filter(({ query }) => query && 'cursor' in query._zod.def.shape);
  const light = [listTransactions, listApprovals, listAudit, listNotices, listMembers, listCryptoPayees, listNamelist];
  for (const { name, query } of light) {
    const schema = lists.find((of) => of.name === name)?.query;
    const names = Object.keys(query ?? {}).filter((field) => field !== 'cursor');
    const values = fc.oneof(fc.string(), fc.constantFrom(id, 'USDT', '1', 'true', 'pending', '2026-02-30', 'usable'));
    const address = fc.record(Object.fromEntries(names.map((field) => [field, values])), { requiredKeys: [] });
    fc.assert(
      fc.property(address, (filters) => {
        const asked = queryOf(query ?? {}, filters);
        const required = {
          ...(name === 'listApprovals' && { view: 'all' }),
          ...(name === 'listNamelist' && { kind: 'white' }),
        };
        const result = z.safeParse(schema as z.core.$ZodType, { ...required, ...asked });
        // A text may hold what no text may (a NUL): the server refuses it, and the page says so.
        const problems = result.success ? [] : result.error.issues.filter(({ code }) => code !== 'custom');
        expect(problems).toEqual([]);
      }),
    );
  }
});

const shown = (filters: Record<string, string>, sort: { by: string; order: 'asc' | 'desc' } | null = null) => ({
  filters,
  sort,
});

test('an order is asked for only where the call knows it', () => {
  const members = { call: listMembers };
  expect(askedOf(members, shown({}, { by: 'email', order: 'desc' }))).toEqual({ sort: 'email', order: 'desc' });
  expect(askedOf(members, shown({}, { by: 'shoe', order: 'desc' }))).toEqual({});
  const tasks = { call: listApprovals, order: { by: 'time', order: 'desc' as const } };
  expect(askedOf(tasks, shown({}, { by: 'time', order: 'asc' }))).toEqual({ order: 'asc' });
  expect(askedOf(tasks, shown({}, { by: 'amount', order: 'asc' }))).toEqual({});
  expect(askedOf({ call: listRoles }, shown({ active: 'true' }, { by: 'name', order: 'asc' }))).toEqual({
    active: 'true',
  });
});

test('a filter may stand for a name of the query, or for several', () => {
  const sends = {
    department: (value: string): Record<string, string> =>
      value === 'none' ? { unassigned: 'true' } : { departmentId: value },
  };
  expect(askedOf({ call: listMembers, sends }, shown({ department: 'none' }))).toEqual({ unassigned: 'true' });
  expect(askedOf({ call: listMembers, sends }, shown({ department: id }))).toEqual({ departmentId: id });
  expect(askedOf({ call: listMembers, sends }, shown({ department: 'x' }))).toEqual({});
});
