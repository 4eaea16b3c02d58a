import type { BatchCheck, CheckedRow, checkBatch } from '@causeway/contract/batch-runs.ts';
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
import { nameWallets } from '../../wallets/index.ts';
import { findHead, readOpenRows } from '../store/runs.ts';
import type { RunPorts } from './ports.ts';
import { findingsOf, type PreparedRow, prepareRows, readKnownPayees } from './rows.ts';
import { asTotal, sayFinding } from './view.ts';

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
  const timeZone = await findTimeZone(tx);
  const items = read.map(({ row, outcome }): CheckedRow => {
    const payment = 'answer' in outcome ? outcome.answer.payment : null;
    const { amountMinor, decimals, asset } = row;
    const refused = refusals.get(row.id);
    return {
      id: row.id,
      number: row.number,
      payee: payment?.payee.name ?? null,
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
    totals: totalsOf(payments),
    valueUsd: isWhole ? formatAmount(valueUsdCents, 2) : null,
    wallets: await walletsOf(tx, context, payments),
    review: isWhole ? { ...(await foreseeRouting(tx, context, valueUsdCents)), codeRecipient } : null,
    items,
  };
}

function totalsOf(payments: readonly PreparedRow[]): BatchCheck['totals'] {
  return [...Map.groupBy(payments, ({ payment }) => payment.coin)].map(([asset, of]) => asTotal(sumOf(asset, of)));
}

function sumOf(asset: string, of: readonly PreparedRow[]) {
  return {
    asset,
    decimals: of[0]?.payment.decimals ?? 0,
    rows: of.length,
    amountMinor: of.reduce((sum, { payment }) => sum + payment.amountMinor, 0n),
    feeMinor: of.reduce((sum, { payment }) => sum + payment.feeMinor, 0n),
  };
}

/** What each paying wallet has, and has left. */
async function walletsOf(
  tx: Tx,
  { locale }: SignedInContext,
  payments: readonly PreparedRow[],
): Promise<BatchCheck['wallets']> {
  const byWallet = [...Map.groupBy(payments, ({ payment }) => payment.walletId)];
  const names = await nameWallets(tx, locale);
  return byWallet.map(([walletId, of]) => {
    const [first] = of;
    const { coin = '', decimals = 0, available } = first?.payment ?? {};
    const sum = sumOf(coin, of);
    const availableMinor = available?.balanceMinor ?? 0n;
    const leftMinor = availableMinor - sum.amountMinor - sum.feeMinor;
    const say = (minor: bigint) => formatAmount(minor, decimals);
    return {
      ...asTotal(sum),
      walletId,
      place: names.get(walletId)?.place ?? '',
      available: say(availableMinor),
      left: leftMinor < 0n ? `-${say(-leftMinor)}` : say(leftMinor),
      covered: leftMinor >= 0n,
    };
  });
}
