import * as z from 'zod/mini';
import { instant } from './ids.ts';

/** That the operator has frozen something: since when, why in the reader's language, and what to quote when asking about it. */
export const frozen = z.object({ since: instant, reason: z.string(), reference: z.string() });
export type Frozen = z.output<typeof frozen>;
