import type { CodeMethod } from '@causeway/contract/identity.ts';
import { formatAmount, parseAmount } from '@causeway/contract/money.ts';
import type { TradeDetail } from '@causeway/contract/trades.ts';
import type { FeeLevel } from '@causeway/contract/transfers-rules.ts';
import type { Checked, FieldProblem } from '../../ui/form-state.ts';
import { plain } from '../transfers/index.ts';

/** What the dialogs of a trade compute; amounts are plain decimal texts in whole units. */

type Figures = Pick<TradeDetail, 'decimals' | 'quantity' | 'refunded' | 'paid' | 'paying' | 'frozen' | 'available'>;

function minorOf(amount: string | null, decimals: number): bigint {
  const read = parseAmount(amount ?? '0', decimals);
  return read.ok ? read.minor : 0n;
}

/** What is missing to confirm; null: nothing. */
export function lackingOf({
  available,
  quantity,
  decimals,
}: Pick<Figures, 'available' | 'quantity' | 'decimals'>): string | null {
  const lacking = minorOf(quantity, decimals) - minorOf(available, decimals);
  return lacking > 0n ? formatAmount(lacking, decimals) : null;
}

/** What can still be paid to the seller. */
export function payable({ quantity, refunded, paid, paying, decimals }: Figures): string {
  const of = (amount: string | null) => minorOf(amount, decimals);
  return formatAmount(of(quantity) - of(refunded) - of(paid) - of(paying), decimals);
}

/** What was paid to the seller beyond what the trade owes; null: nothing. Only a payment that had failed and was made after all brings it about. */
export function overpaidOf({
  quantity,
  refunded,
  paid,
  decimals,
}: Pick<Figures, 'quantity' | 'refunded' | 'paid' | 'decimals'>): string | null {
  const over = minorOf(paid, decimals) + minorOf(refunded, decimals) - minorOf(quantity, decimals);
  return over > 0n ? formatAmount(over, decimals) : null;
}

export interface ReleaseValues {
  /** Empty: an amount of no milestone. */
  milestoneId: string;
  amount: string;
  feeLevel: FeeLevel;
  codeMethod: CodeMethod;
  code: string;
}

/** What a code is asked for: everything but the code. */
export interface ReadyRelease {
  amount: string;
  milestoneId: string | null;
  fee: string;
}

export function checkContent(
  { amount, milestoneId }: Pick<ReleaseValues, 'amount' | 'milestoneId'>,
  trade: Figures,
  fee: string | null,
): Checked<ReadyRelease> {
  const problems: FieldProblem[] = [];
  const refuse = (message: string) => problems.push({ path: ['amount'], message });
  const { decimals } = trade;
  const typed = plain(amount);
  const read = parseAmount(typed, decimals);
  if (amount === '' || !read.ok || read.minor === 0n) refuse('field.required');
  else if (read.minor > minorOf(payable(trade), decimals)) refuse('trades.release.tooMuch');
  else if (fee === null) refuse('trades.release.feeUnknown');
  else if (read.minor + minorOf(fee, decimals) - fromEscrow(read.minor, trade) > minorOf(trade.available, decimals)) {
    refuse('trades.release.feeNotCovered');
  }
  if (problems.length > 0 || fee === null) return { ok: false, problems };
  return { ok: true, values: { amount: typed, milestoneId: milestoneId === '' ? null : milestoneId, fee } };
}

/** The rest of a payment that failed came back to what is available. */
function fromEscrow(amountMinor: bigint, { frozen, decimals }: Figures): bigint {
  const frozenMinor = minorOf(frozen, decimals);
  return amountMinor < frozenMinor ? amountMinor : frozenMinor;
}
