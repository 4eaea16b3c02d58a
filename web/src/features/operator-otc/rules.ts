import { otcRatePattern, otcValidMaxMinutes, otcValidMinMinutes } from '@causeway/contract/otc-rules.ts';
import type { Checked } from '../../ui/form-state.ts';
import { checked } from '../identity/index.ts';
import { type ReasonValues, reasonRule } from '../operator/index.ts';

/** The rules of these forms; the server checks everything again. Messages are text ids. */

export interface QuoteValues {
  rate: string;
  minutes: string;
  text: string;
}

export function isRate(text: string): boolean {
  return otcRatePattern.test(text) && /[1-9]/.test(text);
}

export function checkQuote(values: QuoteValues): Checked<QuoteValues> {
  const { rate, minutes } = values;
  const isWithin = /^\d{1,4}$/.test(minutes) && Number(minutes) >= otcValidMinMinutes;
  return checked(
    { ...values, text: values.text.trim() },
    {
      rate: isRate(rate) ? null : 'field.rate',
      minutes: isWithin && Number(minutes) <= otcValidMaxMinutes ? null : 'field.invalid',
    },
  );
}

export interface TextValues {
  text: string;
}

export function checkText(values: TextValues): Checked<TextValues> {
  const text = values.text.trim();
  return checked({ text }, { text: text === '' ? 'field.required' : null });
}

export interface MinimumValues extends ReasonValues {
  usd: string;
}

export function checkMinimum(values: MinimumValues): Checked<MinimumValues> {
  const trimmed = { ...values, reason: values.reason.trim() };
  return checked(trimmed, {
    usd: /^\d+(\.\d+)?$/.test(values.usd) ? null : 'field.amount',
    reason: reasonRule(trimmed.reason),
  });
}
