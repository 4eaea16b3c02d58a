import type { CardBounds } from '@causeway/contract/cards-limits.ts';
import { type CardListMode, cardLimitNames, type MerchantGroup } from '@causeway/contract/cards-rules.ts';
import type { FieldProblem } from '../../ui/form-state.ts';

type Mode = 'all' | CardListMode;

/** What a card or a rule allows, as a form has it; amounts are empty where there is no limit. */
export interface BoundsValues {
  each: string;
  day: string;
  month: string;
  total: string;
  categoryMode: Mode;
  groups: readonly string[];
  countryMode: Mode;
  codes: readonly string[];
  online: boolean;
}

export const openBounds: BoundsValues = {
  ...{ each: '', day: '', month: '', total: '' },
  ...{ categoryMode: 'all', groups: [], countryMode: 'all', codes: [], online: true },
};

export function boundsValues({ limits, categories, countries, online }: CardBounds): BoundsValues {
  return {
    each: limits.each ?? '',
    day: limits.day ?? '',
    month: limits.month ?? '',
    total: limits.total ?? '',
    categoryMode: categories?.mode ?? 'all',
    groups: categories?.groups ?? [],
    countryMode: countries?.mode ?? 'all',
    codes: countries?.codes ?? [],
    online,
  };
}

export function boundsOf(values: BoundsValues): CardBounds {
  const { each, day, month, total, categoryMode, groups, countryMode, codes, online } = values;
  const limit = (amount: string) => (amount === '' ? null : amount);
  return {
    limits: { each: limit(each), day: limit(day), month: limit(month), total: limit(total) },
    categories: categoryMode === 'all' ? null : { mode: categoryMode, groups: groups as MerchantGroup[] },
    countries: countryMode === 'all' ? null : { mode: countryMode, codes: [...codes] },
    online,
  };
}

/** What is wrong before anything is sent; the server has the last word. */
export function checkBounds(values: BoundsValues): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const name of cardLimitNames)
    if (/^0*(\.0*)?$/.test(values[name]) && values[name] !== '')
      problems.push({ path: [name], message: 'field.invalid' });
  if (values.categoryMode !== 'all' && values.groups.length === 0)
    problems.push({ path: ['groups'], message: 'field.required' });
  if (values.countryMode !== 'all' && values.codes.length === 0)
    problems.push({ path: ['codes'], message: 'field.required' });
  return problems;
}
