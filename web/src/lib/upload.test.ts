import { uploadFile } from 'virtual:calls/files';
import { beforeEach, expect, it, vi } from 'vitest';
import { applyLocale } from './locale.tsx';
import { startSession } from './session.ts';
import { upload } from './upload.ts';

/** The browser's XMLHttpRequest as far as an upload sees it; the test says what comes back. */
class FakeExchange {
  static last: FakeExchange;
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  readonly headers: Record<string, string> = {};
  readonly opened: string[] = [];
  body: unknown;
  status = 0;
  responseText = '';
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;

  constructor() {
    FakeExchange.last = this;
  }
  open(...opened: string[]) {
    this.opened.push(...opened);
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(body: unknown) {
    this.body = body;
  }
  abort() {
    this.onabort?.();
  }
  answer(status: number, body: unknown) {
    this.status = status;
    this.responseText = typeof body === 'string' ? body : JSON.stringify(body);
    this.onload?.();
  }
}

const file = new File(['%PDF-1.7'], 'voucher.pdf', { type: 'application/pdf' });
const stored = {
  id: '0199aa00-0000-7000-8000-000000000001',
  name: 'voucher.pdf',
  type: 'application/pdf',
  sizeBytes: 8,
  createdAt: '2026-11-21T10:00:00.000Z',
};

beforeEach(async () => {
  vi.stubGlobal('XMLHttpRequest', FakeExchange);
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await applyLocale('zh-hk');
  startSession('token-1', 'ada@example.com');
});

it('carries the file, the session and the language, and tells how much has left', async () => {
  const shares: number[] = [];
  const answer = upload(uploadFile, file, { onProgress: (share) => shares.push(share) });
  const { last } = FakeExchange;
  expect(last.opened).toEqual(['POST', '/web/file/upload']);
  expect(last.headers).toMatchObject({ authorization: 'Bearer token-1', 'accept-language': 'zh-hk' });
  expect((last.body as FormData).get('file')).toMatchObject({ name: 'voucher.pdf' });
  last.upload.onprogress?.({ loaded: 2, total: 8 });
  last.upload.onprogress?.({ loaded: 8, total: 8 });
  last.answer(200, { code: 0, data: stored, errors: [] });
  expect(await answer).toEqual(stored);
  expect(shares).toEqual([0.25, 1]);
});

it('is refused in the server’s words', async () => {
  const answer = upload(uploadFile, file);
  FakeExchange.last.answer(413, {
    code: 3002,
    data: null,
    errors: ['檔案太大'],
    key: 'fileTooLarge',
    fields: {},
    requestId: 'r',
  });
  await expect(answer).rejects.toMatchObject({ key: 'fileTooLarge', status: 413, messages: ['檔案太大'] });
});

it('that a proxy answers is malformed, and one that never ends is a malfunction of the network', async () => {
  const proxied = upload(uploadFile, file);
  FakeExchange.last.answer(413, '<html>Too large</html>');
  await expect(proxied).rejects.toMatchObject({ key: 'malformed', status: 413 });
  const cut = upload(uploadFile, file);
  FakeExchange.last.onerror?.();
  await expect(cut).rejects.toMatchObject({ key: 'network', status: 0 });
});

it('is given up when asked to', async () => {
  const given = new AbortController();
  const answer = upload(uploadFile, file, { signal: given.signal });
  given.abort();
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  const late = upload(uploadFile, file, { signal: given.signal });
  await expect(late).rejects.toMatchObject({ name: 'AbortError' });
});
