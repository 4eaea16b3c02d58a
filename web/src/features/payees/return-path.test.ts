import { expect, it } from 'vitest';
import { returnPath } from './return-path.ts';

it('goes back with the new payee', () => {
  expect(returnPath('/app/transfer-out?wallet=w1', 'p1')).toBe('/app/transfer-out?wallet=w1&payee=p1');
  expect(returnPath('/app/transfer-out?payee=old', 'new')).toBe('/app/transfer-out?payee=new');
  expect(returnPath('/app/transfer-out')).toBe('/app/transfer-out');
});

it.each([
  undefined,
  '',
  'https://example.com/app/x',
  '//example.com/app/x',
  '/sign-in',
  '/app/../sign-in',
  'javascript:alert(1)',
])('refuses %s', (given) => {
  expect(returnPath(given, 'p1')).toBeNull();
});
