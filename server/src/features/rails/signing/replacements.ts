import type { OpenSeal } from '../../../platform/crypto/seal.ts';
import type { PlatformTx } from '../../../platform/database/database.ts';
import {
  emptyKind,
  type Intent,
  paymentIdsOf,
  refuseUnless,
  type SignerFamily,
  transferKind,
} from '../../chains/index.ts';
import { readReplacements } from '../store/signing.ts';

/**
 * Whether an empty transaction may take a payment's place (docs/adr/0078). The payment was signed and has not ended, the chain takes one of the two, and
 * two operators agreed on it: the operator's process sealed that, and the record of their act names the same two.
 */

/** What the operator's process seals when the second operator confirms. */
export interface ReplacementClaims {
  version: 1;
  companyId: string;
  transferId: string;
  /** All payments that the transaction makes, in its order, where they are several: the empty one takes the place of each. */
  payments?: readonly string[];
  chainId: string;
  /**
   * What every attempt of the payment uses, as the journal of its chain's family names it: on an EVM chain `address/nonce`, on Bitcoin the inputs
   * of its first attempt.
   */
  resources: readonly string[];
  proposalId: string;
  proposedBy: string;
  confirmedBy: string;
  issuedAt: string;
}

interface Replacing {
  intent: Intent;
  /** All that the journal has of the payment. */
  known: readonly Intent[];
  hasEnded: boolean;
}

/** @throws Refused */
export async function requireReplaceable(
  tx: PlatformTx,
  { openSeal }: { openSeal: OpenSeal },
  { journal }: SignerFamily,
  { intent, known, hasEnded }: Replacing,
): Promise<void> {
  const attempts = known.filter(({ kind }) => kind === transferKind).map((paying) => journal.resourcesOf(paying));
  const [first, ...others] = attempts;
  refuseUnless(first, 'unknown');
  const inEach = first.filter((resource) => others.every((used) => used.includes(resource)));
  const inAny = new Set(attempts.flat());
  const resources = journal.resourcesOf(intent);
  // All that every attempt uses, so that the chain takes this or one of them; and nothing that no attempt uses.
  refuseUnless(inEach.length > 0 && inEach.every((resource) => resources.includes(resource)), 'other-payment');
  refuseUnless(
    resources.every((resource) => inAny.has(resource)),
    'other-payment',
  );
  // What was agreed on once is not judged again: a restore may have lost the act, and a dearer attempt moves nothing either.
  if (known.some(({ kind }) => kind === emptyKind)) return;
  refuseUnless(!hasEnded, 'ended');
  const agreed = await readReplacements(tx, intent.companyId, paymentIdsOf(intent));
  const isAgreed = agreed.some(({ jws, ...act }) => {
    const claims = openSeal('causeway-replacement', jws) as ReplacementClaims | null;
    return claims !== null && isAbout(claims, intent, inEach) && isOf(claims, act);
  });
  refuseUnless(isAgreed, 'forged');
}

/** @param inEach what every attempt of the payment uses */
function isAbout(claims: ReplacementClaims, intent: Intent, inEach: readonly string[]): boolean {
  return (
    claims.version === 1 &&
    claims.companyId === intent.companyId &&
    namesAll(claims, paymentIdsOf(intent)) &&
    claims.chainId === intent.chainId &&
    claims.resources.length > 0 &&
    claims.resources.every((resource) => inEach.includes(resource))
  );
}

/** Whether the seal names every payment that the transaction would have made, and no other. */
function namesAll({ transferId, payments = [transferId] }: ReplacementClaims, made: readonly string[]): boolean {
  return made.includes(transferId) && payments.join() === made.join();
}

/** Two people, and those whom the record of the act names. */
function isOf(
  claims: ReplacementClaims,
  act: Pick<ReplacementClaims, 'proposalId' | 'proposedBy' | 'confirmedBy'>,
): boolean {
  return (
    claims.proposedBy !== claims.confirmedBy &&
    claims.proposalId === act.proposalId &&
    claims.proposedBy === act.proposedBy &&
    claims.confirmedBy === act.confirmedBy
  );
}
