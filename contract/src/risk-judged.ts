import * as z from 'zod/mini';
import { chainId } from './ids.ts';
import { businesses } from './risk-rules.ts';

/** What a judgement was about, as hits and explanations show it. */
export const judged = {
  business: z.enum(businesses),
  chain: z.nullable(chainId),
  coin: z.nullable(z.string()),
  currency: z.nullable(z.string()),
  quantity: z.string(),
  valueUsd: z.string(),
  account: z.string(),
  /** Name of the initiator; empty when not known any more. */
  initiator: z.string(),
};
