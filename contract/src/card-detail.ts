import * as z from 'zod/mini';
import { cardReceiptStates, merchantGroupNames } from './cards-rules.ts';
import { id } from './ids.ts';

/** The card that a transaction was paid by or refunded to, and where. */
export const cardDetail = z.object({
  id,
  name: z.string(),
  lastFour: z.nullable(z.string()),
  holder: z.string(),
  merchant: z.string(),
  /** ISO 18245. */
  mcc: z.string(),
  group: z.enum(merchantGroupNames),
  city: z.string(),
  /** ISO 3166-1; null where the merchant's is not known. */
  country: z.nullable(z.string()),
  /** In the merchant's currency and at the issuer's rate; null where it is the card's. */
  merchantAmount: z.nullable(z.string()),
  merchantCurrency: z.nullable(z.string()),
  rate: z.nullable(z.string()),
  receipt: z.enum(cardReceiptStates),
});
export type CardDetail = z.output<typeof cardDetail>;
