import { expect, test } from 'vitest';
import { parseExactly } from './exact-json.ts';

test('every number is the text that stood there, at any depth, and nothing else is changed', () => {
  const text = '{"a":[90071992547409.93,1e21,-0,0.10,1234567],"b":{"c":100.00},"d":"1.50","e":[true,null]}';
  expect(parseExactly(text)).toEqual({
    a: ['90071992547409.93', '1e21', '-0', '0.10', '1234567'],
    b: { c: '100.00' },
    d: '1.50',
    e: [true, null],
  });
});
