import { expect, it } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import { atField } from './at-field.ts';

function thrownBy(error: unknown): unknown {
  try {
    return atField(error);
  } catch (thrown) {
    return thrown;
  }
}

it('a refusal about one field stands under it', () => {
  const taken = new ApiError({ key: 'memberEmailTaken', status: 409, messages: ['It is taken'] });
  expect(thrownBy(taken)).toMatchObject({ key: 'memberEmailTaken', fields: { email: 'It is taken' } });
});

it('any other is thrown on as it is', () => {
  const other = new ApiError({ key: 'lastAdministrator', status: 409, messages: ['The last one'] });
  expect(thrownBy(other)).toBe(other);
  const fault = new TypeError('broken');
  expect(thrownBy(fault)).toBe(fault);
});
