import * as z from 'zod/mini';
import { countries } from './countries.ts';
import { amountText, chainId, coin, id } from './ids.ts';
import { parseAmount } from './money.ts';
import { name } from './names.ts';
import {
  businesses,
  dimensionsOf,
  maxListed,
  policyNameMaxLength,
  riskActions,
  riskMethods,
  riskWindows,
} from './risk-rules.ts';

/** What a policy says. Part of `risk.ts`, which exports it. */

/** US dollars with at most two decimals. */
export const usd = z.string('field.required').check(z.regex(/^\d{1,15}(\.\d{1,2})?$/, 'field.usd'));

/** More than any asset has: a scale on which any two amounts can be compared. */
const widestDecimals = 18;

/** The sign of left − right; null when one of them is no amount, which has a message of its own. */
export function compareAmounts(left: string, right: string): number | null {
  const [one, other] = [parseAmount(left, widestDecimals), parseAmount(right, widestDecimals)];
  if (!one.ok || !other.ok) return null;
  return one.minor < other.minor ? -1 : Number(one.minor > other.minor);
}

/** from ≤ x < to; `to` null: no upper end. */
const ordered = z.refine<{ from: string; to: string | null }>(
  ({ from, to }) => to === null || (compareAmounts(from, to) ?? -1) < 0,
  {
    error: 'field.rangeOrder',
    path: ['to'],
  },
);

function range(figure: typeof usd) {
  return { from: figure, to: z.nullable(figure) };
}

const count = z.string('field.required').check(z.regex(/^\d{1,7}$/, 'field.count'));

function listOf<T extends z.core.$ZodType>(item: T) {
  return z.array(item).check(z.minLength(1, 'field.listEmpty'), z.maxLength(maxListed, 'field.listTooLong'));
}

const currency = z.string().check(z.regex(/^[A-Z]{3}$/, 'field.currency'));
const country = z.enum(countries, 'field.country');

/**
 * What a policy is about. A list holds what is named; a range from ≤ x < to holds the sum (or number) of this transaction
 * and of those that the window already holds: of the same business, and of the same coin or currency where one is named.
 */
export const riskContent = z.discriminatedUnion('dimension', [
  z.strictObject({ dimension: z.literal('chain'), chains: listOf(chainId) }),
  z.strictObject({ dimension: z.literal('coin'), coins: listOf(coin) }),
  z.strictObject({ dimension: z.literal('crypto_quantity'), coin, ...range(amountText) }).check(ordered),
  /** US dollars. */
  z.strictObject({ dimension: z.literal('crypto_value'), ...range(usd) }).check(ordered),
  z.strictObject({ dimension: z.literal('crypto_frequency'), ...range(count) }).check(ordered),
  z.strictObject({ dimension: z.literal('fiat_currency'), currencies: listOf(currency) }),
  z.strictObject({ dimension: z.literal('fiat_amount'), currency, ...range(amountText) }).check(ordered),
  z.strictObject({ dimension: z.literal('fiat_frequency'), ...range(count) }).check(ordered),
  z.strictObject({ dimension: z.literal('payment_region'), countries: listOf(country) }),
  /** Who submits. */
  z.strictObject({ dimension: z.literal('initiator'), members: listOf(id) }),
  /** Each with all departments below it. */
  z.strictObject({ dimension: z.literal('department'), departments: listOf(id) }),
  z.strictObject({ dimension: z.literal('role'), roles: listOf(id) }),
]);
export type RiskContent = z.output<typeof riskContent>;

export const policyFields = {
  name: name(policyNameMaxLength),
  business: z.enum(businesses, 'field.required'),
  method: z.enum(riskMethods, 'field.required'),
  content: riskContent,
  result: z.enum(riskActions, 'field.required'),
  window: z.enum(riskWindows, 'field.required'),
};

type PolicyFields = z.output<z.ZodMiniObject<typeof policyFields>>;

export const policyRules = [
  z.refine<PolicyFields>(({ business, content }) => dimensionsOf[business].includes(content.dimension), {
    error: 'field.policyDimension',
    path: ['content', 'dimension'],
  }),
  z.refine<PolicyFields>(({ method, result }) => method === 'allow_only' || result === 'deny', {
    error: 'field.policyResult',
    path: ['result'],
  }),
] as const;

/** What a policy says, as a version keeps it. */
export const policyDefinition = z.object(policyFields);
export type PolicyDefinition = z.output<typeof policyDefinition>;
