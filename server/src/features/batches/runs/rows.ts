import type { BatchRunContent } from '@causeway/contract/batch-runs.ts';
import { duplicateDays, type RunFinding, runFindings } from '@causeway/contract/batch-runs-rules.ts';
import { formatAmount, sayAmount } from '@causeway/contract/money.ts';
import { type Outcome, outcomeOf } from '../../../platform/batching.ts';
import { type Tx, together } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { refusal } from '../../ledger/index.ts';
import type { Joined } from '../../outgoing/index.ts';
import { findAlikeAmong } from '../../payees/index.ts';
import { preparePayouts } from '../../payments/index.ts';
import { type PreparedTransfer, prepareTransfers } from '../../transfers/index.ts';
import { type BatchHead, type Finding, type OpenRow, readPaidBefore, readPaidLately } from '../store/runs.ts';
import { medianOf, outlierOf, rankOf, runDigest, transactionIdOf } from './domain.ts';
import type { RowKinds } from './ports.ts';

/** What the rows of a run are: payments that lack nothing but the run's proof. */

export type RowsContext = Pick<SignedInContext, 'session' | 'clock'> & { rows: RowKinds };

export type PreparedRow = Joined['payments'][number] & { network?: PreparedTransfer['network'] };

/** A row with what it would be submitted as, or why it would be refused. */
export interface ReadRow {
  row: OpenRow;
  outcome: Outcome<PreparedRow>;
}

/** A row that says in full whom it pays, how much, and out of which wallet. */
type Whole = OpenRow & { walletId: string; payeeId: string; amountMinor: bigint; decimals: number; isAtBank: boolean };

function isWhole(row: OpenRow): row is Whole {
  return (
    !row.isWrong && row.walletId !== null && row.payeeId !== null && row.amountMinor !== null && row.decimals !== null
  );
}

/** Prepares the rows of a run, each as if it were the only one, at the fees in force. */
export async function prepareRows(
  tx: Tx,
  context: RowsContext,
  runId: string,
  rows: readonly OpenRow[],
): Promise<ReadRow[]> {
  const { session, clock } = context;
  const whole = rows.filter(isWhole);
  const common = ({ id, walletId, payeeId, amountMinor, decimals, terms }: Whole) => ({
    id: transactionIdOf(runId, id),
    walletId,
    payeeId,
    amount: formatAmount(amountMinor, decimals),
    fee: null,
    ...(terms.notes === undefined ? {} : { notes: terms.notes }),
    ...(terms.invoiceNumber === undefined ? {} : { invoiceNumber: terms.invoiceNumber }),
    ...(terms.category === undefined ? {} : { category: terms.category }),
  });
  const [onChain, atBank] = [whole.filter(({ isAtBank }) => !isAtBank), whole.filter(({ isAtBank }) => isAtBank)];
  const [transfers, payouts] = await together([
    prepareTransfers(
      tx,
      { session, clock, ...context.rows.transfers },
      onChain.map((row) => ({
        ...common(row),
        ...(row.terms.feeLevel === undefined ? {} : { feeLevel: row.terms.feeLevel }),
      })),
    ),
    preparePayouts(
      tx,
      { session, clock, ...context.rows.payouts },
      atBank.map((row) => ({
        ...common(row),
        form: 'payment' as const,
        // Without one it is refused: the account that was meant is not known.
        versionId: row.versionId ?? row.payeeId,
        ...(row.terms.charges === undefined ? {} : { charges: row.terms.charges }),
        ...(row.terms.purpose === undefined ? {} : { purpose: row.terms.purpose as never }),
        ...(row.terms.remittance === undefined ? {} : { remittance: row.terms.remittance }),
      })),
    ),
  ]);
  const outcomes = new Map<string, Outcome<PreparedRow>>([
    ...onChain.map(({ id }, place) => [id, found(transfers[place])] as const),
    ...atBank.map(({ id }, place) => [id, found(payouts[place])] as const),
  ]);
  return rows.map((row) => ({
    row,
    outcome: outcomes.get(row.id) ?? outcomeOf(() => refuseWrong()),
  }));
}

function found<T>(outcome: T | undefined): T {
  invariant(outcome, 'each row was prepared');
  return outcome;
}

function refuseWrong(): never {
  throw new DomainError('batchRowsWrong');
}

/** Sums of fees by asset, in minor units. */
function feesOf(payments: readonly PreparedRow[]): Map<string, { minor: bigint; decimals: number }> {
  const fees = new Map<string, { minor: bigint; decimals: number }>();
  for (const { payment } of payments) {
    const { coin, decimals, feeMinor } = payment;
    fees.set(coin, { minor: (fees.get(coin)?.minor ?? 0n) + feeMinor, decimals });
  }
  return fees;
}

/** @throws DomainError batchFeesChanged where a sum is more than the person saw */
export function refuseHigherFees(payments: readonly PreparedRow[], seen: BatchRunContent['fees']): void {
  const said = new Map(seen.map(({ asset, amount }) => [asset, amount]));
  for (const [coin, { minor, decimals }] of feesOf(payments)) {
    if (minor > minorOf(said.get(coin) ?? '0', decimals)) {
      throw refusal('batchFeesChanged', { fee: sayAmount(minor, decimals), coin }, 'fees');
    }
  }
}

/** What is beyond the asset's decimals does not count: it is less than a minor unit. */
function minorOf(amount: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}

/** A run's rows as payments, in order. @throws DomainError batchRowsRefused, naming the first */
export function allOf(rows: readonly ReadRow[], say: (error: DomainError) => string): PreparedRow[] {
  const refused = rows.flatMap(({ row, outcome }) =>
    'refused' in outcome ? [{ number: row.number, error: outcome.refused }] : [],
  );
  const [first] = refused;
  if (first) {
    if (!(first.error instanceof DomainError)) throw first.error;
    throw new DomainError('batchRowsRefused', {
      count: refused.length,
      number: first.number,
      reason: say(first.error),
    });
  }
  return rows.flatMap(({ outcome }) => ('answer' in outcome ? [outcome.answer] : []));
}

export function digestOf(
  companyId: string,
  run: { id: string; batch: Pick<BatchHead, 'id' | 'fileHash'> },
  rows: readonly OpenRow[],
  payments: readonly PreparedRow[],
): string {
  return runDigest({
    companyId,
    runId: run.id,
    batchId: run.batch.id,
    fileHash: run.batch.fileHash,
    rows: payments.map(({ payment: { id, digest } }, place) => ({
      rowId: found(rows[place]).id,
      transactionId: id,
      digest,
    })),
  });
}

/** What findings are read from: what the payees of rows were paid before, and which other payees they look like. */
export type KnownPayees = Awaited<ReturnType<typeof readKnownPayees>>;

/** Of all payees that the rows name, in one round trip; to be issued with what prepares the rows. */
export function readKnownPayees(tx: Tx, rows: readonly OpenRow[]) {
  const payeeIds = [...new Set(rows.flatMap(({ payeeId }) => payeeId ?? []))];
  return together([
    readPaidBefore(tx, payeeIds),
    readPaidLately(tx, payeeIds, duplicateDays),
    findAlikeAmong(tx, payeeIds),
  ]);
}

/** What a person should look at, by the row's id. */
export function findingsOf(
  rows: readonly ReadRow[],
  [paidBefore, paidLately, lookAlikes]: KnownPayees,
): ReadonlyMap<string, Finding[]> {
  const prepared = rows.flatMap(({ row, outcome }) =>
    'answer' in outcome ? [{ row, payment: outcome.answer.payment }] : [],
  );
  const before = new Map(paidBefore.map((paid) => [`${paid.payeeId} ${paid.asset}`, paid] as const));
  const lately: ReadonlyMap<string, Date> = new Map(
    paidLately.map(
      ({ payeeId, asset, amountMinor, lastAt }) => [`${payeeId} ${asset} ${amountMinor}`, lastAt] as const,
    ),
  );
  const alike = new Map(lookAlikes.map(({ payeeId, by, label }) => [payeeId, { by, label }] as const));
  const paidAtAll = new Set([...before.values()].map(({ payeeId }) => payeeId));
  const amounts = Map.groupBy(prepared, ({ payment }) => payment.coin);
  const medians = new Map(
    [...amounts].map(([coin, of]) => {
      const all = of.map(({ payment }) => payment.amountMinor);
      return [coin, { count: all.length, medianMinor: medianOf(all) }];
    }),
  );
  const seen = new Map<string, number>();
  return new Map(
    prepared.map(({ row, payment }) => {
      const { coin, amountMinor, payee } = payment;
      const same = `${payee.id} ${coin} ${amountMinor}`;
      const twin = seen.get(same);
      if (twin === undefined) seen.set(same, row.number);
      const paid = before.get(`${payee.id} ${coin}`) ?? { count: 0, medianMinor: null };
      const of = medians.get(coin) ?? { count: 0, medianMinor: null };
      const lastAt = lately.get(same);
      const other = alike.get(payee.id);
      const outlier = outlierOf(amountMinor, paid, of);
      const found: Partial<Record<RunFinding, Finding['blanks']>> = {
        ...(payee.changedUntil ? { changedAccount: {} } : {}),
        ...(other ? { lookAlike: other } : {}),
        ...(paidAtAll.has(payee.id) ? {} : { newPayee: {} }),
        ...(twin !== undefined || lastAt
          ? { duplicate: twin === undefined ? { at: lastAt?.toISOString() ?? '' } : { number: String(twin) } }
          : {}),
        ...(outlier ? { outlier: { of: outlier } } : {}),
        ...(row.earlier.length > 0 ? { sentAgain: {} } : {}),
      };
      return [row.id, runFindings.flatMap((kind) => (found[kind] ? [{ kind, blanks: found[kind] }] : []))];
    }),
  );
}

export { rankOf };
