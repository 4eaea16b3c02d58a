import * as z from 'zod/mini';
import { call } from './call.ts';
import { id, instant } from './ids.ts';
import { operatorReason } from './operator.ts';

/** Seeing a company as its administrator does, read-only. Part of the feature operator. */

export * from './operator-look-rules.ts';

export const beginLook = call({
  name: 'beginLook',
  method: 'POST',
  path: '/operator/company/{id}/look',
  summary:
    'Begins a look at a company as its administrator sees it, read-only, for half an hour. Each is in the operator’s audit log, and once an hour in the company’s.',
  access: 'operator.look',
  params: z.object({ id }),
  body: z.strictObject({ reason: operatorReason }),
  /** The address that opens it in a tab of its own; it works once the token in its fragment is kept there. */
  output: z.object({ url: z.string(), expiresAt: instant }),
  errors: ['lookUnavailable'],
});
