/** What a payment URI asks for; `amountMinor` in the coin's minor units, left open when absent. */
export interface PaymentRequest {
  /** EIP-155. */
  evmChainId: number;
  /** The receiving address, EIP-55. */
  address: string;
  /** The token's contract; null for the chain's own coin. */
  contract: string | null;
  amountMinor?: bigint;
}

/** The payment request as a URI (EIP-681): a plain payment, or a call of the token's `transfer`. */
export function paymentUri(request: PaymentRequest): string {
  const { evmChainId, address, contract, amountMinor } = request;
  if (contract === null) {
    return `ethereum:${address}@${evmChainId}${amountMinor === undefined ? '' : `?value=${amountMinor}`}`;
  }
  const amount = amountMinor === undefined ? '' : `&uint256=${amountMinor}`;
  return `ethereum:${contract}@${evmChainId}/transfer?address=${address}${amount}`;
}

/** The last `count` days up to the one of `now`, oldest first, as YYYY-MM-DD (UTC). */
export function lastDays(now: Date, count: number): string[] {
  const dayMs = 86_400_000;
  return Array.from({ length: count }, (_, i) =>
    new Date(now.getTime() - (count - 1 - i) * dayMs).toISOString().slice(0, 10),
  );
}

/** The instant at which a day (YYYY-MM-DD) is over. */
export function endOfDay(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000);
}

/** The value of some balances in cents; null when a balance that is not nothing has no price. */
export function totalValue(
  balances: readonly { coin: string; minor: bigint }[],
  priced: (coin: string, minor: bigint) => bigint | null,
): bigint | null {
  let total = 0n;
  for (const { coin, minor } of balances) {
    if (minor === 0n) continue;
    const value = priced(coin, minor);
    if (value === null) return null;
    total += value;
  }
  return total;
}
