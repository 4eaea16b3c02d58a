import { expect, it } from 'vitest';
import { placeToReturn } from './routing.tsx';

it.each([
  ['/app/payee', '/app/payee?keyword=pearl', { to: '/app/payee?keyword=pearl' }],
  ['/app/home', '/app/home', {}],
  ['/terms', '/terms', {}],
  ['/sign-in', '/sign-in?to=/app/payee', {}],
])('from %s one is led back to the console’s own pages alone', (pathname, href, search) => {
  expect(placeToReturn({ pathname, href })).toEqual(search);
});
