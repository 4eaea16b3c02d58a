import pg from 'pg';
import { invariant } from '../domain-error.ts';

/** Amounts are `numeric` without a fraction and become bigint; counts and heights (`int8`) become safe numbers. */
const parsers = new Map<number, (text: string) => unknown>([
  [1700, (text) => BigInt(text)],
  [
    20,
    (text) => {
      const value = Number(text);
      invariant(Number.isSafeInteger(value), `int8 ${text} is beyond the safe integers`);
      return value;
    },
  ],
]);

/** How a connection reads values of the database. */
export const parsedTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;
