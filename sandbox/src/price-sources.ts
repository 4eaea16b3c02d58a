import { setTimeout as delay } from 'node:timers/promises';

/**
 * What four sources of prices answer, each in its own protocol, and how they misbehave when told to. Beside what the true exchanges quote,
 * these have HKDT and every currency, so that each asset of the sandbox has two sources.
 */

export const PRICE_SOURCES = ['coingecko', 'kraken', 'bitstamp', 'ecb'] as const;
export type PriceSourceName = (typeof PRICE_SOURCES)[number];

/**
 * down: 503. late: after `delayMs`. crossed: the bid is above the ask. zero, negative: its prices are. lagging: its time is an hour ago, a
 * month at the ECB. ahead: an hour from now. lying: prices times `factor`. garbage: figures that are none. huge: two megabytes. moved: a redirect.
 */
export const CONDUCTS = [
  'ok',
  'down',
  'late',
  'crossed',
  'zero',
  'negative',
  'lagging',
  'ahead',
  'lying',
  'garbage',
  'huge',
  'moved',
] as const;
export type SourceConduct = {
  mode: (typeof CONDUCTS)[number];
  /** Of a lie; default 1.5. */
  factor?: number;
  /** Of a late answer; default 15,000. */
  delayMs?: number;
};

export type SourceAnswer = { status: number; body: unknown; headers?: Record<string, string> };

export type Quotes = {
  /** US dollars per whole unit, by asset. */
  dollars: Record<string, number>;
  /** The same by CoinGecko's names of coins. */
  coins: Record<string, number>;
  /** Seconds since 1970. */
  updatedAt: number;
};

/** What one US dollar costs in each currency. The Hong Kong dollar's peg has the band 7.75 to 7.85. */
export const PER_USD: Readonly<Record<string, number>> = {
  aud: 1.53,
  cad: 1.4,
  cny: 7.11,
  eur: 0.865,
  gbp: 0.76,
  hkd: 7.79,
  jpy: 154.3,
  nzd: 1.76,
  sgd: 1.3,
  usd: 1,
};

/** By Kraken's name of the pair; another name by which it can be asked for; base and quote. */
const KRAKEN_PAIRS: Readonly<Record<string, { asked: string; base: string; quote: string }>> = {
  XXBTZUSD: { asked: 'XBTUSD', base: 'BTC', quote: 'USD' },
  XETHZUSD: { asked: 'ETHUSD', base: 'ETH', quote: 'USD' },
  USDTZUSD: { asked: 'USDTUSD', base: 'USDT', quote: 'USD' },
  USDCUSD: { asked: 'USDCUSD', base: 'USDC', quote: 'USD' },
  HKDTUSD: { asked: 'HKDTUSD', base: 'HKDT', quote: 'USD' },
  ZEURZUSD: { asked: 'EURUSD', base: 'EUR', quote: 'USD' },
  ZGBPZUSD: { asked: 'GBPUSD', base: 'GBP', quote: 'USD' },
  AUDUSD: { asked: 'AUDUSD', base: 'AUD', quote: 'USD' },
  NZDUSD: { asked: 'NZDUSD', base: 'NZD', quote: 'USD' },
  ZUSDZCAD: { asked: 'USDCAD', base: 'USD', quote: 'CAD' },
  ZUSDZJPY: { asked: 'USDJPY', base: 'USD', quote: 'JPY' },
  USDHKD: { asked: 'USDHKD', base: 'USD', quote: 'HKD' },
  USDSGD: { asked: 'USDSGD', base: 'USD', quote: 'SGD' },
  USDCNY: { asked: 'USDCNY', base: 'USD', quote: 'CNY' },
};
const BITSTAMP_PAIRS = ['BTC/USD', 'ETH/USD', 'USDT/USD', 'USDC/USD', 'HKDT/USD', 'EUR/USD', 'GBP/USD', 'EUR/GBP'];

/** The sandbox's configuration of sources (PRICE_SOURCES_FILE): all that they quote. */
export function priceSourcesConfig(url: string): Record<string, unknown> {
  const kraken = Object.entries(KRAKEN_PAIRS).map(([name, { base, quote }]) => [name, `${base}/${quote}`]);
  return {
    kraken: { url, pairs: Object.fromEntries(kraken) },
    bitstamp: { url, pairs: Object.fromEntries(BITSTAMP_PAIRS.map((pair) => [pair, pair])) },
    ecb: { url: `${url}/stats/eurofxref/eurofxref-daily.xml` },
  };
}

const PATHS: Readonly<Record<string, PriceSourceName>> = {
  '/api/v3/simple/price': 'coingecko',
  '/0/public/Ticker': 'kraken',
  '/api/v2/ticker/': 'bitstamp',
  '/stats/eurofxref/eurofxref-daily.xml': 'ecb',
};

export function sourceOf({ pathname }: URL): PriceSourceName | undefined {
  return PATHS[pathname];
}

/** What a source answers to a request that is for it. */
export async function answerOf(
  source: PriceSourceName,
  url: URL,
  quotes: Quotes,
  conduct: SourceConduct,
): Promise<SourceAnswer> {
  const { mode, delayMs = 15_000 } = conduct;
  if (mode === 'down') return { status: 503, body: { error: 'service unavailable' } };
  if (mode === 'huge') return { status: 200, body: ' '.repeat(2_000_000) };
  if (mode === 'moved') return { status: 302, body: '', headers: { location: `${url.pathname}${url.search}` } };
  if (mode === 'late') await delay(delayMs);
  const off = { lagging: -3600, ahead: 3600 }[mode as string] ?? 0;
  const said = { ...quotes, updatedAt: quotes.updatedAt + off };
  if (source === 'coingecko') return coinGecko(url, said, conduct);
  if (source === 'kraken') return kraken(url, said, conduct, off);
  return source === 'bitstamp' ? bitstamp(said, conduct) : ecb(said, conduct);
}

/** A price as the source in this mode says it. */
function told(price: number, { mode, factor = 1.5 }: SourceConduct): number | string {
  if (mode === 'garbage') return 'n/a';
  if (mode === 'zero') return 0;
  if (mode === 'negative') return -round(price);
  return round(mode === 'lying' ? price * factor : price);
}

function round(price: number): number {
  return Number(price.toPrecision(8));
}

/** Bid and ask about a price: two basis points apart, and three the wrong way round where they are crossed. */
function bidAndAsk(price: number, conduct: SourceConduct): { bid: string; ask: string } {
  const half = conduct.mode === 'crossed' ? -0.00015 : 0.0001;
  const written = (value: number) => {
    const said = told(value, conduct);
    return typeof said === 'number' ? said.toFixed(10) : said;
  };
  return { bid: written(price * (1 - half)), ask: written(price * (1 + half)) };
}

/** A pair's price; a lie is one about the asset that is not the dollar. */
function pairPrice({ dollars }: Quotes, base: string, quote: string): number {
  return (dollars[base] ?? Number.NaN) / (dollars[quote] ?? Number.NaN);
}

function coinGecko(url: URL, { coins, updatedAt }: Quotes, conduct: SourceConduct): SourceAnswer {
  const ids = list(url, 'ids');
  const currencies = list(url, 'vs_currencies');
  if (ids.length === 0) return { status: 422, body: { error: 'Missing parameter ids' } };
  if (currencies.length === 0) return { status: 422, body: { error: 'Missing parameter vs_currencies' } };
  const withTime = url.searchParams.get('include_last_updated_at') === 'true';
  const entries = ids.flatMap((id) => {
    const usd = coins[id];
    if (usd === undefined) return [];
    const prices = currencies.flatMap((currency): [string, number | string][] => {
      const perUsd = PER_USD[currency];
      if (perUsd === undefined) return [];
      // Currencies follow from the dollar's figure, so that a lie about it is one about them too.
      return [[currency, currency === 'usd' ? told(usd, conduct) : round(usd * perUsd)]];
    });
    return [[id, { ...Object.fromEntries(prices), ...(withTime ? { last_updated_at: updatedAt } : {}) }] as const];
  });
  return { status: 200, body: Object.fromEntries(entries) };
}

function kraken(url: URL, quotes: Quotes, conduct: SourceConduct, off_s: number): SourceAnswer {
  const asked = list(url, 'pair').map((name) => name.toUpperCase());
  const pairs = Object.entries(KRAKEN_PAIRS);
  const found = asked.flatMap((name) => pairs.filter(([own, pair]) => own === name || pair.asked === name));
  const headers = off_s === 0 ? {} : { date: new Date(Date.now() + off_s * 1000).toUTCString() };
  if (found.length < asked.length) return { status: 200, body: { error: ['EQuery:Unknown asset pair'] }, headers };
  const result = found.map(([name, { base, quote }]) => {
    const price = pairPrice(quotes, base, quote);
    const { bid, ask } = bidAndAsk(price, conduct);
    const last = price.toFixed(10);
    const twice = [last, last];
    const ticker = {
      a: [ask, '1', '1.000'],
      b: [bid, '1', '1.000'],
      c: [last, '0.5'],
      v: ['10.5', '120.25'],
      p: twice,
    };
    return [name, { ...ticker, t: [120, 1400], l: twice, h: twice, o: last }];
  });
  return { status: 200, body: { error: [], result: Object.fromEntries(result) }, headers };
}

function bitstamp(quotes: Quotes, conduct: SourceConduct): SourceAnswer {
  const body = BITSTAMP_PAIRS.map((pair) => {
    const [base = '', quote = ''] = pair.split('/');
    // Another exchange, another price: a basis point lower.
    const price = pairPrice(quotes, base, quote) * 0.9999;
    const last = price.toFixed(10);
    const day = { open: last, high: last, low: last, last, volume: '120.25', vwap: last, side: '0', open_24: last };
    const about = { timestamp: String(quotes.updatedAt), percent_change_24: '0.00', pair, market_type: 'SPOT' };
    return { ...day, ...about, ...bidAndAsk(price, conduct) };
  });
  return { status: 200, body };
}

function ecb({ dollars }: Quotes, conduct: SourceConduct): SourceAnswer {
  const daysAgo = { lagging: 30, ahead: -30 }[conduct.mode as string] ?? 0;
  const day = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const usdPerEuro = dollars['EUR'] ?? Number.NaN;
  const others = Object.keys(PER_USD).filter((code) => code !== 'eur');
  const cubes = others.map((code) => {
    const rate = told(usdPerEuro * (PER_USD[code] ?? Number.NaN), conduct);
    return `\t\t\t<Cube currency='${code.toUpperCase()}' rate='${rate}'/>`;
  });
  const doctype = conduct.mode === 'garbage' ? '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>' : '';
  const body = `<?xml version="1.0" encoding="UTF-8"?>
${doctype}<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>
\t\t<gesmes:name>European Central Bank</gesmes:name>
\t</gesmes:Sender>
\t<Cube>
\t\t<Cube time='${day}'>
${cubes.join('\n')}
\t\t</Cube>
\t</Cube>
</gesmes:Envelope>
`;
  return { status: 200, body, headers: { 'content-type': 'text/xml' } };
}

function list(url: URL, name: string): string[] {
  return (url.searchParams.get(name) ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '');
}
