import { listBatchRuns } from 'virtual:calls/batch-runs';
import { getBatch, listBatches } from 'virtual:calls/batches';
import { useSearch } from '@tanstack/react-router';
import { useFormats } from '../../lib/format.ts';
import { useText } from '../../lib/locale.tsx';
import { useCall } from '../../lib/queries.ts';

/** The batches, and the submissions of the chosen one, that a list of transactions can be narrowed to. */

interface Choice {
  value: string;
  label: string;
}

/** As the address has it, which anyone can write. */
function useChosen(name: 'batchId' | 'batchRunId'): string | undefined {
  const search = useSearch({ strict: false }) as Record<string, string>;
  const value = search[name];
  return value !== undefined && /^[0-9a-f-]{36}$/.test(value) ? value : undefined;
}

/** The latest hundred that were submitted, and the chosen one where it is older. */
export function useBatchChoices(): readonly Choice[] {
  const chosen = useChosen('batchId');
  const { data } = useCall(listBatches, { query: { state: 'submitted', size: '100' } }, { quiet: true });
  const isOlder = chosen !== undefined && data !== undefined && !data.items.some(({ id }) => id === chosen);
  const older = useCall(getBatch, { params: { id: chosen ?? '' } }, { quiet: true, enabled: isOlder });
  const batches = [...(data?.items ?? []), ...(isOlder && older.data ? [older.data] : [])];
  return batches.map(({ id, name }) => ({ value: id, label: name }));
}

/** None where the batch was submitted only once, and that submission is not what the list is narrowed to. */
export function useRunChoices(): readonly Choice[] {
  const t = useText();
  const formats = useFormats();
  const batchId = useChosen('batchId');
  const chosen = useChosen('batchRunId');
  const read = useCall(
    listBatchRuns,
    { params: { id: batchId ?? '' } },
    { quiet: true, enabled: batchId !== undefined },
  );
  const runs = batchId === undefined ? [] : (read.data?.items ?? []);
  if (runs.length < 2 && chosen === undefined) return [];
  return runs.map(({ id, number, createdAt }) => ({
    value: id,
    label: t('transactions.filter.batchRunOf', { number, day: formats.day(createdAt) }),
  }));
}
