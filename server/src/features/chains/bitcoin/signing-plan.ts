import type { HDKey } from '@scure/bip32';
import * as z from 'zod';
import type { BitcoinNetwork } from '../../../platform/config/chains.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { emptyKind, transferKind } from '../signer/family.ts';
import { keyAt, pathOf } from './derivation.ts';
import type { Outpoint } from './gateway.ts';
import { type KeyOrigin, readPsbt, writePsbt } from './psbt.ts';
import { addressOfScript, scriptOf } from './scripts.ts';

/** What the worker says of a Bitcoin transaction to the signer: an unsigned PSBT, and nothing beside it (docs/adr/0088). */

/** Spends an output that waits for a block to an address of the company, so that miners take both (CPFP). */
export const accelerateKind = 'accelerate';

/** So many payments of a company one transaction makes at most. */
export const mostJoinedPayments = 100;

/** A key as a PSBT names it. */
interface NamedKey {
  fingerprint: number;
  path: readonly number[];
}

/** An output that the plan spends or makes, by its address. */
export interface NamedOutput {
  address: string;
  amountMinor: bigint;
  key: NamedKey | null;
}

export interface BitcoinSigningPlan {
  inputs: readonly (NamedOutput & Outpoint)[];
  outputs: readonly NamedOutput[];
}

/** More than any transaction that nodes forward, in base64. */
const longestPsbt = 600_000;

/** The kinds of requests: of all of them a PSBT is the plan. */
export function bitcoinSigningPlans(network: BitcoinNetwork): ReadonlyMap<string, z.ZodType<BitcoinSigningPlan>> {
  const plan = z.strictObject({ psbt: z.string().max(longestPsbt) }).transform(({ psbt }, context) => {
    try {
      return planIn(psbt, network);
    } catch (error) {
      context.addIssue({ code: 'custom', message: String(error) });
      return z.NEVER;
    }
  });
  return new Map([transferKind, emptyKind, accelerateKind].map((kind) => [kind, plan]));
}

function planIn(psbt: string, network: BitcoinNetwork): BitcoinSigningPlan {
  const { inputs, outputs } = readPsbt(psbt);
  const named = ({ script, amountMinor, origin }: (typeof outputs)[number]): NamedOutput => {
    const address = addressOfScript(script, network);
    invariant(address !== null, 'what is spent and paid has an address');
    return { address, amountMinor, key: origin && { fingerprint: origin.fingerprint, path: origin.path } };
  };
  return {
    inputs: inputs.map((input) => ({ hash: input.hash, index: input.index, ...named(input) })),
    outputs: outputs.map(named),
  };
}

/** A transaction as the worker plans it; the ordinal of an address of ours, null of another's. */
export interface PlannedTransaction {
  /** The company's index. */
  companyIndex: number;
  inputs: readonly (Outpoint & { address: string; amountMinor: bigint; ordinal: number | null })[];
  outputs: readonly { address: string; amountMinor: bigint; ordinal: number | null }[];
}

/** The plan of a request to the signer. @param account the companies' account, by its extended public key */
export function bitcoinSigningPlanOf(
  { companyIndex, inputs, outputs }: PlannedTransaction,
  { account, network }: { account: HDKey; network: BitcoinNetwork },
): { psbt: string } {
  const written = <T extends PlannedTransaction['outputs'][number]>({ address, ordinal, ...rest }: T) => ({
    ...rest,
    script: scriptOf(address, network),
    origin: ordinal === null ? null : originAt(account, companyIndex, ordinal),
  });
  return { psbt: writePsbt({ inputs: inputs.map(written), outputs: outputs.map(written) }) };
}

/** The key of an address below the account, which counts as its own root: the worker does not know the one above it. */
function originAt(account: HDKey, companyIndex: number, ordinal: number): KeyOrigin {
  const { publicKey } = keyAt(account, companyIndex, ordinal);
  invariant(publicKey, 'a derived key has its public half');
  return { publicKey, fingerprint: account.fingerprint, path: keyPath(companyIndex, ordinal) };
}

/** Of an address, below the companies' account. */
export function keyPath(companyIndex: number, ordinal: number): readonly number[] {
  return [companyIndex, ...pathOf(ordinal)];
}
