import { type DateRange, instantsOf } from './days.ts';
import type { LightField, LightQuery } from './light-call.ts';

/** Filters as the address has them. */
export type Filters = Readonly<Partial<Record<string, string>>>;

const day = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The filters of an address as the call takes them. An address may be typed by hand: what the call would refuse is left
 * out, a text that is too long is cut. Days of the reader's calendar become instants: `from` the first of its day,
 * `to` the first after its day.
 */
export function queryOf(query: LightQuery, filters: Filters): Record<string, string> {
  const days = instantsOf({ from: dayOf(filters['from']), to: dayOf(filters['to']) });
  const values = Object.entries(query).map(([name, field]) => {
    const value = field.instant ? days[name as keyof DateRange] : textOf(field, filters[name]);
    return [name, value] as const;
  });
  return Object.fromEntries(values.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

/** Whether a filter says something that its call does not take, so that it is not in force. */
export function isIgnored(field: LightField | undefined, text: string | undefined): boolean {
  return field !== undefined && text !== undefined && textOf(field, text) === undefined;
}

function textOf({ pattern, max }: LightField, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (pattern !== undefined)
    return new RegExp(pattern).test(text) && text.length <= (max ?? Infinity) ? text : undefined;
  return text.trim().slice(0, max) || undefined;
}

function dayOf(text: string | undefined): string {
  return text !== undefined && day.test(text) ? text : '';
}
