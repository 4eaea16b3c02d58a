import { afterEach, expect, it, vi } from 'vitest';
import { placeToReturn, staying } from './routing.tsx';

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['/app/payee', '/app/payee?keyword=pearl', { to: '/app/payee?keyword=pearl' }],
  ['/app/home', '/app/home', {}],
  ['/terms', '/terms', {}],
  ['/sign-in', '/sign-in?to=/app/payee', {}],
])('from %s one is led back to the console’s own pages alone', (pathname, href, search) => {
  expect(placeToReturn({ pathname, href })).toEqual(search);
});

it.each([
  // The router loads the document again upon the first, which offline would leave the console.
  [true, { message: 'Failed to fetch dynamically imported module: /page.js' }],
  [false, { key: 'network' }],
])('a page whose code did not come, online: %s', async (onLine, expected) => {
  vi.stubGlobal('navigator', { onLine });
  const load = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module: /page.js'));
  await expect(staying(load)()).rejects.toMatchObject(expected);
});
