import type { Outpoint, Send } from '../../chains/index.ts';

/** What an attempt spends and pays; amounts in satoshis, as digits, since it is kept as JSON (`chain_send.plan`). */
export interface BitcoinPlan {
  /** The company's index in the tree of keys; 0 where the treasury pays. */
  companyIndex: number;
  /** `ordinal`: place among the company's addresses; null of the treasury's. */
  inputs: readonly (Outpoint & { address: string; amountMinor: string; ordinal: number | null })[];
  /** The payee's, and the change after it where something comes back; the ordinal is that of change to a company. */
  outputs: readonly { address: string; amountMinor: string; ordinal: number | null }[];
  /** What the miner gets. */
  feeMinor: string;
  /** Virtual bytes, never fewer than the signed transaction has. */
  vsize: number;
}

/** A plan with its amounts as numbers. */
interface Planned {
  companyIndex: number;
  inputs: readonly (Outpoint & { address: string; amountMinor: bigint; ordinal: number | null })[];
  outputs: readonly { address: string; amountMinor: bigint; ordinal: number | null }[];
  feeMinor: bigint;
  vsize: number;
}

export function planOf(send: Pick<Send, 'plan'>): BitcoinPlan {
  return send.plan as BitcoinPlan;
}

export function planFor({ companyIndex, inputs, outputs, feeMinor, vsize }: Planned): BitcoinPlan {
  return {
    companyIndex,
    inputs: inputs.map(({ hash, index, address, amountMinor, ordinal }) => ({
      hash,
      index,
      address,
      amountMinor: amountMinor.toString(),
      ordinal,
    })),
    outputs: outputs.map(({ address, amountMinor, ordinal }) => ({
      address,
      amountMinor: amountMinor.toString(),
      ordinal,
    })),
    feeMinor: feeMinor.toString(),
    vsize,
  };
}

/** With its amounts as numbers again. */
export function readPlan({ companyIndex, inputs, outputs, feeMinor, vsize }: BitcoinPlan): Planned {
  const read = <T extends { amountMinor: string }>({ amountMinor, ...rest }: T) => ({
    ...rest,
    amountMinor: BigInt(amountMinor),
  });
  return { companyIndex, inputs: inputs.map(read), outputs: outputs.map(read), feeMinor: BigInt(feeMinor), vsize };
}

export const outpointsOf = (plan: Pick<BitcoinPlan, 'inputs'>): Outpoint[] =>
  plan.inputs.map(({ hash, index }) => ({ hash, index }));
