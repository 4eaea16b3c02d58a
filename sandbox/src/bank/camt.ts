import { stampAt } from './calendar.ts';
import { amountText, BANKS, CUSTOMER } from './catalogue.ts';
import type { Account, Booking, Detail, Party, Statement } from './model.ts';
import { cut, document, e, type Xml } from './xml-write.ts';

/** Writes camt.054.001.08 (at booking) and camt.053.001.08 (of a day). */

type Head = { id: string; at: number };

export function notification(head: Head, account: Readonly<Account>, bookings: readonly Readonly<Booking>[]): string {
  return document('camt.054.001.08', [
    e('BkToCstmrDbtCdtNtfctn', [
      header(head),
      e('Ntfctn', [
        e('Id', head.id),
        e('CreDtTm', stampAt(head.at)),
        accountPart(account),
        ...bookings.map((booking) => entry(booking, booking.batch !== 'without')),
      ]),
    ]),
  ]);
}

export function statementMessage(
  head: Head,
  account: Readonly<Account>,
  statement: Readonly<Statement>,
  bookings: readonly Readonly<Booking>[],
): string {
  const sums = { CRDT: sumOf(bookings, 1n), DBIT: sumOf(bookings, -1n) };
  return document('camt.053.001.08', [
    e('BkToCstmrStmt', [
      header(head),
      e('Stmt', [
        e('Id', `${statement.account}-${String(statement.number).padStart(6, '0')}`),
        e('ElctrncSeqNb', String(statement.number)),
        e('LglSeqNb', String(statement.number)),
        e('CreDtTm', stampAt(head.at)),
        e('FrToDt', [
          e('FrDtTm', `${statement.date}T00:00:00.000+08:00`),
          e('ToDtTm', `${statement.date}T23:59:59.999+08:00`),
        ]),
        accountPart(account),
        balance('OPBD', BigInt(statement.opening), account.currency, statement.date),
        balance('CLBD', BigInt(statement.closing), account.currency, statement.date),
        e('TxsSummry', [
          e('TtlNtries', [e('NbOfNtries', String(bookings.length))]),
          summary('TtlCdtNtries', bookings, 'CRDT', sums.CRDT, account.currency),
          summary('TtlDbtNtries', bookings, 'DBIT', sums.DBIT, account.currency),
        ]),
        ...bookings.map((booking) => entry(booking, booking.batch === undefined || booking.batch === 'with')),
      ]),
    ]),
  ]);
}

function header({ id, at }: Head): Xml | undefined {
  return e('GrpHdr', [e('MsgId', id), e('CreDtTm', stampAt(at))]);
}

function accountPart(account: Readonly<Account>): Xml | undefined {
  const { name, bic } = BANKS[account.bank];
  return e('Acct', [
    e('Id', [e('Othr', [e('Id', account.number), e('SchmeNm', [e('Cd', 'BBAN')])])]),
    e('Ccy', account.currency),
    e('Ownr', [e('Nm', CUSTOMER)]),
    e('Svcr', [e('FinInstnId', [e('BICFI', bic), e('Nm', name)])]),
  ]);
}

function balance(type: string, amount: bigint, currency: string, date: string): Xml | undefined {
  return e('Bal', [
    e('Tp', [e('CdOrPrtry', [e('Cd', type)])]),
    money('Amt', amount, currency),
    e('CdtDbtInd', amount < 0n ? 'DBIT' : 'CRDT'),
    e('Dt', [e('Dt', date)]),
  ]);
}

function summary(
  name: string,
  bookings: readonly Readonly<Booking>[],
  direction: string,
  sum: bigint,
  currency: string,
): Xml | undefined {
  const count = bookings.filter((booking) => directionOf(BigInt(booking.amount)) === direction).length;
  return e(name, [e('NbOfNtries', String(count)), e('Sum', amountText(sum, currency))]);
}

function sumOf(bookings: readonly Readonly<Booking>[], sign: 1n | -1n): bigint {
  return bookings.reduce((sum, { amount }) => (BigInt(amount) * sign > 0n ? sum + BigInt(amount) * sign : sum), 0n);
}

const directionOf = (amount: bigint): string => (amount < 0n ? 'DBIT' : 'CRDT');

function money(name: string, amount: bigint, currency: string): Xml | undefined {
  return e(name, amountText(amount < 0n ? -amount : amount, currency), { Ccy: currency });
}

function entry(booking: Readonly<Booking>, withDetails: boolean): Xml | undefined {
  const amount = BigInt(booking.amount);
  const details = withDetails ? booking.details.map((detail) => transaction(booking, detail)) : [];
  const batch =
    booking.batch === undefined
      ? undefined
      : e('Btch', [
          e('NbOfTxs', String(booking.details.length)),
          money('TtlAmt', amount, booking.currency),
          e('CdtDbtInd', directionOf(amount)),
        ]);
  return e('Ntry', [
    e('NtryRef', booking.id),
    money('Amt', amount, booking.currency),
    e('CdtDbtInd', directionOf(amount)),
    e('RvslInd', booking.isReversal ? 'true' : 'false'),
    e('Sts', [e('Cd', 'BOOK')]),
    e('BookgDt', [e('Dt', booking.bookingDate)]),
    e('ValDt', [e('Dt', booking.valueDate)]),
    e('AcctSvcrRef', booking.id),
    codePart(booking.code),
    e('NtryDtls', [batch, ...details]),
    e('AddtlNtryInf', cut(booking.text, 500)),
  ]);
}

function codePart([domain, family, subFamily]: Booking['code']): Xml | undefined {
  return e('BkTxCd', [e('Domn', [e('Cd', domain), e('Fmly', [e('Cd', family), e('SubFmlyCd', subFamily)])])]);
}

function transaction(booking: Readonly<Booking>, detail: Readonly<Detail>): Xml | undefined {
  const amount = BigInt(detail.amount);
  const isIncoming = detail.paidTo !== undefined;
  const own = { name: CUSTOMER, account: isIncoming ? detail.paidTo : booking.account };
  const [debtor, creditor] = isIncoming ? [detail.counterparty, own] : [own, detail.counterparty];
  return e('TxDtls', [
    e('Refs', [
      e('MsgId', cut(detail.messageId, 35)),
      e('AcctSvcrRef', detail.id),
      e('PmtInfId', cut(detail.paymentInformationId, 35)),
      e('InstrId', cut(detail.instructionId, 35)),
      e('EndToEndId', cut(detail.endToEndId, 35)),
      e('UETR', detail.uetr),
      e('TxId', detail.id),
    ]),
    money('Amt', amount, booking.currency),
    e('CdtDbtInd', directionOf(BigInt(booking.amount))),
    e('RltdPties', [
      partyPart('Dbtr', debtor),
      accountOf('DbtrAcct', debtor),
      partyPart('Cdtr', creditor),
      accountOf('CdtrAcct', creditor),
    ]),
    e('RltdAgts', [agentPart('DbtrAgt', debtor), agentPart('CdtrAgt', creditor)]),
    e('RmtInf', [e('Ustrd', cut(detail.text, 140)), referencePart(detail.reference)]),
    detail.returned === undefined
      ? undefined
      : e('RtrInf', [e('Rsn', [e('Cd', detail.returned.code)]), e('AddtlInf', cut(detail.returned.text, 105))]),
  ]);
}

function partyPart(name: string, party: Party): Xml | undefined {
  const address = e('PstlAdr', [e('TwnNm', cut(party.town, 35)), e('Ctry', party.country)]);
  return e(name, [e('Pty', [e('Nm', cut(party.name, 140)), address])]);
}

function accountOf(name: string, { account }: Party): Xml | undefined {
  if (account === undefined || account === '') return undefined;
  const isIban = /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(account);
  return e(name, [e('Id', [isIban ? e('IBAN', account) : e('Othr', [e('Id', cut(account, 34))])])]);
}

function agentPart(name: string, { bic, clearing }: Party): Xml | undefined {
  return e(name, [
    e('FinInstnId', [
      e('BICFI', bic),
      clearing === undefined
        ? undefined
        : e('ClrSysMmbId', [e('ClrSysId', [e('Cd', clearing.system)]), e('MmbId', cut(clearing.member, 35))]),
    ]),
  ]);
}

function referencePart(reference: string | undefined): Xml | undefined {
  if (reference === undefined || reference === '') return undefined;
  return e('Strd', [
    e('CdtrRefInf', [e('Tp', [e('CdOrPrtry', [e('Cd', 'SCOR')]), e('Issr', 'ISO')]), e('Ref', cut(reference, 35))]),
  ]);
}
