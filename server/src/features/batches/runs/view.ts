import type { RunRow as RunRowShown, RunTotal } from '@causeway/contract/batch-runs.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { dayOf, sayDay } from '../../../platform/text/instant.ts';
import { hasText, translate } from '../../../platform/text/texts.ts';
import type { EntryRow, Finding } from '../store/runs.ts';

/** How runs and their rows are shown to a reader. */

export function asTotal({
  asset,
  decimals,
  rows,
  amountMinor,
  feeMinor,
}: {
  asset: string;
  decimals: number;
  rows: number;
  amountMinor: bigint;
  feeMinor: bigint;
}): RunTotal {
  return { asset, decimals, rows, amount: formatAmount(amountMinor, decimals), fee: formatAmount(feeMinor, decimals) };
}

/** `timeZone` (IANA) is the company's, by which days are said. */
export function asRunRow(row: EntryRow, locale: Locale, timeZone: string): RunRowShown {
  const { id, number, transactionId, payee, account, asset, decimals, status, stage, reason, paidTwice } = row;
  return {
    id,
    number,
    transactionId,
    payee,
    account,
    asset,
    decimals,
    amount: formatAmount(row.amountMinor, decimals),
    fee: formatAmount(row.feeMinor, decimals),
    status,
    stage,
    reason: reason && translate(locale, hasText(locale, reason) ? reason : 'stage.reason.other'),
    paidTwice,
    findings: row.findings.map((finding) => ({ kind: finding.kind, text: sayFinding(finding, locale, timeZone) })),
  };
}

export function sayFinding({ kind, blanks }: Finding, locale: Locale, timeZone: string): string {
  if (kind === 'lookAlike') {
    const { by, label = '' } = blanks;
    return translate(locale, `batches.finding.lookAlike.${by === 'name' ? 'name' : 'address'}`, { label });
  }
  // Runs of before did not keep what it was compared with.
  if (kind === 'outlier' && blanks['of'] !== undefined) {
    return translate(locale, `batches.finding.outlier.${blanks['of'] === 'payee' ? 'payee' : 'batch'}`);
  }
  if (kind !== 'duplicate') return translate(locale, `batches.finding.${kind}`);
  const { number, at = '' } = blanks;
  if (number !== undefined) return translate(locale, 'batches.finding.duplicateInBatch', { number });
  const day = sayDay(dayOf({ at, timeZone }), locale);
  return translate(locale, 'batches.finding.duplicate', { day });
}
