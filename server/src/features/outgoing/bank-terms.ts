import type { BankDetails } from '@causeway/contract/bank-rules.ts';
import type { ChargeBearer } from '@causeway/contract/payments-rules.ts';

/**
 * What a payment out of a bank is beside its amount: whom the bank is to pay, and what the payee reads. Code, approvals and seal are bound to
 * the text that is stored, and the order to the bank is made of the same text, so that nothing else can leave.
 */
export interface BankTerms {
  /** The account as it was saved (`bank_payee_version`). */
  versionId: string;
  /** The payment customer number, as PC-000001. */
  customer: string;
  holder: 'enterprise' | 'personal';
  /** The holder's name as it was saved, and as it is sent. */
  name: string;
  nameSent: string;
  country: string;
  currency: string;
  /** The way (`contract/src/bank-rules.ts`) and its fields. */
  way: string;
  details: BankDetails;
  charges: ChargeBearer;
  /** ISO 20022's external list "Purpose"; null: none is said. */
  purpose: string | null;
  /** As it is sent: a text, or a reference of the payee's (ISO 11649). */
  remittance: { text: string } | { reference: string } | null;
}

/** One text for the same terms, in whatever order their fields were given. */
export function writeTerms(terms: BankTerms): string {
  const { versionId, customer, holder, name, nameSent, country, currency, way, details, charges, purpose, remittance } =
    terms;
  const sorted = Object.fromEntries(Object.entries(details).sort(([a], [b]) => (a < b ? -1 : 1)));
  const parts = { versionId, customer, holder, name, nameSent, country, currency, way };
  return JSON.stringify({ v: 1, ...parts, details: sorted, charges, purpose, remittance });
}

/** Reads what `writeTerms` wrote. */
export function readTerms(text: string): BankTerms {
  const { v: _, ...terms } = JSON.parse(text) as BankTerms & { v: 1 };
  return terms;
}
