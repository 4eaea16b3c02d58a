import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmount, sayAmountText } from '@causeway/contract/money.ts';
import { isPayout } from '@causeway/contract/payments-rules.ts';
import { inFours } from '@causeway/contract/recharges-rules.ts';
import type { ExchangeDetail, PayoutDetail, TransactionDetail } from '@causeway/contract/transactions.ts';
import { transactionLives } from '@causeway/contract/transactions-lives.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import type { OpenContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { nameOfPlace } from '../../banks/index.ts';
import { sayRate, sourceName } from '../../rates/index.ts';
import type { ReceiptContent } from '../adapters/receipt-pdf.ts';
import type { TransactionRow } from '../store/reading.ts';
import { readTransaction, sentenceOf } from './detail.ts';
import type { ApproversDecision, TransactionPorts } from './parts.ts';
import { exchangeOf, isByCard, nameOfCard, valuationOf, waitsForBlock } from './view.ts';

type ValuedBy = ReturnType<typeof valuationOf>['price'];

/**
 * The receipt of one transaction as PDF, in the language of the request, its dates too; times are UTC and say so.
 * @throws DomainError notFound
 */
export async function receipt(
  context: OpenContext &
    Pick<
      TransactionPorts,
      'companyName' | 'approvalOf' | 'payoutOf' | 'exchangeOf' | 'batchOf' | 'tradeOf' | 'paymentRequestOf' | 'cardOf'
    >,
  { id }: { id: string },
): Promise<FileAnswer> {
  const { database, session, locale } = context;
  const read = async (tx: Tx) => {
    const row = await readTransaction(tx, id);
    const { approvedAs } = transactionLives[row.type];
    const approval = approvedAs && (await context.approvalOf(tx, approvedAs, id, { session, locale }));
    const payout = isPayout(row.type) ? await context.payoutOf(tx, id, locale) : null;
    const exchanged = row.counterAsset === null ? null : await context.exchangeOf(tx, id, locale);
    const batch = await context.batchOf(tx, id);
    const trade = await context.tradeOf(tx, id);
    const request = await context.paymentRequestOf(tx, id);
    const card = isByCard(row.type) ? await context.cardOf(tx, id) : null;
    const company = await context.companyName(tx);
    return { row, approval, payout, exchanged, batch, trade, request, card, company };
  };
  const { row, ...surrounding } = await database.withCompany(session.companyId, read, {
    readOnly: true,
  });
  const content = receiptContent(row, { ...surrounding, now: new Date(), locale });
  // PDF and fonts take 30 MB of memory: they come with the first receipt.
  const { drawReceipt } = await import('../adapters/receipt-pdf.ts');
  return { name: `receipt-${id}.pdf`, type: 'application/pdf', content: await drawReceipt(content, locale) };
}

/** What a receipt says beside its transaction, to whom, and when. */
interface Surrounding {
  approval: { decisions: readonly ApproversDecision[] } | null;
  /** Of a payment out of a bank. */
  payout: PayoutDetail | null;
  /** Of either side of an exchange. */
  exchanged: ExchangeDetail | null;
  /** The row of a batch that it pays. */
  batch: TransactionDetail['batch'];
  /** The trade whose seller it pays. */
  trade: TransactionDetail['trade'];
  /** The payment request that it pays, or is a refund of. */
  request: TransactionDetail['paymentRequest'];
  /** The card that paid it or was refunded. */
  card: TransactionDetail['card'];
  company: string;
  now: Date;
  locale: Locale;
}

/** What the receipt of a transaction says. */
function receiptContent(row: TransactionRow, surrounding: Surrounding): ReceiptContent {
  const { approval, payout, exchanged, batch, trade, request, card, company, now, locale } = surrounding;
  const say = (name: string, values = {}) => translate(locale, `receipt.${name}`, values);
  const inCoins = (minor: bigint) => `${sayAmount(minor, row.decimals)} ${row.coin}`;
  const party = (name: string | null, account: string | null) => [name, account].filter(Boolean).join('\n');
  const value = valuationOf(row);
  const exchange = exchangeOf(row);
  /** What pays the payee and the bank where it was bought for the payment. */
  const bought = exchange && payout?.paid;
  /** An amount, and below it the rate that it was computed by. */
  const valued = (amount: string, currency: string, by: ValuedBy, ofDay: boolean) => {
    const figure = `${sayAmountText(amount)} ${currency}`;
    // A currency in itself has no rate.
    if (by === null || row.coin === currency) return figure;
    const values = { asset: row.coin, rate: sayRate(by.rate), currency, source: sourceName(by.source) };
    const at = new Date(by.at);
    const rate = say(ofDay ? 'rateOfDay' : 'rateOfMoment', { ...values, at: ofDay ? day(by.at) : instant(at) });
    return `${figure}\n${rate}`;
  };
  const { day, instant } = datesIn(locale);
  const facts: [string, string | null | undefined][] = [
    ['type', translate(locale, `transaction.type.${row.type}`)],
    ['stage', translate(locale, `transaction.stage.${row.stage}`)],
    ['reason', row.failureReason && sentenceOf(row.failureReason, locale)],
    ['refundReason', row.refundReason && sentenceOf(row.refundReason, locale)],
    ['bankReason', bankReasonText(row)],
    ['amount', inCoins(row.quantityMinor)],
    ['fee', inCoins(row.feeMinor)],
    ['total', row.direction === 'out' ? inCoins(row.quantityMinor + row.feeMinor) : null],
    ['valueUsd', value.usd === null ? null : valued(value.usd, 'USD', value.price, false)],
    [
      'valueBase',
      value.base.currency === 'USD' || value.base.amount === null
        ? null
        : valued(value.base.amount, value.base.currency, value.base.rate, value.base.rateOf === 'day'),
    ],
    [
      row.direction === 'out' ? 'exchange' : 'exchangedFrom',
      exchange && `${sayAmountText(exchange.quantity)} ${exchange.asset}`,
    ],
    ['credited', bought && `${sayAmountText(bought.amount)} ${bought.asset}`],
    ['bankFee', bought && `${sayAmountText(bought.fee)} ${bought.asset}`],
    ['rate', exchange && rateOf(row, exchange, instant, locale)],
    ['mid', exchanged && midOf(exchanged)],
    ['spread', exchanged && spreadOf(exchanged, locale)],
    ['limitOrder', exchanged?.limit && limitOf(exchanged, exchanged.limit, instant, locale)],
    ...(card === null ? [] : cardFacts(card, row.coin, locale)),
    ['valueDate', row.valueDate && day(row.valueDate)],
    [row.chainId === null ? 'bank' : 'chain', nameOfPlace(row.place, locale)],
    ['bankReference', row.bankReference],
    ['payer', party(row.payerName, row.payerAccount)],
    ['payee', party(row.payeeName, row.payeeAccount)],
    ['payeeAccount', payout && payeeAccountOf(payout, locale)],
    ['payeeChanged', row.payeeChangedUntil && say('payeeChangedUntil', { time: instant(row.payeeChangedUntil) })],
    ['verification', payout && verificationOf(payout, locale)],
    ['charges', payout && say(`charges.${payout.charges}`)],
    ['purpose', payout?.purpose && `${say(`purpose.${payout.purpose}`)} (${payout.purpose})`],
    ['remittance', payout?.remittance],
    ['expected', payout && daysOf(payout.expected, day)],
    ['uetr', payout?.uetr],
    ['endToEndId', payout?.endToEndId],
    ['hash', row.hash],
    ['block', blockOf(row, locale)],
    ['created', instant(row.createdAt)],
    ['finished', row.completedAt && instant(row.completedAt)],
    ['initiator', row.initiatorName],
    ['approvals', approvalsOf(row, approval, locale)],
    ['related', row.relatedId],
    ['trade', trade && [trade.number, trade.milestone].filter((part) => part !== null).join(' · ')],
    ['request', request && [request.title, request.reference].filter((part) => part !== '').join(' · ')],
    ['batch', batch && say('batchRow', { name: batch.name, row: batch.row })],
    ['invoiceNumber', row.invoiceNumber],
    ['category', row.category],
    ['notes', row.notes],
    ['id', row.id],
  ];
  return {
    title: say('title'),
    company,
    status: translate(locale, `transaction.status.${row.status}`),
    amount: `${row.direction === 'out' ? '\u2212' : '+'}${inCoins(row.quantityMinor)}`,
    rows: facts.flatMap(([name, value]) => (value ? [{ label: say(name), value }] : [])),
    footer: say('footer', { time: instant(now) }),
    pageOf: (page, pages) => say('page', { page, pages }),
  };
}

/** Card and holder; of the merchant what is not the payee's name; what the purchase was in the merchant's currency. */
function cardFacts(card: NonNullable<Surrounding['card']>, coin: string, locale: Locale): [string, string | null][] {
  const { country, merchantAmount, merchantCurrency, rate } = card;
  const countryName =
    country === null ? '' : (new Intl.DisplayNames([locale], { type: 'region' }).of(country) ?? country);
  return [
    ['card', nameOfCard(card)],
    ['cardholder', card.holder],
    ['merchantCategory', `${translate(locale, `cards.category.${card.group}`)} (${card.mcc})`],
    ['merchantPlace', [card.city, countryName].filter(Boolean).join(', ')],
    ['originalAmount', merchantAmount && `${sayAmountText(merchantAmount)} ${merchantCurrency ?? ''}`],
    ['rate', rate && merchantCurrency && `1 ${merchantCurrency} = ${sayRate(rate)} ${coin}`],
  ];
}

/** Its number; that it waits for one; null where none is to come. */
function blockOf(row: TransactionRow, locale: Locale): string | null {
  if (row.blockNumber !== null) return String(row.blockNumber);
  return waitsForBlock(row) ? translate(locale, 'receipt.blockToCome') : null;
}

/** "1 USDT = 0.0004 ETH · Kraken, 25 Nov 2026, 10:00:00 UTC" */
function rateOf(
  { coin, rateAt }: TransactionRow,
  { rate, rateSource, asset }: NonNullable<ReturnType<typeof exchangeOf>>,
  instant: (at: Date) => string,
  locale: Locale,
): string | null {
  if (rate === null || rateSource === null || rateAt === null) return null;
  const values = { asset: coin, rate: sayRate(rate), currency: asset, source: sourceName(rateSource) };
  return translate(locale, 'receipt.rateOfMoment', { ...values, at: instant(rateAt) });
}

function midOf({ sell, buy, mid }: ExchangeDetail): string {
  return `1 ${sell.asset} = ${sayRate(mid)} ${buy.asset}`;
}

function spreadOf({ spreadBasisPoints }: ExchangeDetail, locale: Locale): string {
  return translate(locale, 'receipt.spreadOf', { percent: sayAmount(BigInt(spreadBasisPoints), 2) });
}

/** "1 USDT = 0.0005 ETH, until 3 Dec 2026, 10:00:00 UTC" */
function limitOf(
  { sell, buy }: ExchangeDetail,
  { rate, until }: NonNullable<ExchangeDetail['limit']>,
  instant: (at: Date) => string,
  locale: Locale,
): string {
  const values = { asset: sell.asset, rate: sayRate(rate), currency: buy.asset, at: instant(new Date(until)) };
  return translate(locale, 'receipt.limitOrderOf', values);
}

/** The account as it was sent: the name, the bank, and each field under its label. */
function payeeAccountOf({ payeeName, payeeBank, fields }: PayoutDetail, locale: Locale): string {
  const lines = fields.map(
    ({ name, label, value }) => `${translate(locale, `bank.label.${label}`)}: ${fieldText(name, value, locale)}`,
  );
  return [payeeName, payeeBank, ...lines].filter((line) => line !== null).join('\n');
}

/** A field of an account in words, as the pages have it. */
function fieldText(name: string, value: string, locale: Locale): string {
  if (name === 'accountType') return translate(locale, `receipt.accountType.${value}`);
  if (name === 'purpose') return `${translate(locale, `receipt.purpose.${value}`)} (${value})`;
  if (name === 'addressCountry') return new Intl.DisplayNames([locale], { type: 'region' }).of(value) ?? value;
  return name === 'iban' ? inFours(value.replaceAll(' ', '')) : value;
}

/** The bank's code and its own words; null where it gave neither. */
export function bankReasonText({
  bankReason,
  bankWords,
}: Pick<TransactionRow, 'bankReason' | 'bankWords'>): string | null {
  return [bankReason, bankWords].filter(Boolean).join(' · ') || null;
}

/** What the payee's bank said of the name, and when: for this payment, or before it. */
function verificationOf({ verification }: PayoutDetail, locale: Locale): string | null {
  if (verification === null) return null;
  const { answer, bankName, at } = verification;
  const say = (name: string, values = {}) => translate(locale, `receipt.verification.${name}`, values);
  const asked = at === null ? say('before') : say('at', { time: datesIn(locale).instant(new Date(at)) });
  return `${say(answer, { name: bankName ?? '' })}\n${asked}`;
}

function daysOf({ earliest, latest }: PayoutDetail['expected'], day: (date: string) => string): string {
  return earliest === latest ? day(latest) : `${day(earliest)} – ${day(latest)}`;
}

/** Who approved or rejected it, and when, a line each; that no approval was needed; null while that is open, and where it is not asked. */
function approvalsOf(row: TransactionRow, approval: Surrounding['approval'], locale: Locale): string | null {
  if (transactionLives[row.type].approvedAs === null) return null;
  if (approval === null) return translate(locale, 'receipt.approvals.none');
  const { instant } = datesIn(locale);
  const lines = approval.decisions.map(({ name, outcome, at, deputyFor }) => {
    const id = `receipt.approvals.${outcome}${deputyFor === null ? '' : 'ForOther'}`;
    return translate(locale, id, { name, time: instant(at), other: deputyFor ?? '' });
  });
  return lines.length === 0 ? null : lines.join('\n');
}

/** Dates in a language; a twenty-four hour clock in each, as on the screens. A value date (`YYYY-MM-DD`) has no time zone. */
function datesIn(locale: Locale): { day(date: string): string; instant(at: Date): string } {
  const date = { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' } as const;
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  const day = new Intl.DateTimeFormat(locale, date);
  const instant = new Intl.DateTimeFormat(locale, { ...date, ...clock });
  return {
    day: (text) => day.format(new Date(text)),
    instant: (at) => `${instant.format(at)} UTC`,
  };
}
