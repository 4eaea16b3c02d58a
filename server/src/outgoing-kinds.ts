import { chainFamilies } from './chain-families.ts';
import { kindsByType } from './features/outgoing/index.ts';
import { createCryptoPayoutKind, createPayoutKind } from './features/payments/index.ts';
import { settlementKinds } from './features/rails/index.ts';
import { createTransferKind, feeKind } from './features/transfers/index.ts';

/** Every kind of payment that leaves, in the processes that send and sign. */
export const outgoingKinds = kindsByType([
  createTransferKind(chainFamilies),
  createPayoutKind(chainFamilies),
  createCryptoPayoutKind(chainFamilies),
  feeKind,
  ...settlementKinds,
]);
