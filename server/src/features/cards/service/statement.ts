import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Query } from '@causeway/contract/call.ts';
import type { exportCardReceipts, getCardStatement } from '@causeway/contract/cards-payments.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { stringify } from 'csv-stringify';
import { sql } from 'kysely';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import type { Input } from '../../../platform/http/call-input.ts';
import { actorOf, type OpenContext } from '../../../platform/session.ts';
import { csvForm } from '../../../platform/text/csv.ts';
import { translate } from '../../../platform/text/texts.ts';
import { drawCardStatement } from '../adapters/statement-pdf.ts';
import { merchantFigure } from '../domain.ts';
import { zoneOf } from '../store/deciding.ts';
import { type CardRow, readCard } from '../store/list.ts';
import { type PaidRow, readPaid } from '../store/payments.ts';
import { holderSeen } from './show.ts';

/** What a card paid in a period, as a file; and what all cards paid, with the names of the receipts' files, for the accountant. */

const mostRows = 50_000;
const mostDays = 366;
/** What the program wrote as a number; a minus before it makes no formula. */
const figure = /^-?\d+(\.\d+)?$/;

/** @throws DomainError cardPeriodInvalid */
async function periodOf(
  tx: Tx,
  { from, to }: { from: string; to: string },
): Promise<{ opensAt: Date; closesAt: Date; zone: string }> {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  if (!(days >= 0 && days < mostDays)) throw new DomainError('cardPeriodInvalid');
  const { rows } = await sql<{ opensAt: Date; closesAt: Date; zone: string }>`
    select day_begins(${from}::date, zone.name) as "opensAt", day_begins(${to}::date + 1, zone.name) as "closesAt", zone.name as zone
    from ${zoneOf} zone`.execute(tx);
  const [row] = rows;
  if (!row) throw new DomainError('cardPeriodInvalid');
  return row;
}

const columns = [
  'time',
  'card',
  'holder',
  'kind',
  'merchant',
  'category',
  'country',
  'merchantAmount',
  'merchantCurrency',
  'rate',
  'amount',
  'currency',
  'transaction',
  'receipt',
  'receiptNote',
] as const;

/** Signed: what was paid, and a refund that was taken back, is negative; what was refunded positive. */
export function amountOf({
  state,
  clearedMinor,
  amountMinor,
  decimals,
}: Pick<PaidRow, 'state' | 'clearedMinor' | 'amountMinor' | 'decimals'>): string {
  if (state === 'refunded') return formatAmount(amountMinor, decimals);
  return `-${formatAmount(state === 'refundReversed' ? amountMinor : clearedMinor, decimals)}`;
}

/** What a row says of its receipt: the name of its file, or that there is none. */
type ReceiptWord = (row: PaidRow) => string | null;

function cellsOf(row: PaidRow, locale: Locale, receiptOf: ReceiptWord): Record<(typeof columns)[number], string> {
  return {
    time: (row.clearedAt ?? row.at).toISOString(),
    card: [row.cardName, row.lastFour].filter(Boolean).join(' ··'),
    holder: row.holder,
    kind: translate(locale, `cards.state.${row.state}`),
    merchant: row.merchant,
    category: `${translate(locale, `cards.category.${row.group}`)} (${row.mcc})`,
    country: row.country ?? '',
    merchantAmount: merchantFigure(row.merchantAmount, row.merchantCurrency) ?? '',
    merchantCurrency: row.merchantCurrency ?? '',
    rate: row.rate ?? '',
    amount: amountOf(row),
    currency: row.asset,
    transaction: row.transactionId ?? '',
    receipt: receiptOf(row) ?? translate(locale, `cards.receipt.${row.receipt}`),
    receiptNote: row.receiptNote,
  };
}

const uploadedName: ReceiptWord = ({ receiptFile }) => receiptFile?.name ?? null;

function csvOf(rows: readonly PaidRow[], locale: Locale, receiptOf: ReceiptWord = uploadedName): Readable {
  const csv = stringify({
    header: true,
    columns: columns.map((key) => ({ key, header: translate(locale, `cards.csv.${key}`) })),
    ...csvForm,
    cast: { string: (value) => (figure.test(value) ? { value, escape_formulas: false } : value) },
  });
  return Readable.from(rows.map((row) => cellsOf(row, locale, receiptOf))).pipe(csv);
}

/** The CSV of what cards paid, with other words about receipts. */
export function csvText(rows: readonly PaidRow[], locale: Locale, receiptOf: ReceiptWord): Promise<string> {
  return text(csvOf(rows, locale, receiptOf));
}

/** @throws DomainError cardNotFound, cardPeriodInvalid */
export async function downloadStatement(
  context: OpenContext,
  { id, from, to, format }: Input<typeof getCardStatement>,
): Promise<FileAnswer> {
  const { database, session, clock, locale } = context;
  const read = async (tx: Tx): Promise<{ card: CardRow; rows: PaidRow[]; zone: string }> => {
    const card = await readCard(tx, id, holderSeen(session), clock.now());
    if (!card) throw new DomainError('cardNotFound');
    const { zone, ...period } = await periodOf(tx, { from, to });
    return { card, rows: await readPaid(tx, { cardId: id, ...period }, mostRows), zone };
  };
  const { card, rows, zone } = await database.withCompany(session.companyId, read, { readOnly: true });
  const name = `card-${card.lastFour ?? 'new'}-${from}-${to}.${format}`;
  if (format === 'csv')
    return { name, type: 'text/csv; charset=utf-8', content: csvOf(rows, locale), rows: rows.length };
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  const totalMinor = rows.reduce(
    (sum, row) =>
      sum +
      (row.state === 'refunded'
        ? -row.amountMinor
        : row.state === 'refundReversed'
          ? row.amountMinor
          : row.clearedMinor),
    0n,
  );
  const content = await drawCardStatement(
    {
      title: translate(locale, 'cards.statement.title'),
      subtitle: [
        [card.name, card.lastFour === null ? '' : `·· ${card.lastFour}`, card.holderName].filter(Boolean).join('  '),
        translate(locale, 'cards.statement.period', { from, to, zone }),
      ],
      head: (['time', 'merchant', 'category', 'merchantAmount', 'amount'] as const).map((key) =>
        translate(locale, `cards.csv.${key}`),
      ),
      rows: rows.map((row) => [
        local.format(row.clearedAt ?? row.at),
        row.merchant,
        translate(locale, `cards.category.${row.group}`),
        [merchantFigure(row.merchantAmount, row.merchantCurrency), row.merchantCurrency].filter(Boolean).join(' '),
        `${amountOf(row)} ${row.asset}`,
      ]),
      total: translate(locale, 'cards.statement.total', {
        amount: `${formatAmount(totalMinor, card.decimals)} ${card.asset}`,
      }),
      empty: translate(locale, 'cards.statement.empty'),
      footer: translate(locale, 'cards.statement.title'),
      pageOf: (page, pages) => translate(locale, 'cards.statement.page', { page, pages }),
    },
    locale,
  );
  return { name, type: 'application/pdf', content };
}

/** @throws DomainError cardPeriodInvalid */
export async function exportReceipts(
  context: OpenContext,
  period: Query<typeof exportCardReceipts>,
): Promise<FileAnswer> {
  const { rows } = await readPeriod(context, period, 'cards.export');
  return {
    name: `cards-${period.from}-${period.to}.csv`,
    type: 'text/csv; charset=utf-8',
    content: csvOf(rows, context.locale),
    rows: rows.length,
  };
}

/**
 * What all cards paid and were refunded in a period, and the day of an instant in the company's time zone; the audit log has that it was exported.
 * @throws DomainError cardPeriodInvalid
 */
export async function readPeriod(
  context: OpenContext,
  { from, to }: { from: string; to: string },
  action: 'cards.export' | 'cards.exportReceipts',
): Promise<{ rows: PaidRow[]; day: (at: Date) => string }> {
  return context.database.withCompany(context.session.companyId, async (tx) => {
    const { zone, ...period } = await periodOf(tx, { from, to });
    const rows = await readPaid(tx, { cardId: null, ...period }, mostRows);
    const subject = { subjectKind: 'company', subjectId: tx.companyId } as const;
    await audit(tx, { actor: actorOf(context), action, ...subject, detail: { from, to, count: String(rows.length) } });
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
    return { rows, day: (at) => day.format(at) };
  });
}
