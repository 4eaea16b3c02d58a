import * as z from 'zod';
import {
  emptyKind,
  type Intent,
  type JoinedPayment,
  type JournalFamily,
  legResources,
  transferKind,
} from '../signer/family.ts';
import { type Outpoint, outpointKey } from './gateway.ts';

/** An output that the signer spends; without index and ordinal it is the treasury's. */
export interface SpentOutput extends Outpoint {
  address: string;
  amountMinor: bigint;
  derivationIndex: number | null;
  ordinal: number | null;
}

/** What the transaction pays. */
export interface PaidOutput {
  address: string;
  amountMinor: bigint;
  /** Of the company's address that takes the change; null of the payee's and of the treasury's. */
  ordinal: number | null;
}

/** What the signer signs on a Bitcoin chain. Its version, lock time and sequences are the same in each. */
export interface BitcoinIntent extends Intent {
  inputs: readonly SpentOutput[];
  outputs: readonly PaidOutput[];
  feeMinor: bigint;
}

const digits = z
  .string()
  .regex(/^(0|[1-9]\d{0,18})$/)
  .transform((text) => BigInt(text));
const ordinal = z.number().int().min(0).nullable();

const journaledPlan = z.object({
  inputs: z.array(
    z.object({
      hash: z.string().regex(/^[0-9a-f]{64}$/),
      index: z.number().int().min(0),
      address: z.string(),
      amountMinor: digits,
      derivationIndex: z.number().int().min(0).nullable(),
      ordinal,
    }),
  ),
  outputs: z.array(z.object({ address: z.string(), amountMinor: digits, ordinal })),
  feeMinor: digits,
  legs: z.array(z.string()).optional(),
  joined: z.array(z.object({ transferId: z.uuid(), toAddress: z.string(), amountMinor: digits })).optional(),
});

/**
 * Bitcoin entries of the journal: each attempt of a payment spends all that the one before spent, or all and more. What every attempt spends
 * serves this payment alone; what a dearer one added is spared once the chain may take a cheaper one.
 */
export const bitcoinJournal: JournalFamily<BitcoinIntent> = {
  name: 'bitcoin',
  flatFields: null,
  planOf: ({ inputs, outputs, feeMinor, legs, joined }) => ({
    inputs: inputs.map(({ hash, index, address, amountMinor, derivationIndex, ordinal }) => ({
      hash,
      index,
      address,
      amountMinor: amountMinor.toString(),
      derivationIndex,
      ordinal,
    })),
    outputs: outputs.map(({ address, amountMinor, ordinal }) => ({
      address,
      amountMinor: amountMinor.toString(),
      ordinal,
    })),
    feeMinor: feeMinor.toString(),
    ...(legs === undefined ? {} : { legs }),
    ...(joined === undefined ? {} : { joined: joined.map(written) }),
  }),
  withPlan(payment, plan) {
    const { legs, joined, ...read } = journaledPlan.parse(plan);
    return {
      ...payment,
      ...read,
      ...(legs === undefined ? {} : { legs }),
      ...(joined === undefined ? {} : { joined }),
    };
  },
  spares: true,
  isFreed: (ended, next) =>
    (ended.kind === transferKind || ended.kind === emptyKind) &&
    ended.legs === undefined &&
    next.legs === undefined &&
    agreesOnInputs(ended, next),
  resourcesOf: (intent) => [...intent.inputs.map((input) => inputOf(intent.chainId, input)), ...legResources(intent)],
  isFromTreasury: ({ kind, inputs }) => kind === transferKind && inputs.every(({ ordinal }) => ordinal === null),
  isSamePayment: (a, b) =>
    (spendsAll(a, b) || spendsAll(b, a)) && agreesOnInputs(a, b) && JSON.stringify(a.legs) === JSON.stringify(b.legs),
  isSameAttempt: (a, b) =>
    a.kind === b.kind && JSON.stringify(bitcoinJournal.planOf(a)) === JSON.stringify(bitcoinJournal.planOf(b)),
};

function written({ transferId, toAddress, amountMinor }: JoinedPayment) {
  return { transferId, toAddress, amountMinor: amountMinor.toString() };
}

/** An output that a transaction spends, as a resource of the journal. */
export function inputOf(chainId: string, outpoint: Outpoint): string {
  return `in/${chainId}/${outpointKey(outpoint)}`;
}

function spendsAll(a: BitcoinIntent, b: BitcoinIntent): boolean {
  const spent = new Set(a.inputs.map(outpointKey));
  return b.inputs.every((input) => spent.has(outpointKey(input)));
}

/**
 * A signature is over the value of its own input alone (BIP 143), so that two attempts with the same outputs, each with another input's value
 * wrong, would give the signatures of a transaction whose fee neither has. What an output is worth is therefore said once.
 */
function agreesOnInputs(a: BitcoinIntent, b: BitcoinIntent): boolean {
  const worth = new Map(a.inputs.map((input) => [outpointKey(input), input.amountMinor]));
  return b.inputs.every((input) => {
    const known = worth.get(outpointKey(input));
    return known === undefined || known === input.amountMinor;
  });
}
