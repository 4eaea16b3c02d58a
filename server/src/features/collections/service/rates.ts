import type { PlatformTx } from '../../../platform/database/database.ts';
import { findMids, rateOf } from '../../rates/index.ts';

/** A rate that may be quoted: units of the currency for one whole coin, a plain decimal. */
export interface Rate {
  coin: string;
  currency: string;
  rate: string;
  /** Since when the older of its two prices holds. */
  at: Date;
}

/** The rates of now of each coin in each currency; what has no middle price that holds is left out (docs/adr/0072-…). */
export async function ratesOf(
  tx: PlatformTx,
  coins: readonly string[],
  currencies: readonly string[],
): Promise<Rate[]> {
  const mids = await findMids(tx, [...coins, ...currencies]);
  const holding = new Map(
    mids.flatMap(({ asset, usd, at, problem }) => (problem === null ? [[asset, { usd, at }] as const] : [])),
  );
  return coins.flatMap((coin) =>
    currencies.flatMap((currency) => {
      const [from, to] = [holding.get(coin), holding.get(currency)];
      if (!from || !to) return [];
      return [{ coin, currency, rate: rateOf(from.usd, to.usd), at: from.at < to.at ? from.at : to.at }];
    }),
  );
}
