import { id } from '@causeway/contract/ids.ts';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { newId } from './new-id.ts';

it('makes UUIDs of version 7 that carry their time and differ', () => {
  const at = Date.UTC(2026, 10, 21, 9, 0, 0, 123);
  const first = newId(at);
  expect(z.safeParse(id, first).success).toBe(true);
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(first.replaceAll('-', '').slice(0, 12), 16)).toBe(at);
  expect(new Set(Array.from({ length: 1000 }, () => newId(at))).size).toBe(1000);
  expect(newId(at) < newId(at + 1)).toBe(true);
});
