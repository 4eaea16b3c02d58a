import { waysTo } from '@causeway/contract/bank-rules.ts';
import { isCreditorReference } from '@causeway/contract/payments-rules.ts';
import { expect, test } from 'vitest';
import type { DomainError } from '../../platform/domain-error.ts';
import { present } from '../../testing/present.ts';
import { checkPayout, type PayeeFacts, type PayoutFacts, type PayoutRequest, remittanceOf } from './domain.ts';

const swift = present(waysTo('GB', 'USD', 'enterprise').find(({ id }) => id === 'swift'));
const payee: PayeeFacts = {
  status: 'usable',
  versionId: 'v',
  currency: 'USD',
  country: 'GB',
  name: 'Müller Ltd',
  town: 'London',
  addressCountry: 'GB',
};
const facts: PayoutFacts = {
  currency: 'USD',
  decimals: 2,
  minimumMinor: 100n,
  feeMinor: 2500n,
  transferLimitMinor: 1_000_000n,
  availableMinor: 500_000n,
  companyFrozen: false,
  walletFrozen: false,
  walletUsable: true,
  payoutsPaused: false,
  isByApi: false,
  payee,
  way: swift,
  today: '2026-11-24',
};
const request: PayoutRequest = {
  form: 'payment',
  versionId: 'v',
  amountMinor: 10_000n,
  feeMinor: 2500n,
  charges: 'shared',
  purpose: null,
  remittance: 'Invoice 7',
  attachments: 1,
  attachmentTypes: ['application/pdf'],
};

function refusedBy(changedFacts: Partial<PayoutFacts>, changedRequest: Partial<PayoutRequest> = {}): string | null {
  try {
    checkPayout({ ...facts, ...changedFacts }, { ...request, ...changedRequest });
    return null;
  } catch (error) {
    return (error as DomainError).key;
  }
}

test('a payment that keeps every rule', () => {
  expect(refusedBy({})).toBeNull();
  expect(refusedBy({}, { amountMinor: 497_500n })).toBeNull();
});

test.each<[string, Partial<PayoutFacts>, Partial<PayoutRequest>]>([
  ['companyFrozen', { companyFrozen: true }, {}],
  ['payeeNotFound', { payee: null }, {}],
  ['payeeNotFound', { payee: { ...payee, status: 'deleted' } }, {}],
  ['payeeWaiting', { payee: { ...payee, status: 'waiting' } }, {}],
  ['payeeAccountChanged', {}, { versionId: 'earlier' }],
  ['payeeOtherCurrency', { payee: { ...payee, currency: 'EUR' } }, {}],
  ['payeeUnusable', { payee: { ...payee, status: 'unusable' } }, {}],
  ['payoutWayClosed', { way: null }, {}],
  ['payeeAddressLacking', { payee: { ...payee, town: '' } }, {}],
  ['payeeNameLatin', { payee: { ...payee, name: '香港公司' } }, {}],
  ['walletFrozen', { walletFrozen: true }, {}],
  ['currencyNotAtBank', { walletUsable: false }, {}],
  ['payoutsPaused', { payoutsPaused: true }, {}],
  ['payoutPurposeNeeded', { payee: { ...payee, country: 'IN' } }, {}],
  ['remittanceCharacters', {}, { remittance: '發票 7' }],
  ['remittanceTooLong', {}, { remittance: 'x'.repeat(141) }],
  ['notFound', {}, { attachments: 2 }],
  ['voucherNotPdf', {}, { attachmentTypes: ['image/png'] }],
  ['amountBelowMinimum', {}, { amountMinor: 100n }],
  ['amountAboveTransferLimit', {}, { amountMinor: 1_000_001n }],
  ['feeChanged', {}, { feeMinor: 2499n }],
  ['amountAboveBalanceMinusFee', {}, { amountMinor: 497_501n }],
])('%s', (key, changedFacts, changedRequest) => {
  expect(refusedBy(changedFacts, changedRequest)).toBe(key);
});

test('a transfer takes any file, and before the day on which addresses had to be structured none was needed', () => {
  expect(refusedBy({}, { form: 'transfer', attachmentTypes: ['image/png'] })).toBeNull();
  expect(refusedBy({ today: '2026-11-13', payee: { ...payee, town: '' } })).toBeNull();
});

test('what the payee reads: nothing, folded text, or a reference alone', () => {
  expect(remittanceOf(swift, ' ')).toBeNull();
  expect(remittanceOf(swift, 'Rechnung für Müller')).toEqual({ text: 'Rechnung fur Muller' });
  expect(remittanceOf(swift, 'rf18 5390 0754 7034')).toEqual({ reference: 'RF18539007547034' });
  expect(isCreditorReference('RF18 5390 0754 7035')).toBe(false);
});
