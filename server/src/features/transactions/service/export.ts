import type { Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { exportTransactions, TransactionDetail } from '@causeway/contract/transactions.ts';
import { audit } from '../../../platform/audit/record.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import { actorOf, type OpenContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { sourceName } from '../../rates/index.ts';
import { readTransactions, type TransactionRow } from '../store/reading.ts';
import { countMatching, searchTransactions } from '../store/search.ts';
import { cellsOf, csvBatchRows, csvOf } from './csv.ts';
import { sentenceOf } from './detail.ts';
import { filterOf, orderOf } from './list.ts';
import type { TransactionPorts } from './parts.ts';
import { exchangeOf, isByCard, nameOfCard, valuationOf } from './view.ts';

/** Decisions and contract: an export holds no more than this. */
const maxRows = 50_000;

const columns = [
  'id',
  'createdAt',
  'completedAt',
  'type',
  'status',
  'direction',
  'coin',
  'place',
  'quantity',
  'fee',
  'valueUsd',
  'priceUsd',
  'priceSource',
  'priceTime',
  'baseCurrency',
  'baseValue',
  'baseRate',
  'baseRateSource',
  'baseRateTime',
  'exchangedAsset',
  'exchangedQuantity',
  'exchangeRate',
  'exchangeRateSource',
  'exchangeRateTime',
  'exchangeMid',
  'exchangeSpread',
  'creditedQuantity',
  'bankFee',
  'payerName',
  'payerAccount',
  'payeeName',
  'payeeAccount',
  'hash',
  'bankReference',
  'endToEndId',
  'uetr',
  'valueDate',
  'payeeChanged',
  'reason',
  'bankReason',
  'bankWords',
  'initiator',
  'invoiceNumber',
  'category',
  'batch',
  'row',
  'trade',
  'request',
  'requestReference',
  'card',
  'cardholder',
  'merchant',
  'merchantCategory',
  'merchantCountry',
  'originalAmount',
  'originalCurrency',
  'notes',
] as const;

/** A file has the rows of all batches that were submitted before it. */
const behindQueue = { behindQueue: true };

/** The filtered list as CSV. @throws DomainError exportTooLarge */
export async function exportCsv(
  context: OpenContext &
    Pick<TransactionPorts, 'pricesOf' | 'boughtFor' | 'batchesOf' | 'tradesOf' | 'paymentRequestsOf' | 'cardsOf'>,
  query: Query<typeof exportTransactions>,
): Promise<FileAnswer> {
  const { database, locale } = context;
  const { companyId } = context.session;
  const filter = filterOf(query);
  const order = orderOf(query);
  await database.withCompany(
    companyId,
    async (tx) => {
      const count = await countMatching(tx, filter, maxRows + 1);
      if (count > maxRows) throw new DomainError('exportTooLarge');
      const actor = actorOf(context);
      const detail = { filter, count };
      await audit(tx, { actor, action: 'transfers.export', subjectKind: 'company', subjectId: companyId, detail });
    },
    behindQueue,
  );
  return csvOf({
    database,
    companyId,
    locale,
    now: new Date(),
    most: maxRows,
    columns,
    async read(tx, after) {
      const found = await searchTransactions(tx, filter, order, after, csvBatchRows);
      const ids = found.map(({ id }) => id);
      const rows = await readTransactions(tx, ids);
      const exchanged = rows.filter(({ counterAsset }) => counterAsset !== null).map(({ id }) => id);
      const prices = await context.pricesOf(tx, exchanged);
      const bought = await context.boughtFor(tx, exchanged);
      const batches = await context.batchesOf(tx, ids);
      const trades = await context.tradesOf(tx, ids);
      const requests = await context.paymentRequestsOf(tx, ids);
      const cards = await context.cardsOf(
        tx,
        rows.filter(({ type }) => isByCard(type)).map(({ id }) => id),
      );
      return {
        found,
        rows: rows.map((row) => ({
          row,
          price: prices.get(row.id),
          bought: bought.get(row.id),
          batch: batches.get(row.id),
          trade: trades.get(row.id),
          request: requests.get(row.id),
          card: cards.get(row.id),
        })),
      };
    },
    cells: ({ row, price, bought, batch, trade, request, card }) => ({
      ...cellsOf(row, locale),
      ...bankCells(row, locale),
      ...valueCells(row),
      ...exchangeCells(row),
      exchangeMid: price?.mid ?? '',
      exchangeSpread: price === undefined ? '' : formatAmount(BigInt(price.spreadBasisPoints), 2),
      creditedQuantity: bought?.amount ?? '',
      bankFee: bought?.fee ?? '',
      category: row.category ?? '',
      batch: batch?.name ?? '',
      row: batch === undefined ? '' : String(batch.row),
      trade: trade ?? '',
      request: request?.title ?? '',
      requestReference: request?.reference ?? '',
      ...cardCells(card, locale),
      notes: row.notes,
    }),
  });
}

/**
 * What banks and payers call it, the day from which it counts, whether the payee's account had been changed, and why it failed or came back,
 * in the reader's language and as its bank says it.
 */
function bankCells(row: TransactionRow, locale: Locale) {
  const { bankReference, endToEndId, uetr, valueDate, payeeChangedUntil, bankReason, bankWords } = row;
  const reason = row.failureReason ?? row.refundReason;
  return {
    bankReference: bankReference ?? '',
    endToEndId: endToEndId ?? '',
    uetr: uetr ?? '',
    valueDate: valueDate ?? '',
    payeeChanged: payeeChangedUntil === null ? '' : translate(locale, 'export.payeeChangedYes'),
    reason: reason === null ? '' : sentenceOf(reason, locale),
    bankReason: bankReason ?? '',
    bankWords: bankWords ?? '',
  };
}

/** The card, and what its issuer says of the purchase; empty where none paid it. */
function cardCells(card: TransactionDetail['card'] | undefined, locale: Locale) {
  return {
    card: card ? nameOfCard(card) : '',
    cardholder: card?.holder ?? '',
    merchant: card?.merchant ?? '',
    merchantCategory: card ? `${translate(locale, `cards.category.${card.group}`)} (${card.mcc})` : '',
    merchantCountry: card?.country ?? '',
    originalAmount: card?.merchantAmount ?? '',
    originalCurrency: card?.merchantCurrency ?? '',
  };
}

/** What it was exchanged for or from, and the rate between whole units; empty where nothing was exchanged. */
function exchangeCells(row: TransactionRow) {
  const exchange = exchangeOf(row);
  return {
    exchangedAsset: exchange?.asset ?? '',
    exchangedQuantity: exchange?.quantity ?? '',
    exchangeRate: exchange?.rate ?? '',
    exchangeRateSource: exchange?.rateSource ?? '',
    exchangeRateTime: exchange?.rateAt ?? '',
  };
}

function valueCells(row: TransactionRow) {
  const { usd, price, base } = valuationOf(row);
  return {
    valueUsd: usd ?? '',
    priceUsd: price?.rate ?? '',
    priceSource: price ? sourceName(price.source) : '',
    priceTime: price?.at ?? '',
    baseCurrency: base.currency,
    baseValue: base.amount ?? '',
    baseRate: base.rate?.rate ?? '',
    baseRateSource: base.rate ? sourceName(base.rate.source) : '',
    baseRateTime: base.rate?.at ?? '',
  };
}
