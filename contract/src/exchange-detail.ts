import * as z from 'zod/mini';
import { exchangeSides } from './exchange-rules.ts';
import { id, instant } from './ids.ts';

const exchangedAmounts = z.object({ sold: z.string(), fee: z.string(), bought: z.string() });

/** Both sides of an exchange, which its two transactions have in common. Amounts in whole units of their assets. */
export const exchangeDetail = z.object({
  /** The transaction of the sold side, and that of the bought one; null until it is executed. */
  soldId: id,
  boughtId: z.nullable(id),
  fixed: z.enum(exchangeSides),
  sell: z.object({ walletId: id, asset: z.string(), decimals: z.number(), placeName: z.string() }),
  buy: z.object({ walletId: id, asset: z.string(), decimals: z.number(), placeName: z.string() }),
  /** As it was submitted; as it was executed, null while or if it is not. */
  estimated: exchangedAmounts,
  actual: z.nullable(exchangedAmounts),
  /** The least that arrives, or, where what is bought is fixed, the most that leaves. */
  bound: z.string(),
  /** Of a limit order: the rate that it waits for, fee not counted, and until when. */
  limit: z.nullable(z.object({ rate: z.string(), until: instant })),
  /** Whole units bought for one sold, and the other way round; without the fee. */
  rate: z.string(),
  inverseRate: z.string(),
  mid: z.string(),
  spreadBasisPoints: z.number(),
  feeBasisPoints: z.number(),
  /** `desk`: the rate is one that the operator's desk quoted. */
  sources: z.array(z.string()),
  /** The request to the desk that it accepted; null: none. */
  otcRequestId: z.nullable(id),
  ratedAt: instant,
  executedAt: z.nullable(instant),
});
export type ExchangeDetail = z.output<typeof exchangeDetail>;
