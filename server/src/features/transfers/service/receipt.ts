import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import type { Database, Tx } from '../../../platform/database.ts';
import type { FileAnswer } from '../../../platform/http.ts';
import { translate } from '../../../platform/texts.ts';
import type { ReceiptContent } from '../adapters/receipt-pdf.ts';
import type { TransactionRow } from '../store/reading.ts';
import { readTransaction, sentenceOf } from './detail.ts';

/** The company's name as its receipts bear it. */
export type CompanyName = (tx: Tx) => Promise<string>;

/**
 * The receipt of one transaction as PDF, in the language of the request; times are UTC and say so.
 * @throws DomainError notFound
 */
export async function receipt(
  deps: { database: Database; companyName: CompanyName },
  companyId: string,
  id: string,
  locale: Locale,
): Promise<FileAnswer> {
  const { row, company } = await deps.database.withCompany(companyId, async (tx) => ({
    row: await readTransaction(tx, id),
    company: await deps.companyName(tx),
  }));
  const content = receiptContent(row, company, new Date(), locale);
  // PDF and fonts take 30 MB of memory: they come with the first receipt.
  const { drawReceipt } = await import('../adapters/receipt-pdf.ts');
  return { name: `receipt-${id}.pdf`, type: 'application/pdf', content: await drawReceipt(content, locale) };
}

/** What the receipt of a transaction says. */
function receiptContent(row: TransactionRow, company: string, now: Date, locale: Locale): ReceiptContent {
  const say = (name: string, values = {}) => translate(locale, `receipt.${name}`, values);
  const inCoins = (minor: bigint) => `${sayAmount(minor, row.decimals)} ${row.coin}`;
  const party = (name: string | null, account: string | null) => [name, account].filter(Boolean).join('\n');
  const facts: [string, string | null][] = [
    ['type', translate(locale, `transaction.type.${row.type}`)],
    ['stage', translate(locale, `transaction.stage.${row.stage}`)],
    ['reason', row.failureReason && sentenceOf(row.failureReason, locale)],
    ['amount', inCoins(row.quantityMinor)],
    ['fee', inCoins(row.feeMinor)],
    ['total', row.direction === 'out' ? inCoins(row.quantityMinor + row.feeMinor) : null],
    ['chain', row.chainName],
    ['payer', party(row.payerName, row.payerAccount)],
    ['payee', party(row.payeeName, row.payeeAccount)],
    ['hash', row.hash],
    ['block', row.blockNumber === null ? null : String(row.blockNumber)],
    ['created', utc(row.createdAt)],
    ['finished', row.completedAt && utc(row.completedAt)],
    ['initiator', row.initiatorName],
    ['related', row.relatedId],
    ['notes', row.notes],
    ['id', row.id],
  ];
  return {
    title: say('title'),
    company,
    status: translate(locale, `transaction.status.${row.status}`),
    amount: `${row.direction === 'out' ? '\u2212' : '+'}${inCoins(row.quantityMinor)}`,
    rows: facts.flatMap(([name, value]) => (value ? [{ label: say(name), value }] : [])),
    footer: say('footer', { time: utc(now) }),
    pageOf: (page, pages) => say('page', { page, pages }),
  };
}

function utc(instant: Date): string {
  return `${instant.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
