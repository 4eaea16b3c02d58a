import { getUser, setLanguage } from 'virtual:calls/identity';
import { listNotices, readAllNotices } from 'virtual:calls/notices';
import { getTransaction } from 'virtual:calls/transactions';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { address, send } from './client.ts';
import { download, fetchBlob } from './download.ts';
import { applyLocale } from './locale.tsx';
import { intentFor, queryClient } from './queries.ts';
import { reportError } from './report-error.ts';
import { endSession, onSessionEnd, sessionToken, startSession } from './session.ts';
import { dismissToast, shownToasts } from './toasts.ts';

const fetched = vi.fn<typeof fetch>();

function answers(status: number, body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  fetched.mockResolvedValueOnce(new Response(text, { status }));
}

function failure(code: number, key: string, message: string, fields = {}) {
  return { code, data: null, errors: [message], key, fields, requestId: 'req-1' };
}

/** The error of a call that is expected to fail. */
async function errorOf(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

const quietRead = { queryKey: ['quiet'], queryFn: () => send(getUser, {}), meta: { quiet: true } };
const toastTexts = () => shownToasts().map(({ kind, text }) => `${kind}: ${text}`);

/** A session of its own for each test. */
let sessions = 0;
const token = () => `token-${sessions}`;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  fetched.mockReset();
  for (const { id } of shownToasts()) dismissToast(id);
  startSession(`token-${++sessions}`, 'ada@example.com');
  await applyLocale('zh-hk');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a call on its way out', () => {
  it('carries the token and the language, and is sent where the contract says', async () => {
    answers(200, { code: 0, data: null, errors: [] });
    await send(setLanguage, { body: { language: 'zh_HK' } });
    const [url, init] = fetched.mock.calls[0] ?? [];
    const headers = new Headers(init?.headers);
    expect(url).toBe('/web/user/language');
    expect(init?.method).toBe('PUT');
    expect(init?.body).toBe('{"language":"zh_HK"}');
    expect(headers.get('authorization')).toBe(`Bearer ${token()}`);
    expect(headers.get('accept-language')).toBe('zh-hk');
    expect(headers.get('content-type')).toBe('application/json');
  });

  it('fills in parameters and leaves out what is not set', () => {
    expect(address(getTransaction, { params: { id: 'a/b ?' } })).toBe('/web/crypto/transaction/a%2Fb%20%3F');
    expect(address(listNotices, { query: { size: '10', keyword: '', type: undefined } })).toBe('/web/notice?size=10');
    expect(address(listNotices, { query: { keyword: '50% & more' } })).toBe('/web/notice?keyword=50%25+%26+more');
  });
});

describe('an answer', () => {
  it('with a code other than 0 is an error, whatever its HTTP status, and its first message is the toast', async () => {
    answers(200, { ...failure(1001, 'validationFailed', '表格驗證未能通過'), errors: ['第一', '第二'] });
    const error = await errorOf(send(readAllNotices, {}));
    reportError(error);
    expect(error.key).toBe('validationFailed');
    expect(toastTexts()).toEqual(['error: 第一']);
  });

  it('with wrong fields names them for the form', async () => {
    answers(400, failure(1001, 'validationFailed', 'x', { email: '請輸入有效的電郵地址' }));
    const error = await errorOf(send(readAllNotices, {}));
    expect(error.fields).toEqual({ email: '請輸入有效的電郵地址' });
    expect(error.refused).toBe(true);
  });

  it('of 401 is shown, and the session ends 300 ms later', async () => {
    const ended = vi.fn();
    const stop = onSessionEnd(ended);
    answers(401, failure(1004, 'sessionEnded', '請重新登入'));
    // The caller does not report this error: the client does.
    await errorOf(send(getUser, {}));
    expect(toastTexts()).toEqual(['error: 請重新登入']);
    vi.advanceTimersByTime(299);
    expect(sessionToken()).toBe(token());
    vi.advanceTimersByTime(1);
    expect(sessionToken()).toBeNull();
    expect(ended.mock.calls).toEqual([['lapse', false]]);
    stop();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a call', () => send(getUser, {})],
    ['a file', () => download(getUser, {}, 'file')],
    ['a picture', () => fetchBlob(getUser, {})],
    ['a read that the page shows inline', () => queryClient.fetchQuery(quietRead)],
  ])('of 401 ends the session for %s, and is shown once', async (_what, work) => {
    answers(401, '<html>a proxy</html>');
    const error = await errorOf(work());
    reportError(error);
    expect(toastTexts()).toEqual(['error: 登入已失效，請重新登入']);
    const [first] = shownToasts();
    answers(401, failure(1004, 'sessionEnded', '登入已失效，請重新登入'));
    reportError(await errorOf(work()));
    expect(shownToasts()[0]).toBe(first);
    vi.advanceTimersByTime(300);
    expect(sessionToken()).toBeNull();
  });

  it('of 401 to the session before leaves the one that began meanwhile', async () => {
    const answer = Promise.withResolvers<Response>();
    fetched.mockReturnValueOnce(answer.promise);
    const late = errorOf(send(getUser, {}));
    startSession('token-of-later', 'ada@example.com');
    answer.resolve(new Response(JSON.stringify(failure(1004, 'sessionEnded', '請重新登入')), { status: 401 }));
    reportError(await late);
    vi.advanceTimersByTime(300);
    expect([sessionToken(), toastTexts()]).toEqual(['token-of-later', []]);
  });

  it('of a failed sign-in is a toast and nothing more', async () => {
    answers(400, failure(2001, 'loginFailed', '電郵或密碼不正確'));
    reportError(await errorOf(send(readAllNotices, {})));
    vi.advanceTimersByTime(1000);
    expect(toastTexts()).toEqual(['error: 電郵或密碼不正確']);
    expect(sessionToken()).toBe(token());
  });

  it('of 403 without a sentence says that there is no permission', async () => {
    answers(403, '<html>Forbidden</html>');
    reportError(await errorOf(send(readAllNotices, {})));
    expect(toastTexts()).toEqual(['error: 沒有權限']);
  });

  it('that is not an envelope, or not what the contract says, is an unknown exception', async () => {
    answers(502, '<html>Bad gateway</html>');
    const gateway = await errorOf(send(getUser, {}));
    expect(gateway.refused).toBe(false);
    answers(200, { code: 0, data: { id: 7 }, errors: [] });
    const shape = await errorOf(send(getUser, {}));
    expect(shape.key).toBe('malformed');
    expect(shape.refused).toBe(false);
    reportError(shape);
    expect(toastTexts()).toEqual(['error: 未知異常']);
  });

  it('of 500 names the request', async () => {
    answers(500, failure(1000, 'unexpected', '發生意外'));
    reportError(await errorOf(send(getUser, {})));
    expect(shownToasts()[0]?.detail).toContain('req-1');
  });

  it('that never comes is a malfunction of the network', async () => {
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    const error = await errorOf(send(getUser, {}));
    reportError(error);
    expect(error.refused).toBe(false);
    expect(toastTexts()).toEqual(['error: 網絡故障，請稍後再試']);
  });

  it('that fails five times alike is one toast', async () => {
    for (let round = 0; round < 5; round += 1) reportError(new ApiError({ key: 'network', status: 0 }));
    expect(shownToasts()).toHaveLength(1);
  });
});

describe('the key of a call that moves money', () => {
  it('stays the same while the same is sent again, and changes with what is sent', () => {
    const first = intentFor(null, { amount: '1' });
    expect(intentFor(first, { amount: '1' })).toBe(first);
    expect(intentFor(first, { amount: '2' }).key).not.toBe(first.key);
  });
});

it('an ended session ends once, and says why', () => {
  const ended = vi.fn();
  const stop = onSessionEnd(ended);
  endSession('sign-out');
  endSession('lapse');
  expect(ended.mock.calls).toEqual([['sign-out', false]]);
  stop();
});
