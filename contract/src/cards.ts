import * as z from 'zod/mini';
import { call } from './call.ts';
import { cardBoundsShape, cardDay, cardLimits, cardRuleSource } from './cards-limits.ts';
import {
  cardFreezers,
  cardKinds,
  cardNameMaxLength,
  cardNoteMaxLength,
  cardReplacements,
  cardShippingStates,
  cardStates,
} from './cards-rules.ts';
import { countries } from './countries.ts';
import { effect } from './effect.ts';
import { codeMethods, verificationCode } from './identity.ts';
import { asset, id, instant, page, pageQuery, text } from './ids.ts';
import { name } from './names.ts';

export * from './cards-rules.ts';

/**
 * Company cards (docs/adr/0102-…). Amounts in whole units of the card's currency, which is its wallet's. Calls with the access `signed-in` are for the holder of the card
 * as well as for those whom `card.view` or `card.manage` allows; to anyone else the card does not exist.
 */

const person = z.object({ id, name: z.string() });

export const card = z.object({
  id,
  kind: z.enum(cardKinds),
  state: z.enum(cardStates),
  /** Who froze it; null: it is not frozen. Refused here from that instant, whatever the issuer has answered. */
  frozenBy: z.nullable(z.enum(cardFreezers)),
  frozenAt: z.nullable(instant),
  /** The wallet lacked money for a payment that could not be declined: refused until it is made good. */
  blocked: z.boolean(),
  name: z.string(),
  holder: person,
  department: z.nullable(z.object({ id, name: z.string() })),
  walletId: id,
  asset,
  decimals: z.number(),
  /** As the issuer says; null until it has made the card. */
  lastFour: z.nullable(z.string()),
  /** As printed, `2029-11`; null until the issuer has made the card. */
  expires: z.nullable(z.string()),
  /** The last day on which it pays, of the company's time zone; null: until it expires. */
  validUntil: z.nullable(cardDay),
  /** What binds: the strictest of its own and of every rule. */
  limits: cardLimits,
  /** Spent and held, of this calendar day, this month and in all. */
  spent: z.object({ day: z.string(), month: z.string(), total: z.string() }),
  receiptsMissing: z.number(),
  createdAt: instant,
});
export type Card = z.output<typeof card>;

export const listCards = call({
  name: 'listCards',
  method: 'GET',
  path: '/web/card/list',
  summary: "Company cards, the latest first: of a member who may not see cards, the member's own.",
  access: 'signed-in',
  query: z.strictObject({
    ...pageQuery,
    state: z.optional(z.enum([...cardStates, 'frozen'])),
    kind: z.optional(z.enum(cardKinds)),
    walletId: z.optional(id),
    holderId: z.optional(id),
    /** One's own alone. */
    mine: z.optional(z.enum(['true'])),
    /** Part of the card's name, the holder's name, or the last four digits. */
    search: z.optional(text(100)),
  }),
  output: z.extend(page(card), {
    /** False: no issuer is connected; cards cannot be issued, and nothing is authorised. */
    connected: z.boolean(),
    /** Of what the reader sees, whatever is filtered. */
    summary: z.object({ active: z.number(), frozen: z.number(), receiptsMissing: z.number() }),
  }),
  errors: ['cursorInvalid'],
});

export const shipTo = z.strictObject({
  name: name(80),
  line1: text(120).check(z.minLength(1, 'field.required')),
  line2: z._default(text(120), ''),
  city: text(60).check(z.minLength(1, 'field.required')),
  region: z._default(text(60), ''),
  postalCode: z._default(text(20), ''),
  country: z.enum(countries as [string, ...string[]], 'field.invalid'),
  phone: z._default(text(30), ''),
});
export type ShipTo = z.output<typeof shipTo>;

export const cardDetail = z.extend(card, {
  /** As it was set for the card itself. */
  own: cardBoundsShape,
  /** What binds, and from where: one line for each of `cardBounds` that something binds. */
  binding: z.array(cardRuleSource),
  walletName: z.string(),
  available: z.string(),
  shipping: z.nullable(
    z.object({
      to: shipTo,
      state: z.enum(cardShippingStates),
      tracking: z.nullable(z.string()),
      /** By when, as the issuer says. */
      expectedOn: z.nullable(cardDay),
      at: instant,
    }),
  ),
  replaces: z.nullable(id),
  replacedBy: z.nullable(id),
  closedAt: z.nullable(instant),
  /** Why the issuer refused to make it; its words. */
  problem: z.nullable(z.string()),
  history: z.array(
    z.object({
      step: z.enum([
        'issued',
        'made',
        'changed',
        'frozen',
        'unfrozen',
        'blocked',
        'unblocked',
        'activated',
        'shipped',
        'replaced',
        'closed',
        'failed',
      ]),
      at: instant,
      /** Null: the issuer, or the program. */
      by: z.nullable(z.string()),
      note: z.string(),
    }),
  ),
  can: z.object({
    change: z.boolean(),
    freeze: z.boolean(),
    unfreeze: z.boolean(),
    activate: z.boolean(),
    replace: z.boolean(),
    close: z.boolean(),
    reveal: z.boolean(),
  }),
});
export type CardDetail = z.output<typeof cardDetail>;

export const getCard = call({
  name: 'getCard',
  method: 'GET',
  path: '/web/card/{id}',
  summary: 'One company card with its limits, what binds it, its shipping and its history.',
  access: 'signed-in',
  params: z.object({ id }),
  output: cardDetail,
  errors: ['cardNotFound'],
});

const named = name(cardNameMaxLength);

export const issueCard = call({
  name: 'issueCard',
  method: 'POST',
  path: '/web/card/issue',
  summary:
    'Issues a card to a member. It takes effect at once, or by the consent of a second person; the issuer makes it within seconds, or delivers it.',
  access: 'card.manage',
  body: z.strictObject({
    /** Chosen by the client, so that a repeated request is the same card. */
    id,
    kind: z.enum(cardKinds),
    holderId: id,
    name: named,
    walletId: id,
    ...cardBoundsShape.shape,
    validUntil: z.nullable(cardDay),
    /** Of a physical card, and of it alone. */
    shipTo: z.nullable(shipTo),
  }),
  output: z.object({ id, ...effect }),
  errors: [
    'amountFormat',
    'amountTooLarge',
    'amountTooManyDecimals',
    'approvalRulesHeld',
    'cardHolderInvalid',
    'cardIssuerMissing',
    'cardLimitsInvalid',
    'cardShippingInvalid',
    'cardWalletInvalid',
    'idTaken',
    'memberNotFound',
    'tooManyCards',
    'walletNotFound',
  ],
});

export const changeCard = call({
  name: 'changeCard',
  method: 'POST',
  path: '/web/card/change',
  summary:
    'Changes name, limits, categories, countries, online payments and last day of a card. What is stricter applies at once; what is wider, at once or by the consent of a second person.',
  access: 'card.manage',
  body: z.strictObject({ id, name: named, ...cardBoundsShape.shape, validUntil: z.nullable(cardDay) }),
  output: z.object({ id, ...effect }),
  errors: [
    'amountFormat',
    'amountTooLarge',
    'amountTooManyDecimals',
    'approvalRulesHeld',
    'cardClosed',
    'cardLimitsInvalid',
    'cardNotFound',
  ],
});

const stateOnly = z.object({ id, state: z.enum(cardStates), frozenBy: z.nullable(z.enum(cardFreezers)) });

export const freezeCard = call({
  name: 'freezeCard',
  method: 'POST',
  path: '/web/card/freeze',
  summary:
    'Freezes a card at once: nothing is authorised from this instant. By its holder, or by a member who manages cards.',
  access: 'signed-in',
  body: z.strictObject({ id, note: z._default(text(cardNoteMaxLength), '') }),
  output: stateOnly,
  errors: ['cardClosed', 'cardNotFound', 'noPermission'],
});

export const unfreezeCard = call({
  name: 'unfreezeCard',
  method: 'POST',
  path: '/web/card/unfreeze',
  summary: 'Lifts the freeze of a card. A holder lifts their own freeze, not that of a member who manages cards.',
  access: 'signed-in',
  body: z.strictObject({ id }),
  output: stateOnly,
  errors: ['cardClosed', 'cardFrozenByAdministrator', 'cardNotFound', 'noPermission'],
});

export const activateCard = call({
  name: 'activateCard',
  method: 'POST',
  path: '/web/card/activate',
  summary: 'Activates a physical card that has arrived, by the last four digits printed on it. By its holder.',
  access: 'signed-in',
  body: z.strictObject({ id, lastFour: z.string('field.invalid').check(z.regex(/^\d{4}$/, 'field.invalid')) }),
  output: stateOnly,
  errors: ['cardClosed', 'cardLastFourWrong', 'cardNotActivatable', 'cardNotFound', 'cardNotHolder', 'tooManyRequests'],
});

export const replaceCard = call({
  name: 'replaceCard',
  method: 'POST',
  path: '/web/card/replace',
  summary:
    'Replaces a card that was lost, stolen, damaged or expires soon: the old one is closed at once, the new one has its limits. By its holder, or by a member who manages cards.',
  access: 'signed-in',
  body: z.strictObject({
    id,
    /** Of the new card, chosen by the client. */
    newId: id,
    reason: z.enum(cardReplacements),
    /** Of a physical card: null keeps the address. */
    shipTo: z.nullable(shipTo),
  }),
  output: z.object({ id, newId: id }),
  errors: ['cardClosed', 'cardIssuerMissing', 'cardNotFound', 'cardShippingInvalid', 'idTaken', 'noPermission'],
});

export const closeCard = call({
  name: 'closeCard',
  method: 'POST',
  path: '/web/card/close',
  summary: 'Closes a card for good. What it has paid before is still cleared and refunded.',
  access: 'card.manage',
  body: z.strictObject({ id, note: z._default(text(cardNoteMaxLength), '') }),
  output: stateOnly,
  errors: ['cardClosed', 'cardNotFound'],
});

/** What a code to see a card's number is bound to. */
export const cardContent = z.strictObject({ cardId: id });
export type CardContent = z.output<typeof cardContent>;

export const revealCard = call({
  name: 'revealCard',
  method: 'POST',
  path: '/web/card/reveal',
  summary:
    "The address of the issuer's page that shows number, date and security code of a card, for its holder, by a code. It can be opened for a minute; the number is nowhere else.",
  access: 'signed-in',
  confirms: 'card',
  body: z.extend(cardContent, { codeMethod: z.enum(codeMethods), code: verificationCode }),
  output: z.object({ url: z.url(), expiresAt: instant }),
  errors: [
    'cardClosed',
    'cardIssuerUnavailable',
    'cardNotActive',
    'cardNotFound',
    'cardNotHolder',
    'codeBurnt',
    'codeWrong',
    'mfaNotBound',
    'transferCodeMismatch',
  ],
});
