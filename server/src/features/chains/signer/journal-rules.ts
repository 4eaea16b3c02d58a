import { emptyKind, type Intent, paymentIdsOf, type SignerFamily, transferKind } from './family.ts';
import type { Refusal } from './refusal.ts';

/** What must be the same in every entry of one payment, for ever, whatever its family. */
const ids = ['family', 'companyId', 'transferId', 'chainId'] as const satisfies readonly (keyof Intent)[];
/** And in all of one kind. */
const content = ['toAddress', 'coin', 'amountMinor'] as const satisfies readonly (keyof Intent)[];

/**
 * Whether the journal forbids to sign: a resource (a nonce, an output) serves one payment for ever, unless another can be made without it, and
 * a payment has one content, with attempts of which the chain takes at most one, each with the same other payments. Once an empty transaction was signed in its place, no other
 * attempt follows: only bytes that exist are given again.
 * @param related every entry of these payments, and of each payment that uses one of the intent's resources
 * @param ended payments among them that have failed by their records: what they were to use may serve another, where the family says so
 */
export function refusalOf(
  { journal, resourceTaken }: Pick<SignerFamily, 'journal' | 'resourceTaken'>,
  intent: Intent,
  related: readonly Intent[],
  ended: ReadonlySet<string> = new Set(),
): Refusal | null {
  const resources = new Set(journal.resourcesOf(intent));
  const uses = (known: Intent) => journal.resourcesOf(known).some((resource) => resources.has(resource));
  const made = new Set(paymentIdsOf(intent));
  const isOwn = (known: Intent) => paymentIdsOf(known).some((id) => made.has(id));
  const own = related.filter(isOwn);
  for (const known of own) {
    // Payments that were signed together are made together for ever, and one that was signed alone is made alone.
    if (!isSameBundle(known, intent)) return 'other-payment';
    if (ids.some((field) => known[field] !== intent[field])) return 'other-payment';
    if (known.kind === intent.kind) {
      if (content.some((field) => known[field] !== intent[field])) return 'other-payment';
    } else if (!isReplacedBy(known, intent) && !isReplacedBy(intent, known)) return 'other-payment';
    if (!uses(known) || !journal.isSamePayment(known, intent)) return 'other-payment';
  }
  // Bytes that exist are given again.
  if (own.some((known) => journal.isSameAttempt(known, intent))) return null;
  if (own.some((known) => isReplacedBy(intent, known))) return 'other-payment';

  const others = related.filter((known) => !isOwn(known));
  /** Attempts of another payment in the same family that need nothing of this one. */
  const suffices = (known: Intent) => known.family === intent.family && known.kind === transferKind && !uses(known);
  const isSpared = (paymentId: string) =>
    journal.spares === true && others.some((known) => known.paymentId === paymentId && suffices(known));
  const isFreed = (known: Intent) =>
    paymentIdsOf(known).every((id) => ended.has(id)) &&
    known.family === intent.family &&
    journal.isFreed?.(known, intent) === true;
  return others.every((known) => isSpared(known.paymentId) || isFreed(known)) ? null : resourceTaken;
}

/** Whether two intents make the same payments, in the same order. */
function isSameBundle(a: Intent, b: Intent): boolean {
  const joinedTo = ({ joined = [] }: Intent) =>
    joined.map(({ transferId, toAddress, amountMinor }) => `${transferId} ${toAddress} ${amountMinor}`).join();
  return a.paymentId === b.paymentId && joinedTo(a) === joinedTo(b);
}

function isReplacedBy(payment: Intent, empty: Intent): boolean {
  return payment.kind === transferKind && empty.kind === emptyKind;
}
