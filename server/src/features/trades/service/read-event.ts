import { text } from '@causeway/contract/ids.ts';
import { tradePhases, tradeStates } from '@causeway/contract/trades-rules.ts';
import * as z from 'zod';
import { minLength } from 'zod/mini';
import { DomainError } from '../../../platform/domain-error.ts';

/** An event of the platform: the whole of a trade as it is by then, under a version (docs/adr/0101-…). Amounts in whole units, as text. */

const words = (most: number) => text(most).check(minLength(1));
const amount = z
  .string()
  .max(79)
  .regex(/^\d+(\.\d+)?$/);
const party = z.object({ name: words(200), address: text(500), wallet: words(200) });

const tradeEvent = z.object({
  type: z.literal('trade.updated'),
  timestamp: z.iso.datetime(),
  data: z.object({
    id: z.uuid().toLowerCase(),
    version: z.int().min(1).max(1_000_000),
    number: words(100),
    status: z.enum(tradeStates),
    phase: z.enum(tradePhases),
    network: words(32),
    currency: words(10),
    quantity: amount,
    buyer: party,
    seller: party,
    billOfLading: z.optional(z.nullable(words(100))),
    actBy: z.iso.datetime().nullish(),
    refunded: amount.default('0'),
    milestones: z
      .array(z.object({ id: words(100), name: words(200), amount, reached: z.boolean() }))
      .max(50)
      .default([]),
    documents: z
      .array(
        z.object({
          name: words(200),
          url: z.url({ protocol: /^https$/ }).max(500),
          sha256: z.string().regex(/^[0-9a-f]{64}$/),
        }),
      )
      .max(50)
      .default([]),
    note: z.prefault(text(500), ''),
  }),
});
export type TradeData = z.output<typeof tradeEvent>['data'];

/** @throws DomainError validationFailed */
export function readEvent(body: string): TradeData {
  try {
    return tradeEvent.parse(JSON.parse(body)).data;
  } catch {
    throw new DomainError('validationFailed');
  }
}
