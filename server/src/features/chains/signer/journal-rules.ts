import type { Intent, SignerFamily } from './family.ts';
import type { Refusal } from './refusal.ts';

/** What must be the same in every entry of one payment, for ever, whatever its family. */
const fixed = [
  'family',
  'companyId',
  'transferId',
  'kind',
  'chainId',
  'toAddress',
  'coin',
  'amountMinor',
] as const satisfies readonly (keyof Intent)[];

/**
 * Whether the journal forbids to sign: a resource (a nonce, an output) serves one payment for ever, and a payment has one
 * content, with attempts of which the chain takes at most one.
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
    if (fixed.some((field) => known[field] !== intent[field])) return 'other-payment';
    const excludes = journal.resourcesOf(known).some((resource) => resources.has(resource));
    if (!excludes || !journal.isSamePayment(known, intent)) return 'other-payment';
  }
  return null;
}
