import { minorUnitsOf } from '@causeway/contract/iso-4217.ts';
import { parseAmount } from '@causeway/contract/money.ts';
import { amountsOf, chargesOf, transactionCodeOf } from './amounts.ts';
import type { Batch, Entry, EntryDetail, EntryState, RelatedDates, ReturnInfo } from './model.ts';
import { accountOf, agentOf, partyOf } from './parties.ts';
import { BankFileError } from './problem.ts';
import { referencesOf, remittanceOf } from './references.ts';
import {
  at,
  bankDateOf,
  child,
  children,
  codeOf,
  countAt,
  dateTimeOf,
  dayOf,
  directionOf,
  flagAt,
  type Money,
  moneyOf,
  needed,
  textAt,
  textsAt,
} from './values.ts';
import type { XmlElement } from './xml.ts';

/** ISO 20022's external code list "EntryStatus". */
const states = new Map<string, EntryState>([
  ['BOOK', 'booked'],
  ['PDNG', 'pending'],
  ['INFO', 'information'],
  ['FUTR', 'future'],
]);

/** One `TxDtls`. Its amount is its own; `entryOf` adds what a lone detail has from its entry. */
export function detailOf(element: XmlElement): EntryDetail {
  const parties = child(element, 'RltdPties');
  const agents = child(element, 'RltdAgts');
  const amount = child(element, 'Amt');
  const direction = child(element, 'CdtDbtInd');
  return {
    references: referencesOf(child(element, 'Refs')),
    dates: datesOf(child(element, 'RltdDts')),
    amount: amount && moneyOf(amount),
    direction: direction && directionOf(direction),
    amounts: amountsOf(child(element, 'AmtDtls')),
    charges: chargesOf(element),
    initiatingParty: partyOf(at(parties, 'InitgPty')),
    debtor: partyOf(at(parties, 'Dbtr')),
    debtorAccount: accountOf(at(parties, 'DbtrAcct')),
    debtorAgent: agentOf(at(agents, 'DbtrAgt')),
    ultimateDebtor: partyOf(at(parties, 'UltmtDbtr')),
    creditor: partyOf(at(parties, 'Cdtr')),
    creditorAccount: accountOf(at(parties, 'CdtrAcct')),
    creditorAgent: agentOf(at(agents, 'CdtrAgt')),
    intermediaryAgents: ['IntrmyAgt1', 'IntrmyAgt2', 'IntrmyAgt3'].flatMap((name) => agentOf(at(agents, name)) ?? []),
    ultimateCreditor: partyOf(at(parties, 'UltmtCdtr')),
    purpose: codeOf(child(element, 'Purp')),
    remittance: remittanceOf(child(element, 'RmtInf')),
    returned: returnOf(child(element, 'RtrInf')),
    code: transactionCodeOf(child(element, 'BkTxCd')),
    additional: textAt(element, 'AddtlTxInf'),
  };
}

function datesOf(element: XmlElement | null): RelatedDates | null {
  if (element === null) return null;
  const dates = {
    accepted: dateTimeOf(child(element, 'AccptncDtTm')),
    settled: dayOf(child(element, 'IntrBkSttlmDt')),
    transaction: dateTimeOf(child(element, 'TxDtTm')),
  };
  return Object.values(dates).every((date) => date === null) ? null : dates;
}

function returnOf(element: XmlElement | null): ReturnInfo | null {
  if (element === null) return null;
  return {
    reason: codeOf(child(element, 'Rsn')),
    originator: partyOf(child(element, 'Orgtr')),
    texts: textsAt(element, 'AddtlInf'),
  };
}

/** One `Ntry` with the details that were read from it. @throws BankFileError */
export function entryOf(element: XmlElement, details: readonly EntryDetail[]): Entry {
  const status = needed(element, 'Sts');
  const stateCode = codeOf(status);
  if (stateCode === null) throw new BankFileError('missing', { path: status.path });
  const amount = moneyOf(needed(element, 'Amt'));
  const direction = directionOf(needed(element, 'CdtDbtInd'));
  const entry: Entry = {
    reference: textAt(element, 'NtryRef'),
    accountServicerReference: textAt(element, 'AcctSvcrRef'),
    amount,
    direction,
    isReversal: flagAt(element, 'RvslInd') ?? false,
    state: (stateCode.isProprietary ? undefined : states.get(stateCode.code)) ?? 'other',
    stateCode,
    bookingDate: bankDateOf(child(element, 'BookgDt')),
    valueDate: bankDateOf(child(element, 'ValDt')),
    code: transactionCodeOf(child(element, 'BkTxCd')),
    amounts: amountsOf(child(element, 'AmtDtls')),
    charges: chargesOf(element),
    batches: children(element, 'NtryDtls').flatMap((group) => batchOf(child(group, 'Btch')) ?? []),
    details: [],
    additional: textAt(element, 'AddtlNtryInf'),
  };
  return { ...entry, details: details.map((detail) => completed(detail, entry, details.length === 1)) };
}

/**
 * Version 2 has no amount of a detail. A lone detail is then the whole entry, unless the entry says that it is a batch of more; others
 * have the amount of their transaction where it is in the entry's currency.
 */
function completed(detail: EntryDetail, entry: Entry, isLone: boolean): EntryDetail {
  const count = entry.batches[0]?.count ?? 1;
  const amount = detail.amount ?? (isLone && count === 1 ? entry.amount : ofTransaction(detail, entry.amount.currency));
  return { ...detail, amount, direction: detail.direction ?? entry.direction };
}

function ofTransaction({ amounts }: EntryDetail, currency: string): Money | null {
  const decimals = minorUnitsOf(currency);
  if (decimals === null || amounts.transaction?.currency !== currency) return null;
  const parsed = parseAmount(amounts.transaction.amount, decimals);
  return parsed.ok ? { currency, minor: parsed.minor } : null;
}

function batchOf(element: XmlElement | null): Batch | null {
  if (element === null) return null;
  const total = child(element, 'TtlAmt');
  return {
    message: textAt(element, 'MsgId'),
    paymentInformation: textAt(element, 'PmtInfId'),
    count: countAt(element, 'NbOfTxs'),
    total: total && moneyOf(total),
  };
}
