import { afterEach, expect, test, vi } from 'vitest';
import { newId } from './ids.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('ids are UUIDs of version 7 with their time, no two alike', () => {
  vi.useFakeTimers({ now: Date.UTC(2100, 0, 2, 3, 4, 5, 678) });
  const ids = Array.from({ length: 2000 }, newId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids.map((id) => id.slice(-9))).size).toBe(ids.length);
  expect(Number.parseInt((ids[0] ?? '').replace('-', '').slice(0, 12), 16)).toBe(Date.now());
});

test('each is greater than the one before, also within a millisecond and when the clock is set back', () => {
  vi.useFakeTimers({ now: Date.UTC(2101, 0, 1) });
  const ids = Array.from({ length: 1000 }, newId);
  vi.setSystemTime(Date.UTC(2100, 11, 31));
  ids.push(...Array.from({ length: 1000 }, newId));
  vi.setSystemTime(Date.UTC(2102, 0, 1));
  ids.push(newId());
  expect(ids.toSorted()).toEqual(ids);
});
