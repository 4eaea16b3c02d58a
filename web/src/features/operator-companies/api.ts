import {
  addCompanyDocument,
  addCompanyNote,
  downloadCompanyDocument,
  getCompany,
  getCompanyActivity,
  getCompanyControls,
  inviteNewCompany,
  listCompanyDocuments,
  listCompanyInvitations,
  listCompanyNotes,
  revokeCompanyInvitation,
} from 'virtual:calls/operator-companies';
import { listPricesInForce } from 'virtual:calls/operator-prices';
import type { Output } from '@causeway/contract/call.ts';
import type { getCompany as getCompanyCall } from '@causeway/contract/operator-companies.ts';
import type { activityDays, DocumentKind } from '@causeway/contract/operator-companies-rules.ts';
import { download } from '../../lib/download.ts';
import { invalidateCall, useCall, useMutationCall } from '../../lib/queries.ts';
import { type UploadOptions, upload } from '../../lib/upload.ts';

export type CompanyFile = Output<typeof getCompanyCall>;

/** A file is long; it is read again less often than the queue, in milliseconds. */
const refreshFile_ms = 30_000;

export function useCompany(id: string) {
  return useCall(getCompany, { params: { id } }, { quiet: true, refetchInterval_ms: refreshFile_ms });
}

export function useActivity(id: string, days: (typeof activityDays)[number]) {
  return useCall(getCompanyActivity, { params: { id }, query: { days } }, { quiet: true, keepPrevious: true });
}

export function useControls(id: string) {
  return useCall(getCompanyControls, { params: { id } }, { quiet: true });
}

/** Its own prices, and those for every company, of which some will hold for it. */
export function usePricesOf(companyId: string) {
  return useCall(listPricesInForce, { query: { companyId } }, { quiet: true, refetchInterval_ms: refreshFile_ms });
}

export function useAddNote() {
  return useMutationCall(addCompanyNote, { invalidates: [listCompanyNotes] });
}

export function useInvite() {
  return useMutationCall(inviteNewCompany, { invalidates: [listCompanyInvitations] });
}

export function useRevoke() {
  return useMutationCall(revokeCompanyInvitation, { invalidates: [listCompanyInvitations] });
}

/** Keeps one file about a company. */
export async function addDocument(companyId: string, kind: DocumentKind, file: File, options: UploadOptions) {
  const { signal, onProgress } = options;
  const stored = await upload(addCompanyDocument, file, {
    params: { id: companyId },
    query: { kind },
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  await invalidateCall(listCompanyDocuments);
  return stored;
}

export function fetchDocument(id: string, name: string): Promise<void> {
  return download(downloadCompanyDocument, { params: { id } }, name);
}
