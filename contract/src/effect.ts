import * as z from 'zod/mini';
import { id, instant } from './ids.ts';

/**
 * Whether a change of the controls has taken effect. `applied` false: it waits as the task `taskId`, for a second person's consent, or
 * where `effectiveAt` is set until then unless it is stopped; whatever else the answer holds is how it will be.
 */
export const effect = { applied: z.boolean(), taskId: z.nullable(id), effectiveAt: z.nullable(instant) };
export const effectOnly = z.object(effect);
export type Effect = z.output<typeof effectOnly>;
