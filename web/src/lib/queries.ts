import type { Call, Output } from '@causeway/contract/call.ts';
import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { ApiError } from './api-error.ts';
import { type Input, send } from './client.ts';
import { noteFailure } from './failure.ts';
import type { LightCall } from './light-call.ts';
import { newId } from './new-id.ts';
import { reportError, reportFailure } from './report-error.ts';
import { onSessionEnd } from './session.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError;
    queryMeta: { quiet?: boolean };
    mutationMeta: { quiet?: boolean };
  }
}

/** Repeats of a reading call that got no answer; a refusal is never repeated. */
const mostRetries = 2;

/** The one cache of what was read. Every failure is reported here, once, unless its call asked for quiet. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => query.meta?.quiet || reportError(error) }),
  mutationCache: new MutationCache({
    onMutate: () => noteFailure(null),
    onError: (error, _input, _result, mutation) => {
      if (mutation.options.meta?.quiet) return;
      reportFailure(error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => !(error instanceof ApiError && error.refused) && failures < mostRetries,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

// What was read in a session is forgotten with it.
onSessionEnd(() => queryClient.clear());

/** The cache key of a call: its name, then what it was sent with. */
export function callKey<C extends Call>(call: LightCall<C>, input?: Input<C>): readonly unknown[] {
  return input === undefined ? [call.name] : [call.name, input];
}

/**
 * Marks a call's data as stale and refetches what is on screen. A response that is on its way for the first
 * time may have been read before the change, and the cache joins that request instead of sending another: such a one is
 * asked again once it is here.
 */
export async function invalidateCall(call: LightCall): Promise<void> {
  const queryKey = callKey(call);
  const first = queryClient
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined });
  await queryClient.invalidateQueries({ queryKey });
  if (first.length === 0) return;
  await queryClient.invalidateQueries({ queryKey, predicate: (query) => first.includes(query) });
}

export interface ReadOptions<Data = unknown> {
  enabled?: boolean;
  /** No toast when it fails: for what the page shows inline or retries. */
  quiet?: boolean;
  /** Keep showing the last page while the next one loads. */
  keepPrevious?: boolean;
  /** How often to ask again, in milliseconds. Live events make this rarely needed. */
  refetchInterval_ms?: number;
  /** How soon this answer has to be asked for again, in milliseconds; null: not by itself. */
  again_ms?: (data: Data) => number | null;
  staleTime_ms?: number;
}

/** Reads a call and keeps its answer; the same call with the same input is asked for once, however many components use it. */
export function useCall<C extends Call>(
  call: LightCall<C>,
  input: Input<C>,
  options: ReadOptions<Output<C>> = {},
): UseQueryResult<Output<C>> {
  const { again_ms } = options;
  return useQuery({
    queryKey: callKey(call, input),
    queryFn: ({ signal }) => send(call, input, { signal }),
    meta: { quiet: options.quiet ?? false },
    ...(options.enabled !== undefined && { enabled: options.enabled }),
    ...(options.keepPrevious && { placeholderData: keepPreviousData }),
    ...(options.refetchInterval_ms !== undefined && { refetchInterval: options.refetchInterval_ms }),
    ...(again_ms && {
      refetchInterval: ({ state }: { state: { data?: unknown } }) =>
        state.data === undefined ? false : (again_ms(state.data as Output<C>) ?? false),
    }),
    ...(options.staleTime_ms !== undefined && { staleTime: options.staleTime_ms }),
  }) as UseQueryResult<Output<C>>;
}

interface WriteOptions<C extends Call> {
  /** Calls whose data this one makes stale. */
  invalidates?: readonly LightCall[];
  onSuccess?: (output: Output<C>, input: Input<C>) => void;
  onError?: (error: ApiError) => void;
  quiet?: boolean;
}

/** What one call does with its answer. */
interface Callbacks<C extends Call> {
  onSuccess?: (output: Output<C>) => void;
  onError?: (error: ApiError) => void;
  onSettled?: () => void;
}

type Write<C extends Call> = Omit<UseMutationResult<Output<C>, ApiError, Input<C>>, 'mutate'> & {
  mutate: (input: Input<C>, callbacks?: Callbacks<C>) => void;
};

/**
 * A call that changes something. One that moves money gets an idempotency key which stays the same while the same input
 * is sent again without a clear answer, and changes once the server has said yes or no.
 */
export function useMutationCall<C extends Call>(call: LightCall<C>, options: WriteOptions<C> = {}): Write<C> {
  const intent = useRef<Intent | null>(null);
  const mutation = useMutation<Output<C>, ApiError, Input<C>>({
    meta: { quiet: options.quiet ?? false },
    mutationFn: async (input) => {
      if (!call.movesMoney) return send(call, input);
      intent.current = intentFor(intent.current, input);
      const output = await send(call, input, { idempotencyKey: intent.current.key });
      intent.current = null;
      return output;
    },
    onSuccess: async (output, input) => {
      const stale = options.invalidates ?? [];
      await Promise.all(stale.map(invalidateCall));
      options.onSuccess?.(output, input);
    },
    onError: (error) => {
      if (error instanceof ApiError && error.refused) intent.current = null;
      options.onError?.(error);
    },
  });
  const { mutateAsync } = mutation;
  // The library's own `mutate` forgets its callbacks when the component has gone: a line that deletes itself, and is gone
  // with the next answer of its list, would never say that it was deleted.
  const mutate = useCallback(
    (input: Input<C>, { onSuccess, onError, onSettled }: Callbacks<C> = {}) =>
      void mutateAsync(input)
        .then(onSuccess, onError ?? (() => undefined))
        .then(onSettled),
    [mutateAsync],
  );
  return { ...mutation, mutate };
}

/** A key and the input it was made for. */
interface Intent {
  key: string;
  fingerprint: string;
}

/** The same input keeps its key: it is the same intent sent again. */
export function intentFor(previous: Intent | null, input: unknown): Intent {
  const fingerprint = JSON.stringify(input);
  return previous?.fingerprint === fingerprint ? previous : { key: newId(), fingerprint };
}
