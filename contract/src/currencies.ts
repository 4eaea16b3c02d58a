/**
 * The currencies that Causeway serves: ISO 4217's code, numeric code and minor units (decimals). The database's table of assets has
 * the same rows (migration 0079); screens name a currency in the reader's language (`Intl.DisplayNames`).
 */
export const currencies = {
  AUD: { numeric: '036', decimals: 2 },
  CAD: { numeric: '124', decimals: 2 },
  CNY: { numeric: '156', decimals: 2 },
  EUR: { numeric: '978', decimals: 2 },
  GBP: { numeric: '826', decimals: 2 },
  HKD: { numeric: '344', decimals: 2 },
  JPY: { numeric: '392', decimals: 0 },
  NZD: { numeric: '554', decimals: 2 },
  SGD: { numeric: '702', decimals: 2 },
  USD: { numeric: '840', decimals: 2 },
} as const;
export type Currency = keyof typeof currencies;

export const currencyCodes = Object.keys(currencies) as Currency[];

export function isCurrency(asset: string): asset is Currency {
  return Object.hasOwn(currencies, asset);
}
