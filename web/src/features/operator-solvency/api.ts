import {
  checkSolvency,
  downloadSolvency,
  getSolvency,
  listSolvencyHeld,
  listSolvencyOwed,
  listSolvencySeries,
  listSolvencyTiming,
  requestSolvency,
} from 'virtual:calls/operator-solvency';
import type { ListState } from '../../lib/list-state.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';

/** While a report is being made, it is looked for so often. */
const waiting_ms = 5000;

/** The end of a day; the last one without. */
export function useSolvency(day: string | undefined) {
  return useCall(
    getSolvency,
    { query: day === undefined ? {} : { day } },
    {
      quiet: true,
      keepPrevious: true,
      again_ms: (data) => (data.day === data.lastDay && data.report?.signedAt == null ? waiting_ms : null),
    },
  );
}

export function useSeries(asset: string) {
  return useCall(listSolvencySeries, { query: { asset } }, { quiet: true, enabled: asset !== '' });
}

/** What the rows behind a figure are of. */
export interface OfAsset {
  day: string;
  asset: string;
}

type Page = Pick<ListState<never>, 'cursor' | 'size'>;

function pageOf({ cursor, size }: Page) {
  return { size: sizes[size] ?? '20', ...(cursor !== null && { cursor }) };
}

const sizes: Record<number, '10' | '20' | '50' | '100'> = { 10: '10', 20: '20', 50: '50', 100: '100' };
const paged = { quiet: true, keepPrevious: true } as const;

export function useOwed(params: OfAsset, page: Page) {
  return useCall(listSolvencyOwed, { params, query: pageOf(page) }, paged);
}

export type Owner = 'company' | 'operator';

export function useHeld(params: OfAsset, chain: string | undefined, owner: Owner, page: Page) {
  return useCall(
    listSolvencyHeld,
    { params, query: { ...pageOf(page), owner, ...(chain !== undefined && { chain }) } },
    paged,
  );
}

export function useTiming(params: OfAsset, page: Page) {
  return useCall(listSolvencyTiming, { params, query: pageOf(page) }, paged);
}

export function useRequest() {
  return useMutationCall(requestSolvency, { invalidates: [getSolvency] });
}

/** Compares the report of a day with the ledger of now, when it is asked for. */
export function useLedgerCheck(day: string, wanted: boolean) {
  return useCall(checkSolvency, { params: { day } }, { quiet: true, enabled: wanted });
}

export async function saveReport(day: string): Promise<void> {
  // Only who downloads needs the code for it.
  const { download } = await import('../../lib/download.ts');
  await download(downloadSolvency, { params: { day } }, `solvency-${day}.json`);
}
