import type { LiveEvent } from '@causeway/contract/live.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LiveHub } from './live.ts';

const company = '01a20015-0000-7000-8000-000000000001';
const stranger = '01a20015-0000-7000-8000-000000000002';
const platform = '00000000-0000-0000-0000-000000000000';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** What a page that begins to listen now receives at once. */
function toldOnOpening(hub: LiveHub, companyId: string): LiveEvent[] {
  const told: LiveEvent[] = [];
  hub.subscribe(companyId, (event) => told.push(event))();
  return told;
}

test('a page hears its company’s events and the platform’s, until it leaves', () => {
  const hub = new LiveHub();
  const told: LiveEvent[] = [];
  const leave = hub.subscribe(company, (event) => told.push(event));
  hub.publish(company, { topic: 'balance', id: 'w' });
  hub.publish(stranger, { topic: 'balance', id: 'x' });
  hub.publish(platform, { topic: 'notice', id: null });
  leave();
  hub.publish(company, { topic: 'balance', id: 'w' });
  expect(told).toEqual([
    { topic: 'balance', id: 'w' },
    { topic: 'notice', id: null },
  ]);
});

test('a page that opens is told what changed while it was opening, each topic once, and nothing of others', () => {
  const hub = new LiveHub();
  hub.publish(company, { topic: 'balance', id: 'w' });
  hub.publish(company, { topic: 'balance', id: 'v' });
  vi.advanceTimersByTime(9_000);
  hub.publish(platform, { topic: 'notice', id: null });
  vi.advanceTimersByTime(2_000);
  expect(toldOnOpening(hub, company)).toEqual([
    { topic: 'balance', id: null },
    { topic: 'notice', id: null },
  ]);
  expect(toldOnOpening(hub, stranger)).toEqual([{ topic: 'notice', id: null }]);
  vi.advanceTimersByTime(20_000);
  expect(toldOnOpening(hub, company)).toEqual([]);
});
