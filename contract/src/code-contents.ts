import * as z from 'zod/mini';
import { decisionContent, reviewContent } from './approvals.ts';
import { batchRunContent } from './batch-runs.ts';
import { cardContent } from './cards.ts';
import { exchangeContent } from './exchange.ts';
import { type CodeSubject, codeSubjects } from './identity.ts';
import { securityContent } from './identity-account.ts';
import { cryptoPayoutContent, payoutContent } from './payments.ts';
import { standingContent } from './standing-orders.ts';
import { tradeContent } from './trades.ts';
import { transferContent } from './transfers.ts';
import { webhookContent } from './webhooks.ts';

/**
 * What the code of each subject is bound to (`sendUserCode`). The contents belong to features to the right of identity, whose call
 * takes any object and leaves the rules to them; the documentation says here what they are.
 */
export const codeContents = {
  transfer: transferContent,
  payout: payoutContent,
  cryptoPayout: cryptoPayoutContent,
  exchange: exchangeContent,
  standingOrder: standingContent,
  batch: batchRunContent,
  trade: tradeContent,
  card: cardContent,
  decision: decisionContent,
  review: reviewContent,
  security: securityContent,
  webhook: webhookContent,
} satisfies Record<CodeSubject, z.core.$ZodType>;

const [first, ...others] = codeSubjects.map((kind) =>
  z.strictObject({ kind: z.literal(kind), content: codeContents[kind] }),
);
if (!first) throw new Error('a code has a subject');

/** `codeSubjectOf` of identity, with each kind's content. */
export const codeSubjectWithContent = z.discriminatedUnion('kind', [first, ...others]);
