import * as z from 'zod/mini';
import { call } from './call.ts';
import { id, instant } from './ids.ts';
import { operatorReason } from './operator.ts';

/** What the issuer of cards is owed, and how a money of a bank settles it (docs/adr/0108-…). Part of the feature operator. */

/** In whole units; negative where the issuer owes refunds. */
const quantity = z.string();

/** So many companies of a place, or of a settlement, are listed. */
export const cardsOwedMaxCompanies = 100;

export const listCardsOwed = call({
  name: 'listCardsOwed',
  method: 'GET',
  path: '/operator/treasury/cards',
  summary:
    'What was cleared by cards and the issuer was not paid, by currency and bank, less refunds; and the companies it consists of, the largest first.',
  access: 'operator.view',
  output: z.object({
    places: z.array(
      z.object({
        bank: z.string(),
        bankName: z.string(),
        asset: z.string(),
        /** Payments less refunds. */
        owed: quantity,
        payments: quantity,
        refunds: quantity,
        /** The oldest payment that was not settled; null where refunds prevail everywhere. */
        since: z.nullable(instant),
        companies: z.number(),
        items: z.array(z.object({ companyId: id, companyName: z.string(), quantity })),
      }),
    ),
  }),
  errors: [],
});

export const getCardSettlement = call({
  name: 'getCardSettlement',
  method: 'GET',
  path: '/operator/bank-money/{id}/cards',
  summary:
    'Whether a money of a bank can be what was paid to the issuer of cards, or by it; and where it is, what of it settled which company.',
  access: 'operator.view',
  params: z.object({ id }),
  output: z.object({
    /**
     * What is owed in its currency at its bank, and whether the money fits into it: of a debit that no company bears, and of money in suspense. Null
     * of others.
     */
    possible: z.nullable(z.object({ owed: quantity, covered: z.boolean() })),
    /** Positive: cleared payments that were settled. Negative: refunds. The largest first, 100 at most. */
    shares: z.nullable(
      z.object({
        companies: z.number(),
        items: z.array(z.object({ companyId: id, companyName: z.string(), quantity })),
      }),
    ),
  }),
  errors: ['notFound'],
});

export const proposeCardSettlement = call({
  name: 'proposeCardSettlement',
  method: 'POST',
  path: '/operator/bank-money/{id}/cards',
  summary:
    'Proposes to explain a debit that is held as taken by the bank as paid to the issuer of cards, or money in suspense as paid by it. Another operator confirms it; the worker settles what companies’ cards owe in its currency at its bank: refunds first, then the oldest payments, all of it or none.',
  access: 'operator.treasury',
  params: z.object({ id }),
  body: z.strictObject({ reason: operatorReason }),
  output: z.object({ proposalId: id }),
  errors: ['notFound', 'cardSettlementOther', 'cardSettlementShort', 'proposalOpen'],
});
