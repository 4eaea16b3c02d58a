import * as z from 'zod/mini';
import { call } from './call.ts';
import { bankId, id } from './ids.ts';
import { operatorReason } from './operator.ts';

/** Files of banks that operators take in by hand. Part of the feature operator. */

/** In whole units, a plain decimal; signed where it can be negative. */
const quantity = z.string();

/** What was understood of a file. */
export const understoodFile = z.object({
  /** As `camt.053.001.08`, with the bank's id of each message. */
  messages: z.array(z.object({ name: z.string(), id: z.string() })),
  statements: z.array(
    z.object({
      kind: z.enum(['statement', 'notification']),
      account: z.string(),
      reference: z.string(),
      entries: z.number(),
      /** Booked entries and balances, by currency. */
      sums: z.array(
        z.object({
          currency: z.string(),
          opening: z.nullable(quantity),
          credits: quantity,
          debits: quantity,
          closing: z.nullable(quantity),
          /** Closing less opening and entries; null where a balance is missing. */
          difference: z.nullable(quantity),
        }),
      ),
    }),
  ),
  /** The bank's answers to payments of ours. */
  statuses: z.number(),
});
export type UnderstoodFile = z.output<typeof understoodFile>;

export const uploadBankFile = call({
  name: 'uploadBankFile',
  method: 'POST',
  path: '/operator/bank/{bank}/upload',
  summary:
    'Reads one file of a bank (multipart field `file`: camt.053, camt.054 or pain.002) and keeps it with what was understood. Nothing is taken in before it is proposed and confirmed.',
  access: 'operator.exception',
  params: z.object({ bank: bankId }),
  upload: true,
  output: z.object({
    id,
    name: z.string(),
    sizeBytes: z.number(),
    /** Hexadecimal. */
    sha256: z.string(),
    understood: understoodFile,
  }),
  errors: ['bankUnknown', 'fileEmpty', 'fileTooLarge', 'bankFileUnreadable', 'bankFileKnown'],
});

export const proposeBankFile = call({
  name: 'proposeBankFile',
  method: 'POST',
  path: '/operator/bank-upload/{id}/take',
  summary:
    'Proposes to take an uploaded file in. Another operator, who sees the same, confirms it; the worker then reads it as one that came from the bank.',
  access: 'operator.exception',
  params: z.object({ id }),
  body: z.strictObject({ reason: operatorReason }),
  output: z.object({ proposalId: id }),
  errors: ['notFound', 'bankFileKnown', 'proposalOpen'],
});
