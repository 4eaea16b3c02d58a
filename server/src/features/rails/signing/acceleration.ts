import type { OpenSeal } from '../../../platform/crypto/seal.ts';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { type BitcoinIntent, bitcoinJournal, type Intent, refuseUnless } from '../../chains/index.ts';
import type { AccelerationClaims } from '../bitcoin/acceleration.ts';
import { readAccelerationSeals } from '../store/signing.ts';

/**
 * Whether an acceleration is what the company's process sealed (docs/adr/0091): it spends the output of that deposit alone, and its miner gets
 * no more than was sealed. That all of the rest goes to the company's change is the family's to look at.
 * @throws Refused
 */
export async function requireAccelerable(
  tx: PlatformTx,
  { openSeal }: { openSeal: OpenSeal },
  intent: Intent,
): Promise<void> {
  refuseUnless(isBitcoin(intent), 'other-coin');
  const [input] = intent.inputs;
  refuseUnless(input && intent.inputs.length === 1, 'other-payment');
  const sealed = (await readAccelerationSeals(tx, intent)).flatMap((jws) => {
    const claims = openSeal('causeway-acceleration', jws) as AccelerationClaims | null;
    return claims !== null && isAbout(claims, intent) ? [claims] : [];
  });
  refuseUnless(sealed.length > 0, 'forged');
  const named = sealed.filter(({ hash, index }) => hash === input.hash && index === input.index);
  refuseUnless(named.length > 0, 'other-payment');
  refuseUnless(
    named.some(({ feeMinor }) => intent.feeMinor <= BigInt(feeMinor)),
    'cost-cap',
  );
}

function isBitcoin(intent: Intent): intent is BitcoinIntent {
  return intent.family === bitcoinJournal.name;
}

function isAbout(claims: AccelerationClaims, { companyId, transferId, chainId }: Intent): boolean {
  return (
    claims.version === 1 &&
    claims.companyId === companyId &&
    claims.transferId === transferId &&
    claims.chainId === chainId
  );
}
