import { termsMostBasisPoints } from '@causeway/contract/operator-exchange-rules.ts';
import type { Checked } from '../../ui/form-state.ts';
import { checked } from '../identity/index.ts';
import { type ReasonValues, reasonRule } from '../operator/index.ts';

/** The rules of these forms; the server checks everything again. Messages are text ids. */

/** As they are typed; empty: no limit, no hedging. */
export interface LimitValues extends ReasonValues {
  mostLong: string;
  mostShort: string;
  hedgeFrom: string;
  hedgeTo: string;
}

const amount = /^\d+(\.\d+)?$/;

export function checkLimit(values: LimitValues): Checked<LimitValues> {
  const trimmed = { ...values, reason: values.reason.trim() };
  const amountRule = (text: string) => (text === '' || amount.test(text) ? null : 'field.amount');
  const isHalf = (values.hedgeFrom === '') !== (values.hedgeTo === '');
  return checked(trimmed, {
    mostLong: amountRule(values.mostLong),
    mostShort: amountRule(values.mostShort),
    hedgeFrom: amountRule(values.hedgeFrom) ?? (isHalf && values.hedgeFrom === '' ? 'field.required' : null),
    hedgeTo: amountRule(values.hedgeTo) ?? (isHalf && values.hedgeTo === '' ? 'field.required' : null),
    reason: reasonRule(trimmed.reason),
  });
}

/** Empty is none. */
export function orNone(text: string): string | null {
  return text === '' ? null : text;
}

export interface TermsValues extends ReasonValues {
  /** Empty: any. */
  sell: string;
  buy: string;
  companyId: string;
  fromUsd: string;
  mode: 'value' | 'none';
  basisPoints: string;
  when: 'now' | 'later';
  at: string;
}

export function checkTerms(values: TermsValues): Checked<TermsValues> {
  const trimmed = { ...values, basisPoints: values.basisPoints.trim(), reason: values.reason.trim() };
  return checked(trimmed, {
    buy: values.sell !== '' && values.sell === values.buy ? 'field.invalid' : null,
    fromUsd: amount.test(values.fromUsd) ? null : 'field.amount',
    basisPoints: values.mode === 'value' ? pointsRule(trimmed.basisPoints) : null,
    at: values.when === 'now' ? null : instantRule(values.at),
    reason: reasonRule(trimmed.reason),
  });
}

function pointsRule(text: string): string | null {
  if (text === '') return 'field.required';
  return /^\d{1,5}$/.test(text) && Number(text) <= termsMostBasisPoints ? null : 'field.invalid';
}

function instantRule(local: string): string | null {
  const at = new Date(local);
  if (local === '' || Number.isNaN(at.getTime())) return 'field.required';
  return at <= new Date() ? 'ops.rule.past' : null;
}
