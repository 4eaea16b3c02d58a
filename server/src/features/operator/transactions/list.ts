import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type * as calls from '@causeway/contract/operator-transactions.ts';
import type { OperatorTransaction } from '@causeway/contract/operator-transactions.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { maxExactTotal, pageOf, sizeOf, totalOf } from '../../../platform/http/page.ts';
import type { OperatorContext } from '../../../platform/session.ts';
import { nameOfPlace } from '../../banks/index.ts';
import { formatUsd } from '../../rates/index.ts';
import { orderOf, positionOf } from '../../transactions/index.ts';
import { countTransactions, type Filter, findTransactions } from './search.ts';
import { findChoices, type ListRow, readRows } from './store.ts';

/** Transactions of all companies: the list and what it can be narrowed to. */

/** One page; the total is exact to 10,000. @throws DomainError cursorInvalid */
export async function list(
  tx: Tx,
  { locale }: Pick<OperatorContext, 'locale'>,
  query: Query<typeof calls.listOperatorTransactions>,
): Promise<OutputInput<typeof calls.listOperatorTransactions>> {
  const filter = filterOf(query);
  const order = orderOf(query);
  const size = sizeOf(query.size);
  const found = await findTransactions(tx, filter, order, positionOf(query.cursor, order), size + 1);
  const { items, next } = pageOf(found, size, ({ sortValue, id }) => [sortValue, id]);
  const rows = await readRows(tx, items);
  const count = await countTransactions(tx, filter, maxExactTotal + 1);
  return { items: rows.map((row) => shown(row, locale)), ...totalOf(count), next };
}

export async function listFilters(tx: Tx): Promise<OutputInput<typeof calls.listOperatorTransactionFilters>> {
  return findChoices(tx);
}

/** The filter of a query; an empty keyword is none. */
export function filterOf(query: Query<typeof calls.exportOperatorTransactions>): Filter {
  const { company, type, status, stage, coin, chain, from, to, amountMin, amountMax } = query;
  const keyword = query.keyword?.trim() || undefined;
  return { keyword, company, type, status, stage, coin, chain, from, to, amountMin, amountMax };
}

function shown(row: ListRow, locale: Locale): OperatorTransaction {
  return {
    id: row.id,
    company: { id: row.companyId, name: row.company },
    type: row.type,
    status: row.status,
    stage: row.stage,
    createdAt: row.createdAt.toISOString(),
    coin: row.coin,
    chain: row.chainId,
    placeName: nameOfPlace(row.place, locale),
    quantity: formatAmount(row.quantityMinor, row.decimals),
    fee: formatAmount(row.feeMinor, row.decimals),
    accelerates: row.accelerated && {
      id: row.accelerated.id,
      hash: row.accelerated.hash,
      quantity: formatAmount(BigInt(row.accelerated.quantityMinor), row.decimals),
    },
    direction: row.direction,
    usd: row.valueUsdCents === null ? null : formatUsd(row.valueUsdCents),
    payer: { name: row.payerName, account: row.payerAccount },
    payee: { name: row.payeeName, account: row.payeeAccount },
    hash: row.hash,
    confirmations: row.confirmations,
    confirmationsNeeded: row.hash === null ? null : row.confirmationsNeeded,
    invoiceNumber: row.invoiceNumber,
  };
}
