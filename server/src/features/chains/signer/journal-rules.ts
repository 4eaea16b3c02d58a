import { emptyKind, type Intent, type SignerFamily, transferKind } from './family.ts';
import type { Refusal } from './refusal.ts';

/** What must be the same in every entry of one payment, for ever, whatever its family. */
const ids = ['family', 'companyId', 'transferId', 'chainId'] as const satisfies readonly (keyof Intent)[];
/** And in all of one kind. */
const content = ['toAddress', 'coin', 'amountMinor'] as const satisfies readonly (keyof Intent)[];

/**
 * Whether the journal forbids to sign: a resource (a nonce, an output) serves one payment for ever, and a payment has one
 * content, with attempts of which the chain takes at most one. Once an empty transaction was signed in its place, no other attempt follows:
 * only bytes that exist are given again.
 * @param related every entry of this payment, and every entry that uses one of the intent's resources
 */
export function refusalOf(
  { journal, resourceTaken }: Pick<SignerFamily, 'journal' | 'resourceTaken'>,
  intent: Intent,
  related: readonly Intent[],
): Refusal | null {
  const resources = new Set(journal.resourcesOf(intent));
  for (const known of related) {
    if (known.paymentId !== intent.paymentId) return resourceTaken;
    if (ids.some((field) => known[field] !== intent[field])) return 'other-payment';
    if (known.kind === intent.kind) {
      if (content.some((field) => known[field] !== intent[field])) return 'other-payment';
    } else if (!isReplacedBy(known, intent) && !isReplacedBy(intent, known)) return 'other-payment';
    const excludes = journal.resourcesOf(known).some((resource) => resources.has(resource));
    if (!excludes || !journal.isSamePayment(known, intent)) return 'other-payment';
  }
  const isReplaced = related.some((known) => isReplacedBy(intent, known));
  const isKnown = related.some((known) => journal.isSameAttempt(known, intent));
  return isReplaced && !isKnown ? 'other-payment' : null;
}

function isReplacedBy(payment: Intent, empty: Intent): boolean {
  return payment.kind === transferKind && empty.kind === emptyKind;
}
