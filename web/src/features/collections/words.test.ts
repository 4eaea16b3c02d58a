import { paymentRequestStates } from '@causeway/contract/payment-requests-rules.ts';
import { expect, test } from 'vitest';
import { isToPay, linkText, toPay, underpaidText } from './words.ts';

test('the link of a request says that it can be paid only where it can, and is only then to be sent', () => {
  const said = paymentRequestStates.map((state) => [state, isToPay(state), linkText(state)]);
  expect(said).toEqual([
    ['preparing', true, 'collections.share.text'],
    ['open', true, 'collections.share.text'],
    ['processing', true, 'collections.share.text'],
    ['settled', false, 'collections.share.settled'],
    ['expired', false, 'collections.share.expired'],
    ['cancelled', false, 'collections.share.cancelled'],
    ['unresolved', false, 'collections.share.unresolved'],
  ]);
});

test('a rest that can be sent in no coin is said to be too little', () => {
  const [some, none] = [{ amount: '3.910000' }, { amount: null }];
  expect(underpaidText({ options: [none, some] })).toBe('collections.causeText.underpaid');
  expect(underpaidText({ options: [none, none] })).toBe('collections.causeText.tooLittle');
});

test('a request that has ended has nowhere to pay, nor one of which nothing lacks that can be sent', () => {
  const [some, none] = [{ amount: '3.910000' }, { amount: null }];
  const of = (state: (typeof paymentRequestStates)[number]) => toPay({ state, pricing: 'coin', options: [some, none] });
  expect(paymentRequestStates.filter((state) => of(state).length > 0)).toEqual([
    ...['preparing', 'open', 'processing', 'unresolved'],
  ]);
  expect(of('open')).toEqual([some]);
  expect(toPay({ state: 'open', pricing: 'open', options: [none] })).toEqual([none]);
});
