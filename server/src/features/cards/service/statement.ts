import { Readable } from 'node:stream';
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
import { actorOf, type OpenContext, type SignedInContext } from '../../../platform/session.ts';
import { csvForm } from '../../../platform/text/csv.ts';
import { translate } from '../../../platform/text/texts.ts';
import { drawCardStatement } from '../adapters/statement-pdf.ts';
import { zoneOf } from '../store/deciding.ts';
import { type CardRow, readCard } from '../store/list.ts';
import { type PaymentRow, readPaid } from '../store/payments.ts';
import { holderSeen } from './show.ts';

/** What a card paid in a period, as a file; and what all cards paid, with the names of the receipts' files, for the accountant. */

const mostRows = 50_000;
const mostDays = 366;
/** What the program wrote as a number; a minus before it makes no formula. */
const figure = /^-?\d+(\.\d+)?$/;

type Paid = PaymentRow & { fileName: string | null };

/** @throws DomainError cardPeriodInvalid */
async function periodOf(
  tx: Tx,
  { from, to }: { from: string; to: string },
): Promise<{ opensAt: Date; closesAt: Date; zone: string }> {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  if (!(days >= 0 && days < mostDays)) throw new DomainError('cardPeriodInvalid');
  const { rows } = await sql<{ opensAt: Date; closesAt: Date; zone: string }>`
    select ${from}::date::timestamp at time zone zone.name as "opensAt", (${to}::date + 1)::timestamp at time zone zone.name as "closesAt", zone.name as zone
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
] as const;

/** Signed: what was paid is negative, what was refunded positive. */
function amountOf({ state, clearedMinor, amountMinor, decimals }: Paid): string {
  if (state === 'refunded') return formatAmount(amountMinor, decimals);
  if (state === 'refundReversed') return '0';
  return `-${formatAmount(clearedMinor, decimals)}`;
}

function cellsOf(row: Paid, locale: Locale): Record<(typeof columns)[number], string> {
  return {
    time: (row.clearedAt ?? row.at).toISOString(),
    card: [row.cardName, row.lastFour].filter(Boolean).join(' ··'),
    holder: row.holder,
    kind: translate(locale, `cards.state.${row.state}`),
    merchant: row.merchant,
    category: `${translate(locale, `cards.category.${row.group}`)} (${row.mcc})`,
    country: row.country ?? '',
    merchantAmount: row.merchantAmount ?? '',
    merchantCurrency: row.merchantCurrency ?? '',
    rate: row.rate ?? '',
    amount: amountOf(row),
    currency: row.asset,
    transaction: row.transactionId ?? '',
    receipt: row.fileName ?? translate(locale, `cards.receipt.${row.receipt}`),
  };
}

function csvOf(rows: readonly Paid[], locale: Locale): Readable {
  const csv = stringify({
    header: true,
    columns: columns.map((key) => ({ key, header: translate(locale, `cards.csv.${key}`) })),
    ...csvForm,
    cast: { string: (value) => (figure.test(value) ? { value, escape_formulas: false } : value) },
  });
  return Readable.from(rows.map((row) => cellsOf(row, locale))).pipe(csv);
}

/** @throws DomainError cardNotFound, cardPeriodInvalid */
export async function downloadStatement(
  context: OpenContext,
  { id, from, to, format }: Input<typeof getCardStatement>,
): Promise<FileAnswer> {
  const { database, session, clock, locale } = context;
  const read = async (tx: Tx): Promise<{ card: CardRow; rows: Paid[]; zone: string }> => {
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
      sum + (row.state === 'refunded' ? -row.amountMinor : row.state === 'refundReversed' ? 0n : row.clearedMinor),
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
        row.merchantAmount === null ? '' : `${row.merchantAmount} ${row.merchantCurrency ?? ''}`,
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
  { from, to }: Query<typeof exportCardReceipts>,
): Promise<FileAnswer> {
  const { database, session, locale } = context;
  const rows = await database.withCompany(session.companyId, async (tx) => {
    const { zone: _, ...period } = await periodOf(tx, { from, to });
    const found = await readPaid(tx, { cardId: null, ...period }, mostRows);
    await recordExport(tx, context, found.length);
    return found;
  });
  return {
    name: `cards-${from}-${to}.csv`,
    type: 'text/csv; charset=utf-8',
    content: csvOf(rows, locale),
    rows: rows.length,
  };
}

async function recordExport(tx: Tx, context: SignedInContext, count: number): Promise<void> {
  await audit(tx, {
    actor: actorOf(context),
    action: 'cards.export',
    subjectKind: 'company',
    subjectId: tx.companyId,
    detail: { count: String(count) },
  });
}
