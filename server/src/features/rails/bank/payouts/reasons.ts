/**
 * Why a bank refused a payment or sent it back, as the id of a sentence, by the codes of ISO 20022's external lists "StatusReason" and
 * "ReturnReason". A code that has no sentence is named by its own.
 */
const said: ReadonlySet<string> = new Set([
  'AC01',
  'AC03',
  'AC04',
  'AC06',
  'AC13',
  'AC14',
  'AG01',
  'AM02',
  'AM03',
  'AM04',
  'AM09',
  'BE01',
  'BE04',
  'BE05',
  'BE22',
  'CANC',
  'CUST',
  'DT01',
  'FF01',
  'FOCR',
  'MD07',
  'MS02',
  'MS03',
  'NARR',
  'RC01',
  'RC04',
  'RR01',
  'RR02',
  'RR03',
  'RR04',
  'TM01',
]);

/** The same reason under another code. */
const alike: Readonly<Record<string, string>> = {
  AC03: 'AC01',
  AC13: 'AC01',
  AC14: 'AC01',
  BE01: 'BE22',
  BE05: 'BE22',
  FOCR: 'CUST',
  MS02: 'MS03',
  NARR: 'MS03',
  RC04: 'RC01',
  RR01: 'RR04',
  RR02: 'RR04',
  RR03: 'RR04',
};

export function refusalReason(code: string | null): string {
  if (code === null || !said.has(code)) return 'stage.reason.bankRefused';
  return `stage.reason.bank.${alike[code] ?? code}`;
}

export function returnReason(code: string | null): string {
  if (code === null || !said.has(code)) return 'stage.reason.bankReturned';
  return `stage.reason.bank.${alike[code] ?? code}`;
}
