import type { OpenSeal } from '../../../platform/crypto/seal.ts';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { emptyKind, type Intent, refuseUnless, type SignerFamily, transferKind } from '../../chains/index.ts';
import { readReplacements } from '../store/signing.ts';

/**
 * Whether an empty transaction may take a payment's place (docs/adr/0078). The payment was signed, under the same resource, and has not ended; and two
 * operators agreed on it: the operator's process sealed that, and the record of their act names the same two.
 */

/** What the operator's process seals when the second operator confirms. */
export interface ReplacementClaims {
  version: 1;
  companyId: string;
  transferId: string;
  chainId: string;
  /** What the payment uses, in the form of its chain's family: on an EVM chain `address/nonce`. */
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
  const payment = known.find(({ kind }) => kind === transferKind);
  refuseUnless(payment, 'unknown');
  const resources = journal.resourcesOf(intent);
  const isSame = journal.resourcesOf(payment).every((resource) => resources.includes(resource));
  refuseUnless(isSame && journal.resourcesOf(payment).length === resources.length, 'other-payment');
  // What was agreed on once is not judged again: a restore may have lost the act, and a dearer attempt moves nothing either.
  if (known.some(({ kind }) => kind === emptyKind)) return;
  refuseUnless(!hasEnded, 'ended');
  const agreed = await readReplacements(tx, intent);
  const isAgreed = agreed.some(({ jws, ...act }) => {
    const claims = openSeal('causeway-replacement', jws) as ReplacementClaims | null;
    return claims !== null && isAbout(claims, intent, resources) && isOf(claims, act);
  });
  refuseUnless(isAgreed, 'forged');
}

function isAbout(claims: ReplacementClaims, intent: Intent, resources: readonly string[]): boolean {
  return (
    claims.version === 1 &&
    claims.companyId === intent.companyId &&
    claims.transferId === intent.transferId &&
    claims.chainId === intent.chainId &&
    claims.resources.length === resources.length &&
    claims.resources.every((resource, index) => resource === resources[index])
  );
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
