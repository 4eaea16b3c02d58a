import { describe, expect, test } from 'vitest';
import type { BankFieldName, BankFieldProblem } from './bank-fields.ts';
import {
  type BankDetails,
  type BankWay,
  clearingMemberOf,
  type HolderKind,
  isAddressRefused,
  problemsOf,
  waysTo,
} from './bank-rules.ts';
import { clearingSystems } from './clearing-systems.ts';
import { type Currency, currencyCodes } from './currencies.ts';
import { groupedIban, ibanProblem, plainIban } from './iban.ts';

interface Example {
  country: string;
  currency: Currency;
  way: string;
  holder?: HolderKind;
  details: BankDetails;
  /** For each field, what makes it wrong and what is then said. */
  broken: Partial<Record<BankFieldName, [string, BankFieldProblem]>>;
}

const town = { addressLine1: '1 High Street', town: 'Any Town' };
const long = 'x'.repeat(71);

/** Accounts that banks and registries publish as examples, and each field broken once. */
const examples: Example[] = [
  {
    country: 'HK',
    currency: 'HKD',
    way: 'hkFps',
    details: { bankCode: '004', account: '808-123456-838' },
    broken: { bankCode: ['04', 'hkBankForm'], account: ['12345678', 'hkAccountForm'] },
  },
  {
    country: 'HK',
    currency: 'USD',
    way: 'hkChats',
    details: { bic: 'HSBCHKHHHKH', account: '808123456838', ...town },
    broken: { bic: ['HSBCHK', 'bicForm'], account: ['80812345683812345X', 'hkAccountForm'], town: ['', 'required'] },
  },
  {
    country: 'HK',
    currency: 'CNY',
    way: 'hkFpsPhone',
    details: { phone: '+852-9123 4567' },
    broken: { phone: ['91234567', 'phoneForm'] },
  },
  {
    country: 'HK',
    currency: 'HKD',
    way: 'hkFpsEmail',
    details: { email: 'pay@example.com' },
    broken: { email: ['pay@example', 'emailForm'] },
  },
  {
    country: 'HK',
    currency: 'HKD',
    way: 'hkFpsId',
    details: { fpsId: '1234567' },
    broken: { fpsId: ['12345678', 'fpsIdForm'] },
  },
  {
    country: 'CN',
    currency: 'CNY',
    way: 'cnCnaps',
    details: {
      holderName: '远航贸易有限公司',
      bankName: '中国银行北京分行',
      cnaps: '104100000004',
      account: '6217 0001 2345 6789 012',
    },
    broken: {
      holderName: ['Far Voyage', 'chinese'],
      cnaps: ['10410000000', 'cnapsForm'],
      account: ['1234567', 'cnAccountForm'],
      bankName: ['', 'required'],
      phone: ['12345', 'cnPhoneForm'],
    },
  },
  {
    country: 'SG',
    currency: 'SGD',
    way: 'sgFast',
    details: { bic: 'DBSSSGSG', account: '003-123456-7' },
    broken: { bic: ['DBSSHKHH', 'bicCountry'], account: ['123', 'sgAccountForm'] },
  },
  {
    country: 'US',
    currency: 'USD',
    way: 'usAch',
    details: {
      routingNumber: '021000021',
      account: '0123456789',
      accountType: 'Checking',
      ...town,
      region: 'NY',
      postcode: '10001-1234',
    },
    broken: {
      routingNumber: ['021000022', 'routingChecksum'],
      account: ['1', 'usAccountForm'],
      accountType: ['current', 'accountType'],
      region: ['XX', 'regionForm'],
      postcode: ['1000', 'postcodeForm'],
      addressLine1: [long, 'textLong'],
      addressLine2: [long, 'textLong'],
    },
  },
  {
    country: 'GB',
    currency: 'GBP',
    way: 'gbFasterPayments',
    details: { sortCode: '08-99-99', account: '66374958' },
    broken: { sortCode: ['0899', 'sortCodeForm'], account: ['6637495', 'gbAccountForm'] },
  },
  {
    country: 'DE',
    currency: 'EUR',
    way: 'sepa',
    details: { iban: 'DE89 3704 0044 0532 0130 00', town: 'Berlin' },
    broken: {
      iban: ['DE88 3704 0044 0532 0130 00', 'ibanChecksum'],
      bic: ['COBADE', 'bicForm'],
      town: ['x'.repeat(36), 'textLong'],
      addressCountry: ['Germany', 'addressCountryForm'],
    },
  },
  {
    country: 'JP',
    currency: 'JPY',
    way: 'jpZengin',
    details: {
      holderName: 'カ）フアーボエージ',
      bankCode: '0001',
      branchCode: '001',
      accountType: 'ordinary',
      account: '1234567',
      purpose: 'SUPP',
    },
    broken: {
      holderName: ['漢字', 'katakana'],
      bankCode: ['001', 'zenginBankForm'],
      branchCode: ['1', 'zenginBranchForm'],
      accountType: ['checking', 'accountType'],
      account: ['12345678', 'jpAccountForm'],
      purpose: ['GOODS', 'purposeForm'],
    },
  },
  {
    country: 'AU',
    currency: 'AUD',
    way: 'auBecs',
    details: { bsb: '062-000', account: '12345678' },
    broken: { bsb: ['06200', 'bsbForm'], account: ['1234', 'auAccountForm'] },
  },
  {
    country: 'CA',
    currency: 'CAD',
    way: 'caEft',
    details: { institution: '003', transit: '00012', account: '1234567', ...town, region: 'on', postcode: 'M5V 2T6' },
    broken: {
      institution: ['3', 'institutionForm'],
      transit: ['0012', 'transitForm'],
      account: ['1234', 'caAccountForm'],
      region: ['ZZ', 'regionForm'],
      postcode: ['10001', 'postcodeForm'],
    },
  },
  {
    country: 'NZ',
    currency: 'NZD',
    way: 'nzBecs',
    details: { account: '01-0902-0068389-000' },
    broken: { account: ['01-0902-0068389', 'nzAccountForm'] },
  },
  {
    country: 'IN',
    currency: 'USD',
    way: 'swift',
    details: { account: '50100012345678', bic: 'HDFCINBB', ifsc: 'HDFC0000001', ...town },
    broken: { account: ['12345', 'accountForm'], ifsc: ['HDFC1000001', 'ifscForm'], bic: ['', 'required'] },
  },
  {
    country: 'MX',
    currency: 'USD',
    way: 'swift',
    details: { clabe: '032180000118359719', bic: 'BCMRMXMM', ...town },
    broken: { clabe: ['032180000118359718', 'clabeChecksum'], postcode: ['x'.repeat(17), 'textLong'] },
  },
];

const wayOf = ({ country, currency, way, holder = 'enterprise' }: Example): BankWay => {
  const found = waysTo(country, currency, holder).find(({ id }) => id === way);
  if (!found) throw new Error(`no way ${way}`);
  return found;
};

const labelOf = (example: Example, name: string) => wayOf(example).fields.find((each) => each.name === name)?.label;

describe.each(examples)('$way to $country in $currency', (example) => {
  const { country, details, holder = 'enterprise', broken } = example;

  test('accepts the published example', () => {
    expect(problemsOf(wayOf(example), country, holder, details)).toEqual({});
  });

  test('refuses each field broken once, and it alone', () => {
    for (const [name, [value, problem]] of Object.entries(broken)) {
      expect(problemsOf(wayOf(example), country, holder, { ...details, [name]: value })).toEqual({ [name]: problem });
    }
  });

  test('asks for every field that it requires', () => {
    const { fields } = wayOf(example);
    const required = fields.filter(({ required }) => required === true || required === holder).map(({ name }) => name);
    expect(required.length).toBeGreaterThan(0);
    expect(problemsOf(wayOf(example), country, holder, {})).toEqual(
      Object.fromEntries(required.map((name) => [name, 'required'])),
    );
  });
});

test('no field is without an example that breaks it', () => {
  const broken = new Set(
    examples.flatMap((example) => Object.keys(example.broken).map((name) => labelOf(example, name))),
  );
  const all = examples.flatMap((example) => wayOf(example).fields.map(({ label }) => label));
  expect(all.filter((label) => !broken.has(label))).toEqual([]);
});

test('a person in the mainland needs a mobile number or the code of the bank', () => {
  const [way] = waysTo('CN', 'CNY', 'personal');
  const details = { holderName: '王五', bankName: '招商银行', account: '6225880123456789' };
  const problems = (more: BankDetails) => way && problemsOf(way, 'CN', 'personal', { ...details, ...more });
  expect(problems({})).toEqual({ phone: 'required' });
  expect(problems({ phone: '13800138000' })).toEqual({});
  expect(problems({ cnaps: '308584000013' })).toEqual({});
});

test('the state and postcode of American banks are asked of those who live there alone', () => {
  const [way] = waysTo('US', 'USD', 'enterprise');
  const account = { routingNumber: '021000021', account: '0123456789', accountType: 'checking', ...town };
  const problems = (more: BankDetails) => way && problemsOf(way, 'US', 'enterprise', { ...account, ...more });
  expect(problems({})).toEqual({ region: 'required', postcode: 'required' });
  expect(problems({ addressCountry: 'us', region: 'Kowloon', postcode: '1' })).toEqual({
    region: 'regionForm',
    postcode: 'postcodeForm',
  });
  expect(problems({ addressCountry: 'HK', region: 'Kowloon' })).toEqual({});
});

test('renminbi by SWIFT into the mainland is for enterprises', () => {
  const ids = (holder: HolderKind) => waysTo('CN', 'CNY', holder).map(({ id }) => id);
  expect([ids('enterprise'), ids('personal')]).toEqual([['cnCnaps', 'swift'], ['cnCnaps']]);
});

test('every currency reaches every country', () => {
  for (const country of ['HK', 'CN', 'SG', 'US', 'GB', 'FR', 'JP', 'AU', 'CA', 'NZ', 'BR', 'KE']) {
    for (const currency of currencyCodes) expect(waysTo(country, currency, 'enterprise').at(-1)?.id).toBe('swift');
  }
});

test('a bank’s number is of the form of its clearing system', () => {
  const members = examples.flatMap((example) => clearingMemberOf(wayOf(example), example.details) ?? []);
  expect(members).toContainEqual({ system: 'CACPA', member: '000300012' });
  expect(members).toContainEqual({ system: 'JPZGN', member: '0001001' });
  for (const { system, member } of members) expect(member).toMatch(clearingSystems[system].member);
});

test('addresses without town or country are refused from 14 November 2026 on, where the way refuses them', () => {
  const [sepa] = waysTo('DE', 'EUR', 'enterprise');
  const [fps] = waysTo('GB', 'GBP', 'enterprise');
  if (!sepa || !fps) throw new Error('no way');
  const old = { town: ' ', country: 'DE' };
  expect([isAddressRefused(sepa, old, '2026-11-13'), isAddressRefused(sepa, old, '2026-11-14')]).toEqual([false, true]);
  expect(isAddressRefused(sepa, { town: 'Berlin', country: 'DE' }, '2026-12-01')).toBe(false);
  expect(isAddressRefused(fps, old, '2026-12-01')).toBe(false);
});

describe('IBAN', () => {
  // SWIFT's IBAN registry.
  test.each([
    'AD12 0001 2030 2003 5910 0100',
    'BE68 5390 0754 7034',
    'BR18 0036 0305 0000 1000 9795 493C 1',
    'CH93 0076 2011 6238 5295 7',
    'FR14 2004 1010 0505 0001 3M02 606',
    'GB29 NWBK 6016 1331 9268 19',
    'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
    'NL91 ABNA 0417 1643 00',
    'NO93 8601 1117 947',
    'SA03 8000 0000 6080 1016 7519',
  ])('%s', (iban) => {
    expect(ibanProblem(iban, iban.slice(0, 2))).toBeNull();
    expect(groupedIban(plainIban(iban))).toBe(iban);
  });

  test('every single wrong character and every exchange of neighbours is found', () => {
    const iban = 'GB29NWBK60161331926819';
    for (let i = 4; i < iban.length; i += 1) {
      const other = iban[i] === '7' ? '8' : '7';
      expect(ibanProblem(iban.slice(0, i) + other + iban.slice(i + 1), 'GB')).not.toBeNull();
      const turned = iban.slice(0, i) + (iban[i + 1] ?? '') + (iban[i] ?? '') + iban.slice(i + 2);
      if (turned !== iban) expect(ibanProblem(turned, 'GB')).not.toBeNull();
    }
  });

  test('belongs to the country of the account', () => {
    expect(ibanProblem('DE89370400440532013000', 'FR')).toBe('ibanCountry');
    expect(ibanProblem('DE89370400440532013000', 'US')).toBe('ibanCountry');
    expect(ibanProblem('GB29NWBK60161331926819', 'JE')).toBeNull();
    expect(ibanProblem('DE8937040044053201300', 'DE')).toBe('ibanForm');
    expect(ibanProblem('370400440532013000', 'DE')).toBe('ibanForm');
  });
});
