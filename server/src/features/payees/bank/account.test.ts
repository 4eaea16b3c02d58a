import { describe, expect, test } from 'vitest';
import { accountKey, accountNames, foldedName, isSameAccount, nameLikeness, readAccount } from './account.ts';

const harbour = {
  holder: 'enterprise',
  enterpriseName: ' Harbour  Supplies Ltd. ',
  country: 'HK',
  currency: 'HKD',
  way: 'hkFps',
  bankCode: '004',
  account: '808-123456-838',
} as const;

test('keeps the fields of the way alone, each in its one spelling', () => {
  const account = readAccount({ ...harbour, iban: 'DE89', region: '', firstName: 'Ada' });
  expect(account).toMatchObject({ name: 'Harbour Supplies Ltd.', firstName: null, account: '808123456838' });
  expect(account.details).toEqual({ bankCode: '004', account: '808123456838' });
});

test('a person is named first name first, in Chinese the family first', () => {
  const person = { ...harbour, holder: 'personal' } as const;
  expect(readAccount({ ...person, firstName: 'Ada', lastName: 'Wong' }).name).toBe('Ada Wong');
  expect(readAccount({ ...person, firstName: '大文', lastName: '陳' }).name).toBe('陳大文');
});

describe('the key of an account', () => {
  const keyOf = (typed: Parameters<typeof readAccount>[0]) => accountKey(readAccount(typed));

  test('is the same by clearing code and by BIC, where the bank is listed', () => {
    const chats = { ...harbour, way: 'hkChats', bic: 'HSBCHKHHHKH', town: 'Hong Kong' } as const;
    expect(keyOf(harbour)).toBe(keyOf(chats));
    expect(keyOf({ ...harbour, bankCode: '012' })).not.toBe(keyOf(harbour));
  });

  test('of an IBAN is the IBAN, by SEPA as by SWIFT', () => {
    const sepa = {
      ...harbour,
      country: 'DE',
      currency: 'EUR',
      way: 'sepa',
      iban: 'DE89 3704 0044 0532 0130 00',
      town: 'Berlin',
    } as const;
    expect(keyOf(sepa)).toBe(keyOf({ ...sepa, way: 'swift', bic: 'COBADEFF' }));
    expect(readAccount(sepa).account).toBe('DE89 3704 0044 0532 0130 00');
  });

  test('tells branches apart where the bank’s number is the beginning of theirs', () => {
    const barclays = {
      ...harbour,
      country: 'GB',
      currency: 'GBP',
      way: 'gbFasterPayments',
      account: '66374958',
    } as const;
    expect(keyOf({ ...barclays, sortCode: '20-00-00' })).not.toBe(keyOf({ ...barclays, sortCode: '20-00-01' }));
  });
});

test('black lists may name an account by its number alone, with its bank’s, or by phone', () => {
  expect(accountNames(readAccount(harbour))).toEqual(['808123456838', '004808123456838']);
  const phone = { ...harbour, way: 'hkFpsPhone', phone: '+852-9123 4567' } as const;
  expect(accountNames(readAccount(phone))).toEqual(['+85291234567', '85291234567']);
});

test.each([
  ['Harbour Supplies Ltd', 'HARBOUR SUPPLIES LIMITED'],
  ['Harbour Supplies', 'Harb0ur Supp1ies Co., Ltd.'],
  ['Müller GmbH', 'Muller'],
  ['Modern Trading', 'Modem Trading'],
  ['远航贸易有限公司', '远航贸易股份有限公司'],
])('%s looks like %s', (one, other) => {
  expect(nameLikeness(one)).toBe(nameLikeness(other));
});

test('other names do not look alike, and a name of a legal form alone keeps it', () => {
  expect(nameLikeness('Harbour Supplies')).not.toBe(nameLikeness('Harbour Services'));
  expect(nameLikeness('Limited')).not.toBe('');
});

test('a name is folded where the way carries Latin letters alone', () => {
  expect(foldedName(readAccount({ ...harbour, enterpriseName: '遠航' }))).toBeNull();
  const gb = {
    ...harbour,
    country: 'GB',
    currency: 'GBP',
    way: 'gbFasterPayments',
    sortCode: '200000',
    account: '66374958',
  } as const;
  expect(foldedName(readAccount({ ...gb, enterpriseName: 'Müller & Søn 海' }))).toEqual({
    text: 'Muller + Son',
    lost: ['海'],
  });
});

test('the same account is recognised in any order of its fields', () => {
  const account = readAccount(harbour);
  const { account: number, bankCode } = account.details;
  expect(isSameAccount(account, { ...account, details: { account: number, bankCode } })).toBe(true);
  expect(isSameAccount(account, { ...account, details: { account: number, bankCode: '012' } })).toBe(false);
});
