import {
  deleteNotices,
  deleteReadNotices,
  getNoticePreferences,
  listNotices,
  readAllNotices,
  readNotices,
  setNoticePreferences,
} from 'virtual:calls/notices';
import { useCall, useMutationCall } from '../../lib/queries.ts';

// Apart from what the header asks for: that is part of every page's first paint, and this is not.

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
