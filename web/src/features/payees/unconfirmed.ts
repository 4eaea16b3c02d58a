import { ApiError } from '../../lib/api-error.ts';

/** Keeps the form as it is, with a sentence at the payee's name. */
export function unconfirmed(sentence: string): ApiError {
  return new ApiError({ key: 'validationFailed', status: 0, fields: { enterpriseName: sentence, lastName: sentence } });
}
