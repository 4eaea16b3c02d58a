import { formatAmount } from '@causeway/contract/money.ts';
import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { refusal } from '../../ledger/index.ts';
import type { TransactionRow } from '../../transactions/index.ts';
import { readTie, type TestRow } from '../store/tests.ts';

/** What a submission says of tests; amounts in minor units. */
interface Tied {
  walletId: string;
  payeeId: string;
  amountMinor: bigint;
  testTotalMinor: bigint | null;
  /** Null: it is the rest of none. */
  restOf: string | null;
}

/**
 * The rules of test transfers: a test is less than the whole; the rest goes from the same wallet to the same payee, once the test has
 * arrived, and once only unless it failed.
 * @throws DomainError notFound, testTotalTooSmall, testNotArrived, testOfAnother, testRestSent
 */
export function checkTied(tied: Tied, test: TestRow | null): void {
  const { testTotalMinor, amountMinor, restOf } = tied;
  if (testTotalMinor !== null && testTotalMinor <= amountMinor) throw refusal('testTotalTooSmall', {}, 'testTotal');
  if (restOf === null) return;
  if (!test) throw new DomainError('notFound');
  if (test.walletId !== tied.walletId || test.payeeId !== tied.payeeId) throw new DomainError('testOfAnother');
  if (test.stage !== 'completed') throw new DomainError('testNotArrived');
  if (test.restSent) throw new DomainError('testRestSent');
}

/** What ties a transaction to another of its company, as its page shows it. */
export async function testOf(tx: Tx, row: TransactionRow): Promise<Pick<TransactionDetail, 'test' | 'restOf'>> {
  if (row.type !== 'chain_withdraw') return { test: null, restOf: null };
  const { totalMinor, restId, restStatus, restOf } = await readTie(tx, row.id);
  const say = (minor: bigint) => formatAmount(minor, row.decimals);
  const test =
    totalMinor === null
      ? null
      : {
          total: say(totalMinor),
          rest: say(totalMinor - row.quantityMinor),
          restId: restStatus === 'failed' ? null : restId,
        };
  return { test, restOf };
}
