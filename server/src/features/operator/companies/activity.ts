import type { OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type * as calls from '@causeway/contract/operator-companies.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { OperatorContext } from '../../../platform/session.ts';
import { formatUsd } from '../../rates/index.ts';
import { findActivity } from './activity-store.ts';
import { lookAt } from './look.ts';

const usualDays = '30';

/** What a company moved and was charged in the last days. @throws DomainError notFound */
export async function getActivity(
  tx: Tx,
  context: OperatorContext,
  { id, days = usualDays }: Query<typeof calls.getCompanyActivity> & { id: string },
): Promise<OutputInput<typeof calls.getCompanyActivity>> {
  await lookAt(tx, context, id);
  const rows = await findActivity(tx, id, Number(days));
  const sum = (of: (row: (typeof rows)[number]) => bigint) =>
    formatUsd(rows.reduce((total, row) => total + of(row), 0n));
  const count = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    assets: rows.map((row) => ({
      asset: row.asset,
      count: row.count,
      in: formatAmount(row.inMinor, row.decimals),
      inUsd: formatUsd(row.inCents),
      out: formatAmount(row.outMinor, row.decimals),
      outUsd: formatUsd(row.outCents),
      fee: formatAmount(row.feeMinor, row.decimals),
      feeUsd: formatUsd(row.feeCents),
      unvalued: row.unvalued,
    })),
    total: {
      count: count((row) => row.count),
      inUsd: sum((row) => row.inCents),
      outUsd: sum((row) => row.outCents),
      feeUsd: sum((row) => row.feeCents),
      unvalued: count((row) => row.unvalued),
    },
  };
}
