import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arrayLiteral } from './array-literal.ts';

const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as { prepareValue(value: unknown): string };

const element = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'NULL', 'null', '"', '\\', '\\"', '{', '}', ',', ' a ', 'x\ny', '公司'),
  fc.constantFrom(null, undefined),
  fc.double(),
  fc.bigInt(),
  fc.boolean(),
);

test('an array is written as pg writes it', () => {
  fc.assert(
    fc.property(fc.array(element), (values) => {
      expect(arrayLiteral(values)).toBe(prepareValue(values));
    }),
  );
});

test('what pg has to convert is left to it', () => {
  for (const value of [new Date(), Buffer.from('a'), ['a'], { a: 1 }]) expect(arrayLiteral(['a', value])).toBeNull();
});
