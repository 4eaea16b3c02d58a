import type { ChainFamilies } from '../../chains/index.ts';
import type { OutgoingKinds, SubmitPorts } from '../../outgoing/index.ts';
import { createPayoutKind, createPayoutSubject, type PayoutKinds } from '../../payments/index.ts';
import { createTransferKind, createTransferSubject, type TransferKinds } from '../../transfers/index.ts';
import type { RunQueue } from './enter.ts';

/** What rows become: transfers out of wallets on chains, payments out of wallets at banks. */
export interface RowKinds {
  transfers: TransferKinds;
  payouts: PayoutKinds;
}

export function createRowKinds(families: ChainFamilies): RowKinds {
  return {
    transfers: { families, kind: createTransferKind(families), subject: createTransferSubject(families) },
    payouts: { families, kind: createPayoutKind(families), subject: createPayoutSubject(families, null) },
  };
}

/** What the use cases of runs are composed with. */
export type RunPorts = SubmitPorts & {
  families: ChainFamilies;
  rows: RowKinds;
  /** All kinds of outgoing payments that rows become, by their type. */
  kinds: OutgoingKinds;
  /** A run of more rows than this is answered when they are held, and its rows are entered afterwards. */
  rowsAtOnce: number;
  /** What enters queued rows. */
  queue: Pick<RunQueue, 'wake'>;
};
