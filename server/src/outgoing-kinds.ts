import type { ChainFamilies } from './features/chains/index.ts';
import { kindsByType, type OutgoingKinds } from './features/outgoing/index.ts';
import { createCryptoPayoutKind, createPayoutKind } from './features/payments/index.ts';
import { settlementKinds, sweepKind } from './features/rails/index.ts';
import { accelerationKind, createTransferKind, feeKind } from './features/transfers/index.ts';

/** Every kind of payment that leaves, in the processes that send and sign. */
export function outgoingKindsOf(families: ChainFamilies): OutgoingKinds {
  return kindsByType([
    createTransferKind(families),
    accelerationKind,
    createPayoutKind(families),
    createCryptoPayoutKind(families),
    feeKind,
    ...settlementKinds,
    sweepKind,
  ]);
}
