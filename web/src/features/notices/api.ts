import {
  deleteNotices,
  deleteReadNotices,
  getNoticePreferences,
  listNotices,
  readAllNotices,
  readNotices,
  setNoticePreferences,
} from 'virtual:calls/notices';
import type { Input } from '../../lib/client.ts';
import type { ContractOf } from '../../lib/light-call.ts';
import { invalidateOn } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';

invalidateOn(['notice'], [listNotices]);

type Query = NonNullable<Input<ContractOf<typeof listNotices>>['query']>;

/** The newest notices and how many are unread: one question for the header's bell and the home page. */
const latest: Query = { size: '10' };

export function useLatestNotices() {
  return useCall(listNotices, { query: latest }, { quiet: true });
}

/** How many notices are unread, kept up to date by live events; 0 until it is known. */
export function useUnreadCount(): number {
  return useLatestNotices().data?.unread ?? 0;
}

/** One page of notices; what is shown stays while the next page is on its way. */
export function useNotices(query: Query) {
  return useCall(listNotices, { query }, { quiet: true, keepPrevious: true });
}

/** Marks notices as read, named by their ids. */
export function useReadNotices() {
  const mutation = useMutationCall(readNotices, { invalidates: [listNotices] });
  return (ids: readonly string[]) => mutation.mutate({ query: { ids: ids.join(',') } });
}

export function useReadAllNotices(onSuccess: () => void) {
  return useMutationCall(readAllNotices, { invalidates: [listNotices], onSuccess });
}

/** Takes one notice away for the person signed in. */
export function useDeleteNotice(onSuccess: () => void) {
  const mutation = useMutationCall(deleteNotices, { invalidates: [listNotices], onSuccess });
  return { busy: mutation.isPending, remove: (id: string) => mutation.mutate({ query: { ids: id } }) };
}

export function useDeleteReadNotices(onSuccess: (deleted: number) => void) {
  return useMutationCall(deleteReadNotices, {
    invalidates: [listNotices],
    onSuccess: ({ deleted }) => onSuccess(deleted),
  });
}

/** Of which groups the person signed in wants mails. */
export function usePreferences() {
  return useCall(getNoticePreferences, {}, { quiet: true });
}

export function useSetPreferences(onSuccess: () => void) {
  return useMutationCall(setNoticePreferences, { invalidates: [getNoticePreferences], onSuccess });
}
