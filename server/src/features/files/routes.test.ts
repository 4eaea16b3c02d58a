import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { maxFileBytes } from '@causeway/contract/files.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { createDiskStore, type ObjectStore, registerFilesRoutes } from './index.ts';

let db: TestDatabase;
let http: SessionApp;
let directory: string;
let caller: Caller;
/** Set to let the disk fail. */
let failure: Error | null = null;

beforeAll(async () => {
  db = await testDatabase();
  directory = mkdtempSync(join(tmpdir(), 'causeway-files-'));
  const disk = createDiskStore(directory);
  const objects: ObjectStore = {
    ...disk,
    put: (name, content) => (failure ? Promise.reject(failure) : disk.put(name, content)),
  };
  http = await sessionApp(db.app, (app) => registerFilesRoutes(app, { objects }));
  caller = http.signIn(newId());
});
afterAll(async () => {
  await http.close();
  await db.close();
  rmSync(directory, { recursive: true });
});

const pdf = Buffer.from('%PDF-1.7\n%\u00e2\u00e3\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF', 'latin1');
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function upload(content: Buffer, name = 'proof.pdf', options: { as?: Caller; field?: string } = {}) {
  const boundary = 'boundary-of-the-test';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${options.field ?? 'file'}"; filename="${name}"\r\nContent-Type: text/html\r\n\r\n`;
  const response = await (options.as ?? caller).inject({
    method: 'POST',
    url: '/web/file/upload',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  });
  return { status: response.statusCode, ...response.json() };
}

function stored(): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('uploading', () => {
  test('keeps the bytes under a random name and says what they are, whatever the sender claims', async () => {
    const before = stored();
    const answer = await upload(png, 'invoice.pdf');
    expect(answer.data).toMatchObject({ name: 'invoice.pdf', type: 'image/png', sizeBytes: png.length });
    const [added, ...more] = stored().filter((path) => !before.includes(path));
    expect(more).toEqual([]);
    expect(added).toMatch(/[0-9a-f]{32}$/);
    expect(readFileSync(added ?? '')).toEqual(png);
  });

  test.each([
    ['an empty file', Buffer.alloc(0), 400, 'fileEmpty'],
    ['HTML', Buffer.from('<html><script>alert(1)</script></html>'), 415, 'fileTypeNotAllowed'],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 415, 'fileTypeNotAllowed'],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1'), 415, 'fileTypeNotAllowed'],
    ['a ZIP', Buffer.from('PK\x03\x04\x14\x00\x00\x00\x00\x00', 'latin1'), 415, 'fileTypeNotAllowed'],
    ['a program', Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), 415, 'fileTypeNotAllowed'],
    ['a file past 10 MB', Buffer.concat([pdf, Buffer.alloc(maxFileBytes)]), 413, 'fileTooLarge'],
  ])('refuses %s and keeps nothing', async (_, content, status, key) => {
    const before = stored().length;
    expect(await upload(content)).toMatchObject({ status, key });
    expect(stored()).toHaveLength(before);
  });

  test('takes a file of exactly 10 MB', async () => {
    const whole = Buffer.concat([pdf, Buffer.alloc(maxFileBytes - pdf.length)]);
    expect((await upload(whole)).data.sizeBytes).toBe(maxFileBytes);
  });

  test('a full disk is said plainly', async () => {
    failure = new DomainError('storageFull');
    const answer = await upload(pdf);
    failure = null;
    expect(answer).toMatchObject({ status: 507, key: 'storageFull' });
  });

  test('refuses another field, a body that is no form, and people who may not', async () => {
    expect((await upload(pdf, 'a.pdf', { field: 'other' })).fields).toEqual({ file: 'required' });
    const json = await caller.post('/web/file/upload', { file: 'x' });
    expect(json.key).toBe('unsupportedMediaType');
    expect((await upload(pdf, 'a.pdf', { as: http.signIn(newId(), 'viewer') })).status).toBe(403);
  });
});

describe('downloading', () => {
  const download = (as: Caller, id: string) => as.inject({ url: `/web/file/${id}` });

  test.each([
    ['發票 ＃1.pdf', 'utf-8'],
    ["it's (1)*.pdf", 'quotes'],
    ['..%2f..%2fetc%2fpasswd', 'encoded path'],
    ['=1+1.pdf', 'formula'],
    [`${'x'.repeat(255)}`, 'longest'],
  ])('sends %s as an attachment under exactly its name', async (name) => {
    const { data } = await upload(pdf, name);
    expect(data.name).toBe(name);
    const response = await download(caller, data.id);
    expect(response.statusCode).toBe(200);
    expect(response.rawPayload).toEqual(pdf);
    expect(response.headers['content-type']).toBe('application/pdf');
    expect(response.headers['x-content-type-options']).toBe('nosniff');
    const disposition = String(response.headers['content-disposition']);
    const sent = /^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''([\w.!#$&+^`|~%-]*)$/.exec(disposition)?.[1];
    expect(decodeURIComponent(sent ?? '')).toBe(name);
  });

  test('does not show bytes that are no longer those which were uploaded', async () => {
    const before = new Set(readdirSync(directory, { recursive: true }).map(String));
    const { data } = await upload(pdf);
    const stored = readdirSync(directory, { recursive: true, withFileTypes: true }).find(
      (entry) => entry.isFile() && ![...before].some((known) => known.endsWith(entry.name)),
    );
    writeFileSync(join(stored?.parentPath ?? '', stored?.name ?? ''), Buffer.from('%PDF-1.7 another invoice'));
    const response = await download(caller, data.id);
    expect(response.statusCode).toBe(500);
    expect(response.body).not.toContain('invoice');
  });

  test.each([
    ['y'.repeat(256), 'Too long'],
    ['a\u202egpj.exe', 'Contains characters'],
  ])('refuses the name %s', async (name, message) => {
    const answer = await upload(pdf, name);
    expect(answer.status).toBe(400);
    expect(answer.fields.file).toContain(message);
  });

  test("another company's file answers as one that never existed", async () => {
    const { data } = await upload(pdf);
    expect((await download(caller, data.id)).statusCode).toBe(200);
    const other = http.signIn(newId());
    expect((await download(other, data.id)).statusCode).toBe(404);
    expect((await download(other, newId())).statusCode).toBe(404);
    expect((await download(other, '..%2f..%2fetc')).statusCode).toBe(404);
  });
});
