import type { CheckedRow, checkBatch } from '@causeway/contract/batch-runs.ts';
import type { OutputInput, Params } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { type Tx, together } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { foreseeRouting } from '../../approvals/index.ts';
import { findCodeRecipients, findTimeZone } from '../../organisation/index.ts';
import { foreseeJoined, valueOfAll } from '../../outgoing/index.ts';
import { readPayeeNames } from '../store/rows.ts';
import { findHead, readOpenRows } from '../store/runs.ts';
import { askedOf, totalsOf, walletsOf } from './asked.ts';
import type { RunPorts } from './ports.ts';
import { findingsOf, prepareRows, readKnownPayees } from './rows.ts';
import { sayFinding } from './view.ts';

/**
 * What the open rows of a batch would meet, were they submitted now: by the functions that submit them. Nothing is counted or recorded. Of
 * policies and lists it says the sentence of the refusal and no more.
 * @throws DomainError batchNotFound
 */
export async function check(
  tx: Tx,
  context: SignedInContext & RunPorts,
  { id }: Params<typeof checkBatch>,
): Promise<OutputInput<typeof checkBatch>> {
  const { session, locale } = context;
  const batch = await findHead(tx, id);
  if (!batch || batch.isDiscarded) throw new DomainError('batchNotFound');
  // Under a run's id of its own, so that no transaction's earlier count is left out.
  const rows = await readOpenRows(tx, id);
  const [read, known] = await together([prepareRows(tx, context, newId(), rows), readKnownPayees(tx, rows)]);
  const passed = read.flatMap(({ row, outcome }) => ('answer' in outcome ? [{ row, payment: outcome.answer }] : []));
  const payments = passed.map(({ payment }) => payment);
  const refusals = new Map<string, DomainError>();
  for (const { row, outcome } of read) {
    if ('answer' in outcome) continue;
    if (!(outcome.refused instanceof DomainError)) throw outcome.refused;
    refusals.set(row.id, outcome.refused);
  }
  for (const { place, error } of await foreseeJoined(tx, { context, payments })) {
    const rowId = passed[place]?.row.id ?? '';
    if (!refusals.has(rowId)) refusals.set(rowId, error);
  }
  const findings = findingsOf(read, known);
  const names = refusals.size === 0 ? new Map<string, string>() : await readPayeeNames(tx, id);
  const timeZone = await findTimeZone(tx);
  const items = read.map(({ row, outcome }): CheckedRow => {
    const payment = 'answer' in outcome ? outcome.answer.payment : null;
    const { amountMinor, decimals, asset } = row;
    const refused = refusals.get(row.id);
    return {
      id: row.id,
      number: row.number,
      payee: payment?.payee.name ?? names.get(row.id) ?? null,
      asset,
      amount: amountMinor === null || decimals === null ? null : formatAmount(amountMinor, decimals),
      fee: payment && formatAmount(payment.feeMinor, payment.decimals),
      valueUsd: payment && formatAmount(payment.valueUsdCents, 2),
      findings: [
        ...(refused
          ? [
              {
                severity: 'error' as const,
                key: refused.key,
                sentence: translate(locale, `error.${refused.key}`, refused.details),
              },
            ]
          : []),
        ...(findings.get(row.id) ?? []).map((finding) => ({
          severity: 'warning' as const,
          key: finding.kind,
          sentence: sayFinding(finding, locale, timeZone),
        })),
      ],
    };
  });
  const asked = await askedOf(tx, read);
  const isWhole = payments.length === read.length && read.length > 0;
  const valueUsdCents = valueOfAll(payments);
  const [administrators = []] = await findCodeRecipients(tx, [session]);
  const codeRecipient = administrators.length > 0 ? ('administrator' as const) : ('initiator' as const);
  return {
    version: batch.version,
    number: batch.runs + 1,
    rows: read.length,
    errors: refusals.size,
    warnings: items.reduce((sum, row) => sum + row.findings.filter(({ severity }) => severity === 'warning').length, 0),
    totals: totalsOf(asked),
    valueUsd: isWhole ? formatAmount(valueUsdCents, 2) : null,
    wallets: await walletsOf(tx, context, asked),
    review: isWhole ? { ...(await foreseeRouting(tx, context, valueUsdCents)), codeRecipient } : null,
    items,
  };
}
