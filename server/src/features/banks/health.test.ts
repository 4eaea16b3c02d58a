import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleBank, registerTestBanks } from '../../testing/bank-registry.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { bankNumbersCheck } from './health.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

test('a range of which less than a twentieth is left is reported with its bank; one with enough is not', async () => {
  const withFirst = async (first: number) => {
    await registerTestBanks(db, [exampleBank({ accounts: { prefix: '999001', digits: 4, first } })]);
    return bankNumbersCheck(db.worker).check();
  };
  await expect(withFirst(9_500)).resolves.toBeUndefined();
  await expect(withFirst(9_501)).rejects.toThrow('499 account numbers are left at First Example Bank');
});
