import {
  gasTankMostDays,
  gasTankMostPayments,
  treasuryLabelMaxLength,
} from '@causeway/contract/operator-treasury-rules.ts';
import type { Checked } from '../../ui/form-state.ts';
import { checked, requiredRule } from '../identity/index.ts';
import { type ReasonValues, reasonRule } from '../operator/index.ts';

/** The rules of the treasury's forms; the server checks everything again. Messages are text ids. */

export interface AddressValues extends ReasonValues {
  chainId: string;
  address: string;
  again: string;
  label: string;
}

/** Written twice, so that a slip of the hand is not agreed on by two. */
export function checkAddress(values: AddressValues): Checked<AddressValues> {
  const trimmed = {
    chainId: values.chainId,
    address: values.address.trim(),
    again: values.again.trim(),
    label: values.label.trim(),
    reason: values.reason.trim(),
  };
  return checked(trimmed, {
    chainId: trimmed.chainId === '' ? 'field.required' : null,
    address: requiredRule(trimmed.address),
    again: requiredRule(trimmed.again) ?? (trimmed.again === trimmed.address ? null : 'ops.rule.addressAgain'),
    label: requiredRule(trimmed.label) ?? ([...trimmed.label].length > treasuryLabelMaxLength ? 'field.tooLong' : null),
    reason: reasonRule(trimmed.reason),
  });
}

export interface CollectValues extends ReasonValues {
  addressId: string;
  minimum: string;
}

export function checkCollect(values: CollectValues): Checked<CollectValues> {
  const trimmed = { ...values, minimum: values.minimum.trim(), reason: values.reason.trim() };
  return checked(trimmed, {
    addressId: values.addressId === '' ? 'field.required' : null,
    minimum: /^\d+(\.\d+)?$/.test(trimmed.minimum) ? null : 'field.amount',
    reason: reasonRule(trimmed.reason),
  });
}

export interface Threshold extends ReasonValues {
  warnDays: number;
  warnPayments: number;
  stopPayments: number;
}

/** As they are typed. */
export type ThresholdValues = Record<keyof Threshold, string>;

export function checkThreshold(values: ThresholdValues): Checked<Threshold> {
  const warnDays = values.warnDays.trim();
  const warnPayments = values.warnPayments.trim();
  const stopPayments = values.stopPayments.trim();
  const reason = values.reason.trim();
  const numbers = {
    warnDays: Number(warnDays),
    warnPayments: Number(warnPayments),
    stopPayments: Number(stopPayments),
    reason,
  };
  const paymentsRule = wholeRule(warnPayments, 1, gasTankMostPayments);
  return checked(numbers, {
    warnDays: wholeRule(warnDays, 1, gasTankMostDays),
    warnPayments: paymentsRule,
    stopPayments:
      wholeRule(stopPayments, 0, gasTankMostPayments) ??
      (paymentsRule === null && numbers.stopPayments >= numbers.warnPayments ? 'field.stopBelowWarning' : null),
    reason: reasonRule(reason),
  });
}

function wholeRule(text: string, least: number, most: number): string | null {
  if (text === '') return 'field.required';
  return /^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most ? null : 'field.invalid';
}
