import { batchRunContent } from '@causeway/contract/batch-runs.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import * as z from 'zod/mini';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { fieldMessages } from '../../../platform/http/call-input.ts';
import type { Session } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { ChainFamilies } from '../../chains/index.ts';
import type { CodeFact } from '../../identity/index.ts';
import { findHead, readOpenRows } from '../store/runs.ts';
import { createRowKinds } from './ports.ts';
import { allOf, digestOf, type PreparedRow, prepareRows, refuseHigherFees } from './rows.ts';
import { refuseUnready } from './submit.ts';

/**
 * What a code for a run is bound to, and the facts that its mail repeats, in the reader's language.
 * @throws DomainError validationFailed, batchNotFound, batchChanged, batchNothingToSend, batchRowsWrong, batchRowsRefused, batchFeesChanged
 */
export function describeRun(families: ChainFamilies, clock: Clock) {
  const rowKinds = createRowKinds(families);
  return async (
    tx: Tx,
    session: Session,
    content: Record<string, unknown>,
    locale: Locale,
  ): Promise<{ digest: string; facts: CodeFact[] }> => {
    const parsed = z.safeParse(batchRunContent, content);
    if (!parsed.success) throw new DomainError('validationFailed', {}, fieldMessages(parsed.error, content));
    const { id, batchId, version, rows: expected, fees } = parsed.data;
    const batch = await findHead(tx, batchId);
    if (!batch || batch.isDiscarded) throw new DomainError('batchNotFound');
    if (batch.version !== version) throw new DomainError('batchChanged');
    const rows = await readOpenRows(tx, batchId);
    refuseUnready(rows, expected);
    const read = await prepareRows(tx, { session, clock, rows: rowKinds }, id, rows);
    const payments = allOf(read, (error) => translate(locale, `error.${error.key}`, error.details));
    refuseHigherFees(payments, fees);
    const label = (name: string) => translate(locale, `batches.codeFact.${name}`);
    const totals = totalsOf(payments).join(', ');
    return {
      digest: digestOf(session.companyId, { id, batch }, rows, payments),
      facts: [
        { label: label('batch'), value: batch.name, headline: batch.name },
        {
          label: label('rows'),
          value: String(rows.length),
          headline: translate(locale, 'batches.rows', { count: rows.length }),
        },
        { label: label('totals'), value: totals, headline: totals },
      ],
    };
  };
}

/** "12,000.00 USDT", for each asset. */
function totalsOf(payments: readonly PreparedRow[]): string[] {
  const sums = new Map<string, { minor: bigint; decimals: number }>();
  for (const { payment } of payments) {
    const { coin, decimals, amountMinor } = payment;
    sums.set(coin, { minor: (sums.get(coin)?.minor ?? 0n) + amountMinor, decimals });
  }
  return [...sums].map(([coin, { minor, decimals }]) => `${sayAmount(minor, decimals)} ${coin}`);
}
