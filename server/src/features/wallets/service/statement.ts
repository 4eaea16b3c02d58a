import type { OutputInput } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { getStatement } from '@causeway/contract/wallets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { Input } from '../../../platform/http/call-input.ts';
import { pageOf, readPosition, sizeOf } from '../../../platform/http/page.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { hasText, translate } from '../../../platform/text/texts.ts';
import { accountsByKind, type StatementLine, statement } from '../../ledger/index.ts';
import { findPayments } from '../store/movements.ts';
import { findWallets } from '../store.ts';

export interface StatementPorts {
  /** By their ids, the trades that steps are of. */
  tradesOfLines(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, { id: string; number: string }>>;
  /** By their ids, the batches of runs. */
  batchesOfRuns(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, { id: string; name: string }>>;
}

/**
 * A wallet's entries with the running available balance, newest first.
 * @throws DomainError walletNotFound, cursorInvalid
 */
export async function describeStatement(
  tx: Tx,
  { locale, tradesOfLines, batchesOfRuns }: SignedInContext & StatementPorts,
  { id: walletId, ...query }: Input<typeof getStatement>,
): Promise<OutputInput<typeof getStatement>> {
  const [wallet] = await findWallets(tx, walletId);
  if (!wallet) throw new DomainError('walletNotFound');
  const before = readPosition(query.cursor, 'number', false);
  const { available } = await accountsByKind(tx, walletId, ['available']);
  const size = sizeOf(query.size);
  const lines = await statement(tx, available.id, size + 1, before && Number(before.key));
  const { items, next } = pageOf(lines, size, (line) => [line.sequence]);
  const payments = await findPayments(
    tx,
    items.map(({ sourceId }) => sourceId),
  );
  const sourcesOf = (prefix: string) =>
    items.flatMap(({ kind, sourceId }) => (kind.startsWith(prefix) ? sourceId : []));
  const trades = await tradesOfLines(tx, sourcesOf('trade.'));
  const batches = await batchesOfRuns(tx, sourcesOf('batch.'));
  const batchOf = (runId: string) => {
    const batch = batches.get(runId);
    return batch ? { ...batch, runId } : null;
  };
  return {
    items: items.map((line) => ({
      sequence: line.sequence,
      time: line.at.toISOString(),
      description: sayPosting(line, payments.has(line.sourceId), locale),
      // Every posting serves a transaction, a step of a trade, or a run of a batch.
      transactionId: trades.has(line.sourceId) || batches.has(line.sourceId) ? null : line.sourceId,
      trade: trades.get(line.sourceId) ?? null,
      batch: batchOf(line.sourceId),
      amount: formatAmount(line.amountMinor, wallet.decimals),
      balance: formatAmount(line.balanceMinor, wallet.decimals),
    })),
    // An account's version is the number of its entries.
    total: available.version,
    totalExact: true,
    next,
  };
}

/**
 * What a posting was for, in the reader's language; a kind without a sentence keeps the ledger's own words. A payment to a bank account is
 * posted as a transfer is, and is called a payment.
 */
export function sayPosting(
  { kind, description }: Pick<StatementLine, 'kind' | 'description'>,
  isPayment: boolean,
  locale: Locale,
): string {
  // What was settled again after a reorganisation has a number (docs/adr/0052).
  const plain = kind.replace(/\.\d+/, '');
  const ids = [...(isPayment ? [`posting.payment.${plain}`] : []), `posting.${plain}`];
  const id = ids.find((one) => hasText(locale, one));
  return id === undefined ? description : translate(locale, id);
}
