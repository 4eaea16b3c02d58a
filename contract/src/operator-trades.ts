import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { asset, id, instant, page, pageQuery, text } from './ids.ts';
import { operatorReason } from './operator.ts';
import { tradeEventOutcomes, tradeTroubles } from './operator-trades-rules.ts';
import { trade } from './trades.ts';
import { tradeMessages, tradePhases, tradeStates, tradeSteps } from './trades-rules.ts';
import { stages, transactionStatuses } from './transactions-rules.ts';

/** Guaranteed trades across companies. Part of the feature operator. Each company that is a side of a trade has its own copy (docs/adr/0101-…). */

export * from './operator-trades-rules.ts';

const operatorTrade = z.extend(trade, {
  company: z.object({ id, name: z.string() }),
  troubles: z.array(z.enum(tradeTroubles)),
});
export type OperatorTrade = z.output<typeof operatorTrade>;

export const listOperatorTrades = call({
  name: 'listOperatorTrades',
  method: 'GET',
  path: '/operator/trades',
  summary:
    'Guaranteed trades of all companies, those that changed last first, and what is frozen for them by currency.',
  access: 'operator.view',
  query: z.strictObject({
    ...pageQuery,
    companyId: z.optional(id),
    state: z.optional(z.enum(tradeStates)),
    trouble: z.optional(z.enum(tradeTroubles)),
    asset: z.optional(asset),
    /** Part of the number, the bill of lading, a party's name or address. */
    search: z.optional(text(100)),
  }),
  output: z.extend(page(operatorTrade), {
    /** Of all trades, or of the company that the query names, whatever else it narrows. */
    frozen: z.array(z.object({ asset, decimals: z.number(), amount: z.string(), trades: z.number() })),
  }),
  errors: ['cursorInvalid'],
});

const party = { companyId: id, id };

export const getOperatorTrade = call({
  name: 'getOperatorTrade',
  method: 'GET',
  path: '/operator/trades/{companyId}/{id}',
  summary:
    'A company’s copy of a guaranteed trade, with the events of the platform as they arrived, and what was sent to it.',
  access: 'operator.view',
  params: z.object(party),
  output: z.extend(operatorTrade, {
    version: z.number(),
    milestones: z.array(z.object({ id: z.string(), name: z.string(), amount: z.string(), reached: z.boolean() })),
    contradiction: z.nullable(z.object({ fields: z.array(z.string()), version: z.number(), at: instant })),
    releases: z.array(
      z.object({
        transactionId: id,
        milestoneId: z.nullable(z.string()),
        amount: z.string(),
        status: z.enum(transactionStatuses),
        stage: z.enum(stages),
        at: instant,
      }),
    ),
    timeline: z.array(
      z.object({
        step: z.enum(tradeSteps),
        at: instant,
        by: z.nullable(z.string()),
        amount: z.nullable(z.string()),
        phase: z.nullable(z.enum(tradePhases)),
        note: z.string(),
        version: z.nullable(z.number()),
        /** Names of those that the platform’s event says were reached. */
        milestones: z.array(z.string()),
      }),
    ),
    events: z.array(
      z.object({
        version: z.number(),
        messageId: z.string(),
        outcome: z.enum(tradeEventOutcomes),
        receivedAt: instant,
        /** As it arrived. */
        body: z.string(),
      }),
    ),
    messages: z.array(
      z.object({
        id,
        number: z.number(),
        type: z.enum(tradeMessages),
        at: instant,
        attempts: z.number(),
        problem: z.nullable(z.string()),
        /** When it is sent next; null: it was accepted, or waits for the one before it. */
        nextAt: z.nullable(instant),
        deliveredAt: z.nullable(instant),
        body: z.string(),
      }),
    ),
  }),
  errors: ['tradeNotFound'],
});
export type OperatorTradeDetail = z.output<typeof getOperatorTrade.output>;

export const resendTradeMessage = call({
  name: 'resendTradeMessage',
  method: 'POST',
  path: '/operator/trades/{companyId}/{id}/resend',
  summary:
    'Has the first message of a trade that the platform has not accepted sent now, rather than when its pause has passed.',
  access: 'operator.exception',
  params: z.object(party),
  body: z.strictObject({ messageId: id, reason: operatorReason }),
  output: nothing,
  errors: ['tradeNotFound', 'tradeMessageNotWaiting'],
});
