import * as z from 'zod';

/**
 * What Lithic sends and returns (its published API, SDK 0.145.0), as far as it is used: fields that are not named here are let through unread. Amounts are minor units of
 * ISO 4217; a number that is no safe integer is refused.
 */

/** Names and types: what else they hold is not theirs, and no text of the database may hold a zero. */
const word = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\x20-\x7e]*$/);
const token = word(100).min(1);
const words = (most: number) =>
  z
    .string()
    .max(1000)
    .nullish()
    .transform((text) => withoutNumbers(text ?? '').slice(0, most));
const currency = z.string().regex(/^[A-Z]{3}$/);
const amount = z.object({ amount: z.int(), currency, conversion_rate: z.string().max(40).nullish() });
const instant = z.iso
  .datetime({ offset: true, local: true })
  .transform((text) => new Date(/Z|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`));

const merchant = z.looseObject({
  descriptor: words(200),
  mcc: z.string().max(10).nullish(),
  city: words(100),
  country: z.string().max(10).nullish(),
});

const pos = z
  .looseObject({
    entry_mode: z.looseObject({ card: z.string().nullish() }).nullish(),
    terminal: z.looseObject({ partial_approval_capable: z.boolean().nullish() }).nullish(),
  })
  .nullish();

/** The request of Auth Stream Access. Its token is of the purchase, the event's of the request. */
export const approvalRequest = z.looseObject({
  token,
  event_token: token,
  status: z.enum([
    'AUTHORIZATION',
    'BALANCE_INQUIRY',
    'CREDIT_AUTHORIZATION',
    'FINANCIAL_AUTHORIZATION',
    'FINANCIAL_CREDIT_AUTHORIZATION',
  ]),
  amounts: z.looseObject({ cardholder: amount, hold: amount.nullish(), merchant: amount }),
  card: z.looseObject({ token }),
  created: instant,
  merchant,
  pos,
});
export type ApprovalRequest = z.output<typeof approvalRequest>;

const step = z.looseObject({
  token,
  type: word(50),
  created: instant,
  result: word(100),
  detailed_results: z.array(word(100)).max(50).nullish(),
  amounts: z.looseObject({ cardholder: amount, merchant: amount }),
});
export type Step = z.output<typeof step>;

export const transaction = z.looseObject({
  token,
  card_token: token,
  amounts: z.looseObject({ cardholder: amount, hold: amount }),
  merchant,
  pos,
  events: z.array(step).max(1000),
});
export type Transaction = z.output<typeof transaction>;

export const card = z.looseObject({
  token,
  state: z.enum(['OPEN', 'PAUSED', 'CLOSED', 'PENDING_ACTIVATION', 'PENDING_FULFILLMENT']),
  type: z.string().max(50),
  last_four: z.string().regex(/^\d{4}$/),
  exp_month: z
    .string()
    .regex(/^\d{1,2}$/)
    .nullish(),
  exp_year: z
    .string()
    .regex(/^\d{4}$/)
    .nullish(),
});
export type LithicCard = z.output<typeof card>;

export const cardPage = z.looseObject({ data: z.array(card).max(1000) });

/** What events about a card have: never the whole card. */
export const cardEvent = z.looseObject({
  event_type: z.string(),
  card_token: token,
  state: card.shape.state.nullish(),
  tracking_number: z.string().max(100).nullish(),
});

/** What names a message that is not as agreed otherwise. */
export const names = z.looseObject({ token: token.nullish().catch(null), card_token: token.nullish().catch(null) });

export const eventType = z.looseObject({ event_type: word(100) });

/** A text without what could be the number of a card: merchants have been known to put one into their name. ISO/IEC 7812: 13 to 19 digits. */
export function withoutNumbers(text: string): string {
  return text
    .replace(/\d(?:[ -]?\d){12,18}/g, (found) => `••••${found.replace(/\D/g, '').slice(-4)}`)
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
