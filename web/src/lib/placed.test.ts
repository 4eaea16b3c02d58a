import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { amountFields, codeFields, placed } from './placed.ts';

const ofKey = { ...codeFields, ...amountFields };
const refusal = (key: string, fields: Record<string, string> = {}) =>
  new ApiError({ key, status: 400, code: 6001, messages: ['No.'], fields, requestId: 'r1' });

test('a refusal is shown at the field that its key tells', () => {
  const shown = placed(refusal('amountAboveDailyLimit'), ofKey);
  expect(shown).toMatchObject({ key: 'amountAboveDailyLimit', code: 6001, requestId: 'r1', fields: { amount: 'No.' } });
  expect(placed(refusal('codeForAdministrator'), ofKey).fields).toEqual({ code: 'No.' });
});

test('at the field that the server names, by the form’s name for it', () => {
  const named = refusal('insufficientBalance', { bound: 'Too much.', notes: 'Too long.' });
  expect(placed(named, ofKey, { bound: 'amount' }).fields).toEqual({ amount: 'Too much.', notes: 'Too long.' });
});

test('as it is where neither tells, or there is no sentence', () => {
  const other = refusal('riskRefused');
  expect(placed(other, ofKey)).toBe(other);
  const silent = new ApiError({ key: 'codeWrong', status: 400 });
  expect(placed(silent, ofKey)).toBe(silent);
});
