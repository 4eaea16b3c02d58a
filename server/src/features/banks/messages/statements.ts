import type { Balance, Statement } from './model.ts';
import { accountOf, agentOf, partyOf } from './parties.ts';
import { BankFileError } from './problem.ts';
import {
  at,
  bankDateOf,
  child,
  codeOf,
  dateTimeOf,
  directionOf,
  flagAt,
  moneyOf,
  needed,
  neededText,
  textAt,
} from './values.ts';
import type { XmlElement } from './xml.ts';

/** Everything of a `Stmt` or `Ntfctn` but balances and entries, which are read one by one. @throws BankFileError */
export function statementOf(element: XmlElement): Statement {
  const account = needed(element, 'Acct');
  const id = accountOf(account);
  if (id?.iban == null && id?.number == null) throw new BankFileError('missing', { path: `${account.path}/Id` });
  const period = child(element, 'FrToDt');
  return {
    kind: element.name === 'Stmt' ? 'statement' : 'notification',
    id: neededText(element, 'Id'),
    createdAt: dateTimeOf(child(element, 'CreDtTm')),
    from: dateTimeOf(at(period, 'FrDtTm')),
    to: dateTimeOf(at(period, 'ToDtTm')),
    sequence: textAt(element, 'LglSeqNb') ?? textAt(element, 'ElctrncSeqNb'),
    page: pageOf(child(element, 'StmtPgntn') ?? child(element, 'NtfctnPgntn')),
    copy: textAt(element, 'CpyDplctInd'),
    account: { ...id, owner: partyOf(child(account, 'Ownr')), servicer: agentOf(child(account, 'Svcr')) },
  };
}

/** Pagination: version 2 has it on the message, version 8 on the statement. */
export function pageOf(element: XmlElement | null): Statement['page'] {
  if (element === null) return null;
  return { number: neededText(element, 'PgNb'), isLast: flagAt(element, 'LastPgInd') };
}

/** One `Bal`. @throws BankFileError */
export function balanceOf(element: XmlElement): Balance {
  const kind = needed(element, 'Tp');
  const type = codeOf(needed(kind, 'CdOrPrtry'));
  if (type === null) throw new BankFileError('missing', { path: `${kind.path}/CdOrPrtry/Cd` });
  const day = needed(element, 'Dt');
  const date = bankDateOf(day);
  if (date === null) throw new BankFileError('missing', { path: day.path });
  return {
    type,
    subType: codeOf(child(kind, 'SubTp')),
    amount: moneyOf(needed(element, 'Amt')),
    direction: directionOf(needed(element, 'CdtDbtInd')),
    date,
  };
}
