/** Satoshis as Core writes them. */

const SATOSHIS = 100_000_000;

/** With eight decimals, as in Core's JSON. */
export function inCoins(satoshis: number): string {
  const digits = String(Math.abs(satoshis)).padStart(9, '0');
  return `${satoshis < 0 ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`;
}

/** With at least two decimals, as in Core's messages. */
export const inMessage = (satoshis: number): string => inCoins(satoshis).replace(/0{1,6}$/, '');

/** A rate of satoshis per virtual byte, as Core writes it: coins per 1,000 virtual bytes. */
export const rateInMessage = (rate: number): string => `${inCoins(Math.floor(rate * 1000))} BTC/kvB`;

/** Whole coins as a plain decimal string; null when it is none, or finer than a satoshi. */
export function satoshisOf(coins: string): number | null {
  if (!/^\d{1,8}(\.\d{1,8})?$/.test(coins)) return null;
  const [whole = '', fraction = ''] = coins.split('.');
  return Number(whole) * SATOSHIS + Number(fraction.padEnd(8, '0'));
}
