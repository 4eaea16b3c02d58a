import { expect, test } from 'vitest';
import { solve } from './captcha-solver.ts';

const salt = 'salt?expires=1&';

async function puzzle(number: number, max: number) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${salt}${number}`));
  const challenge = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { challenge, salt, max };
}

test('finds the number, and says how far it has come', async () => {
  const shares: number[] = [];
  expect(solve(await puzzle(25_000, 50_000), (share) => shares.push(share))).toBe(25_000);
  expect(shares).toEqual([0.2, 0.4]);
});

test('finds the first and the last number, and none beyond', async () => {
  expect(solve(await puzzle(0, 10), () => undefined)).toBe(0);
  expect(solve(await puzzle(10, 10), () => undefined)).toBe(10);
  expect(solve(await puzzle(11, 10), () => undefined)).toBeNull();
});
