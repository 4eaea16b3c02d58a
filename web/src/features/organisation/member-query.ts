import { memberSorts, memberStatuses } from '@causeway/contract/organisation-rules.ts';
import type { ListState } from '../../lib/list-state.ts';
import type { MemberQuery } from './api.ts';

/** The filters of the list of members, as they stand in the address. */
export const memberFilters = ['keyword', 'status', 'role', 'department'] as const;
export type MemberFilter = (typeof memberFilters)[number];

/** The longest keyword that the lists of members and roles search for. */
export const keywordMaxLength = 128;

/** The choice of department that asks for those who have none. */
export const withoutDepartment = 'none';

type AskedFor = Pick<ListState<MemberFilter>, 'filters' | 'sort' | 'size' | 'cursor'>;

/** What the server is asked; what an address holds that is no status and no order is left aside, too long a word cut. */
export function memberQuery({ filters, sort, size, cursor }: AskedFor): MemberQuery {
  const status = memberStatuses.find((known) => known === filters.status);
  const by = memberSorts.find((known) => known === sort?.by);
  return {
    ...(filters.keyword !== undefined && { keyword: filters.keyword.slice(0, keywordMaxLength) }),
    ...(status !== undefined && { status }),
    ...(filters.role !== undefined && { roleId: filters.role }),
    ...departmentOf(filters.department),
    ...(by !== undefined && sort !== null && { sort: by, order: sort.order }),
    size: `${size}` as NonNullable<MemberQuery['size']>,
    ...(cursor !== null && { cursor }),
  };
}

function departmentOf(chosen: string | undefined): Pick<MemberQuery, 'departmentId' | 'unassigned'> {
  if (chosen === undefined) return {};
  return chosen === withoutDepartment ? { unassigned: 'true' } : { departmentId: chosen };
}
