import { type NoticeType, noticeTypes } from '@causeway/contract/notices-rules.ts';

/** The filters of the notice centre as they stand in the address. */
export const noticeFilters = ['read', 'type', 'keyword'] as const;
export type NoticeFilter = (typeof noticeFilters)[number];

/** The longest keyword that the server searches for. */
const keywordMaxLength = 100;

interface Place {
  filters: Partial<Record<NoticeFilter, string>>;
  size: number;
  cursor: string | null;
}

/** What the server is asked for. An address may be typed by hand: what is no filter's value is left aside. */
export function noticeQuery({ filters, size, cursor }: Place) {
  const { read, type, keyword } = filters;
  return {
    size: String(size) as '10' | '20' | '50' | '100',
    ...(cursor !== null && { cursor }),
    ...((read === 'true' || read === 'false') && { read: read as 'true' | 'false' }),
    ...(isNoticeType(type) && { type }),
    ...(keyword !== undefined && keyword.trim() !== '' && { keyword: keyword.trim().slice(0, keywordMaxLength) }),
  };
}

function isNoticeType(value: string | undefined): value is NoticeType {
  return noticeTypes.some((type) => type === value);
}
