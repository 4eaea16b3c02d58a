import { createHash } from 'node:crypto';
import type { PaymentRequest } from '../../features/chains/index.ts';
import { type FamilySignerWorld, familySignerWorld, type SignedCompany } from '../signer-world.ts';
import type { Outpoint } from './chain.ts';
import { utxoFamily } from './family.ts';
import { createUtxoSigner, utxoJournal, utxoKeys, utxoSignerAddresses } from './signer-family.ts';

/** The signer of the tests' UTXO chain. */

export const river = {
  id: 'river',
  family: utxoFamily.name,
  name: 'River',
  confirmations: 2,
  blockTimeMs: 600_000,
  nativeCoin: 'BTC',
  explorerUrl: null,
};

export type UtxoCompany = SignedCompany;
export type UtxoSignerWorld = FamilySignerWorld;

/** An output that a company could spend. */
export interface Coin extends Outpoint {
  address: string;
  amountMinor: bigint;
}

export function utxoSignerWorld({ maxFeeMinor }: { maxFeeMinor: bigint }): Promise<UtxoSignerWorld> {
  return familySignerWorld({
    chain: river,
    family: utxoFamily,
    keys: utxoKeys,
    journal: utxoJournal,
    addresses: ({ xpub = '' }) => utxoSignerAddresses(xpub),
    signer: (derive, chains) => createUtxoSigner({ derive, chains, maxFeeMinor }),
  });
}

let coins = 0;
/** An output that no test has spent. */
export function newCoin(address: string, amountMinor: bigint): Coin {
  coins += 1;
  return { hash: createHash('sha256').update(`coin ${coins}`).digest('hex'), index: coins % 3, address, amountMinor };
}

/** A request to spend coins as the worker makes it; what the outputs leave over is the fee. */
export function spendRequest(
  company: UtxoCompany,
  transferId: string,
  inputs: readonly Coin[],
  outputs: readonly { address: string; amountMinor: bigint }[],
): PaymentRequest {
  const sum = (amounts: readonly { amountMinor: bigint }[]) =>
    amounts.reduce((total, { amountMinor }) => total + amountMinor, 0n);
  const digits = <T extends { amountMinor: bigint }>(of: readonly T[]) =>
    of.map((each) => ({ ...each, amountMinor: each.amountMinor.toString() }));
  const plan = {
    inputs: digits(inputs),
    outputs: digits(outputs),
    feeMinor: (sum(inputs) - sum(outputs)).toString(),
  };
  return { kind: 'transfer', companyId: company.id, transferId, paymentId: transferId, plan };
}
