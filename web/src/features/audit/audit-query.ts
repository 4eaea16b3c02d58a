/** The filters of the audit log as they stand in the address. */
export const filterNames = ['keyword', 'actor', 'action', 'subjectKind', 'subjectId', 'from', 'to'] as const;
export type FilterName = (typeof filterNames)[number];
type Filters = Partial<Record<FilterName, string>>;

interface DaySpan {
  from: string;
  to: string;
}

const patterns: Record<Exclude<FilterName, 'keyword' | 'from' | 'to'>, RegExp> = {
  actor: /^(operator|system|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
  action: /^[a-z][a-zA-Z]{0,40}\.[a-z][a-zA-Z]{0,60}$/,
  subjectKind: /^[a-z][a-zA-Z]{0,40}$/,
  subjectId: /^[\x21-\x7e]{1,100}$/,
};
const day = /^\d{4}-\d{2}-\d{2}$/;
/** The longest keyword that the server searches for. */
const keywordMaxLength = 100;

/**
 * The filters as the call takes them. What somebody mistyped in the address bar is left out; days of the reader's calendar
 * become instants by `instants` (`instantsOf` of the date field), the end then being the first moment after the last day.
 */
export function queryOf(filters: Filters, instants: (days: DaySpan) => Partial<DaySpan>): Filters {
  const keyword = filters.keyword?.trim().slice(0, keywordMaxLength) ?? '';
  const known = Object.entries(patterns).flatMap(([name, pattern]) => {
    const value = filters[name as FilterName];
    return value !== undefined && pattern.test(value) ? [[name, value]] : [];
  });
  return { ...(keyword !== '' && { keyword }), ...Object.fromEntries(known), ...periodOf(filters, instants) };
}

/** The period alone: what a verifiable export takes. */
export function periodOf(filters: Filters, instants: (days: DaySpan) => Partial<DaySpan>): Partial<DaySpan> {
  const valid = (text: string | undefined) => (text !== undefined && day.test(text) ? text : '');
  const { from, to } = instants({ from: valid(filters.from), to: valid(filters.to) });
  return {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to: new Date(Date.parse(to) + 1).toISOString() }),
  };
}

/** Whether filters are set that a verifiable export leaves aside: it has every event of its period. */
export function hasMoreThanPeriod(filters: Filters): boolean {
  return filterNames.some((name) => name !== 'from' && name !== 'to' && filters[name] !== undefined);
}
