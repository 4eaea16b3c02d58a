import { streamEvents } from 'virtual:calls/live';
import { listNotices } from 'virtual:calls/notices';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { invalidateOn } from './live.ts';
import { openLive } from './live-stream.ts';
import { applyLocale } from './locale.tsx';
import { queryClient } from './queries.ts';
import { sessionToken, startSession } from './session.ts';
import { shownToasts } from './toasts.ts';

const fetched = vi.fn<typeof fetch>();
const notice = (id: number) => `id: ${id}\ndata: {"topic":"notice","id":null}\n\n`;

/** A stream that says `text` and is cut. */
function cutStream(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}

/** One that stays open until its request is given up. */
function openStream(_url: unknown, init?: RequestInit): Promise<Response> {
  const body = new ReadableStream({
    start: (controller) => init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason)),
  });
  return Promise.resolve(new Response(body));
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetched);
  fetched.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('marks what an event makes stale, and takes up after a cut where it stopped', async () => {
  const invalidated = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue();
  invalidateOn(['notice'], [listNotices]);
  fetched.mockResolvedValueOnce(cutStream(notice(6) + notice(7)));
  fetched.mockImplementationOnce(openStream);
  const close = openLive(streamEvents);
  await vi.waitFor(() => expect(invalidated).toHaveBeenCalledTimes(2), { timeout: 20_000 });
  expect(invalidated).toHaveBeenCalledWith({ queryKey: ['listNotices'] });

  await vi.advanceTimersByTimeAsync(1000);
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(2), { timeout: 20_000 });
  expect(new Headers(fetched.mock.calls[1]?.[1]?.headers).get('last-event-id')).toBe('7');
  await vi.waitFor(() => expect(invalidated).toHaveBeenLastCalledWith(), { timeout: 20_000 });
  close();
});

it('comes back with growing pauses, and not at all when refused', async () => {
  const states: boolean[] = [];
  const onRefused = vi.fn();
  fetched.mockRejectedValueOnce(new TypeError('offline'));
  fetched.mockRejectedValueOnce(new TypeError('offline'));
  fetched.mockResolvedValueOnce(new Response('', { status: 401 }));
  const close = openLive(streamEvents, { onState: (up) => states.push(up), onRefused });
  await vi.advanceTimersByTimeAsync(999);
  expect(fetched).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(fetched).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1999);
  expect(fetched).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(fetched).toHaveBeenCalledTimes(3);
  await vi.waitFor(() => expect(onRefused).toHaveBeenCalledWith(401), { timeout: 20_000 });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(fetched).toHaveBeenCalledTimes(3);
  close();
});

it('stays closed once closed', async () => {
  fetched.mockImplementation(openStream);
  const close = openLive(streamEvents);
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledOnce(), { timeout: 20_000 });
  close();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(fetched).toHaveBeenCalledOnce();
});

it('that is refused with 401 ends the session with a message', async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await applyLocale('en-us');
  startSession('token-of-stream', 'ada@example.com');
  const refusal = { code: 1004, data: null, errors: ['Your session has ended'], key: 'sessionEnded' };
  fetched.mockResolvedValueOnce(Response.json(refusal, { status: 401 }));
  const close = openLive(streamEvents);
  await vi.waitFor(() => expect(shownToasts().map(({ text }) => text)).toEqual(['Your session has ended']), {
    timeout: 20_000,
  });
  expect(sessionToken()).toBe('token-of-stream');
  await vi.advanceTimersByTimeAsync(300);
  expect(sessionToken()).toBeNull();
  close();
});
