import type { Clock } from '../../../platform/clock.ts';
import type { Seal } from '../../../platform/crypto/seal.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { Outpoint } from '../../chains/index.ts';
import type { AccelerationClaims } from './acceleration.ts';
import { findAccelerated, insertAccelerationSeal } from './store/accelerations.ts';

/** What the company's process seals of accelerations, for the signer (docs/adr/0091). */

interface Sealing {
  seal: Seal;
  clock: Clock;
}

interface SealedAcceleration extends Outpoint {
  transferId: string;
  chainId: string;
  /** The most that the miner gets: satoshis. */
  feeMinor: bigint;
  initiatorId: string;
}

export async function sealAcceleration(
  tx: Tx,
  { seal, clock }: Sealing,
  { transferId, chainId, hash, index, feeMinor, initiatorId }: SealedAcceleration,
): Promise<void> {
  const claims: AccelerationClaims = {
    version: 1,
    companyId: tx.companyId,
    transferId,
    chainId,
    hash,
    index,
    feeMinor: feeMinor.toString(),
    initiatorId,
    issuedAt: clock.now().toISOString(),
  };
  await insertAccelerationSeal(tx, claims, seal('causeway-acceleration', claims));
}

/** Seals a higher fee of an acceleration; does nothing for any other transfer. */
export async function sealRaised(
  tx: Tx,
  sealing: Sealing,
  raised: Omit<SealedAcceleration, keyof Outpoint>,
): Promise<void> {
  const accelerated = await findAccelerated(tx, raised.transferId);
  if (accelerated === null) return;
  const { hash, index } = accelerated;
  await sealAcceleration(tx, sealing, { ...raised, hash, index });
}
