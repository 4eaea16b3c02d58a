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

/** What Airwallex's API calls the same (`failure_type` of a transfer, `code` of an order that it refuses). */
const ofApi: Readonly<Record<string, string>> = {
  INVALID_ACCOUNT_NAME_OR_NUMBER: 'AC01',
  ACCOUNT_CLOSED: 'AC04',
  ACCOUNT_UNDER_RESTRICTION: 'AC06',
  INSUFFICIENT_FUNDS: 'AM04',
  insufficient_funds: 'AM04',
  INVALID_BENEFICIARY_DETAILS: 'BE22',
  INVALID_BANK_OR_BRANCH_CODE: 'RC01',
};

export function refusalReason(code: string | null): string {
  return sentenceOf(code) ?? 'stage.reason.bankRefused';
}

export function returnReason(code: string | null): string {
  return sentenceOf(code) ?? 'stage.reason.bankReturned';
}

function sentenceOf(given: string | null): string | null {
  const code = ofApi[given ?? ''] ?? given;
  return code === null || !said.has(code) ? null : `stage.reason.bank.${alike[code] ?? code}`;
}
