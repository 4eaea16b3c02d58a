import { createHash } from 'node:crypto';
import { waysTo } from '@causeway/contract/bank-rules.ts';
import { isCreditorReference } from '@causeway/contract/payments-rules.ts';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { present } from '../../testing/present.ts';
import {
  bearersFor,
  checkPayout,
  type PayeeFacts,
  type PayoutFacts,
  type PayoutRequest,
  payoutDigest,
  remittanceOf,
} from './domain.ts';

const swift = present(waysTo('GB', 'USD', 'enterprise').find(({ id }) => id === 'swift'));
const fasterPayments = present(waysTo('GB', 'GBP', 'enterprise')[0]);
const zengin = present(waysTo('JP', 'JPY', 'enterprise')[0]);
const fps = present(waysTo('HK', 'HKD', 'enterprise')[0]);
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

function refusalOf(changedFacts: Partial<PayoutFacts>, changedRequest: Partial<PayoutRequest>): DomainError | null {
  try {
    checkPayout({ ...facts, ...changedFacts }, { ...request, ...changedRequest });
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error;
  }
}

const refusedBy = (changedFacts: Partial<PayoutFacts>, changedRequest: Partial<PayoutRequest> = {}) =>
  refusalOf(changedFacts, changedRequest)?.key ?? null;

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
  ['voucherNotPdf', {}, { attachments: 2, attachmentTypes: ['application/pdf', 'image/png'] }],
  ['chargesNotOffered', { way: fasterPayments }, { charges: 'payer' }],
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

test.each<[string, Partial<PayoutFacts>, Partial<PayoutRequest>]>([
  ['without a limit', { transferLimitMinor: null }, {}],
  ['the limit itself', { transferLimitMinor: 10_000n }, {}],
  ['a purpose where one is needed', { payee: { ...payee, country: 'IN' } }, { purpose: 'SUPP' }],
  ['a purpose that the account itself says', { payee: { ...payee, country: 'JP' }, way: zengin }, {}],
  ['as long a text as the way carries', {}, { remittance: 'x'.repeat(140) }],
  ['a reference that is longer than the way’s texts', { way: fasterPayments }, { remittance: 'RF18 5390 0754 7034' }],
])('allowed: %s', (_name, changedFacts, changedRequest) => {
  expect(refusedBy(changedFacts, changedRequest)).toBeNull();
});

test.each<[string, Partial<PayoutFacts>, Partial<PayoutRequest>, object]>([
  ['payeeOtherCurrency', { payee: { ...payee, currency: 'EUR' } }, {}, { currency: 'EUR' }],
  ['payeeNameLatin', { payee: { ...payee, name: '香港' } }, {}, { characters: '香 港' }],
  ['payoutsPaused', { payoutsPaused: true }, {}, { currency: 'USD' }],
  ['remittanceCharacters', {}, { remittance: '發票 7' }, { characters: '發 票' }],
  ['remittanceTooLong', {}, { remittance: 'x'.repeat(141) }, { most: 140, length: 141 }],
  ['amountBelowMinimum', {}, { amountMinor: 100n }, { minimum: '1.00', coin: 'USD' }],
  ['amountAboveTransferLimit', {}, { amountMinor: 1_000_001n }, { limit: '10,000.00', coin: 'USD' }],
  ['feeChanged', {}, { feeMinor: 2499n }, { fee: '25.00', coin: 'USD' }],
  ['amountAboveBalanceMinusFee', {}, { amountMinor: 497_501n }, { most: '4,975.00', coin: 'USD' }],
  ['amountAboveBalanceMinusFee', { availableMinor: 2499n }, {}, { most: '0.00', coin: 'USD' }],
])('%s says what would be right', (key, changedFacts, changedRequest, details) => {
  expect(refusalOf(changedFacts, changedRequest)).toMatchObject({ key, details });
});

test('the payee bears all charges only where the order is a file, and where charges can be chosen', () => {
  expect(bearersFor(swift, { isByApi: false })).toEqual(['shared', 'payer', 'payee']);
  expect(bearersFor(swift, { isByApi: true })).toEqual(['shared', 'payer']);
  expect(bearersFor(fps, { isByApi: true })).toEqual(['shared']);
});

test('a text in any letters reaches the payee without needless blanks', () => {
  expect(remittanceOf(fps, '  發票  7 ')).toEqual({ text: '發票 7' });
  expect(refusedBy({ way: fps }, { remittance: '發票 7' })).toBeNull();
});

describe('the digest', () => {
  const content = {
    companyId: 'c',
    id: 'i',
    walletId: 'w',
    payeeId: 'p',
    payeeAccount: 'a',
    chainId: null,
    coin: 'USD',
    amountMinor: 1n,
    notes: 'n',
    attachmentIds: ['1', '2'],
    terms: '{}',
  };

  test('is another for every other content, and the same for other orders of attachments', () => {
    const others = Object.entries(content).flatMap(([key, value]) => {
      if (key === 'chainId') return [];
      const other = key === 'amountMinor' ? 2n : key === 'attachmentIds' ? ['1'] : `${String(value)}x`;
      return [payoutDigest({ ...content, [key]: other })];
    });
    expect(new Set([...others, payoutDigest(content)]).size).toBe(11);
    expect(payoutDigest({ ...content, attachmentIds: ['2', '1'] })).toBe(payoutDigest(content));
  });

  test('keeps the form in which stored payments were sealed', () => {
    const sha256 = (parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
    const common = ['c', 'i', 'w', 'p', 'a', 'USD', '1', '{}', 'n', '1', '2'];
    expect(payoutDigest(content)).toBe(sha256(['causeway.payout.1', ...common]));
    const boughtWith = { walletId: 'coins', boundMinor: 7n };
    expect(payoutDigest({ ...content, boughtWith })).toBe(sha256(['causeway.cryptoPayout.1', 'coins', '7', ...common]));
  });

  test('needs terms', () => {
    expect(() => payoutDigest({ ...content, terms: null })).toThrow('has terms');
  });
});
