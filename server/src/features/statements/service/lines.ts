import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount, parseAmount } from '@causeway/contract/money.ts';
import { isPayout } from '@causeway/contract/payments-rules.ts';
import type { Movement as MovementLine } from '@causeway/contract/statements.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readTransactions, type TransactionRow, valuationOf } from '../../transactions/index.ts';
import { sayPosting } from '../../wallets/index.ts';
import { type Balances, type Entry, type Movement, mergeMovements, type Place, shareOf } from '../domain.ts';
import { readEntries } from '../store.ts';
import type { OpenStatements, WalletSpan } from './open.ts';

const batchEntries = 1000;

/** Runs reading in a transaction: that of the request, or one of each batch of a long download. */
export type Reading = <T>(read: (tx: Tx) => Promise<T>) => Promise<T>;

/** A wallet's movements from a place on, in the ledger's order, read batch by batch. */
export function movementsFrom(
  reading: Reading,
  { accounts, span }: WalletSpan,
  start: Balances & { place: Place },
): AsyncGenerator<Movement> {
  const entriesOf = async function* (account: 'available' | 'onHold'): AsyncGenerator<Entry> {
    let after = start.place[account];
    const to = span.to[account];
    while (after < to) {
      const from = after;
      const batch = await reading((tx) => readEntries(tx, accounts, account, { after: from, to }, batchEntries));
      yield* batch;
      const last = batch.at(-1);
      if (last === undefined) return;
      after = last.sequence;
    }
  };
  const entries = { available: entriesOf('available'), onHold: entriesOf('onHold') };
  return mergeMovements(start, { from: start.place, to: span.to }, entries);
}

/** A movement as it is shown, and what it is made of. */
export interface Line {
  shown: MovementLine;
  movement: Movement;
  /** Its transaction, where it has one. */
  row: TransactionRow | null;
}

/** Movements as they are shown, with what their transactions say of them. */
export async function describeMovements(
  tx: Tx,
  movements: readonly Movement[],
  { wallet }: WalletSpan,
  { decimals: valueDecimals }: OpenStatements,
  locale: Locale,
): Promise<Line[]> {
  const rowOf = await rowsOf(tx, movements, wallet.id);
  const inUnits = (minor: bigint) => formatAmount(minor, wallet.decimals);
  return movements.map((movement) => {
    const row = rowOf(movement);
    const shown: MovementLine = {
      place: `${movement.place.available}.${movement.place.onHold}`,
      at: movement.at.toISOString(),
      description: sayPosting(movement, row !== null && isPayout(row.type), locale),
      transactionId: row?.id ?? null,
      counterparty: row === null ? null : counterpartyOf(row),
      hash: row?.hash ?? null,
      amount: inUnits(movement.amountMinor),
      fee: inUnits(movement.feeMinor),
      balance: inUnits(movement.balanceMinor),
      value: row === null ? null : shareIn(movement, row, wallet.id, valueDecimals),
    };
    return { shown, movement, row };
  });
}

/**
 * What a movement in a wallet belongs to. What came back of a payment has a transaction of its own, with the bank's name of the return; of an
 * exchange it is that of this wallet's side.
 */
async function rowsOf(
  tx: Tx,
  movements: readonly Movement[],
  walletId: string,
): Promise<(movement: Movement) => TransactionRow | null> {
  const read = async (ids: readonly string[]) =>
    new Map((await readTransactions(tx, [...new Set(ids)])).map((row) => [row.id, row]));
  const byId = await read(movements.map(({ sourceId }) => sourceId));
  const isBeside = (kind: string, row: TransactionRow) => kind === 'payout.returned' || row.walletId !== walletId;
  const related = movements.flatMap(({ kind, sourceId }) => {
    const row = byId.get(sourceId);
    return row !== undefined && row.relatedId !== null && isBeside(kind, row) ? [row.relatedId] : [];
  });
  const besides = related.length === 0 ? byId : await read(related);
  return ({ kind, sourceId }) => {
    const row = byId.get(sourceId) ?? null;
    if (row === null || !isBeside(kind, row)) return row;
    const beside = besides.get(row.relatedId ?? '');
    return beside !== undefined && (kind === 'payout.returned' || beside.walletId === walletId) ? beside : row;
  };
}

function counterpartyOf({
  direction,
  payerName,
  payerAccount,
  payeeName,
  payeeAccount,
}: TransactionRow): string | null {
  return direction === 'in' ? (payerName ?? payerAccount) : (payeeName ?? payeeAccount);
}

/** The share that a movement has in its transaction's value: more than the whole where a fee came on top. */
function shareIn({ amountMinor }: Movement, row: TransactionRow, walletId: string, decimals: number): string | null {
  const { amount } = valuationOf(row).base;
  // In the wallet that a payment out of coins leaves from, its amounts are of the currency that it was exchanged for.
  const wholeMinor = row.walletId === walletId ? row.quantityMinor : row.counterQuantityMinor;
  if (amount === null || wholeMinor === null) return null;
  const value = parseAmount(amount, decimals);
  return value.ok ? formatAmount(shareOf(value.minor, amountMinor, wholeMinor), decimals) : null;
}
