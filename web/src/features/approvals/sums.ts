import type { ApprovalTask } from '@causeway/contract/approvals.ts';
import { formatAmount, parseAmount } from '@causeway/contract/money.ts';

type Summed = Pick<ApprovalTask, 'amount' | 'coin' | 'decimals' | 'valueUsd' | 'party'>;

const usdDecimals = 2;

/** What many tasks come to: per coin, in US dollars as they were submitted (null when none has a value), and to how many payees. */
export function addAmounts(tasks: readonly Summed[]): {
  coins: { coin: string; amount: string; count: number }[];
  usd: string | null;
  payees: number;
} {
  const coins = new Map<string, { minor: bigint; decimals: number; count: number }>();
  let cents: bigint | null = null;
  for (const { amount, coin, decimals, valueUsd } of tasks) {
    if (amount !== null && coin !== null && decimals !== null) {
      const sum = coins.get(coin) ?? { minor: 0n, decimals, count: 0 };
      coins.set(coin, { decimals, minor: sum.minor + minorOf(amount, decimals), count: sum.count + 1 });
    }
    if (valueUsd !== null) cents = (cents ?? 0n) + minorOf(valueUsd, usdDecimals);
  }
  return {
    coins: [...coins].map(([coin, { minor, decimals, count }]) => ({
      coin,
      amount: formatAmount(minor, decimals),
      count,
    })),
    usd: cents === null ? null : formatAmount(cents, usdDecimals),
    payees: new Set(tasks.flatMap(({ party }) => (party ? [party.account] : []))).size,
  };
}

function minorOf(amount: string, decimals: number): bigint {
  const parsed = parseAmount(amount, decimals);
  return parsed.ok ? parsed.minor : 0n;
}
