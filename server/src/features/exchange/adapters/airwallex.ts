import { Decimal } from 'decimal.js';
import * as z from 'zod';
import type { AirwallexConfig } from '../../../platform/config/liquidity.ts';
import { type BankApi, BankApiError, createBankApi } from '../../banks/index.ts';
import { priceDigits } from '../hedging/domain.ts';
import { type OrderToPlace, type Venue, VenueError, type VenueOrder } from '../hedging/venue.ts';

/**
 * Airwallex FX as a venue: a currency is exchanged for the counter-currency at a quote that holds for a minute, under our own id (`request_id`). A conversion is all or
 * nothing: one order, one fill, and never anything that we cancel. Booked is not yet settled (SCHEDULED, OVERDUE): it can still be cancelled there, so that the order stays
 * open, with no fill, until it is SETTLED or CANCELLED.
 */

const number = z.string().regex(/^\d+(\.\d+)?$/);
const quote = z.object({
  quote_id: z.string().min(1),
  buy_amount: number,
  sell_amount: number,
  valid_to_at: z.string().nullish(),
});
const conversion = z.object({
  conversion_id: z.string().min(1),
  request_id: z.string(),
  status: z.string(),
  buy_currency: z.string(),
  buy_amount: number,
  sell_currency: z.string(),
  sell_amount: number,
  created_at: z.string(),
});
type Conversion = z.output<typeof conversion>;
const page = z.object({ items: z.array(conversion) });
const balances = z.array(z.object({ currency: z.string(), available_amount: z.string().regex(/^-?\d+(\.\d+)?$/) }));

/** The decimals of its currencies (ISO 4217). */
const withoutMinor = new Set(['JPY', 'KRW', 'VND', 'IDR']);
/** Its API takes no conversion below ten US dollars. */
const leastUsd = '10';
/** A quote that is made at the deadline is good for a minute; another one for its books, and clocks that differ. */
const settleMs = 120_000;

export function createAirwallex(config: AirwallexConfig): Venue {
  const { venue: id, currencies, counter } = config;
  const api = createBankApi({
    url: config.url,
    clientId: config.clientId,
    apiKeyFile: config.apiKeyFile,
    timeoutMs: config.timeoutMs,
  });
  return {
    id,
    assets: currencies,
    settleMs,
    async marketOf(asset) {
      return {
        pair: `${asset}${counter}`,
        asset,
        counter,
        quantityDecimals: withoutMinor.has(asset) ? 0 : 2,
        priceDecimals: null,
        leastQuantity: withoutMinor.has(asset) ? '1' : '0.01',
        leastCost: leastUsd,
      };
    },
    place: (order) => told(() => convert(api, order)),
    find: (order) => told(() => findConversion(api, order)),
    cancel: null,
    async balances() {
      const given = await told(() => api.get('/api/v1/balances/current', balances));
      const of = (currency: string) => given.find((one) => one.currency === currency)?.available_amount ?? '0';
      return Object.fromEntries([...currencies, counter].map((currency) => [currency, of(currency)]));
    },
  };
}

/** A price that is worse than the limit is not taken: nothing has been exchanged then. */
async function convert(
  api: BankApi,
  { id, asset, counter, side, quantity, limitPrice, deadline }: OrderToPlace,
): Promise<string> {
  const parties =
    side === 'sell'
      ? { sell_currency: asset, buy_currency: counter, sell_amount: quantity }
      : { buy_currency: asset, sell_currency: counter, buy_amount: quantity };
  const given = await api
    .post('/api/v1/fx/quotes/create', quote, exactly({ ...parties, validity: 'MIN_1' }))
    .catch((error: unknown) => {
      // A quote moves nothing.
      throw error instanceof BankApiError ? new VenueError('notSent', error.message) : error;
    });
  const [units, cost] = side === 'sell' ? [given.sell_amount, given.buy_amount] : [given.buy_amount, given.sell_amount];
  const isWorse =
    side === 'sell'
      ? new Decimal(cost).lt(new Decimal(units).times(limitPrice))
      : new Decimal(cost).gt(new Decimal(units).times(limitPrice));
  if (isWorse || !new Decimal(units).eq(quantity))
    throw new VenueError('notSent', `the quote is ${cost} ${counter} for ${units} ${asset}`);
  if (Date.now() > deadline.getTime()) throw new VenueError('notSent', 'the deadline has passed');
  const made = await api.post(
    '/api/v1/fx/conversions/create',
    conversion,
    exactly({ ...parties, request_id: id, quote_id: given.quote_id }),
  );
  return made.conversion_id;
}

/** Amounts as JSON numbers, digit for digit: they never pass through a double. */
function exactly(body: Readonly<Record<string, string>>): string {
  const members = Object.entries(body).map(([name, value]) => {
    const isAmount = name.endsWith('_amount') && number.safeParse(value).success;
    return `${JSON.stringify(name)}:${isAmount ? value : JSON.stringify(value)}`;
  });
  return `{${members.join(',')}}`;
}

async function findConversion(
  api: BankApi,
  { id, venueId, asset, counter }: { id: string; venueId: string | null; asset: string; counter: string },
): Promise<VenueOrder | null> {
  const found =
    venueId === null
      ? (await api.get('/api/v1/fx/conversions', page, { request_id: id })).items.find((one) => one.request_id === id)
      : await api.get(`/api/v1/fx/conversions/${encodeURIComponent(venueId)}`, conversion);
  return found ? orderOf(found, asset, counter) : null;
}

function orderOf(found: Conversion, asset: string, counter: string): VenueOrder {
  const isSale = found.sell_currency === asset;
  const [quantity, cost] = isSale ? [found.sell_amount, found.buy_amount] : [found.buy_amount, found.sell_amount];
  const { status } = found;
  // Any other status, one that is not known here as well, may still become either of the two.
  const isSettled = status === 'SETTLED';
  const at = new Date(found.created_at.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  const price = new Decimal(cost).div(quantity).toSignificantDigits(priceDigits).toFixed();
  const fill = { tradeId: found.conversion_id, quantity, price, cost, fee: '0', feeAsset: counter, at };
  return {
    venueId: found.conversion_id,
    isOpen: !isSettled && status !== 'CANCELLED',
    filled: isSettled ? quantity : '0',
    fills: isSettled ? [fill] : [],
    reason: isSettled ? null : status,
  };
}

/** What the bank's client knows of a failure, as the port says it. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof BankApiError ? new VenueError(error.outcome, error.message) : error;
  }
}
