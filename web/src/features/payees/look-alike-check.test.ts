import { beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import { send } from '../../lib/client.ts';
import { queryClient } from '../../lib/queries.ts';
import { mustCompare } from './look-alike-check.ts';

vi.mock('../../lib/client.ts', () => ({ send: vi.fn() }));
const answered = vi.mocked(send);

const typed = '0xab00000000000000000000000000000000000cd1';
const exact = '0xAB00000000000000000000000000000000000cD1';
const alike = { address: exact, knownAs: null, lookAlikes: [{ address: '0xAB…', label: 'Pearl River' }] };

beforeEach(() => {
  queryClient.clear();
  answered.mockReset();
});

it('an address that was never looked at is looked at before it is saved', async () => {
  answered.mockResolvedValue(alike);
  expect(await mustCompare('ethereum', 'USDT', typed, '')).toBe(true);
  expect(await mustCompare('ethereum', 'USDT', typed, '0xother')).toBe(true);
  expect(answered).toHaveBeenCalledOnce();
});

it('one that was compared, or is like no other, is saved', async () => {
  answered.mockResolvedValue(alike);
  expect(await mustCompare('ethereum', 'USDT', typed, typed)).toBe(false);
  expect(await mustCompare('ethereum', 'USDT', typed, exact)).toBe(false);
  queryClient.clear();
  answered.mockResolvedValue({ ...alike, lookAlikes: [] });
  expect(await mustCompare('ethereum', 'USDT', typed, '')).toBe(false);
});

it('what cannot be checked is left to the server', async () => {
  answered.mockRejectedValue(new ApiError({ key: 'addressChecksum', status: 400 }));
  expect(await mustCompare('ethereum', 'USDT', typed, '')).toBe(false);
});
