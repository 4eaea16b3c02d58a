import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { type Sweep, sweepCompanies } from './sweep.ts';

/** What fails and what ends a round; what rounds do is tested where they are declared. */

const words = { late: 'done late', failed: 'not done', unread: 'not read' };

async function round(sweep: Partial<Sweep>, signal = new AbortController().signal): Promise<string[]> {
  const said: string[] = [];
  const write = (text: string) => {
    const { msg, companyId, transactionId } = JSON.parse(text) as Record<string, string>;
    said.push([msg, companyId, transactionId].filter(Boolean).join(' '));
  };
  const database = {
    withoutCompany: (work: (tx: never) => unknown) => work(null as never),
    withCompany: (companyId: string, work: (tx: never) => unknown) => work(companyId as never),
  } as unknown as Database;
  const whole: Sweep = {
    companies: async () => ['a', 'b', 'c'],
    find: async (tx) => [`${tx}1`, `${tx}2`],
    perform: async () => undefined,
    words,
    ...sweep,
  };
  await sweepCompanies({ database, log: pino({}, { write }), signal }, whole);
  return said;
}

test('a company that cannot be looked through keeps no other from its turn', async () => {
  const find: Sweep['find'] = async (tx) => {
    if (String(tx) === 'a') throw new Error('not this one');
    return String(tx) === 'b' ? ['b1'] : [];
  };
  expect(await round({ find })).toEqual(['not read a', 'done late b b1']);
});

test('one that fails keeps neither the next of its company nor another company from its turn', async () => {
  const perform: Sweep['perform'] = async (_, id) => {
    if (id === 'a1') throw new Error('not this one');
  };
  expect(await round({ perform })).toEqual([
    ...['not done a a1', 'done late a a2', 'done late b b1', 'done late b b2', 'done late c c1', 'done late c c2'],
  ]);
});

test('a worker that stops begins nothing else', async () => {
  const stopping = new AbortController();
  const perform: Sweep['perform'] = async (_, id) => {
    if (id === 'b1') stopping.abort();
  };
  expect(await round({ perform }, stopping.signal)).toEqual(['done late a a1', 'done late a a2', 'done late b b1']);
});
