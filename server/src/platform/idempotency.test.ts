import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { DomainError } from './domain-error.ts';
import { onceReading } from './idempotency.ts';
import { newId } from './ids.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const gone = async () => {
  throw new DomainError('walletNotFound');
};

test('an earlier answer comes back although what would be read is no longer there', async () => {
  const request = { companyId: newId(), memberId: newId(), key: newId(), call: 'test', request: { amount: '1' } };
  const first = await onceReading(
    db.app,
    request,
    async () => 2,
    async (_tx, facts) => facts * 2,
  );
  expect(first).toEqual({ answer: 4, replayed: false });
  expect(await onceReading(db.app, request, gone, async () => 5)).toEqual({ answer: 4, replayed: true });
});

test('without an earlier answer, what reading throws is thrown, and the key is as new', async () => {
  const request = { companyId: newId(), memberId: newId(), key: newId(), call: 'test', request: {} };
  const read = onceReading(db.app, request, gone, async () => 5);
  await expect(read).rejects.toMatchObject({ key: 'walletNotFound' });
  const again = await onceReading(
    db.app,
    request,
    async () => 1,
    async (_tx, facts) => facts,
  );
  expect(again).toEqual({ answer: 1, replayed: false });
});

test('a key serves one call: another call with it is refused, whatever it asks', async () => {
  const request = { companyId: newId(), memberId: newId(), key: newId(), call: 'test', request: { amount: '1' } };
  const ask = (call: string) =>
    onceReading(
      db.app,
      { ...request, call },
      async () => 1,
      async () => 1,
    );
  await ask('test');
  await expect(ask('other')).rejects.toMatchObject({ key: 'idempotencyKeyReused' });
  expect(await ask('test')).toEqual({ answer: 1, replayed: true });
});
