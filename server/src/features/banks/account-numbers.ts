import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../platform/database/database.ts';

/** A currency at a bank in which companies get an account of their own. */
export interface OpenCurrency {
  bankId: string;
  asset: string;
  /** The bank gives the number itself, when it is asked; otherwise it is taken from the bank's range. */
  byBank: boolean;
}

/** Every currency that is switched on, at every bank that is and has numbers left, in one order for all. */
export async function openCurrencies(tx: PlatformTx): Promise<OpenCurrency[]> {
  const { rows } = await sql<OpenCurrency>`
    select bank_id as "bankId", asset_id as asset, opens_accounts as "byBank" from bank_asset_open order by bank_id, asset_id`.execute(
    tx,
  );
  return rows;
}

/**
 * The number of the next account below a bank's collecting accounts: the range's prefix, a counter that only rises, and a check digit.
 * Null where the range is used up. The counter's row stays locked until the transaction ends.
 */
export async function nextAccountNumber(tx: Tx, bankId: string): Promise<string | null> {
  const { rows } = await sql<{ prefix: string; number: string }>`
    update bank_account_range set next_number = next_number + 1
    where bank_id = ${bankId} and open and next_number < 10::numeric ^ digits
    returning prefix, lpad((next_number - 1)::text, digits, '0') as number`.execute(tx);
  const [next] = rows;
  if (!next) return null;
  const payload = `${next.prefix}${next.number}`;
  return `${payload}${luhn(payload)}`;
}

/** The digit that makes a number of digits hold (Luhn, ISO/IEC 7812-1): any one wrong digit and nearly every swap is noticed. */
export function luhn(payload: string): string {
  const sum = [...payload].reverse().reduce((total, digit, i) => {
    const doubled = Number(digit) * (i % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}
