import type { Call, Output } from '@causeway/contract/call.ts';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type Input, send } from '../../lib/client.ts';
import { useFormats } from '../../lib/format.ts';
import type { LightCall } from '../../lib/light-call.ts';
import { useText } from '../../lib/locale.tsx';

/** The batches, the submissions of the chosen one, the payment requests and the cards that a list of transactions can be narrowed to. */

interface Choice {
  value: string;
  label: string;
}

/**
 * As `useCall`, and with its keys, of a call that is loaded when it is asked: batches are nothing that the first paint of the list needs.
 */
function useLate<C extends Call>(
  name: string,
  load: () => Promise<LightCall<C>>,
  input: Input<C>,
  enabled = true,
): Output<C> | undefined {
  const { data } = useQuery({
    queryKey: [name, input],
    queryFn: async ({ signal }) => send(await load(), input, { signal }),
    meta: { quiet: true },
    enabled,
  });
  return data as Output<C> | undefined;
}

const loadBatches = () => import('virtual:calls/batches');
const list = async () => (await loadBatches()).listBatches;
const get = async () => (await loadBatches()).getBatch;
const listRuns = async () => (await import('virtual:calls/batch-runs')).listBatchRuns;
const loadRequests = () => import('virtual:calls/payment-requests');
const listRequests = async () => (await loadRequests()).listPaymentRequests;
const getRequest = async () => (await loadRequests()).getPaymentRequest;

/** As the address has it, which anyone can write. */
function useChosen(name: 'batchId' | 'batchRunId' | 'request'): string | undefined {
  const search = useSearch({ strict: false }) as Record<string, string>;
  const value = search[name];
  return value !== undefined && /^[0-9a-f-]{36}$/.test(value) ? value : undefined;
}

/** The latest hundred that were submitted, and the chosen one where it is older. */
export function useBatchChoices(): readonly Choice[] {
  const chosen = useChosen('batchId');
  const data = useLate('listBatches', list, { query: { state: 'submitted', size: '100' } });
  const isOlder = chosen !== undefined && data !== undefined && !data.items.some(({ id }) => id === chosen);
  const older = useLate('getBatch', get, { params: { id: chosen ?? '' } }, isOlder);
  const batches = [...(data?.items ?? []), ...(isOlder && older ? [older] : [])];
  return batches.map(({ id, name }) => ({ value: id, label: name }));
}

/** None where the batch was submitted only once, and that submission is not what the list is narrowed to. */
export function useRunChoices(): readonly Choice[] {
  const t = useText();
  const formats = useFormats();
  const batchId = useChosen('batchId');
  const chosen = useChosen('batchRunId');
  const params = { id: batchId ?? '' };
  const read = useLate('listBatchRuns', listRuns, { params }, batchId !== undefined);
  const runs = batchId === undefined ? [] : (read?.items ?? []);
  if (runs.length < 2 && chosen === undefined) return [];
  return runs.map(({ id, number, createdAt }) => ({
    value: id,
    label: t('transactions.filter.batchRunOf', { number, day: formats.day(createdAt) }),
  }));
}

/** The latest hundred, and the chosen one where it is older. */
export function useRequestChoices(): readonly Choice[] {
  const chosen = useChosen('request');
  const data = useLate('listPaymentRequests', listRequests, { query: { size: '100' } });
  const isOlder = chosen !== undefined && data !== undefined && !data.items.some(({ id }) => id === chosen);
  const older = useLate('getPaymentRequest', getRequest, { params: { id: chosen ?? '' } }, isOlder);
  const requests = [...(data?.items ?? []), ...(isOlder && older ? [older] : [])];
  return requests.map(({ id, title, reference }) => ({
    value: id,
    label: [title, reference].filter((part) => part !== '').join(' · '),
  }));
}

export function useCardChoices(): readonly Choice[] {
  const data = useLate('listCards', async () => (await import('virtual:calls/cards')).listCards, {
    query: { size: '100' },
  });
  return (data?.items ?? []).map(({ id, name, lastFour }) => ({ value: id, label: `${name} ${lastFour ?? ''}` }));
}
