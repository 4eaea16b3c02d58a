import { cardKinds, cardReplacements, cardRuleScopes } from '@causeway/contract/cards-rules.ts';
import { type EventDeclaration, of } from './event-declaration.ts';
import { amount, digest, named, plain, proof, word } from './fields.ts';

/** Events of payment requests, company cards and guaranteed trades: a part of events.ts. */
export const productEvents = {
  'collections.make': of('paymentRequest', { name: plain, reference: plain, amount, coin: plain }),
  'collections.edit': of('paymentRequest', { name: plain }),
  'collections.cancel': of('paymentRequest', { name: plain, reason: plain }),
  'collections.accept': of('paymentRequest', { name: plain, reason: plain }),
  'collections.askRest': of('paymentRequest', { name: plain, amount, coin: plain }),
  'collections.settleByHand': of('paymentRequest', { name: plain, reason: plain }),
  'collections.refund': of('paymentRequest', { name: plain, transactionId: named, amount, coin: plain }),
  'collections.remind': of('paymentRequest', { name: plain }),
  'collections.export': of('company', { count: plain }),
  'cards.issue': of('card', { name: plain, holder: plain, cardKind: word(cardKinds) }),
  'cards.change': of('card', { name: plain, limits: plain }),
  'cards.freeze': of('card', { name: plain, note: plain }),
  'cards.unfreeze': of('card', { name: plain }),
  'cards.activate': of('card', { name: plain }),
  'cards.replace': of('card', { name: plain, reason: word(cardReplacements) }),
  'cards.close': of('card', { name: plain, note: plain }),
  'cards.reveal': of('card', { name: plain, ...proof }),
  'cards.setRule': of('cardRule', { scope: word(cardRuleScopes) }),
  'cards.removeRule': of('cardRule', { scope: word(cardRuleScopes) }),
  'cards.addReceipt': of(['card', 'company'], { transactionId: named }),
  'cards.removeReceipt': of(['card', 'company'], { transactionId: named }),
  'cards.waiveReceipt': of('card', { transactionId: named, note: plain }),
  'cards.replaceReceipt': of(['card', 'company'], { transactionId: named }),
  'cards.export': of('company', { from: plain, to: plain, count: plain }),
  'cards.exportReceipts': of('company', { from: plain, to: plain, count: plain }),
  'trades.confirm': of('trade', { name: plain, digest, ...proof }),
  'trades.decline': of('trade', { name: plain, reason: plain }),
  'trades.dispute': of('trade', { name: plain, reason: plain }),
  'trades.release': of('trade', { name: plain, transactionId: named, amount, coin: plain }),
  'trades.export': of('company', { count: plain }),
  'trades.withdraw': of('trade', { name: plain }),
} satisfies Record<string, EventDeclaration>;
