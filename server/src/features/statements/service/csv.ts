import { Readable } from 'node:stream';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { stringify } from 'csv-stringify';
import { csvForm } from '../../../platform/text/csv.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { Balances } from '../domain.ts';
import { ledgerBalance, type WalletSpan } from './open.ts';
import type { Lines, Statement } from './statement.ts';

const columns = [
  'asset',
  'place',
  'timeUtc',
  'timeLocal',
  'description',
  'counterparty',
  'transaction',
  'hash',
  'bankReference',
  'endToEndId',
  'uetr',
  'valueDate',
  'amount',
  'fee',
  'balance',
  'onHold',
  'available',
  'currency',
  'value',
] as const;
/** What the program wrote as a number; a minus before it makes no formula. */
const figure = /^-?\d+(\.\d+)?$/;

type Line = Partial<Record<(typeof columns)[number], string>>;

/**
 * A statement as CSV (RFC 4180, UTF-8 with byte order mark): for each wallet its opening balance, its movements and its closing
 * balance. Cells that a spreadsheet would take for a formula are neutralised with an apostrophe; amounts are numbers, and stay so.
 */
export function writeCsv(statement: Statement, linesOf: (span: WalletSpan) => Lines, locale: Locale): Readable {
  const { timeZone } = statement.opened.period;
  const csv = stringify({
    header: true,
    columns: columns.map((key) => ({ key, header: translate(locale, `statement.csv.${key}`, { timeZone }) })),
    ...csvForm,
    cast: { string: (value) => (figure.test(value) ? { value, escape_formulas: false } : value) },
  });
  const lines = Readable.from(records(statement, linesOf, locale));
  lines.on('error', (error) => csv.destroy(error));
  csv.on('close', () => lines.destroy());
  return lines.pipe(csv);
}

async function* records(
  { opened, wallets }: Statement,
  linesOf: (span: WalletSpan) => Lines,
  locale: Locale,
): AsyncGenerator<Line> {
  const { opensAt, closesAt, timeZone } = opened.period;
  const local = localTimes(timeZone);
  const say = (name: string) => translate(locale, `statement.${name}`);
  for (const { span } of wallets) {
    const { wallet, placeName } = span;
    const place = { asset: wallet.asset, place: placeName, currency: opened.currency };
    const end = (description: string, at: Date, balances: Balances, valueMinor: bigint | null): Line => ({
      ...place,
      timeUtc: at.toISOString(),
      timeLocal: local(at),
      description,
      balance: formatAmount(ledgerBalance(balances), wallet.decimals),
      onHold: formatAmount(balances.onHoldMinor, wallet.decimals),
      available: formatAmount(balances.availableMinor, wallet.decimals),
      value: valueMinor === null ? '' : formatAmount(valueMinor, opened.decimals),
    });
    yield end(say('opening'), opensAt, span.opening, span.openingValueMinor);
    for await (const { shown: line, row } of linesOf(span)) {
      yield {
        ...place,
        timeUtc: line.at,
        timeLocal: local(new Date(line.at)),
        description: line.description,
        counterparty: line.counterparty ?? '',
        transaction: line.transactionId ?? '',
        hash: line.hash ?? '',
        bankReference: row?.bankReference ?? '',
        endToEndId: row?.endToEndId ?? '',
        uetr: row?.uetr ?? '',
        valueDate: row?.valueDate ?? '',
        amount: line.amount,
        fee: line.fee,
        balance: line.balance,
        value: line.value ?? '',
      };
    }
    yield end(say(opened.period.isFinal ? 'closing' : 'closingSoFar'), closesAt, span.closing, span.closingValueMinor);
  }
}

/** Times of a zone as spreadsheets read them: `2026-11-23 18:05:31`. */
function localTimes(timeZone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (at) => format.format(at);
}
