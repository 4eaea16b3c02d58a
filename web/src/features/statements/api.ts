import {
  downloadReserveProof,
  downloadStatement,
  getPeriodStatement,
  getReserveProof,
  listReserveProofs,
  listStatements,
} from 'virtual:calls/statements';
import type { Input } from '../../lib/client.ts';
import type { ContractOf } from '../../lib/light-call.ts';
import { invalidateOn } from '../../lib/live.ts';
import { useCall } from '../../lib/queries.ts';

invalidateOn(['balance', 'transaction'], [listStatements, getPeriodStatement]);

/** Days of the company's time zone; the current month where there are none. */
export interface Days {
  from?: string;
  to?: string;
}

export function useStatements(days: Days, enabled: boolean) {
  return useCall(listStatements, { query: days }, { quiet: true, keepPrevious: true, enabled });
}

export function useWalletStatement(walletId: string, days: Days, cursor: string | null, size: number) {
  return useCall(
    getPeriodStatement,
    { params: { id: walletId }, query: { ...days, size: sizes[size] ?? '20', ...(cursor !== null && { cursor }) } },
    { quiet: true, keepPrevious: true, enabled: walletId !== '' },
  );
}

export function useReserveProofs(cursor: string | null, size: number) {
  const query = { size: sizes[size] ?? '20', ...(cursor !== null && { cursor }) };
  return useCall(listReserveProofs, { query }, { quiet: true, keepPrevious: true });
}

export function useReserveProof(day: string) {
  return useCall(getReserveProof, { params: { day } }, { quiet: true, keepPrevious: true, enabled: day !== '' });
}

export async function saveReserveProof(day: string): Promise<void> {
  const { download } = await import('../../lib/download.ts');
  await download(downloadReserveProof, { params: { day } }, `proof-of-reserves-${day}.json`);
}

const sizes: Record<number, '10' | '20' | '50' | '100'> = { 10: '10', 20: '20', 50: '50', 100: '100' };

export type DownloadQuery = Input<ContractOf<typeof downloadStatement>>['query'];

const lineFeed = 10;
const carriageReturn = 13;
/** What a file of a format is called where the server's name for it is not known. */
const endings = { csv: 'csv', pdf: 'pdf', camt053: 'xml' } as const;

/** Saves a statement; tells how many lines have come of how many, except of a PDF, which comes whole. */
export async function saveStatement(
  query: DownloadQuery,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<void> {
  // Only who downloads needs the code for it.
  const { download } = await import('../../lib/download.ts');
  let ends = 0;
  let last = 0;
  const onChunk = (chunk: Uint8Array, headers: Headers) => {
    const total = Number(headers.get('x-total-rows') ?? Number.NaN);
    if (Number.isNaN(total)) return;
    for (const byte of chunk) {
      // A cell of CSV may hold the line break that people type; a line of XML holds none.
      if (byte === lineFeed && (last === carriageReturn || query.format === 'camt053')) ends += 1;
      last = byte;
    }
    // The first line is the heading.
    onProgress(Math.min(Math.max(0, ends - 1), total), total);
  };
  await download(downloadStatement, { query }, `statement.${endings[query.format]}`, { signal, onChunk });
}
