import { Readable } from 'node:stream';
import type { Locale } from '@causeway/contract/locale.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { translate } from '../../../platform/text/texts.ts';
import { type WrittenBalance, type WrittenEntry, type WrittenStatement, writeCamt053 } from '../../banks/index.ts';
import type { Line } from './lines.ts';
import { ledgerBalance, type OpenPeriod, type WalletSpan } from './open.ts';
import type { Lines, Statement } from './statement.ts';

/**
 * A statement of wallets at banks as camt.053.001.08, a `Stmt` for each wallet, however long. Booking days are those of the company's time
 * zone; value dates are the bank's.
 */
export function writeCamt(
  { opened, wallets }: Statement,
  linesOf: (span: WalletSpan) => Lines,
  { locale, now }: { locale: Locale; now: Date },
): Readable {
  const times = timesIn(opened.period.timeZone);
  const context = { period: opened.period, times, locale, now };
  const statements = wallets.map((wallet) => statementOf(wallet, linesOf, context));
  const head = { messageId: compact(newId()), createdAt: times.instant(now) };
  return Readable.from(writeCamt053(head, statements));
}

interface Context {
  period: OpenPeriod;
  times: Times;
  locale: Locale;
  now: Date;
}

function statementOf(
  { span, sums }: Statement['wallets'][number],
  linesOf: (span: WalletSpan) => Lines,
  context: Context,
): WrittenStatement {
  const { period, times, locale, now } = context;
  const { wallet, placeName } = span;
  const { bank } = wallet;
  invariant(bank, `wallet ${wallet.id} is at a bank`);
  const say = (name: string) => translate(locale, `statement.${name}`);
  return {
    id: idOf(wallet.id, period, now),
    createdAt: times.instant(now),
    from: times.instant(period.opensAt),
    // The period's last second: its end is the first moment of the next.
    to: times.instant(new Date(period.closesAt.getTime() - 1000)),
    account: {
      iban: bank.iban,
      number: bank.number,
      currency: wallet.asset,
      holder: bank.holder,
      bic: bank.bic,
      bank: placeName,
    },
    balances: balancesOf(span, context),
    sums: { count: sums.movements, creditsMinor: sums.moneyInMinor, debitsMinor: sums.moneyOutMinor },
    entries: entriesOf(linesOf(span), times),
    note: [say('note.balance'), say('note.fees'), ...(period.isFinal ? [] : [say('notFinal')])].join(' '),
  };
}

/**
 * Of at most 35 characters: days and wallet, so that a statement that is final has one id however often it is saved. One that can still
 * change has its time too: readers refuse other figures under an id that they know.
 */
function idOf(walletId: string, { from, to, isFinal }: OpenPeriod, now: Date): string {
  const days = `${compact(from)}-${compact(to)}`;
  const wallet = compact(walletId);
  return isFinal
    ? `${days}-${wallet.slice(-12)}`
    : `${days}-${wallet.slice(-8)}-${now.getTime().toString(36).slice(-8)}`;
}

/** What is settled by now is a booked balance, anything else an interim one. */
function balancesOf({ opening, closing }: WalletSpan, { period, times, now }: Context): WrittenBalance[] {
  const first = ledgerBalance(opening);
  const last = ledgerBalance(closing);
  const interim = { instant: times.instant(now) };
  return [
    period.isOpeningFinal
      ? { type: 'OPBD', minor: first, at: { day: period.from } }
      : { type: 'ITBD', minor: first, at: interim },
    ...(period.isFinal
      ? ([
          { type: 'CLBD', minor: last, at: { day: period.to } },
          { type: 'CLAV', minor: closing.availableMinor, at: { day: period.to } },
        ] as const)
      : ([
          { type: 'ITBD', minor: last, at: interim },
          { type: 'ITAV', minor: closing.availableMinor, at: interim },
        ] as const)),
  ];
}

/** Domain, family and sub-family of ISO 20022 by kind of posting; how the money travelled is not known. */
const codes: Readonly<Record<string, WrittenEntry['code']>> = {
  'deposit.credited': ['PMNT', 'RCDT', 'OTHR'],
  'deposit.reversed': ['PMNT', 'RCDT', 'RRTN'],
  'transfer.settle': ['PMNT', 'ICDT', 'OTHR'],
  'payout.returned': ['PMNT', 'ICDT', 'RRTN'],
  'exchange.execute': ['FORX', 'SPOT', 'OTHR'],
};
const unknownCode: WrittenEntry['code'] = ['XTND', 'NTAV', 'NTAV'];

async function* entriesOf(lines: Lines, times: Times): AsyncGenerator<WrittenEntry> {
  for await (const line of lines) yield entryOf(line, times);
}

function entryOf({ shown, movement, row }: Line, times: Times): WrittenEntry {
  const { kind, place, postingId, amountMinor, feeMinor } = movement;
  const isIn = row?.direction === 'in';
  return {
    reference: `${place.available}.${place.onHold}`,
    accountServicerReference: compact(postingId),
    amountMinor,
    chargeMinor: feeMinor,
    isReversal: kind === 'deposit.reversed' || kind === 'payout.returned',
    bookedOn: times.day(movement.at),
    valueOn: row?.valueDate ?? null,
    code: codes[kind] ?? unknownCode,
    ownCode: kind,
    names: {
      bank: row?.bankReference ?? null,
      endToEnd: row?.endToEndId ?? null,
      uetr: row?.uetr ?? null,
      transaction: row && compact(row.id),
    },
    counterparty: {
      name: (isIn ? row?.payerName : row?.payeeName) ?? null,
      account: (isIn ? row?.payerAccount : row?.payeeAccount) ?? null,
    },
    remittance: row?.description ?? '',
    description: shown.description,
  };
}

/** The schema has room for 35 characters, one fewer than a UUID has with its hyphens. */
function compact(text: string): string {
  return text.replaceAll('-', '');
}

interface Times {
  day(at: Date): string;
  instant(at: Date): string;
}

/** Days and instants of a zone as XML has them: `2026-11-23T18:05:31+08:00`. */
function timesIn(timeZone: string): Times {
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const offsets = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const offsetAt = (at: Date) =>
    offsets
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')
      ?.value.replace('GMT', '') || 'Z';
  return {
    day: (at) => local.format(at).slice(0, 10),
    instant: (at) => `${local.format(at).replace(' ', 'T')}${offsetAt(at)}`,
  };
}
