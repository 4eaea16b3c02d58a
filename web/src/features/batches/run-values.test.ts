import { expect, test } from 'vitest';
import { checkRun, contentOf, emptyRun, isSubmittable } from './run-values.ts';

const review = { outcome: 'required' as const, rule: 'All', steps: [], codeRecipient: 'initiator' as const };
const check = {
  version: 3,
  number: 1,
  rows: 2,
  errors: 0,
  warnings: 1,
  totals: [{ asset: 'USDT', decimals: 6, rows: 2, amount: '30.000000', fee: '2.000000' }],
  valueUsd: '30.00',
  wallets: [],
  review,
  items: [],
};

test('what is submitted is what the check showed: version, number of rows, fees', () => {
  const content = contentOf('run', 'batch', check);
  expect(content).toEqual({
    id: 'run',
    batchId: 'batch',
    version: 3,
    rows: 2,
    fees: [{ asset: 'USDT', amount: '2.000000' }],
  });
  expect(checkRun({ ...emptyRun, code: '123456' }, content)).toMatchObject({ ok: true, values: { content } });
});

test.each([
  ['a row with an error', { ...check, errors: 1 }],
  ['no row', { ...check, rows: 0 }],
  ['a value that is not known', { ...check, review: null }],
  ['no one who could approve', { ...check, review: { ...review, outcome: 'nobodyCan' as const } }],
])('%s keeps it from being submitted', (_, one) => {
  expect(isSubmittable(one)).toBe(false);
  expect(contentOf('run', 'batch', one)).toBeNull();
  expect(checkRun({ ...emptyRun, code: '123456' }, null).ok).toBe(false);
});

test('a code has six digits', () => {
  expect(checkRun({ ...emptyRun, code: '12345' }, contentOf('run', 'batch', check)).ok).toBe(false);
});
