import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { accountsByKind, type Leg, move, openAccounts, post, postBatch, statement } from './index.ts';

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

describe('posting in batches', () => {
  test('decides each by itself, in turn, and keeps sequences and running balances', async () => {
    const { id, wallet } = await company();
    await db.app.withCompany(id, async (tx) => {
      const a = await accountsByKind(tx, wallet, ['available', 'chain', 'outbound']);
      const outcomes = await postBatch(tx, [
        posting(move(a.available.id, a.outbound.id, 1n)),
        posting(move(a.chain.id, a.available.id, 100n)),
        posting(move(a.available.id, a.outbound.id, 60n)),
        posting(move(a.available.id, a.outbound.id, 60n)),
        posting(move(a.available.id, a.outbound.id, 40n)),
      ]);
      expect(outcomes).toEqual(['insufficient', 'posted', 'posted', 'insufficient', 'posted']);
      const lines = await statement(tx, a.available.id, 10, null);
      expect(lines.map((line) => [line.sequence, line.amountMinor, line.balanceMinor])).toEqual([
        [3, -40n, 0n],
        [2, -60n, 40n],
        [1, 100n, 100n],
      ]);
      const after = await accountsByKind(tx, wallet, ['available', 'chain', 'outbound']);
      expect([after.available.balanceMinor, after.outbound.balanceMinor, after.available.version]).toEqual([
        0n,
        100n,
        3,
      ]);
    });
  });

  test('posts a source once, whether its first was in this batch or before', async () => {
    const { id, wallet } = await company();
    await db.app.withCompany(id, async (tx) => {
      const a = await accountsByKind(tx, wallet, ['available', 'chain']);
      const first = posting(move(a.chain.id, a.available.id, 10n));
      const twice = { ...posting(first.legs as Leg[]), sourceId: newId() };
      await post(tx, first);
      expect(
        await postBatch(tx, [{ ...first, id: newId() }, twice, { ...twice, id: newId() }, posting([...first.legs])]),
      ).toEqual(['repeated', 'posted', 'repeated', 'posted']);
      const after = await accountsByKind(tx, wallet, ['available']);
      expect(after.available.balanceMinor).toBe(30n);
    });
  });

  test('agrees with posting one by one, under concurrency, whatever the order of accounts', async () => {
    const batched = await company();
    const single = await company();
    const plan = Array.from({ length: 120 }, (_, i) => ({ up: i % 3 === 0, amount: BigInt(((i * 37) % 50) + 1) }));
    const legsFor = async (world: { id: string; wallet: string }) => {
      const a = await db.app.withCompany(world.id, (tx) =>
        accountsByKind(tx, world.wallet, ['available', 'chain', 'fee']),
      );
      return plan.map(({ up, amount }) =>
        posting(up ? move(a.chain.id, a.available.id, amount) : move(a.available.id, a.fee.id, amount)),
      );
    };
    const batch = await legsFor(batched);
    const outcomes = await db.app.withCompany(batched.id, (tx) => postBatch(tx, batch));
    const alone: string[] = [];
    for (const one of await legsFor(single)) {
      alone.push(
        await db.app
          .withCompany(single.id, (tx) => post(tx, one))
          .then(
            () => 'posted',
            () => 'insufficient',
          ),
      );
    }
    expect(outcomes).toEqual(alone);
    expect(new Set(outcomes)).toEqual(new Set(['posted', 'insufficient']));

    const chunks = (await legsFor(batched)).concat(await legsFor(batched));
    const turns = Array.from({ length: 8 }, (_, i) => chunks.slice(i * 30, (i + 1) * 30));
    await Promise.all(turns.map((turn) => db.app.withCompany(batched.id, (tx) => postBatch(tx, turn.toReversed()))));
    await db.app.withCompany(batched.id, async (tx) => {
      const a = await accountsByKind(tx, batched.wallet, ['available', 'chain', 'fee']);
      expect(a.available.balanceMinor + a.chain.balanceMinor + a.fee.balanceMinor).toBe(0n);
      const lines = await statement(tx, a.available.id, 10_000, null);
      expect(lines.map((line) => line.sequence)).toEqual(lines.map((_, i) => lines.length - i));
      expect(lines[0]?.balanceMinor).toBe(a.available.balanceMinor);
      for (const line of lines) expect(line.balanceMinor >= 0n).toBe(true);
    });
  });

  test('refuses the whole batch for an account of another company', async () => {
    const mine = await company();
    const other = await company();
    const foreign = await db.app.withCompany(other.id, (tx) => accountsByKind(tx, other.wallet, ['available']));
    const attempt = db.app.withCompany(mine.id, async (tx) => {
      const a = await accountsByKind(tx, mine.wallet, ['chain', 'fee']);
      await postBatch(tx, [
        posting(move(a.chain.id, a.fee.id, 1n)),
        posting(move(a.chain.id, foreign.available.id, 5n)),
      ]);
    });
    await expect(attempt).rejects.toMatchObject({ code: 'CW003' });
  });
});
