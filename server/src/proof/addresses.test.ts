import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uploadBatch } from '@causeway/contract/batches.ts';
import { calls } from '@causeway/contract/calls.ts';
import { uploadFile } from '@causeway/contract/files.ts';
import { importNamelist } from '@causeway/contract/risk-lists.ts';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../testing/main-app.ts';
import { exchange, listen, type RawAnswer, requestOf } from '../testing/raw-http.ts';
import { testPdf } from '../testing/valid-requests.ts';

/** Whatever a stranger sends, over a real socket: no address, header or body is a failure of ours, and every answer protects. */

let world: MainApp;
let tenant: Tenant;
let port: number;
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'causeway-web-'));
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'index.html'), '<!doctype html><title>The console</title>');
  writeFileSync(join(directory, 'assets', 'app-a1b2c3.js'), 'export const built = true;\n');
  world = await mainApp(await testDatabase(), undefined, { webDir: directory });
  tenant = await world.company();
  port = await listen(world.app);
});
afterAll(async () => {
  await world.close();
  await world.db.close();
  rmSync(directory, { recursive: true });
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET', body: string | Buffer = '') =>
  exchange(port, requestOf(method, path, headers, body));
const signedIn = () => ({ authorization: `Bearer ${tenant.admin.token}` });

/** In the envelope, with a reason and the request's id; a HEAD's answer has no body. */
function expectRefusal({ status, headers, body }: RawAnswer): void {
  expect(status, body).toBeGreaterThanOrEqual(400);
  expect(status, body).toBeLessThan(500);
  if (body === '') return;
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(JSON.parse(body)).toMatchObject({ data: null, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(body).not.toMatch(/node_modules|\.ts:\d|at \w+ \(/);
}

describe('an odd address', () => {
  test.each([
    '//',
    '//x/',
    '///etc/passwd',
    '/%5c',
    '/%5c..%5cindex.html',
    '/%00',
    '/a%00b',
    '/a/%2e%2e/b',
    '/a/../b',
    '/..%2f..%2fetc%2fpasswd',
    '/./index.html',
    '/assets',
    '/assets/',
    '/assets/..',
    '/assets/../index.html',
    '/assets/none.js',
    '/assets/app-a1b2c3.js/x',
    '/assets/%',
    '/%',
    '/%zz',
    '/%ff',
    '/%c0%ae%c0%ae/',
    '/web/',
    '/web/nothing',
    '/web//user',
    '/web/user/%2e%2e/user',
    '/common/',
    '/todo/',
    '/docs/nothing',
    `/web/crypto/transaction/${'9'.repeat(300)}`,
    '/web/crypto/transaction/%00',
    '/web/file/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    `/assets/${'a'.repeat(5_000)}`,
    `/assets/${'a/'.repeat(2_500)}`,
    `/${'x'.repeat(60_000)}`,
  ])('%s is refused', async (path) => {
    expectRefusal(await ask(path, signedIn()));
  });

  test.each(['/', '/app/home', '/app/transaction/42?x=%00', '/a.b/c', `/app/${'x'.repeat(200)}`, '/%e4%b8%ad'])(
    '%s is the page, to be looked at and to be asked about',
    async (path) => {
      const page = await ask(path);
      expect(page).toMatchObject({ status: 200, body: expect.stringContaining('The console') });
      expect(await ask(path, {}, 'HEAD')).toMatchObject({ status: 200, body: '' });
    },
  );

  test.each([
    '/web/crypto/transaction?size=10&size=20',
    '/web/crypto/transaction?type=chain_withdraw&type=chain_deposit',
    '/web/crypto/transaction?keyword[]=a',
    '/web/crypto/transaction?__proto__[size]=10',
    '/web/crypto/fees?feeType=crypto_withdraw_fee&coin=USDT&coin=ETH&chain=ethereum&amount=5',
  ])('%s says a parameter twice, or in another form, and is refused', async (path) => {
    expectRefusal(await ask(path, signedIn()));
  });

  test.each(['/.git/config', '/.env', '/package.json', '/inline-hashes.json', '/server/src/main.ts'])(
    '%s is no file that is served',
    async (path) => {
      const { status, body } = await ask(path);
      if (status === 200) expect(body).toContain('The console');
      else expect(status).toBe(404);
    },
  );

  test('a hashed asset is there, whole, whatever part of it is asked for', async () => {
    for (const range of ['bytes=0-3', 'bytes=9999-', 'bytes=-1', 'lines=1']) {
      const answer = await ask('/assets/app-a1b2c3.js', { range });
      expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('export const built') });
    }
  });
});

describe('an odd method', () => {
  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'BREW', 'get', 'CONNECT'])(
    '%s is refused where nothing takes it',
    async (method) => {
      for (const path of [
        '/',
        '/app/home',
        '/assets/app-a1b2c3.js',
        '/web/rates',
        '/web/nothing',
        '/healthz',
        '/openapi.json',
      ]) {
        const answer = await ask(path, signedIn(), method);
        // Node knows no CONNECT, and hangs up.
        if (answer.status === 0) expect(method).toBe('CONNECT');
        else expectRefusal(answer);
      }
    },
  );

  test('HEAD of a call answers its head alone, and changes nothing', async () => {
    for (const { method, path, answer, access } of calls) {
      if (method !== 'GET' || path.includes('{') || answer === 'stream' || access === 'public') continue;
      const { status, body } = await ask(path, signedIn(), 'HEAD');
      expect(status, path).toBeLessThan(500);
      expect(body).toBe('');
      expect((await ask(path, {}, 'HEAD')).status).toBe(401);
    }
  });
});

describe('an odd body', () => {
  const post = (type: string | null, body: string | Buffer, path = '/web/user/login') =>
    ask(path, { ...signedIn(), ...(type === null ? {} : { 'content-type': type }) }, 'POST', body);

  test.each([
    ['no type', null, '{}'],
    ['a form', 'application/x-www-form-urlencoded', 'email=a'],
    ['XML', 'application/xml', '<a/>'],
    ['text', 'text/plain', '{}'],
    ['a type that is none', 'json', '{}'],
    ['an empty type', '', '{}'],
    ['UTF-16', 'application/json; charset=utf-16', Buffer.from('{}', 'utf16le')],
    ['a multipart', 'multipart/form-data; boundary=b', '--b--\r\n'],
    ['broken JSON', 'application/json', '{"a":'],
    ['JSON with a prototype', 'application/json', '{"__proto__":{"admin":true}}'],
    ['JSON with a constructor', 'application/json', '{"constructor":{"prototype":{"admin":true}}}'],
    ['a list', 'application/json', '[]'],
    ['null', 'application/json', 'null'],
    ['a number', 'application/json', '1e999'],
    ['deep JSON', 'application/json', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['more than fits', 'application/json', `{"a":"${'x'.repeat(200_000)}"}`],
    ['bytes that are no text', 'application/json', Buffer.from([0xff, 0xfe, 0x00])],
  ])('%s is refused', async (_, type, body) => {
    expectRefusal(await post(type, body));
  });

  test.each([
    ['two lengths', 'POST /web/user/login HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a length below zero', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n'],
    ['a chunk that is none', 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
    ['a header of NUL', 'GET / HTTP/1.1\r\nhost: x\r\na: \0\r\n\r\n'],
    ['a header split by a line feed', 'GET / HTTP/1.1\r\nhost: x\r\na: b\nc: d\re: f\r\n\r\n'],
    ['too many headers', `GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(20_000)}\r\n`],
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ])('%s is refused by Node, in our envelope', async (_, bytes) => {
    expectRefusal(await exchange(port, bytes));
  });
});

test('a request without a host is refused by Node alone', async () =>
  expect((await exchange(port, 'GET / HTTP/1.1\r\n\r\n')).status).toBe(400));

describe.each([
  ...[uploadFile, uploadBatch].map(({ name, path }): [string, string] => [name, path]),
  ['importNamelist', `${importNamelist.path}?kind=white&dryRun=true`],
])('the multipart of %s', (_, path) => {
  const head = (name: string, more = '; filename="a.pdf"') =>
    `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const file = `${head('file')}${testPdf.toString('latin1')}\r\n`;
  const [text, end] = [`${head('note', '')}hello\r\n`, '--b--\r\n'];
  const send = async (body: string, type = 'multipart/form-data; boundary=b') => {
    const answer = await ask(path, { ...signedIn(), 'content-type': type }, 'POST', Buffer.from(body, 'latin1'));
    expectRefusal(answer);
    return JSON.parse(answer.body) as { key: string; fields: Record<string, string> };
  };

  test.each([
    ['a text field before the file', `${text}${file}${end}`],
    ['a text field after the file', `${file}${text}${end}`],
    ['a text field alone', `${text}${end}`],
    ['two files', `${file}${file}${end}`],
    ['a file, and one of another name', `${file}${head('other')}x\r\n${end}`],
    ['no end', file],
    ['an end in the middle', file.slice(0, 120)],
    ['another boundary than it said', `${file.replaceAll('--b', '--c')}--c--\r\n`],
  ])('with %s is refused as not one file', async (_name, body) => {
    expect((await send(body)).key).toBe('uploadNotOneFile');
  });

  test('without a boundary is refused', async () => {
    expect(['uploadNotOneFile', 'unsupportedMediaType']).toContain((await send(file + end, 'multipart/form-data')).key);
  });

  test('without a part, or with the file under another name, says that the file is missing', async () => {
    for (const body of [end, `${head('other')}x\r\n${end}`]) {
      const { key, fields } = await send(body);
      expect(key).toBe('validationFailed');
      expect(fields['file']).toBe('required');
    }
  });

  test('of another type is refused as that', async () => {
    for (const type of ['application/json', 'multipart/mixed; boundary=b', 'application/pdf']) {
      expect(['unsupportedMediaType', 'validationFailed', 'uploadNotOneFile']).toContain((await send(`{}`, type)).key);
    }
  });
});

test('no address and no header is a failure of ours', { timeout: 120_000 }, async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '/',
      '//',
      '.',
      '..',
      '%',
      '%00',
      '%2e',
      '%2f',
      '%5c',
      '\\',
      '%ff',
      '%c0%af',
      '%e4%b8%ad',
      ';',
      ':',
      '*',
      '~',
      '?',
      '#',
    ),
    fc.constantFrom(
      'web',
      'common',
      'assets',
      'app',
      'docs',
      'user',
      'crypto',
      'transaction',
      'file',
      'index.html',
      'app-a1b2c3.js',
      'events',
    ),
    fc.string({ unit: 'binary-ascii', maxLength: 8 }).map((text) => text.replaceAll(/[\0-\x20\x7f]/g, '')),
    fc.constant('a'.repeat(300)),
  );
  const path = fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`);
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE');
  const headers = fc.record(
    {
      accept: fc.constantFrom('*/*', 'text/html', 'garbage;;q=x'),
      'accept-language': fc.constantFrom('zh-HK', '*', 'x'.repeat(100), 'en;q=9'),
      'accept-encoding': fc.constantFrom('br', 'identity;q=0', '*;q=0', 'gzip, br;q=x'),
      authorization: fc.constantFrom('', 'Bearer', 'Bearer x', `Bearer ${'x'.repeat(43)}`, 'Basic Og=='),
      'content-type': fc.constantFrom(
        'application/json',
        'text/plain',
        'multipart/form-data',
        'multipart/form-data; boundary=b',
        ';',
        'a/b/c',
      ),
      'if-match': fc.constantFrom('*', '"x"', 'x'),
      'if-modified-since': fc.constantFrom('now', 'Thu, 01 Jan 1970 00:00:00 GMT'),
      'if-none-match': fc.constantFrom('*', '"x"'),
      'if-unmodified-since': fc.constantFrom('Thu, 01 Jan 1970 00:00:00 GMT', 'x'),
      range: fc.constantFrom('bytes=0-', 'bytes=99999-', 'bytes=5-1', 'x'),
      expect: fc.constantFrom('100-continue', 'miracles'),
      'idempotency-key': fc.constantFrom('', 'short', 'k'.repeat(200)),
      'last-event-id': fc.constantFrom('1', 'x'),
      'x-forwarded-for': fc.constantFrom('1.2.3.4', 'x', ',,,'),
      'x-http-method-override': fc.constantFrom('DELETE'),
      cookie: fc.constantFrom('a=b', '%'),
    },
    { requiredKeys: [] },
  );
  const body = fc.constantFrom('', '{}', '[', '\0', '--b--\r\n', '{"a":1}');
  await fc.assert(
    fc.asyncProperty(method, path, headers, body, fc.boolean(), async (verb, where, given, content, isSignedIn) => {
      // A stream never ends.
      fc.pre(!/^\/web\/events(\?|#|$)/.test(where));
      const all = { ...given, ...(isSignedIn ? signedIn() : {}) };
      const { status, body: said } = await ask(where, all as Record<string, string>, verb, content);
      expect(status, said).toBeGreaterThanOrEqual(200);
      expect(status, said).toBeLessThan(500);
    }),
    { numRuns: 400 },
  );
});

describe('every answer protects its reader', () => {
  const bare = requestOf('GET', '/%', {});
  test.each<[string, () => Promise<RawAnswer>, 'page' | 'bare']>([
    ['the page', () => ask('/'), 'page'],
    ['a page of the app', () => ask('/app/home'), 'page'],
    ['an asset', () => ask('/assets/app-a1b2c3.js'), 'page'],
    ['the documentation', () => ask('/docs'), 'page'],
    ['a call', () => ask('/web/user', signedIn()), 'page'],
    ['a refused call', () => ask('/web/user'), 'page'],
    ['a download', () => ask('/web/crypto/transaction/export', signedIn()), 'page'],
    ['an unknown address', () => ask('/web/nothing'), 'page'],
    ['a forbidden address', () => ask('//x/'), 'page'],
    ['an address that cannot be read', () => exchange(port, bare), 'bare'],
    ['what is no HTTP', () => exchange(port, 'HELLO\r\n\r\n'), 'bare'],
    ['health', () => ask('/healthz'), 'page'],
    ['metrics', () => ask('/metrics'), 'page'],
  ])('%s', async (_, answerOf, kind) => {
    const { headers } = await answerOf();
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe-eval');
    if (kind === 'page')
      for (const part of ["base-uri 'none'", "form-action 'self'", "script-src 'self'"]) expect(policy).toContain(part);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    for (const feature of ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'clipboard-read']) {
      expect(headers['permissions-policy']).toContain(`${feature}=()`);
    }
    expect(headers['permissions-policy']).toContain('publickey-credentials-get=(self)');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    if (kind === 'page') expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  });

  test('what belongs to one person is stored by nobody in between', async () => {
    for (const path of [
      '/web/user',
      '/web/crypto/transaction',
      '/web/crypto/transaction/export',
      '/web/audit/export?format=csv',
    ]) {
      expect((await ask(path, signedIn())).headers['cache-control'], path).toBe('no-store');
    }
  });

  test('a live stream', async () => {
    const ended = new AbortController();
    const { headers } = await fetch(`http://127.0.0.1:${port}/web/events`, {
      headers: signedIn(),
      signal: ended.signal,
    });
    ended.abort();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
