import { groupedIban } from '@causeway/contract/iban.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount, parseAmount, sayAmount } from '@causeway/contract/money.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { Section, StatementContent } from '../adapters/statement-pdf.ts';
import { describeWallet, totalValue } from './describe.ts';
import type { Line } from './lines.ts';
import type { OpenPeriod, OpenStatements, WalletSpan } from './open.ts';
import type { Lines, Statement } from './statement.ts';

type Say = (name: string, values?: Record<string, string | number>) => string;

/** What a statement says as a PDF, in the reader's language; times are the company's. */
export async function statementContent(
  statement: Statement,
  linesOf: (span: WalletSpan) => Lines,
  { locale, now }: { locale: Locale; now: Date },
): Promise<StatementContent> {
  const { opened, wallets } = statement;
  const { period } = opened;
  const say: Say = (name, values = {}) => translate(locale, `statement.${name}`, values);
  const times = timesIn(locale, period.timeZone);
  const timeZone = period.timeZone.replaceAll('_', ' ');
  const isCompany = wallets.length !== 1;
  const sections: Section[] = [];
  for (const { span, sums } of wallets) {
    const figures = describeWallet(opened, span, sums);
    // In the company's, a wallet in which nothing was and nothing moved is a line of the summary.
    if (isCompany && sums.movements === 0 && !/[1-9]/.test(figures.opening)) continue;
    sections.push(await sectionOf(opened, span, figures, linesOf(span), { say, times }));
  }
  return {
    title: say('title'),
    company: statement.company,
    subtitle: [
      say('period', { from: times.day(period.from), to: times.day(period.to) }),
      say('zone', {
        timeZone,
        opensAt: times.instant(period.opensAt),
        closesAt: times.instant(period.closesAt),
      }),
      ...(period.isFinal ? [] : [say('notFinal')]),
    ],
    summary: isCompany ? summaryOf(statement, say) : null,
    sections,
    notesTitle: say('notes'),
    notes: notesOf(period, opened.currency, say),
    footer: say('footer', { time: times.instant(now), timeZone }),
    pageOf: (page, pages) => say('page', { page, pages }),
  };
}

function summaryOf({ opened, wallets }: Statement, say: Say): StatementContent['summary'] {
  const { currency } = opened;
  const rows = wallets.map(({ span, sums }) => {
    const figures = describeWallet(opened, span, sums);
    return [
      `${figures.asset} · ${figures.placeName}`,
      people(figures.opening),
      people(figures.moneyIn),
      people(figures.moneyOut),
      people(figures.fees),
      people(figures.closing),
      figures.closingValue === null ? '–' : people(figures.closingValue),
    ];
  });
  const closing = totalValue(opened, 'closingValueMinor');
  return {
    head: [
      say('wallet'),
      say('opening'),
      say('moneyIn'),
      say('moneyOut'),
      say('fees'),
      say(opened.period.isFinal ? 'closing' : 'closingSoFar'),
      say('valueIn', { currency }),
    ],
    rows: [...rows, [say('total'), '', '', '', '', '', closing === null ? '–' : people(closing)]],
  };
}

async function sectionOf(
  { period, currency }: OpenStatements,
  span: WalletSpan,
  figures: ReturnType<typeof describeWallet>,
  lines: Lines,
  { say, times }: { say: Say; times: Times },
): Promise<Section> {
  const { asset } = figures;
  const closing = say(period.isFinal ? 'closing' : 'closingSoFar');
  const value = (text: string | null) => (text === null ? '–' : people(text));
  const rows = [
    [times.instant(period.opensAt), say('opening'), '', '', people(figures.opening), value(figures.openingValue)],
  ];
  for await (const line of lines) rows.push(rowOf(line, { say, times }));
  rows.push([times.instant(period.closesAt), closing, '', '', people(figures.closing), value(figures.closingValue)]);
  const inAsset = (text: string) => `${people(text)} ${asset}`;
  return {
    title: `${asset} · ${figures.placeName}${figures.isNew ? ` (${say('isNew', { time: times.instant(span.accounts.openedAt) })})` : ''}`,
    account: accountOf(span, say),
    figures: [
      { label: say('opening'), value: inAsset(figures.opening) },
      { label: say('moneyIn'), value: inAsset(figures.moneyIn) },
      { label: say('moneyOut'), value: inAsset(figures.moneyOut) },
      { label: say('fees'), value: inAsset(figures.fees) },
      { label: closing, value: inAsset(figures.closing) },
      { label: say('onHold'), value: inAsset(formatAmount(span.closing.onHoldMinor, figures.decimals)) },
      { label: say('available'), value: inAsset(formatAmount(span.closing.availableMinor, figures.decimals)) },
    ],
    head: [
      say('time'),
      say('description'),
      say('amount'),
      say('feeIncluded'),
      say('balance'),
      say('valueIn', { currency }),
    ],
    rows,
    empty: figures.movements === 0 ? say('empty') : null,
  };
}

/** Which account the bank keeps; null on a chain. */
function accountOf({ wallet: { bank } }: WalletSpan, say: Say): string | null {
  if (bank === null) return null;
  const number = bank.iban === null ? bank.number : groupedIban(bank.iban);
  return say('account', { number, bic: bank.bic, holder: bank.holder });
}

function rowOf({ shown: line, row }: Line, { say, times }: { say: Say; times: Times }): string[] {
  const what = [line.description, line.counterparty].filter((part) => part !== null).join(' · ');
  const reference = row?.bankReference == null ? null : say('bankReference', { reference: row.bankReference });
  return [
    times.instant(new Date(line.at)),
    [what, reference, line.transactionId].filter((part) => part !== null).join('\n'),
    people(line.amount, true),
    /[1-9]/.test(line.fee) ? people(line.fee) : '',
    people(line.balance),
    line.value === null ? '–' : people(line.value, true),
  ];
}

/** What the figures mean, and what they leave out. */
function notesOf({ isFinal }: OpenPeriod, currency: string, say: Say): string[] {
  return [
    say('note.balance'),
    say('note.onHold'),
    say('note.incoming'),
    say('note.fees'),
    say('note.value', { currency }),
    ...(isFinal ? [] : [say('note.notFinal')]),
  ];
}

/** An amount for people: grouped, without zeros that say nothing; a plus before what came in where it is asked for. */
function people(text: string, signed = false): string {
  const isNegative = text.startsWith('-');
  const figure = text.replace('-', '');
  const decimals = figure.split('.')[1]?.length ?? 0;
  const parsed = parseAmount(figure, decimals);
  const said = parsed.ok ? sayAmount(parsed.minor, decimals) : figure;
  return `${isNegative ? '\u2212' : signed ? '+' : ''}${said}`;
}

interface Times {
  day(date: string): string;
  instant(at: Date): string;
}

function timesIn(locale: Locale, timeZone: string): Times {
  const date = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  const day = new Intl.DateTimeFormat(locale, { ...date, month: 'long', timeZone: 'UTC' });
  const instant = new Intl.DateTimeFormat(locale, { ...date, ...clock, timeZone });
  return { day: (text) => day.format(new Date(text)), instant: (at) => instant.format(at) };
}
