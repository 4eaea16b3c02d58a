import {
  type ApprovalKind,
  type ApprovalStatus,
  type ApprovalView,
  approvalKinds,
  approvalStatuses,
} from '@causeway/contract/approvals-rules.ts';

/** The filters of the approval lists, by the names they have in the address bar. */
export const filterNames = ['keyword', 'kind', 'status', 'from', 'to', 'amountMin', 'amountMax'] as const;
export type FilterName = (typeof filterNames)[number];
export type Filters = Partial<Record<FilterName, string>>;

interface DaySpan {
  from: string;
  to: string;
}

interface FilterQuery {
  view: ApprovalView;
  keyword?: string;
  kind?: ApprovalKind;
  status?: ApprovalStatus;
  from?: string;
  to?: string;
  amountMin?: string;
  amountMax?: string;
}

const amount = /^\d+(\.\d+)?$/;
const day = /^\d{4}-\d{2}-\d{2}$/;

/** The filters as the call takes them; what somebody mistyped in the address bar is left out rather than refused. */
export function queryOf(
  view: ApprovalView,
  filters: Filters,
  instants: (days: DaySpan) => Partial<DaySpan>,
): FilterQuery {
  const kind = approvalKinds.find((known) => known === filters.kind);
  const status = approvalStatuses.find((known) => known === filters.status);
  const days = instants({ from: matching(filters.from, day), to: matching(filters.to, day) });
  const texts = {
    keyword: filters.keyword?.slice(0, 128) ?? '',
    amountMin: matching(filters.amountMin, amount),
    amountMax: matching(filters.amountMax, amount),
  };
  return {
    view,
    ...(kind && { kind }),
    ...(status && { status }),
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== '')),
    ...days,
  };
}

function matching(text: string | undefined, pattern: RegExp): string {
  return text !== undefined && pattern.test(text) ? text : '';
}
