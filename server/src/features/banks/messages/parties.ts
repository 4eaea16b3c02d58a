import type { AccountId, AgentId, Party } from './model.ts';
import { at, children, codeOf, textAt, textsAt } from './values.ts';
import type { XmlElement } from './xml.ts';

/**
 * A person or firm. Version 8 writes a party or a bank (Party40Choice), earlier ones the party itself; a BIC is BICOrBEI in version
 * 2 and AnyBIC after it. Null where nothing is said.
 */
export function partyOf(element: XmlElement | null): Party | null {
  if (element === null) return null;
  const agent = at(element, 'Agt');
  if (agent) {
    const { bic = null, name = null } = agentOf(agent) ?? {};
    return { name, country: null, town: null, addressLines: [], bic, identifications: [] };
  }
  const party = at(element, 'Pty') ?? element;
  const address = at(party, 'PstlAdr');
  const organisation = at(party, 'Id', 'OrgId');
  const person = at(party, 'Id', 'PrvtId');
  const identifications = [organisation, person]
    .flatMap((kind) => (kind ? children(kind, 'Othr') : []))
    .flatMap((other) => {
      const id = textAt(other, 'Id');
      return id === null ? [] : [{ id, scheme: codeOf(at(other, 'SchmeNm')) }];
    });
  const found: Party = {
    name: textAt(party, 'Nm'),
    country: textAt(address, 'Ctry') ?? textAt(party, 'CtryOfRes'),
    town: textAt(address, 'TwnNm'),
    addressLines: linesOf(address),
    bic: textAt(organisation, 'AnyBIC') ?? textAt(organisation, 'BICOrBEI'),
    identifications,
  };
  const isEmpty = Object.values(found).every((value) => value === null || (Array.isArray(value) && value.length === 0));
  return isEmpty ? null : found;
}

/** Lines as they are, or street and postcode of an address in fields. */
function linesOf(address: XmlElement | null): string[] {
  const lines = textsAt(address, 'AdrLine');
  const street = [textAt(address, 'StrtNm'), textAt(address, 'BldgNb')].filter((part) => part !== null).join(' ');
  return [street, textAt(address, 'PstCd') ?? ''].filter((line) => line !== '').concat(lines);
}

/** A bank: BIC in version 2, BICFI after it. */
export function agentOf(element: XmlElement | null): AgentId | null {
  const bank = at(element, 'FinInstnId');
  if (bank === null) return null;
  const member = at(bank, 'ClrSysMmbId');
  const found: AgentId = {
    bic: textAt(bank, 'BICFI') ?? textAt(bank, 'BIC'),
    name: textAt(bank, 'Nm'),
    clearingSystem: codeOf(at(member, 'ClrSysId')),
    clearingMember: textAt(member, 'MmbId') ?? textAt(bank, 'Othr', 'Id'),
  };
  return Object.values(found).every((value) => value === null) ? null : found;
}

export function accountOf(element: XmlElement | null): AccountId | null {
  if (element === null) return null;
  const other = at(element, 'Id', 'Othr');
  const found: AccountId = {
    iban: textAt(element, 'Id', 'IBAN')?.replaceAll(' ', '').toUpperCase() ?? null,
    number: textAt(other, 'Id'),
    scheme: codeOf(at(other, 'SchmeNm')),
    currency: textAt(element, 'Ccy'),
    name: textAt(element, 'Nm'),
    proxy: textAt(element, 'Prxy', 'Id'),
  };
  return Object.values(found).every((value) => value === null) ? null : found;
}
