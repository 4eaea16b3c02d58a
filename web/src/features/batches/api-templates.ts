import { listBatches, listBatchRows } from 'virtual:calls/batches';
import {
  addPayoutTemplate,
  editPayoutTemplate,
  endPayoutSchedule,
  getPayoutTemplate,
  listPayoutTemplates,
  makeTemplateBatch,
  pausePayoutSchedule,
  removePayoutTemplate,
  schedulePayoutTemplate,
} from 'virtual:calls/payout-templates';
import { invalidateOn } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';

const templates = [listPayoutTemplates, getPayoutTemplate];

// Names of initiators, and whether a batch was submitted.
invalidateOn(['batch', 'organisation'], templates);

export function useTemplates() {
  return useCall(listPayoutTemplates, {}, { quiet: true });
}

export function useTemplate(id: string) {
  return useCall(getPayoutTemplate, { params: { id } }, { quiet: true, keepPrevious: true });
}

export function useAddTemplate() {
  return useMutationCall(addPayoutTemplate, { invalidates: templates });
}

export function useEditTemplate() {
  return useMutationCall(editPayoutTemplate, { invalidates: [...templates, listBatchRows] });
}

export function useRemoveTemplate(onSuccess: () => void) {
  return useMutationCall(removePayoutTemplate, { invalidates: [listPayoutTemplates], onSuccess });
}

export function useMakeBatch() {
  return useMutationCall(makeTemplateBatch, { invalidates: [listBatches] });
}

export function useSchedule() {
  return useMutationCall(schedulePayoutTemplate, { invalidates: templates });
}

export function usePauseSchedule() {
  return useMutationCall(pausePayoutSchedule, { invalidates: templates });
}

export function useEndSchedule(onSuccess: () => void) {
  return useMutationCall(endPayoutSchedule, { invalidates: templates, onSuccess });
}
