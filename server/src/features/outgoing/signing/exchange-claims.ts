import * as z from 'zod';

/**
 * What the HTTP process seals of an executed exchange (`causeway-exchange`). A settlement moves coins between the company's addresses and the
 * treasury only for what such seals say, so that the worker cannot write an exchange by itself. It can still write postings that give a company
 * more than it has, which the company then exchanges: so the signer bounds what leaves the treasury in a day by its own configuration
 * (docs/adr/0081-…).
 */

const minor = z.string().regex(/^(0|[1-9]\d{0,77})$/);

export const exchangeClaims = z.strictObject({
  version: z.literal(1),
  companyId: z.uuid(),
  exchangeId: z.uuid(),
  sellWalletId: z.uuid(),
  sellAsset: z.string(),
  /** Minor units. The fee is of the sold asset, and the platform's from the beginning: it is collected as other fees are, never settled. */
  sold: minor,
  fee: minor,
  buyWalletId: z.uuid(),
  buyAsset: z.string(),
  bought: minor,
  executedAt: z.iso.datetime(),
});
export type ExchangeClaims = z.output<typeof exchangeClaims>;
