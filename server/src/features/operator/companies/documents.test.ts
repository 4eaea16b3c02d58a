import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { maxFileBytes } from '@causeway/contract/files.ts';
import { downloadCompanyDocument, listCompanyDocuments } from '@causeway/contract/operator-companies.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';

let db: TestDatabase;
let app: OperatorApp;
let company: TestCompany;
let other: TestCompany;
let support: TestOperator;

beforeAll(async () => {
  db = await testDatabase();
  app = await operatorApp(db);
  [company, other] = [await openTestCompany(db), await openTestCompany(db)];
  for (const { id } of [company, other]) {
    await db.app.withCompany(id, (tx) =>
      sql`insert into company (company_id, name) values (company_id(), 'Far Voyage')`.execute(tx),
    );
  }
  support = await app.operator('support');
});
afterAll(async () => {
  expect(app.complaints.filter((line) => !line.includes('the bytes of file'))).toEqual([]);
  await app.close();
  await db.close();
});

const pdf = Buffer.from('%PDF-1.7\n%\u00e2\u00e3\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF', 'latin1');

async function add(
  content: Buffer,
  { id = company.id, name = 'agreement.pdf', kind = 'agreement', as = support } = {},
) {
  const boundary = 'boundary-of-the-test';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/html\r\n\r\n`;
  const response = await app.app.inject({
    method: 'POST',
    url: `/operator/company/${id}/document?kind=${kind}`,
    headers: { authorization: `Bearer ${as.token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  });
  return { status: response.statusCode, ...response.json() };
}

const listed = async (id: string) => (await app.ask(listCompanyDocuments, { as: support, params: { id } })).data;

function fetchDocument(id: string, { token }: TestOperator) {
  return app.app.inject({ url: `/operator/document/${id}`, headers: { authorization: `Bearer ${token}` } });
}

function stored(): string[] {
  return readdirSync(app.filesDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('a document is kept, listed for its company alone, and downloaded as it was; each step is in the log', async () => {
  const { data } = await add(pdf, { name: 'Agreement 合約.pdf' });
  expect(data).toMatchObject({ name: 'Agreement 合約.pdf', sizeBytes: pdf.length });
  const page = await listed(company.id);
  expect(page?.items).toMatchObject([
    { id: data.id, kind: 'agreement', type: 'application/pdf', by: { id: support.id } },
  ]);
  expect((await listed(other.id))?.items).toEqual([]);
  const got = await fetchDocument(data.id, support);
  expect(got.rawPayload.equals(pdf)).toBe(true);
  expect(got.headers['content-disposition']).toMatch(/^attachment;/);
  await fetchDocument(data.id, await app.operator('compliance'));
  expect((await app.audited()).filter((action) => action.endsWith('Document'))).toEqual([
    'operator.addDocument',
    'operator.readDocument',
    'operator.readDocument',
  ]);
  const files = stored();
  expect(files).toHaveLength(1);
  expect(files.join()).not.toContain(company.id);
});

test('what is no document, too large or of no company is refused, and leaves no bytes', async () => {
  const before = stored().length;
  expect(await add(Buffer.from('<html>'))).toMatchObject({ status: 415, key: 'fileTypeNotAllowed' });
  expect(await add(Buffer.alloc(0))).toMatchObject({ key: 'fileEmpty' });
  expect(await add(Buffer.concat([pdf, Buffer.alloc(maxFileBytes)]))).toMatchObject({ key: 'fileTooLarge' });
  expect(await add(pdf, { id: newId() })).toMatchObject({ status: 404, key: 'notFound' });
  expect(await add(pdf, { kind: 'secret' })).toMatchObject({ key: 'validationFailed' });
  expect(stored()).toHaveLength(before);
});

test('those who only see, or have the treasury, neither list nor fetch nor add; no process of companies reads the rows', async () => {
  const { data } = await add(pdf);
  for (const role of ['viewer', 'treasury'] as const) {
    const as = await app.operator(role);
    expect(await app.ask(listCompanyDocuments, { as, params: { id: company.id } })).toMatchObject({ status: 403 });
    expect(await app.ask(downloadCompanyDocument, { as, params: { id: data.id } })).toMatchObject({ status: 403 });
    expect(await add(pdf, { as })).toMatchObject({ status: 403, key: 'noPermission' });
  }
  for (const database of [db.app, db.worker, db.operator]) {
    const reading = database.withCompany(company.id, (tx) => sql`select from operator_document`.execute(tx));
    await expect(reading).rejects.toThrow(/permission denied/);
  }
  const changing = db.console.withoutCompany((tx) => sql`delete from operator_document`.execute(tx));
  await expect(changing).rejects.toThrow(/permission denied/);
});

test('bytes that were tampered with are not handed out', async () => {
  const { data } = await add(pdf, { id: other.id, name: 'x.pdf' });
  for (const path of stored()) writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('!')]));
  expect((await fetchDocument(data.id, support)).statusCode).toBe(500);
});
