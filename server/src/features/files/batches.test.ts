import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CompaniesTx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { findFiles, findFilesOf } from './index.ts';
import { insertFile } from './store.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

async function file(companyId: string, name: string): Promise<string> {
  const id = newId();
  const content = { type: 'image/png' as const, sizeBytes: 1, sha256: randomBytes(32), uploadedBy: newId() };
  await db.app.withCompany(companyId, (tx) =>
    insertFile(tx, { id, storageName: randomBytes(16).toString('hex'), name, ...content }),
  );
  return id;
}

test('each request finds files of its company, in the order of its ids, as it would alone', async () => {
  const [first, second, outside] = [newId(), newId(), newId()];
  const [a, b] = [await file(first, 'a'), await file(first, 'b')];
  const [c, d] = [await file(second, 'c'), await file(outside, 'd')];
  const requests = [
    { companyId: first, ids: [b, a] },
    { companyId: second, ids: [] },
    { companyId: second, ids: [a, c, newId()] },
    { companyId: first, ids: [a, d, a] },
    { companyId: outside, ids: [d] },
  ];
  const found = await db.app.withCompanies([first, second], (tx) => findFilesOf(tx, requests));
  expect(found.map((files) => files.map(({ name }) => name))).toEqual([['b', 'a'], [], ['c'], ['a', 'a'], []]);
  for (const [index, { companyId, ids }] of requests.slice(0, 4).entries()) {
    expect(await db.app.withCompany(companyId, (tx) => findFiles(tx, ids))).toEqual(found[index]);
  }
  expect(found[0]?.[0]).toEqual({ id: b, name: 'b', type: 'image/png', sizeBytes: 1, createdAt: expect.any(String) });
});

test('requests without ids take no statement', async () => {
  expect(await findFilesOf({} as CompaniesTx, [{ companyId: newId(), ids: [] }])).toEqual([[]]);
  expect(await findFilesOf({} as CompaniesTx, [])).toEqual([]);
});
