import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { openTestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { accountsByKind, move, post, verifyLedger } from '../../ledger/index.ts';
import { repayDeficit, takeFromWallet, writeOffDeficit } from './shortfall.ts';

/** A deficit is repaid by what arrives or borne by the operator's fees, never both, whatever comes at the same time. */

let db: TestDatabase;
const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

interface Wallet {
  companyId: string;
  id: string;
}

async function wallet(): Promise<Wallet> {
  const company = await openTestCompany(db);
  return { companyId: company.id, id: company.wallets.USDT };
}

const within = <T>({ companyId }: Wallet, work: Parameters<typeof db.worker.withCompany<T>>[1]) =>
  db.worker.withCompany(companyId, work);

async function figures(one: Wallet) {
  const accounts = await within(one, (tx) => accountsByKind(tx, one.id, ['available', 'fee', 'deficit', 'chain']));
  const { available, fee, deficit, chain } = accounts;
  return {
    available: available.balanceMinor,
    fee: fee.balanceMinor,
    deficit: deficit.balanceMinor,
    chain: chain.balanceMinor,
  };
}

/** Money that reaches the address: as the company's own, or as a fee of the operator. */
function arrive(one: Wallet, amountMinor: bigint, to: 'available' | 'fee'): Promise<void> {
  return within(one, async (tx) => {
    const accounts = await accountsByKind(tx, one.id, ['chain', to]);
    const legs = move(accounts.chain.id, accounts[to].id, amountMinor);
    const sourceId = newId();
    await post(tx, { id: newId(), kind: 'deposit.credited', sourceId, description: 'arrived', legs });
    if (to === 'available') await repayDeficit(tx, one.id, sourceId);
  });
}

/** A deposit is taken back, as far as the chain holds what it takes. */
function takeBack(one: Wallet, amountMinor: bigint): Promise<void> {
  return within(one, async (tx) => {
    const { chain } = await accountsByKind(tx, one.id, ['chain']);
    const taken = amountMinor > -chain.balanceMinor ? -chain.balanceMinor : amountMinor;
    if (taken === 0n) return;
    const posting = { kind: 'deposit.reversed', sourceId: newId(), description: 'taken back' };
    await takeFromWallet(tx, one.id, taken, posting, [{ accountId: chain.id, amountMinor: taken }]);
  });
}

class NotThisAmount extends Error {}

/** @returns whether it was written off */
async function writeOff(one: Wallet, owedMinor: bigint): Promise<boolean> {
  try {
    await within(one, async (tx) => {
      if (!(await writeOffDeficit(tx, one.id, owedMinor, newId()))) throw new NotThisAmount();
    });
    return true;
  } catch (error) {
    if (error instanceof NotThisAmount || (error as { key?: string }).key === 'insufficientBalance') return false;
    throw error;
  }
}

test('over any history no deficit is overpaid, fees bear what is written off alone, and what the chain holds is accounted for', async () => {
  const amount = fc.bigInt(1n, 20n);
  const step = fc.oneof(
    fc.record({ what: fc.constant('arrive' as const), amount }),
    fc.record({ what: fc.constant('fee' as const), amount }),
    fc.record({ what: fc.constant('takeBack' as const), amount }),
    fc.record({ what: fc.constant('writeOff' as const), amount }),
    fc.record({ what: fc.constant('writeOffAll' as const), amount }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const one = await wallet();
      let writtenOff = 0n;
      let fees = 0n;
      for (const { what, amount: minor } of steps) {
        const before = await figures(one);
        if (what === 'arrive') await arrive(one, minor, 'available');
        if (what === 'fee') await arrive(one, minor, 'fee');
        if (what === 'fee') fees += minor;
        if (what === 'takeBack') await takeBack(one, minor);
        if (what === 'writeOff' || what === 'writeOffAll') {
          const asked = what === 'writeOff' ? minor : -before.deficit;
          const isPossible = asked > 0n && asked === -before.deficit && asked <= before.fee;
          if (asked > 0n) expect(await writeOff(one, asked)).toBe(isPossible);
          if (isPossible) writtenOff += asked;
        }
        const after = await figures(one);
        expect(after.deficit).toBeLessThanOrEqual(0n);
        expect(after.fee).toBe(fees - writtenOff);
        expect(after.available + after.fee + after.deficit).toBe(-after.chain);
      }
    }),
    { numRuns: Math.min(4 * rounds, 400) },
  );
  const { mismatches } = await db.operator.withoutCompany(verifyLedger);
  expect(mismatches).toEqual([]);
}, 300_000);

test('a write-off and a deposit at the same time: the deposit repays it or the fees bear it, not both', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const one = await wallet();
    await arrive(one, 10n, 'fee');
    await takeBack(one, 7n);
    expect(await figures(one)).toMatchObject({ deficit: -7n, available: 0n });
    const [isWrittenOff] = await Promise.all([writeOff(one, 7n), arrive(one, 5n, 'available')]);
    expect(await figures(one)).toMatchObject(
      isWrittenOff ? { deficit: 0n, available: 5n, fee: 3n } : { deficit: -2n, available: 0n, fee: 10n },
    );
  }
}, 300_000);

test('of two write-offs of one deficit one is made', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const one = await wallet();
    await arrive(one, 20n, 'fee');
    await takeBack(one, 7n);
    const made = await Promise.all([writeOff(one, 7n), writeOff(one, 7n)]);
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await figures(one)).toMatchObject({ deficit: 0n, fee: 13n });
  }
}, 300_000);
