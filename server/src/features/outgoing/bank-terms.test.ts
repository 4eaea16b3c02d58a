import { expect, test } from 'vitest';
import { type BankTerms, readTerms, writeTerms } from './bank-terms.ts';

const terms: BankTerms = {
  versionId: 'v',
  customer: 'PC-000001',
  holder: 'enterprise',
  name: 'Müller Ltd',
  nameSent: 'Muller Ltd',
  country: 'HK',
  currency: 'HKD',
  way: 'hkFps',
  details: { bankCode: '004', account: '123456789', phone: '1' },
  charges: 'shared',
  purpose: 'SUPP',
  remittance: { text: 'Invoice 7' },
};

test('the stored text is the same in whatever order details were given, and has each part once', () => {
  const reversed = { ...terms, details: { phone: '1', account: '123456789', bankCode: '004' } };
  expect(writeTerms(reversed)).toBe(writeTerms(terms));
  expect(writeTerms(terms)).toBe(
    '{"v":1,"versionId":"v","customer":"PC-000001","holder":"enterprise","name":"Müller Ltd","nameSent":"Muller Ltd",' +
      '"country":"HK","currency":"HKD","way":"hkFps","details":{"account":"123456789","bankCode":"004","phone":"1"},' +
      '"charges":"shared","purpose":"SUPP","remittance":{"text":"Invoice 7"}}',
  );
});

test('what was written is read as it was', () => {
  expect(readTerms(writeTerms(terms))).toEqual(terms);
});
