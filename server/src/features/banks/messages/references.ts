import type { CreditorReference, References, Remittance } from './model.ts';
import { at, children, codeOf, dayOf, textAt, textsAt } from './values.ts';
import type { XmlElement } from './xml.ts';

/** What a debtor writes where nothing was given to write (ISO 20022 usage rule). */
const notProvided = 'NOTPROVIDED';

export function referencesOf(element: XmlElement | null): References {
  const proprietary = (element === null ? [] : children(element, 'Prtry')).flatMap((own) => {
    const reference = textAt(own, 'Ref');
    return reference === null ? [] : [{ type: textAt(own, 'Tp') ?? '', reference }];
  });
  const endToEnd = textAt(element, 'EndToEndId');
  // Before there was a field for it, banks gave the UETR among references of their own.
  const uetr = textAt(element, 'UETR') ?? proprietary.find(({ type }) => type.toUpperCase() === 'UETR')?.reference;
  return {
    message: textAt(element, 'MsgId'),
    accountServicer: textAt(element, 'AcctSvcrRef'),
    paymentInformation: textAt(element, 'PmtInfId'),
    instruction: textAt(element, 'InstrId'),
    endToEnd: endToEnd === notProvided ? null : endToEnd,
    uetr: uetr?.toLowerCase() ?? null,
    transaction: textAt(element, 'TxId'),
    mandate: textAt(element, 'MndtId'),
    cheque: textAt(element, 'ChqNb'),
    clearing: textAt(element, 'ClrSysRef'),
    accountServicerTransaction: textAt(element, 'AcctSvcrTxId'),
    marketInfrastructure: textAt(element, 'MktInfrstrctrTxId'),
    processing: textAt(element, 'PrcgId'),
    proprietary,
  };
}

export function remittanceOf(element: XmlElement | null): Remittance {
  const structured = element === null ? [] : children(element, 'Strd');
  return {
    unstructured: textsAt(element, 'Ustrd'),
    structured: structured.flatMap((each) => creditorReferenceOf(at(each, 'CdtrRefInf')) ?? []),
    documents: structured
      .flatMap((each) => children(each, 'RfrdDocInf'))
      .flatMap((document) => {
        const number = textAt(document, 'Nb');
        const type = codeOf(at(document, 'Tp', 'CdOrPrtry'));
        return number === null ? [] : [{ type, number, date: dayOf(at(document, 'RltdDt')) }];
      }),
    additional: structured.flatMap((each) => textsAt(each, 'AddtlRmtInf')),
  };
}

function creditorReferenceOf(element: XmlElement | null): CreditorReference | null {
  const reference = textAt(element, 'Ref');
  if (reference === null) return null;
  return {
    type: codeOf(at(element, 'Tp', 'CdOrPrtry')),
    issuer: textAt(element, 'Tp', 'Issr'),
    reference,
    checked: isIso11649(reference) ? 'iso11649' : isSwissQr(reference) ? 'swissQr' : null,
  };
}

/** ISO 11649: RF, two check digits (ISO 7064 mod 97-10), up to 21 letters and digits; people group it by spaces. */
export function isIso11649(text: string): boolean {
  const reference = text.replaceAll(' ', '').toUpperCase();
  if (!/^RF\d{2}[0-9A-Z]{1,21}$/.test(reference)) return false;
  const turned = reference.slice(4) + reference.slice(0, 4);
  const digits = turned.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}

/** The carries of modulo 10, recursive (Swiss implementation guidelines QR-bill, annex B). */
const carries = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5];

/** 26 digits and their check digit. */
export function isSwissQr(text: string): boolean {
  const reference = text.replaceAll(' ', '');
  if (!/^\d{27}$/.test(reference) || /^0+$/.test(reference)) return false;
  const carry = [...reference.slice(0, 26)].reduce((held, digit) => carries[(held + Number(digit)) % 10] ?? 0, 0);
  return (10 - carry) % 10 === Number(reference[26]);
}
