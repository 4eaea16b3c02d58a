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
  /** The output of a deposit that waits for a block, which this accelerates (`outpointKey`); absent of every other payment. */
  parent?: string;
  /** Every payment of the transaction, in the order of the outputs, where it makes several or takes their place (docs/adr/0094). */
  joined?: readonly JoinedShare[];
}

/** One of several payments of a transaction, and what it pays of the fee. */
export interface JoinedShare {
  paymentId: string;
  shareMinor: string;
}

/** A plan with its amounts as numbers. */
interface Planned {
  companyIndex: number;
  inputs: readonly (Outpoint & { address: string; amountMinor: bigint; ordinal: number | null })[];
  outputs: readonly { address: string; amountMinor: bigint; ordinal: number | null }[];
  feeMinor: bigint;
  vsize: number;
  parent?: string;
  joined?: readonly JoinedShare[];
}

export function planOf(send: Pick<Send, 'plan'>): BitcoinPlan {
  return send.plan as BitcoinPlan;
}

export function planFor({ companyIndex, inputs, outputs, feeMinor, vsize, parent, joined }: Planned): BitcoinPlan {
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
    ...(parent === undefined ? {} : { parent }),
    ...(joined === undefined ? {} : { joined }),
  };
}

/** With its amounts as numbers again. */
export function readPlan({ inputs, outputs, feeMinor, ...rest }: BitcoinPlan): Planned {
  const read = <T extends { amountMinor: string }>({ amountMinor, ...others }: T) => ({
    ...others,
    amountMinor: BigInt(amountMinor),
  });
  return { ...rest, inputs: inputs.map(read), outputs: outputs.map(read), feeMinor: BigInt(feeMinor) };
}

export const outpointsOf = (plan: Pick<BitcoinPlan, 'inputs'>): Outpoint[] =>
  plan.inputs.map(({ hash, index }) => ({ hash, index }));

/** What a plan that is not empty pays to others, its change aside: nothing where it accelerates a deposit. */
export function paidBy<O>({
  parent,
  outputs,
  joined,
}: {
  parent?: string;
  outputs: readonly O[];
  joined?: readonly JoinedShare[];
}): readonly O[] {
  return parent === undefined ? outputs.slice(0, joined?.length ?? 1) : [];
}

/** What an output of a transaction is called among arrivals and unexplained payments. */
export const outputName = (index: number): string => `vout:${index}`;

type Planning = Pick<Send, 'paymentId' | 'plan'>;

/** Every payment that an attempt's transaction makes, or takes the place of, in the order of its outputs. */
export function paymentsOf(send: Planning): readonly string[] {
  return planOf(send).joined?.map(({ paymentId }) => paymentId) ?? [send.paymentId];
}

/** Whether an attempt's fee is less than the one that is wanted. Rates are in thousandths, so that a large transaction's fee may miss it by a few satoshis. */
export function paysLessThan({ feeMinor, vsize }: BitcoinPlan, wantedMinor: bigint): boolean {
  return BigInt(feeMinor) + BigInt(Math.floor(vsize / 1000)) < wantedMinor;
}

/** The payment that coins are given to: of several in one transaction the first. */
export function leadOf(send: Planning): string {
  return paymentsOf(send)[0] ?? send.paymentId;
}

/** What a payment pays of an attempt's fee: all of it where it is alone. */
export function shareOf({ paymentId, plan }: Planning): bigint {
  const { joined, feeMinor } = plan as BitcoinPlan;
  return BigInt(joined?.find((one) => one.paymentId === paymentId)?.shareMinor ?? feeMinor);
}
