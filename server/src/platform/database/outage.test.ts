import pg from 'pg';
import { expect, test } from 'vitest';
import { isOutage, NoPrimary } from './outage.ts';

const coded = (code: string) => Object.assign(new Error('failed'), { code });
const database = (code: string) => Object.assign(new pg.DatabaseError('failed', 1, 'error'), { code });

test.each([
  ...[
    '08000',
    '08001',
    '08003',
    '08006',
    '25006',
    '40001',
    '40P01',
    '53100',
    '53300',
    '57P01',
    '57P02',
    '57P03',
    '58030',
  ],
])('SQLSTATE %s is an outage', (code) => {
  expect(isOutage(database(code))).toBe(true);
});

test.each([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
])('a socket’s %s is an outage', (code) => {
  expect(isOutage(coded(code))).toBe(true);
});

test.each([
  'Connection terminated unexpectedly',
  'Connection terminated',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
])('the driver’s “%s”, which has no code, is an outage', (message) => {
  expect(isOutage(new Error(message))).toBe(true);
});

test('what an outage caused is an outage', () => {
  expect(isOutage(new Error('failed', { cause: coded('ECONNRESET') }))).toBe(true);
  expect(isOutage(new AggregateError([coded('ECONNREFUSED')], 'no address answered'))).toBe(true);
  expect(isOutage(new NoPrimary())).toBe(true);
});

test('a fault of ours is none', () => {
  const faults = [
    database('23505'),
    database('42P01'),
    database('22P02'),
    coded('ENOENT'),
    new Error('failed'),
    'ECONNRESET',
  ];
  expect(faults.filter((fault) => isOutage(fault))).toEqual([]);
  const circular = new Error('failed');
  circular.cause = circular;
  expect(isOutage(circular)).toBe(false);
});
