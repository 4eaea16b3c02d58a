import { setLanguage } from '@causeway/contract/identity.ts';
import { addCryptoPayee } from '@causeway/contract/payees.ts';
import { expect, it } from 'vitest';
import { byContract } from './by-contract.ts';
import { problemsOf, textToKeep } from './form-state.ts';

it('says the first thing that is wrong with a field', () => {
  const problems = [
    { path: ['email'], message: 'field.emailRequired' },
    { path: ['email'], message: 'field.email' },
    { path: ['attachments', 0, 'id'], message: 'field.id' },
  ];
  expect(problemsOf({ ok: false, problems })).toEqual({
    email: { text: 'field.emailRequired', fromServer: false },
    'attachments.0.id': { text: 'field.id', fromServer: false },
  });
  expect(problemsOf({ ok: true, values: {} })).toEqual({});
});

it("checks by the contract's own rules", () => {
  const checked = byContract(addCryptoPayee.body)({ label: 'ab', address: '' });
  const problems = problemsOf(checked);
  expect(problems['label']?.text).toBe('field.accountLabel');
  expect(problems['address']?.text).toBe('field.required');
});

it('says "required" of what is empty, whatever rule found it', () => {
  const problems = problemsOf(byContract(addCryptoPayee.body)({ label: ' ', chain: '', coin: '', address: '' }));
  expect(Object.entries(problems).map(([field, { text }]) => [field, text])).toEqual([
    ['label', 'field.required'],
    ['chain', 'field.required'],
    ['coin', 'field.required'],
    ['address', 'field.required'],
  ]);
  const filled = problemsOf(
    byContract(addCryptoPayee.body)({ label: 'Abc', chain: 'Not one', coin: 'usdt', address: 'x' }),
  );
  expect([filled['chain']?.text, filled['coin']?.text]).toEqual(['field.chain', 'field.coin']);
});

it("never shows the schema library's English", () => {
  const problems = problemsOf(byContract(setLanguage.body)({ language: 'de_DE' }));
  expect(problems['language']?.text).toBe('field.invalid');
});

it('keeps what was typed, and nothing of a form that stands at its defaults', () => {
  const defaults = { id: 'chosen-here', amount: '', code: '' };
  expect(textToKeep({ ...defaults, amount: '5', code: '123456' }, defaults, ['code'])).toBe(
    '{"id":"chosen-here","amount":"5"}',
  );
  // What was sent and reset would otherwise lend its id to the next one.
  expect(textToKeep({ ...defaults }, defaults, ['code'])).toBeNull();
  expect(textToKeep({ ...defaults, code: '123456' }, defaults, ['code'])).toBeNull();
  expect(textToKeep({ ...defaults, id: 'restored' }, defaults, ['code'])).not.toBeNull();
});
