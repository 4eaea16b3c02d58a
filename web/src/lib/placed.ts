import { ApiError } from './api-error.ts';

/** The field under which a refusal of a submission's code is shown where the server names none. */
export const codeFields = {
  codeWrong: 'code',
  codeBurnt: 'code',
  transferCodeMismatch: 'code',
  mfaNotBound: 'code',
  codeForAdministrator: 'code',
} as const;

/** The same of its amount. */
export const amountFields = {
  amountFormat: 'amount',
  amountTooManyDecimals: 'amount',
  amountTooLarge: 'amount',
  amountBelowMinimum: 'amount',
  amountAboveTransferLimit: 'amount',
  amountAboveDailyLimit: 'amount',
  amountAboveBalanceMinusFee: 'amount',
  insufficientBalance: 'amount',
} as const;

/**
 * A refusal with the form's field that it concerns: the one that the server names, by the form's name for it (`ofInput`), else the one that
 * its key tells (`ofKey`); as it is where neither does.
 */
export function placed(
  error: ApiError,
  ofKey: Readonly<Record<string, string>>,
  ofInput: Readonly<Record<string, string>> = {},
): ApiError {
  const { key, status, code, messages, requestId } = error;
  const named = Object.entries(error.fields).map(([name, text]) => [ofInput[name] ?? name, text]);
  const field = ofKey[key];
  const [message] = messages;
  if (named.length === 0 && (field === undefined || message === undefined)) return error;
  return new ApiError({
    key,
    status,
    code,
    messages,
    fields: named.length > 0 ? Object.fromEntries(named) : { [field ?? '']: message ?? '' },
    ...(requestId !== null && { requestId }),
  });
}
