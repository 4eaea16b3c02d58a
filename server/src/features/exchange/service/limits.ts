import { sayAmount } from '@causeway/contract/money.ts';
import { refusal } from '../../ledger/index.ts';
import type { Side } from '../store/sides.ts';

/**
 * The operator's limits on what is exchanged, and the balance; the limit on a day is looked at with risk.
 * @throws DomainError amountBelowMinimum, amountAboveTransferLimit, amountAboveBalanceMinusFee
 */
export function checkAmount(sell: Side, { soldMinor, feeMinor }: { soldMinor: bigint; feeMinor: bigint }): void {
  const { asset: coin, decimals, minimumMinor, transferLimitMinor, availableMinor } = sell;
  const say = (minor: bigint) => sayAmount(minor, decimals);
  if (soldMinor <= minimumMinor) throw refusal('amountBelowMinimum', { minimum: say(minimumMinor), coin }, 'amount');
  if (transferLimitMinor !== null && soldMinor > transferLimitMinor) {
    throw refusal('amountAboveTransferLimit', { limit: say(transferLimitMinor), coin }, 'amount');
  }
  if (soldMinor + feeMinor > availableMinor) {
    const most = availableMinor > feeMinor ? availableMinor - feeMinor : 0n;
    throw refusal('amountAboveBalanceMinusFee', { most: say(most), coin }, 'amount');
  }
}
