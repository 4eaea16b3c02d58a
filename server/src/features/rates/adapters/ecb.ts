import { isCurrency } from '@causeway/contract/currencies.ts';
import { valuationCurrency } from '@causeway/contract/rates.ts';
import { SaxesParser } from 'saxes';
import type { ReferenceConfig } from '../../../platform/config/price-sources.ts';
import { crossPrice, readPrice } from '../domain.ts';
import { ask, SourceFailure } from './asking.ts';
import type { RateSource, Said } from './source.ts';

const maxAnswerBytes = 65_536;
/** The daily file has about 35 elements on four levels. */
const maxElements = 500;
const maxDepth = 8;
const vocabulary = 'http://www.ecb.int/vocabulary/2002-08-01/eurofxref';
/** Rates are set at 14:15 and published at about 16:00, Frankfurt. */
const publishedAt = 'T15:00:00Z';

/**
 * Reads the European Central Bank's euro foreign exchange reference rates (`eurofxref-daily.xml`): one rate a working day, for information
 * and not for transactions, so that it only bounds what others say.
 */
export function createEcb({ url, pollMs, maxAgeMs }: ReferenceConfig): RateSource {
  return {
    name: 'ecb',
    role: 'band',
    values: false,
    pollMs,
    maxAgeMs,
    async ask() {
      const { text } = await ask(new URL(url), { maxBytes: maxAnswerBytes, headers: { accept: 'application/xml' } });
      return dollarsOfEuro(readReferenceRates(text));
    },
  };
}

/** Units of each currency for one euro, and the day (YYYY-MM-DD) on which that was so. */
interface ReferenceRates {
  day: string;
  perEuro: Map<string, string>;
}

/**
 * Nothing is kept of the file but days and rates: document types are refused, so there are no entities but XML's own.
 * @throws SourceFailure unreadable
 */
export function readReferenceRates(text: string): ReferenceRates {
  const perEuro = new Map<string, string>();
  const days: string[] = [];
  let [elements, depth] = [0, 0];
  const refuse = (why: string): never => {
    throw new SourceFailure('unreadable', `the reference rates are unusable: ${why}`);
  };
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', () => refuse('not XML'));
  parser.on('doctype', () => refuse('a document type'));
  parser.on('closetag', () => {
    depth -= 1;
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    elements += 1;
    depth += 1;
    if (elements > maxElements || depth > maxDepth) refuse('too much of it');
    if (local !== 'Cube' || uri !== vocabulary) return;
    const of = (name: string) => attributes[name]?.value;
    const [day, currency, rate] = [of('time'), of('currency'), readPrice(of('rate'))];
    if (day !== undefined) days.push(day);
    if (currency !== undefined && rate !== null) perEuro.set(currency, rate);
  });
  parser.write(text).close();
  const [day, ...others] = days;
  if (day === undefined || others.length > 0 || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return refuse('not of one day');
  return { day, perEuro };
}

function dollarsOfEuro({ day, perEuro }: ReferenceRates): Said[] {
  const usdPerEuro = perEuro.get(valuationCurrency);
  const at = new Date(`${day}${publishedAt}`);
  if (usdPerEuro === undefined || Number.isNaN(at.getTime())) {
    throw new SourceFailure('unreadable', 'the reference rates have no dollar or no day');
  }
  const crossed = [...perEuro].filter(([currency]) => isCurrency(currency) && currency !== valuationCurrency);
  const others = crossed.map(([asset, rate]) => ({ asset, usd: crossPrice(usdPerEuro, rate) }));
  // On the day itself, its hour of publication may lie ahead.
  const time = at > new Date() ? new Date() : at;
  return [{ asset: 'EUR', usd: usdPerEuro }, ...others].map(({ asset, usd }) => {
    return { asset, bid: usd, ask: usd, at: time, fault: null };
  });
}
