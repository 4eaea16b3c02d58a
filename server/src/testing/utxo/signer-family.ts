import { createHash } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import * as z from 'zod';
import type {
  AddressSource,
  Derive,
  Intent,
  JournalFamily,
  KeyFamily,
  OwnAddress,
  PaymentRecord,
  SignerFamily,
} from '../../features/chains/index.ts';
import { refuseUnless } from '../../features/chains/index.ts';
import { invariant } from '../../platform/domain-error.ts';
import { hashOf, keyOf, type Outpoint, type Output, serialise } from './chain.ts';
import { utxoAddressOf, utxoFamily } from './family.ts';

/**
 * The signer's side of the tests' UTXO family: a payment spends outputs of several addresses of the company, pays several, and
 * leaves the difference to the miner. The signatures are real (secp256k1), one for each input.
 */

/** One account for all companies: …/company/ordinal. */
const accountPath = "m/84'/1'/0'";

function addressOf(key: HDKey): string {
  invariant(key.publicKey, 'a derived key has its public half');
  return utxoAddressOf(Buffer.from(key.publicKey).toString('hex'));
}

const keyAt = (account: HDKey, companyIndex: number, ordinal: number) =>
  account.deriveChild(companyIndex).deriveChild(ordinal);

export const utxoKeys: KeyFamily = {
  name: utxoFamily.name,
  publicKeysOf: (derive) => ({ xpub: derive(accountPath).publicExtendedKey }),
};

/** The addresses that the signer has the keys of. */
export function utxoSignerAddresses(xpub: string): AddressSource {
  const account = HDKey.fromExtendedKey(xpub);
  return {
    family: utxoFamily,
    addressAt: (companyIndex, ordinal) => addressOf(keyAt(account, companyIndex, ordinal)),
    changeFrom: null,
    apartFrom: 0,
    gasTank: null,
    treasury: null,
  };
}

/** An output of the company's that a payment spends. */
interface Spent extends Outpoint, OwnAddress {
  amountMinor: bigint;
}

export interface UtxoIntent extends Intent {
  inputs: readonly Spent[];
  /** The payee's and the change. */
  outputs: readonly Output[];
  feeMinor: bigint;
}

const digits = z
  .string()
  .regex(/^(0|[1-9]\d{0,18})$/)
  .transform((text) => BigInt(text));
const address = z.string().regex(/^[a-z0-9]{1,90}$/);
const outpoint = { hash: z.string().regex(/^[0-9a-f]{64}$/), index: z.number().int().min(0).max(100_000) };
const output = z.strictObject({ address, amountMinor: digits });

const requestedPlan = z.strictObject({
  inputs: z
    .array(z.strictObject({ ...outpoint, address, amountMinor: digits }))
    .min(1)
    .max(200),
  outputs: z.array(output).min(1).max(200),
  feeMinor: digits,
});
/** What the worker says of a payment. */
export type UtxoSigningPlan = z.output<typeof requestedPlan>;

const journaledPlan = z.object({
  inputs: z.array(
    z.object({ ...outpoint, address, amountMinor: digits, derivationIndex: z.number(), ordinal: z.number() }),
  ),
  outputs: z.array(output),
  feeMinor: digits,
});

export const utxoJournal: JournalFamily<UtxoIntent> = {
  name: utxoFamily.name,
  flatFields: null,
  planOf: ({ inputs, outputs, feeMinor }) => ({
    inputs: inputs.map((input) => ({ ...input, amountMinor: input.amountMinor.toString() })),
    outputs: outputs.map((paid) => ({ ...paid, amountMinor: paid.amountMinor.toString() })),
    feeMinor: feeMinor.toString(),
  }),
  withPlan: (payment, plan) => ({ ...payment, ...journaledPlan.parse(plan) }),
  isFromTreasury: () => false,
  resourcesOf: ({ inputs }) => inputs.map(keyOf),
  // A dearer attempt may spend more than the one before, never less: each excludes all the others.
  isSamePayment: (a, b) => spendsAll(a, b) || spendsAll(b, a),
  isSameAttempt: (a, b) => JSON.stringify(utxoJournal.planOf(a)) === JSON.stringify(utxoJournal.planOf(b)),
};

function spendsAll(a: UtxoIntent, b: UtxoIntent): boolean {
  const spent = new Set(a.inputs.map(keyOf));
  return b.inputs.every((input) => spent.has(keyOf(input)));
}

interface UtxoSigning {
  derive: Derive;
  /** The signer's own list of chains. */
  chains: readonly { id: string; nativeCoin: string }[];
  maxFeeMinor: bigint;
}

export function createUtxoSigner({
  derive,
  chains,
  maxFeeMinor,
}: UtxoSigning): SignerFamily<UtxoSigningPlan, UtxoIntent> {
  const account = derive(accountPath);
  const coinOf = (chainId: string) => chains.find(({ id }) => id === chainId)?.nativeCoin;
  const derives = ({ address: known, derivationIndex, ordinal }: OwnAddress) =>
    addressOf(keyAt(account, derivationIndex, ordinal)) === known;
  return {
    journal: utxoJournal,
    plans: new Map([['transfer', requestedPlan]]),
    resourceTaken: 'input-taken',
    treasury: null,
    serves: (chainId) => coinOf(chainId) !== undefined,
    isConfigured: ({ chainId, coin, registered }) =>
      coin === coinOf(chainId) && registered.contract === null && registered.evmChainId === null,
    addressesIn: ({ inputs, outputs }) => [...inputs, ...outputs].map((named) => named.address),
    derives,
    intentOf(payment, plan, record) {
      const inputs = plan.inputs.map((input) => ({ ...input, ...ownerOf(record, input.address) }));
      refuseUnless(sumOf(inputs) === sumOf(plan.outputs) + plan.feeMinor, 'invalid-plan');
      return { ...payment, inputs, outputs: plan.outputs, feeMinor: plan.feeMinor };
    },
    outputsOf: ({ outputs, coin }) => outputs.map((paid) => ({ ...paid, coin })),
    limit: ({ feeMinor }) => refuseUnless(feeMinor <= maxFeeMinor, 'cost-cap'),
    isSignable: ({ chainId, coin }) => coin === coinOf(chainId),
    async sign(intent) {
      invariant(intent.inputs.every(derives), 'the keys are those of the inputs');
      const bytes = serialise(intent);
      const signatures = intent.inputs.map((input) => {
        const key = keyAt(account, input.derivationIndex, input.ordinal);
        return { ...signatureOf(key, digestOf(intent.chainId, bytes, input)), address: input.address };
      });
      const raw = JSON.stringify({ ...JSON.parse(bytes), signatures });
      return { raw, hash: hashOf(raw) };
    },
  };
}

function ownerOf({ addresses }: PaymentRecord, spent: string): OwnAddress {
  const own = addresses.find((known) => known.address === spent);
  refuseUnless(own, 'foreign-address');
  return own;
}

const sumOf = (amounts: readonly { amountMinor: bigint }[]) =>
  amounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);

/** What the key of an input signs: the whole transaction, and what the input is worth. */
function digestOf(chainId: string, bytes: string, input: Outpoint & { amountMinor: bigint }): Uint8Array {
  const text = [chainId, bytes, keyOf(input), input.amountMinor].join('\n');
  return new Uint8Array(createHash('sha256').update(text).digest());
}

function signatureOf(key: HDKey, digest: Uint8Array): { publicKey: string; signature: string } {
  invariant(key.publicKey, 'a derived key has its public half');
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  return { publicKey: hex(key.publicKey), signature: hex(key.sign(digest)) };
}

/** Whether signed bytes have a signature of each input's own key over them; `spent` are the inputs as the chain has them. */
export function isSigned(chainId: string, raw: string, spent: readonly (Outpoint & Output)[]): boolean {
  const { signatures, ...body } = JSON.parse(raw) as {
    signatures: { publicKey: string; signature: string; address: string }[];
  };
  return spent.every((input, index) => {
    const made = signatures[index];
    if (made === undefined) return false;
    const publicKey = new Uint8Array(Buffer.from(made.publicKey, 'hex'));
    const key = new HDKey({ publicKey, chainCode: new Uint8Array(32) });
    const digest = digestOf(chainId, JSON.stringify(body), input);
    return addressOf(key) === input.address && key.verify(digest, new Uint8Array(Buffer.from(made.signature, 'hex')));
  });
}
