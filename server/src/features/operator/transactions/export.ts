import type { Query } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { exportOperatorTransactions } from '@causeway/contract/operator-transactions.ts';
import { operatorExportMost } from '@causeway/contract/operator-transactions-rules.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Database } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import { actorOf, type OperatorContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { formatUsd } from '../../rates/index.ts';
import { cellsOf, csvBatchRows, csvOf, orderOf } from '../../transactions/index.ts';
import { findCompanyName } from '../pricing/store.ts';
import { filterOf } from './list.ts';
import { countTransactions, findTransactions } from './search.ts';
import { readRows } from './store.ts';

const columns = [
  'id',
  'company',
  'createdAt',
  'completedAt',
  'type',
  'status',
  'stage',
  'direction',
  'coin',
  'place',
  'quantity',
  'fee',
  'acceleratedQuantity',
  'acceleratedHash',
  'valueUsd',
  'payerName',
  'payerAccount',
  'payeeName',
  'payeeAccount',
  'hash',
  'initiator',
  'invoiceNumber',
] as const;

/** The filtered list as CSV. @throws DomainError exportTooLarge */
export async function exportCsv(
  context: OperatorContext & { database: Database },
  query: Query<typeof exportOperatorTransactions>,
): Promise<FileAnswer> {
  const { database, session, locale } = context;
  const filter = filterOf(query);
  const order = orderOf(query);
  await database.withCompany(session.companyId, async (tx) => {
    const count = await countTransactions(tx, filter, operatorExportMost + 1);
    if (count > operatorExportMost) throw new DomainError('exportTooLarge');
    const company = filter.company && ((await findCompanyName(tx, filter.company)) ?? undefined);
    await audit(tx, {
      actor: actorOf(context),
      action: 'operator.exportTransactions',
      subjectKind: 'installation',
      subjectId: 'installation',
      // A person reads the log: the company by its name.
      detail: { filter: { ...filter, company }, count },
    });
  });
  return csvOf({
    database,
    companyId: session.companyId,
    locale,
    now: context.clock.now(),
    most: operatorExportMost,
    columns,
    async read(tx, after) {
      const found = await findTransactions(tx, filter, order, after, csvBatchRows);
      return { found, rows: await readRows(tx, found) };
    },
    cells: (row) => ({
      ...cellsOf(row, locale),
      company: row.company,
      acceleratedQuantity: row.accelerated ? formatAmount(BigInt(row.accelerated.quantityMinor), row.decimals) : '',
      acceleratedHash: row.accelerated?.hash ?? '',
      stage: translate(locale, `transaction.stage.${row.stage}`),
      valueUsd: row.valueUsdCents === null ? '' : formatUsd(row.valueUsdCents),
    }),
  });
}
