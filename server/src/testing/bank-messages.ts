/** Messages as banks write them, put together from pieces, for the tests of their readers. */

const namespace = (name: string) => `urn:iso:std:iso:20022:tech:xsd:${name}`;

export const header = '<GrpHdr><MsgId>MSG-1</MsgId><CreDtTm>2026-11-20T18:00:00+08:00</CreDtTm></GrpHdr>';

export function document(name: string, body: string, inner: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace(name)}"><${body}>${inner}</${body}></Document>`;
}

export interface StatementPieces {
  version?: string;
  id?: string;
  account?: string;
  head?: string;
  balances?: string;
  entries?: string;
}

export const ibanAccount = '<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>';

export function stmt({
  id = 'STMT-1',
  account = ibanAccount,
  head = '',
  balances = bal('OPBD', '0') + bal('CLBD', '0'),
  entries = '',
}: StatementPieces = {}): string {
  return `<Stmt><Id>${id}</Id>${head}${account}${balances}${entries}</Stmt>`;
}

export function camt053(pieces: StatementPieces = {}): string {
  return document(`camt.053.001.${pieces.version ?? '08'}`, 'BkToCstmrStmt', header + stmt(pieces));
}

export function bal(
  type: string,
  amount: string,
  { currency = 'EUR', sign = 'CRDT', date = '2026-11-20' } = {},
): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd><Dt><Dt>${date}</Dt></Dt></Bal>`;
}

export interface EntryPieces {
  amount?: string;
  currency?: string;
  sign?: string;
  state?: string;
  rest?: string;
}

/** The state as version 8 writes it; `bare` is that of the versions before. */
export function ntry({
  amount = '10.00',
  currency = 'EUR',
  sign = 'CRDT',
  state = '<Sts><Cd>BOOK</Cd></Sts>',
  rest = '<BookgDt><Dt>2026-11-20</Dt></BookgDt><BkTxCd/>',
}: EntryPieces = {}): string {
  return `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd>${state}${rest}</Ntry>`;
}

/** A file that arrives in pieces of so many bytes. */
export async function* arriving(content: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function collected<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of source) all.push(each);
  return all;
}
