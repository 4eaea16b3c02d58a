import { listNotices } from 'virtual:calls/notices';
import type { Input } from '../../lib/client.ts';
import type { ContractOf } from '../../lib/light-call.ts';
import { invalidateOn } from '../../lib/live.ts';
import { useCall } from '../../lib/queries.ts';

invalidateOn(['notice'], [listNotices]);

export type NoticeQuery = NonNullable<Input<ContractOf<typeof listNotices>>['query']>;

/** The newest notices and how many are unread: one question for the header's bell and the home page. */
const latest: NoticeQuery = { size: '10' };

export function useLatestNotices() {
  return useCall(listNotices, { query: latest }, { quiet: true });
}

/** How many notices are unread, kept up to date by live events; 0 until it is known. */
export function useUnreadCount(): number {
  return useLatestNotices().data?.unread ?? 0;
}
