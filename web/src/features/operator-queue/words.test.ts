import { locales } from '@causeway/contract/locale.ts';
import { queueKinds } from '@causeway/contract/operator-queue-rules.ts';
import { expect, it } from 'vitest';
import { areaOf, goTexts, isCode, isMessage, kindTexts } from './words.ts';

const catalogues = import.meta.glob<string>('./locales/*.po', { query: '?raw', import: 'default', eager: true });

it.each(locales)('names every kind of item and every page that items lead to in %s', (locale) => {
  const texts = catalogues[`./locales/${locale}.po`];
  expect(Object.keys(kindTexts)).toEqual([...queueKinds]);
  for (const id of [...Object.values(kindTexts), ...Object.values(goTexts)]) expect(texts).toContain(`msgid "${id}"`);
});

it('finds the part of the console in a link', () => {
  expect(areaOf('/app/payments/018f')).toBe('payments');
  expect(areaOf('/app/companies/018f?tab=wallets')).toBe('companies');
  expect(areaOf('/app/health')).toBe('health');
  expect(areaOf('https://elsewhere.example')).toBe('');
});

it('tells addresses, hashes and ids from words', () => {
  expect(isCode('0x33bBeD52908400098527886E0F7030069857D2E4')).toBe(true);
  expect(isCode('01a20951-1acd-766e-8982-5ee1c9fae7d8')).toBe(true);
  expect(isCode('a court order of the Hong Kong courts')).toBe(false);
  expect(isCode('ethereum')).toBe(false);
});

it('tells messages as they arrived from words', () => {
  const message = JSON.stringify({
    token: 'd05c9f06-a7db-4523-a7af-5ea8b5b503f8',
    event_type: 'card_transaction.updated',
  });
  expect(isMessage(message)).toBe(true);
  // As much of it as an item keeps.
  expect(isMessage(message.slice(0, 90))).toBe(true);
  expect(isMessage('{"token":1}')).toBe(false);
  expect(isMessage(`The court’s order. ${'It concerns the wallet. '.repeat(9)}`)).toBe(false);
});
