import { minorUnitsOf } from '@causeway/contract/iso-4217.ts';
import type { Amounts, Charge, Exchange, TransactionCode } from './model.ts';
import {
  at,
  child,
  children,
  codeOf,
  directionOf,
  flagAt,
  needed,
  type StatedAmount,
  stated,
  statedOf,
  textAt,
} from './values.ts';
import type { XmlElement } from './xml.ts';

/** AmtDtls: what informs about an amount beside the one that is booked. */
export function amountsOf(element: XmlElement | null): Amounts {
  const kinds = ['InstdAmt', 'TxAmt', 'CntrValAmt', 'AnncdPstngAmt'].map((name) => at(element, name));
  const exchange = kinds.map((kind) => exchangeOf(at(kind, 'CcyXchg'))).find((found) => found !== null);
  return {
    instructed: statedOf(at(element, 'InstdAmt', 'Amt')),
    transaction: statedOf(at(element, 'TxAmt', 'Amt')),
    counterValue: statedOf(at(element, 'CntrValAmt', 'Amt')),
    exchange: exchange ?? null,
  };
}

function exchangeOf(element: XmlElement | null): Exchange | null {
  const source = textAt(element, 'SrcCcy');
  const rate = textAt(element, 'XchgRate');
  if (source === null || rate === null) return null;
  const [target, unit] = [textAt(element, 'TrgtCcy'), textAt(element, 'UnitCcy')];
  return { source, target, unit, rate, contract: textAt(element, 'CtrctId') };
}

/**
 * Versions 2 and 3 repeat `Chrgs` with an amount each; later ones have one `Chrgs` with `Rcrd`s. A total without records is one charge.
 */
export function chargesOf(element: XmlElement): Charge[] {
  return children(element, 'Chrgs').flatMap((charges) => {
    const records = children(charges, 'Rcrd');
    if (records.length > 0) return records.map((record) => chargeOf(record, needed(record, 'Amt')));
    const amount = child(charges, 'Amt') ?? child(charges, 'TtlChrgsAndTaxAmt');
    return amount ? [chargeOf(charges, amount)] : [];
  });
}

/** With the decimals of its currency at least. */
function chargedOf(element: XmlElement): StatedAmount {
  const { currency, amount } = stated(element);
  const [whole = '', fraction = ''] = amount.split('.');
  const decimals = fraction.padEnd(minorUnitsOf(currency) ?? 0, '0');
  return { currency, amount: decimals === '' ? whole : `${whole}.${decimals}` };
}

function chargeOf(element: XmlElement, amount: XmlElement): Charge {
  const direction = child(element, 'CdtDbtInd');
  return {
    amount: chargedOf(amount),
    direction: direction ? directionOf(direction) : null,
    isIncluded: flagAt(element, 'ChrgInclInd'),
    type: codeOf(child(element, 'Tp')),
    bearer: textAt(element, 'Br'),
  };
}

export function transactionCodeOf(element: XmlElement | null): TransactionCode | null {
  if (element === null) return null;
  const domain = at(element, 'Domn');
  const found: TransactionCode = {
    domain: textAt(domain, 'Cd'),
    family: textAt(domain, 'Fmly', 'Cd'),
    subFamily: textAt(domain, 'Fmly', 'SubFmlyCd'),
    proprietary: textAt(element, 'Prtry', 'Cd'),
  };
  return Object.values(found).every((value) => value === null) ? null : found;
}
