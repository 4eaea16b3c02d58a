import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { accountsByKind, type Leg, move, openAccounts, post, statement } from './index.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

async function company(): Promise<{ id: string; wallet: string }> {
  const id = newId();
  const wallet = newId();
  await db.app.withCompany(id, (tx) =>
    openAccounts(tx, wallet, 'USDT', ['available', 'outbound', 'inbound', 'chain', 'fee']),
  );
  return { id, wallet };
}

function posting(legs: Leg[]) {
  return { id: newId(), kind: 'test', sourceId: newId(), description: '', legs };
}

describe('posting', () => {
  test('moves money, keeps balances and the running balance of the statement', async () => {
    const { id, wallet } = await company();
    await db.app.withCompany(id, async (tx) => {
      const a = await accountsByKind(tx, wallet, ['available', 'chain', 'outbound']);
      await post(tx, posting(move(a.chain.id, a.available.id, 100n)));
      await post(tx, posting(move(a.available.id, a.outbound.id, 30n)));
      const after = await accountsByKind(tx, wallet, ['available', 'chain', 'outbound']);
      expect([after.available.balanceMinor, after.outbound.balanceMinor, after.chain.balanceMinor]).toEqual([
        70n,
        30n,
        -100n,
      ]);
      const lines = await statement(tx, a.available.id, 10, null);
      expect(lines.map((line) => [line.sequence, line.amountMinor, line.balanceMinor])).toEqual([
        [2, -30n, 70n],
        [1, 100n, 100n],
      ]);
    });
  });

  test('is refused whole when a balance would go negative', async () => {
    const { id, wallet } = await company();
    const attempt = db.app.withCompany(id, async (tx) => {
      const a = await accountsByKind(tx, wallet, ['available', 'outbound']);
      await post(tx, posting(move(a.available.id, a.outbound.id, 1n)));
    });
    await expect(attempt).rejects.toMatchObject({ key: 'insufficientBalance' });
  });

  test('is refused for an account of another company', async () => {
    const mine = await company();
    const other = await company();
    const foreign = await db.app.withCompany(other.id, (tx) => accountsByKind(tx, other.wallet, ['available']));
    const attempt = db.app.withCompany(mine.id, async (tx) => {
      const a = await accountsByKind(tx, mine.wallet, ['chain']);
      await post(tx, posting(move(a.chain.id, foreign.available.id, 5n)));
    });
    await expect(attempt).rejects.toMatchObject({ code: 'CW003' });
  });
});
