import { ibanProblem } from '@causeway/contract/iban.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { foldLatin } from './folding.ts';
import { amountElement, decimalsOf, element, inside, text } from './write.ts';

/**
 * Writes camt.053.001.08 (bank to customer statement): one message, a statement for each account, entry by entry. No person sees its
 * texts before they are written, so they are folded here.
 */

export interface StatementMessage {
  messageId: string;
  createdAt: string;
}

/** A balance of the account, in minor units, on a day or at an instant with its offset. */
export interface WrittenBalance {
  /** OPBD and CLBD are settled; ITBD can still change. CLAV and ITAV: what of it is available. */
  type: 'OPBD' | 'CLBD' | 'ITBD' | 'CLAV' | 'ITAV';
  minor: bigint;
  at: { day: string } | { instant: string };
}

export interface WrittenStatement {
  id: string;
  createdAt: string;
  /** The first and the last second, with their offsets. */
  from: string;
  to: string;
  account: { iban: string | null; number: string; currency: string; holder: string; bic: string; bank: string };
  balances: readonly WrittenBalance[];
  /** What the entries come to: the header says it before the first. Minor units, unsigned. */
  sums: { count: number; creditsMinor: bigint; debitsMinor: bigint };
  entries: AsyncIterable<WrittenEntry> | Iterable<WrittenEntry>;
  note: string;
}

export interface WrittenEntry {
  /** Unique in the account. */
  reference: string;
  accountServicerReference: string;
  /** Signed, minor units, the charge included. */
  amountMinor: bigint;
  /** Part of the amount: positive was taken, negative given back. */
  chargeMinor: bigint;
  isReversal: boolean;
  bookedOn: string;
  valueOn: string | null;
  /** Domain, family and sub-family of ISO 20022. */
  code: readonly [string, string, string];
  /** Our own code beside it. */
  ownCode: string;
  names: {
    bank: string | null;
    endToEnd: string | null;
    uetr: string | null;
    transaction: string | null;
  };
  /** Who paid it in, or to whom it was paid. */
  counterparty: { name: string | null; account: string | null };
  remittance: string;
  description: string;
}

const issuer = 'Causeway';

/** The message in lines: its head, for each account a head, a line for each entry and an end, and its end. */
export async function* writeCamt053(
  { messageId, createdAt }: StatementMessage,
  statements: Iterable<WrittenStatement>,
): AsyncGenerator<string> {
  yield [
    '<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>',
    inside('GrpHdr', text('MsgId', messageId, 35) + element('CreDtTm', createdAt)),
    '\n',
  ].join('');
  for (const statement of statements) yield* statementOf(statement);
  yield '</BkToCstmrStmt></Document>\n';
}

async function* statementOf(statement: WrittenStatement): AsyncGenerator<string> {
  const { account, sums, entries, note } = statement;
  yield headOf(statement);
  const found = { count: 0, creditsMinor: 0n, debitsMinor: 0n };
  for await (const entry of entries) {
    found.count += 1;
    if (entry.amountMinor > 0n) found.creditsMinor += entry.amountMinor;
    else found.debitsMinor -= entry.amountMinor;
    yield entryOf(entry, account.currency);
  }
  invariant(found.count === sums.count, `a statement of ${sums.count} entries has ${found.count}`);
  invariant(
    found.creditsMinor === sums.creditsMinor && found.debitsMinor === sums.debitsMinor,
    'the sums of a statement are those of its entries',
  );
  yield `${textIfAny('AddtlStmtInf', note, 500)}</Stmt>\n`;
}

function headOf({ id, createdAt, from, to, account, balances, sums }: WrittenStatement): string {
  const { iban, number, currency, holder, bic, bank } = account;
  const ownId =
    iban === null
      ? inside('Othr', text('Id', number, 34) + inside('SchmeNm', element('Cd', 'BBAN')))
      : text('IBAN', iban, 34);
  return [
    '<Stmt>',
    text('Id', id, 35),
    element('CreDtTm', createdAt),
    inside('FrToDt', element('FrDtTm', from) + element('ToDtTm', to)),
    inside(
      'Acct',
      [
        inside('Id', ownId),
        element('Ccy', currency),
        inside('Ownr', textIfAny('Nm', holder, 140)),
        inside('Svcr', inside('FinInstnId', text('BICFI', bic, 11) + textIfAny('Nm', bank, 140))),
      ].join(''),
    ),
    ...balances.map((balance) => balanceOf(balance, currency)),
    summaryOf(sums, currency),
    '\n',
  ].join('');
}

function balanceOf({ type, minor, at }: WrittenBalance, currency: string): string {
  const date = 'day' in at ? element('Dt', at.day) : element('DtTm', at.instant);
  const kind = inside('Tp', inside('CdOrPrtry', element('Cd', type)));
  return inside('Bal', kind + signedAmount(minor, currency) + inside('Dt', date));
}

function summaryOf({ count, creditsMinor, debitsMinor }: WrittenStatement['sums'], currency: string): string {
  const whole = (minor: bigint) => formatAmount(minor, decimalsOf(currency));
  const net = creditsMinor - debitsMinor;
  const all = [
    element('NbOfNtries', String(count)),
    element('Sum', whole(creditsMinor + debitsMinor)),
    inside('TtlNetNtry', element('Amt', whole(unsigned(net))) + directionOf(net)),
  ];
  return inside(
    'TxsSummry',
    [
      inside('TtlNtries', all.join('')),
      inside('TtlCdtNtries', element('Sum', whole(creditsMinor))),
      inside('TtlDbtNtries', element('Sum', whole(debitsMinor))),
    ].join(''),
  );
}

function entryOf(entry: WrittenEntry, currency: string): string {
  const [domain, family, subFamily] = entry.code;
  const code =
    inside('Domn', element('Cd', domain) + inside('Fmly', element('Cd', family) + element('SubFmlyCd', subFamily))) +
    inside('Prtry', text('Cd', entry.ownCode, 35) + element('Issr', issuer));
  return `${inside(
    'Ntry',
    [
      text('NtryRef', entry.reference, 35),
      signedAmount(entry.amountMinor, currency),
      entry.isReversal ? element('RvslInd', 'true') : '',
      inside('Sts', element('Cd', 'BOOK')),
      inside('BookgDt', element('Dt', entry.bookedOn)),
      entry.valueOn === null ? '' : inside('ValDt', element('Dt', entry.valueOn)),
      text('AcctSvcrRef', entry.accountServicerReference, 35),
      inside('BkTxCd', code),
      inside('NtryDtls', inside('TxDtls', detailOf(entry, currency))),
      textIfAny('AddtlNtryInf', entry.description, 500),
    ].join(''),
  )}\n`;
}

function detailOf(entry: WrittenEntry, currency: string): string {
  return [
    insideIfAny('Refs', referencesOf(entry.names)),
    signedAmount(entry.amountMinor, currency),
    chargeOf(entry, currency),
    insideIfAny('RltdPties', partyOf(entry)),
    insideIfAny('RmtInf', remittanceOf(entry.remittance)),
  ].join('');
}

/** The form of the schema: UUID v4, in small letters. */
const uetrForm = /^[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}$/;

function referencesOf({ bank, endToEnd, uetr, transaction }: WrittenEntry['names']): string {
  const ours = (type: string, reference: string) => inside('Prtry', text('Tp', type, 35) + text('Ref', reference, 35));
  return [
    nameIfFits('AcctSvcrRef', bank),
    nameIfFits('EndToEndId', endToEnd),
    uetr !== null && uetrForm.test(uetr) ? element('UETR', uetr) : '',
    transaction === null ? '' : ours(issuer, transaction),
  ].join('');
}

/** What the payment was before the charge, and the charge, which the entry includes. */
function chargeOf({ amountMinor, chargeMinor }: WrittenEntry, currency: string): string {
  if (chargeMinor === 0n) return '';
  const before = unsigned(amountMinor + chargeMinor);
  const record = [
    amountElement('Amt', currency, unsigned(chargeMinor)),
    directionOf(-chargeMinor),
    element('ChrgInclInd', 'true'),
  ];
  return (
    inside('AmtDtls', inside('TxAmt', amountElement('Amt', currency, before))) +
    inside('Chrgs', inside('Rcrd', record.join('')))
  );
}

function partyOf({ amountMinor, isReversal, counterparty }: WrittenEntry): string {
  const { name, account } = counterparty;
  // Money that is taken back had the counterparty as its debtor.
  const side = amountMinor > 0n !== isReversal ? 'Dbtr' : 'Cdtr';
  const party = name === null ? '' : textIfAny('Nm', name, 140);
  const number = account?.replaceAll(' ', '') ?? '';
  const isIban = ibanProblem(number, number.slice(0, 2)) === null;
  const id = isIban ? text('IBAN', number, 34) : insideIfAny('Othr', nameIfFits('Id', number, 34));
  return insideIfAny(side, insideIfAny('Pty', party)) + (id === '' ? '' : inside(`${side}Acct`, inside('Id', id)));
}

const longestRemittance = 140;

function remittanceOf(remittance: string): string {
  const characters = [...folded(remittance)];
  const pieces: string[] = [];
  for (let from = 0; from < characters.length; from += longestRemittance) {
    pieces.push(textIfAny('Ustrd', characters.slice(from, from + longestRemittance).join(''), longestRemittance));
  }
  return pieces.join('');
}

function signedAmount(minor: bigint, currency: string): string {
  return amountElement('Amt', currency, unsigned(minor)) + directionOf(minor);
}

function directionOf(minor: bigint): string {
  return element('CdtDbtInd', minor < 0n ? 'DBIT' : 'CRDT');
}

function unsigned(minor: bigint): bigint {
  return minor < 0n ? -minor : minor;
}

function insideIfAny(name: string, content: string): string {
  return content === '' ? '' : inside(name, content);
}

/** A text for people, folded and cut to what the schema allows; nothing where nothing remains. */
function textIfAny(name: string, value: string, most: number): string {
  const cut = [...folded(value)].slice(0, most).join('').trim();
  return cut === '' ? '' : element(name, cut);
}

/** A name by which others know it: one that is cut would be another. */
function nameIfFits(name: string, value: string | null, most = 35): string {
  const whole = cleaned(value ?? '');
  return whole === '' || [...whole].length > most ? '' : element(name, whole);
}

/** In the Latin set of banks where it has every character; a Chinese name stays as it is rather than be lost. */
function folded(value: string): string {
  const clean = cleaned(value);
  const { text: latin, lost } = foldLatin(clean);
  return lost.length === 0 ? latin : clean;
}

/** In one line, without characters that XML does not have. */
function cleaned(value: string): string {
  return value.replaceAll(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\s]+/gu, ' ').trim();
}
