import { expect, test } from 'vitest';
import { isWorthCollecting } from './memory.ts';

const mb = 1024 * 1024;

test.each([
  ['idle, and much has piled up', 0.01, 200, 120, true],
  ['busy', 0.5, 200, 120, false],
  ['idle, and little has piled up', 0.01, 140, 120, false],
  ['before the first collection', 0.01, 200, Number.POSITIVE_INFINITY, false],
])('%s', (_what, cpuShare, resident, kept, isWorth) => {
  expect(isWorthCollecting({ cpuShare, residentBytes: resident * mb }, kept * mb)).toBe(isWorth);
});
