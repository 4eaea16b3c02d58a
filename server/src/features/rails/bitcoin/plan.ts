import type { Outpoint, Send } from '../../chains/index.ts';

/** What an attempt spends and pays; amounts in satoshis, as digits, since it is kept as JSON (`chain_send.plan`). */
export interface BitcoinPlan {
  inputs: readonly (Outpoint & { address: string; amountMinor: string })[];
  /** The payee's, and the change after it where something comes back. */
  outputs: readonly { address: string; amountMinor: string }[];
  /** What the miner gets. */
  feeMinor: string;
  /** Virtual bytes, never fewer than the signed transaction has. */
  vsize: number;
}

export function planOf(send: Pick<Send, 'plan'>): BitcoinPlan {
  return send.plan as BitcoinPlan;
}

export const outpointsOf = (plan: Pick<BitcoinPlan, 'inputs'>): Outpoint[] =>
  plan.inputs.map(({ hash, index }) => ({ hash, index }));
