import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmountText } from '@causeway/contract/money.ts';
import { inFours } from '@causeway/contract/recharges-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import type { OpenContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { findCompanyName } from '../../identity/index.ts';
import { findTimeZone } from '../../organisation/index.ts';
import type { FundingContent } from '../adapters/funding-pdf.ts';
import { describeFunding } from './funding.ts';

/** "Hong Kong Standard Time" of `Asia/Hong_Kong`, as the page says it. */
function zoneIn(locale: Locale, timeZone: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/**
 * The funding details of a wallet as PDF, in the language of the request.
 * @throws DomainError walletNotFound, rechargeNotAtBank, bankUnknown, currencyNotAtBank
 */
export async function downloadFundingPdf(context: OpenContext, { id }: { id: string }): Promise<FileAnswer> {
  const { database, session, locale, clock } = context;
  const read = async (tx: Tx) => ({
    funding: await describeFunding(tx, context, { id }),
    company: await findCompanyName(tx),
    timeZone: await findTimeZone(tx),
  });
  const { funding, company, timeZone } = await database.withCompany(session.companyId, read, { readOnly: true });
  const say = (name: string, values = {}) => translate(locale, `funding.${name}`, values);
  const { account, asset } = funding;
  const country = new Intl.DisplayNames([locale], { type: 'region' }).of(account.country) ?? account.country;
  const details: [string, string | null][] = [
    ['currency', `${asset} \u00b7 ${new Intl.DisplayNames([locale], { type: 'currency' }).of(asset) ?? asset}`],
    ['holder', account.holder],
    ['number', account.number],
    ['iban', account.iban && inFours(account.iban)],
    ['bank', funding.bankName],
    ['bankEnglish', funding.bankEnglishName],
    ['bic', account.bic],
    ['clearingCode', account.clearingCode],
    ['branchCode', account.branchCode],
    ['bankAddress', funding.bankAddress],
    ['country', country],
    ['reference', inFours(funding.reference)],
    ['minimum', `${sayAmountText(funding.minimum)} ${asset}`],
    ['fee', /[1-9]/.test(funding.fee) ? `${sayAmountText(funding.fee)} ${asset}` : say('noFee')],
    ['cutOff', say('cutOffValue', { time: funding.cutOff, zone: zoneIn(locale, funding.timeZone) })],
  ];
  const content: FundingContent = {
    title: say('title'),
    company,
    subtitle: say('subtitle', { currency: asset }),
    rows: details.flatMap(([name, value]) => (value ? [{ label: say(name), value }] : [])),
    notes: [
      say('noteReference'),
      say('noteCurrency', { currency: asset }),
      say('noteHolder', { company: account.holder }),
    ],
    footer: say('footer', { time: { at: clock.now().toISOString(), timeZone } }),
    pageOf: (page, pages) => say('page', { page, pages }),
  };
  // PDF and fonts take 30 MB of memory: they come with the first download.
  const { drawFunding } = await import('../adapters/funding-pdf.ts');
  const name = `funding-${asset}-${account.number.slice(-4)}.pdf`;
  return { name, type: 'application/pdf', content: await drawFunding(content, locale) };
}
