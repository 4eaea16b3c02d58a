import * as z from 'zod/mini';
import { call } from './call.ts';
import { cardBounds, cardListModes, cardRuleScopes, merchantGroupNames } from './cards-rules.ts';
import { countries } from './countries.ts';
import { effect, effectOnly } from './effect.ts';
import { amountText, asset, id, instant } from './ids.ts';

/** Limits of cards, and the rules above them (docs/adr/0102-…). Part of the feature cards. */

export const cardDay = z.iso.date('field.invalid');

/** Whole units of the card's currency; null: no limit of this kind. */
export const cardLimits = z.strictObject({
  each: z.nullable(amountText),
  day: z.nullable(amountText),
  month: z.nullable(amountText),
  total: z.nullable(amountText),
});
export type CardLimits = z.output<typeof cardLimits>;

const groups = z
  .array(z.enum(merchantGroupNames, 'field.invalid'), 'field.required')
  .check(z.minLength(1, 'field.required'), z.maxLength(merchantGroupNames.length, 'field.invalid'));
const countryCodes = z
  .array(z.enum(countries as [string, ...string[]], 'field.invalid'), 'field.required')
  .check(z.minLength(1, 'field.required'), z.maxLength(249, 'field.invalid'));

/** What a card, or a rule, allows. */
export const cardBoundsShape = z.strictObject({
  limits: cardLimits,
  /** Null: every category. */
  categories: z.nullable(z.strictObject({ mode: z.enum(cardListModes), groups })),
  /** Where the merchant is, ISO 3166-1; null: everywhere. */
  countries: z.nullable(z.strictObject({ mode: z.enum(cardListModes), codes: countryCodes })),
  /** False: only where the card is presented. */
  online: z.boolean('field.required'),
});
export type CardBounds = z.output<typeof cardBoundsShape>;

/** What binds a card in one respect, and where it comes from. */
export const cardRuleSource = z.object({
  bound: z.enum(cardBounds),
  source: z.enum([...cardRuleScopes, 'card']),
  /** The department or role. */
  name: z.nullable(z.string()),
  ruleId: z.nullable(id),
  /** Of a limit, whole units. */
  amount: z.nullable(z.string()),
  /** What it allows or denies, where that is what it binds. */
  categories: cardBoundsShape.shape.categories,
  countries: cardBoundsShape.shape.countries,
});
export type CardRuleSource = z.output<typeof cardRuleSource>;

export const cardRule = z.object({
  id,
  scope: z.enum(cardRuleScopes),
  /** The department or role; null: the company. */
  scopeId: z.nullable(id),
  scopeName: z.nullable(z.string()),
  /** Limits are for each card that the rule concerns, in this currency; categories, countries and online for cards of every currency. */
  asset,
  decimals: z.number(),
  ...cardBoundsShape.shape,
  /** How many cards it concerns that are not closed. */
  cards: z.number(),
  changedAt: instant,
});
export type CardRule = z.output<typeof cardRule>;

export const listCardRules = call({
  name: 'listCardRules',
  method: 'GET',
  path: '/web/card/rules',
  summary: 'The rules above cards: of the company, of departments and of roles. The strictest wins.',
  access: 'card.view',
  output: z.object({ items: z.array(cardRule) }),
  errors: [],
});

export const setCardRule = call({
  name: 'setCardRule',
  method: 'POST',
  path: '/web/card/rule/set',
  summary:
    'Sets the rule of the company, of a department with those below it, or of a role, for cards of a currency. What is stricter applies at once; what is wider, at once or by the consent of a second person.',
  access: 'card.manage',
  body: z.strictObject({
    scope: z.enum(cardRuleScopes),
    scopeId: z.nullable(id),
    asset,
    ...cardBoundsShape.shape,
  }),
  output: z.object({ id, ...effect }),
  errors: [
    'amountFormat',
    'amountTooLarge',
    'amountTooManyDecimals',
    'approvalRulesHeld',
    'cardLimitsInvalid',
    'cardRuleScopeInvalid',
    'cardWalletInvalid',
    'departmentNotFound',
    'roleNotFound',
  ],
});

export const removeCardRule = call({
  name: 'removeCardRule',
  method: 'POST',
  path: '/web/card/rule/remove',
  summary: 'Removes a rule above cards, at once or by the consent of a second person.',
  access: 'card.manage',
  body: z.strictObject({ id }),
  output: effectOnly,
  errors: ['approvalRulesHeld', 'cardRuleNotFound'],
});
