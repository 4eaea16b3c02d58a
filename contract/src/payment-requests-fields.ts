import * as z from 'zod/mini';
import { email } from './identity.ts';
import { amountText } from './ids.ts';
import { languages } from './locale.ts';
import { optionalName } from './names.ts';
import { mostReminderDays, payerNameMaxLength, reminderDayRange } from './payment-requests-rules.ts';

/** A tolerance is a per cent of the amount, at most two decimals, or an amount in its asset. */
export const requestTolerance = z.union([
  z.strictObject({ percent: z.string().check(z.regex(/^(10(\.0{1,2})?|\d(\.\d{1,2})?)$/, 'field.invalid')) }),
  z.strictObject({ units: amountText }),
]);

const reminderDay = z
  .int('field.invalid')
  .check(z.minimum(reminderDayRange[0], 'field.invalid'), z.maximum(reminderDayRange[1], 'field.invalid'));
export const reminderDays = z.array(reminderDay).check(
  z.maxLength(mostReminderDays, 'field.invalid'),
  z.refine((days) => new Set(days).size === days.length, { error: 'field.invalid' }),
);

export const payerInput = z.strictObject({
  name: optionalName(payerNameMaxLength),
  email: z.nullable(email),
  language: z.enum(languages),
});
