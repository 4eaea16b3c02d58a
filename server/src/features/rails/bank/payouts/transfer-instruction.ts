import { type BankWay, waysTo } from '@causeway/contract/bank-rules.ts';
import { isCurrency } from '@causeway/contract/currencies.ts';
import { routeOf } from '@causeway/contract/payments-rules.ts';
import { invariant } from '../../../../platform/domain-error.ts';
import { beneficiaryOf, foldLatin, type TransferInstruction } from '../../../banks/index.ts';
import type { BankTerms } from '../../../outgoing/index.ts';
import type { OnBehalfOf, StoredInstruction } from './instruction.ts';

/** The order to a bank with an HTTP API about one payment, made of its terms alone: pure. Field names and codes are those of Airwallex's API. */

export type StoredTransfer = TransferInstruction;

export function isTransfer(instruction: StoredInstruction | StoredTransfer): instruction is StoredTransfer {
  return 'beneficiary' in instruction;
}

export function transferInstructionOf(terms: BankTerms, company: OnBehalfOf): StoredTransfer {
  const way = wayOf(terms);
  const isSwift = routeOf(way) === 'swift';
  return {
    beneficiary: beneficiaryOf(way, { ...terms, name: terms.nameSent }),
    reference: remittanceOf(terms, company),
    reason: reasons[terms.purpose ?? terms.details.purpose ?? ''] ?? usualReason,
    method: isSwift ? 'SWIFT' : 'LOCAL',
    ...(isSwift ? { chargeOption: terms.charges === 'payer' ? ('PAYER' as const) : ('SHARED' as const) } : {}),
  };
}

function wayOf({
  country,
  currency,
  holder,
  way,
}: Pick<BankTerms, 'country' | 'currency' | 'holder' | 'way'>): BankWay {
  invariant(isCurrency(currency), `${currency} is a currency`);
  const found = waysTo(country, currency, holder).find(({ id }) => id === way);
  invariant(found, `${way} is a way to ${country} in ${currency}`);
  return found;
}

/** The API asks for a reference: the company's name where the payee is to read nothing else. */
function remittanceOf({ remittance, customer }: BankTerms, company: OnBehalfOf): string {
  if (remittance !== null) return 'text' in remittance ? remittance.text : remittance.reference;
  return foldLatin(company.name).text.slice(0, 35).trim() || customer;
}

/** The API's reasons by ISO 20022's external list "Purpose". */
const reasons: Readonly<Record<string, string>> = {
  GDDS: 'goods_purchased',
  SUPP: 'goods_purchased',
  ADVA: 'goods_purchased',
  SCVE: 'professional_business_services',
  SALA: 'wages_salary',
  RENT: 'real_estate',
  INTC: 'transfer_to_own_account',
  LOAN: 'loan_credit_repayment',
  DIVD: 'investment_proceeds',
  TAXS: 'taxes',
  FREI: 'freight',
  CHAR: 'donation_charitable_contribution',
};
const usualReason = 'other_services';
