import { expect, test } from 'vitest';
import type { BankTerms } from '../../../outgoing/index.ts';
import { instructionOf, serviceLevelOf } from './instruction.ts';
import { refusalReason, returnReason } from './reasons.ts';

const address = {
  addressLine1: '1 Grüner Weg',
  addressLine2: '',
  town: 'Zürich',
  region: 'Ostküste',
  postcode: '8001 é',
};
const base: BankTerms = {
  versionId: 'v',
  customer: 'PC-000001',
  holder: 'enterprise',
  name: 'Müller Ltd',
  nameSent: 'Muller Ltd',
  country: 'GB',
  currency: 'USD',
  way: 'swift',
  details: { iban: 'GB29 NWBK 6016 1331 9268 19', bic: 'NWBKGB2L', ...address },
  charges: 'payer',
  purpose: null,
  remittance: { text: 'Invoice 7' },
};
const company = { name: 'Hafen Händler' };
const orderOf = (changes: Partial<BankTerms>, name = company.name) => instructionOf({ ...base, ...changes }, { name });
const hongKong = (way: string, details: BankTerms['details']) =>
  orderOf({ country: 'HK', currency: 'HKD', way, details, charges: 'shared' }, '海港貿易');

test('by SWIFT: Latin letters, the structured address, the IBAN, the bank by its BIC', () => {
  expect(orderOf({})).toEqual({
    chargeBearer: 'DEBT',
    onBehalfOf: { name: 'Hafen Handler', address: null },
    payee: {
      name: 'Muller Ltd',
      address: {
        town: 'Zurich',
        country: 'GB',
        postcode: '8001 e',
        region: 'Ostkuste',
        lines: ['1 Gruner Weg'],
      },
    },
    account: { iban: 'GB29NWBK60161331926819' },
    bank: { bic: 'NWBKGB2L' },
    purpose: null,
    remittance: { text: 'Invoice 7' },
  });
});

test('an address has the country that was given, and no part that was not', () => {
  const bare = { iban: 'GB29NWBK60161331926819', bic: 'NWBKGB2L', town: 'Bern', addressCountry: 'ch' };
  expect(orderOf({ details: bare }).payee.address).toEqual({ town: 'Bern', country: 'CH', lines: [] });
  expect(orderOf({ details: { ...base.details, town: undefined } }).payee.address).toBeNull();
});

test('a company without a Latin letter in its name is named by its customer number where only these travel', () => {
  expect(orderOf({}, '海港')).toMatchObject({ onBehalfOf: { name: 'PC-000001' } });
  const fps = hongKong('hkFps', { bankCode: '004', account: '123456789' });
  expect(fps).toMatchObject({ onBehalfOf: { name: '海港貿易' } });
});

test('in a country’s own clearing: bank and account by their numbers, no address, and the purpose of the account', () => {
  const fps = hongKong('hkFps', { bankCode: '004', account: '123 456 789', town: 'Kowloon' });
  expect(fps).toMatchObject({
    chargeBearer: 'SHAR',
    payee: { address: null },
    account: { number: '123456789' },
    bank: { clearing: { system: 'HKNCC', member: '004' } },
  });
  const cnaps = orderOf({
    country: 'CN',
    currency: 'CNY',
    way: 'cnCnaps',
    details: { holderName: '李', bankName: '中国银行', cnaps: '102100099996', account: '62220200', purpose: 'SALA' },
  });
  expect(cnaps).toMatchObject({ bank: { name: '中国银行', clearing: { member: '102100099996' } }, purpose: 'SALA' });
  expect(orderOf({ purpose: 'RENT', details: { ...base.details, purpose: 'SALA' } }).purpose).toBe('RENT');
  expect(orderOf({ details: { ...base.details, bankName: 'Crédit' } }).bank.name).toBe('Credit');
});

test.each([
  ['hkFpsPhone', { phone: '+852-91234567' }, 'TELE'],
  ['hkFpsEmail', { email: 'pay@example.com' }, 'EMAL'],
  ['hkFpsId', { fpsId: '1234567' }, 'CUST'],
])('%s: the payee is found by what was given instead of an account', (way, details, type) => {
  const { account, bank } = hongKong(way, details);
  expect(account).toMatchObject({ proxy: { type, id: expect.stringMatching(/./) } });
  expect(bank).toEqual({});
});

test.each([
  ['sepa', { country: 'DE', currency: 'EUR' }, 'SEPA', 'SLEV'],
  ['swift', {}, 'URGP', 'DEBT'],
  ['hkChats', { country: 'HK', currency: 'HKD', charges: 'payee' }, 'URGP', 'CRED'],
  ['hkFps', { country: 'HK', currency: 'HKD', charges: 'shared' }, 'NURG', 'SHAR'],
] as const)('%s has its service level and its charges', (way, changes, level, bearer) => {
  const terms = { ...base, ...changes, way };
  expect([serviceLevelOf(terms), instructionOf(terms, company).chargeBearer]).toEqual([level, bearer]);
});

test('a way that is not one of the country in the currency is refused', () => {
  expect(() => orderOf({ way: 'hkFps' })).toThrow('is a way to GB in USD');
  expect(() => orderOf({ currency: 'USDT' })).toThrow('USDT is a currency');
});

test('codes have the sentence of their reason, others that of a refusal or a return', () => {
  // The last two before the unknown one are the words of an API.
  expect(['AC04', 'AC13', 'ACCOUNT_CLOSED', 'insufficient_funds', 'ZZZZ', null].map(refusalReason)).toEqual([
    'stage.reason.bank.AC04',
    'stage.reason.bank.AC01',
    'stage.reason.bank.AC04',
    'stage.reason.bank.AM04',
    'stage.reason.bankRefused',
    'stage.reason.bankRefused',
  ]);
  expect(['AC04', 'FOCR', 'ZZZZ', null].map(returnReason)).toEqual([
    'stage.reason.bank.AC04',
    'stage.reason.bank.CUST',
    'stage.reason.bankReturned',
    'stage.reason.bankReturned',
  ]);
});
