import {
  deleteSavedFilter,
  getTransaction,
  listCategories,
  listSavedFilters,
  saveFilter,
} from 'virtual:calls/transactions';
import { invalidateOn } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';

invalidateOn(['transaction'], [getTransaction]);

/** One transaction; nothing is asked while the id is empty. */
export function useTransaction(id: string) {
  return useCall(getTransaction, { params: { id } }, { quiet: true, enabled: id !== '' });
}

/** The categories that the company has filed transactions under. */
export function useCategories() {
  return useCall(listCategories, {}, { quiet: true });
}

/** The filters of the list that this member has saved. */
export function useSavedFilters() {
  return useCall(listSavedFilters, {}, { quiet: true });
}

export function useSaveFilter() {
  return useMutationCall(saveFilter, { invalidates: [listSavedFilters] });
}

export function useDeleteSavedFilter() {
  return useMutationCall(deleteSavedFilter, { invalidates: [listSavedFilters] });
}
