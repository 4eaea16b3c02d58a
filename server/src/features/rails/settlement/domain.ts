/** Settlements of exchanged coins with the treasury: pure rules (docs/adr/0081-…). */

export type LegSide = 'sold' | 'bought';

/** One side of an executed exchange, in the wallet that it is settled for. */
export interface Leg {
  exchangeId: string;
  side: LegSide;
  /** Minor units. */
  amountMinor: bigint;
}

/** In: from the treasury to the company's address. None: the legs come to nothing, and no coins move. */
export type SettlementDirection = 'in' | 'out' | 'none';

/** The most legs of one settlement: each is in the signer's journal. */
export const mostLegs = 200;

/** As the signer's journal names a leg. */
export function legKey({ exchangeId, side }: Pick<Leg, 'exchangeId' | 'side'>): string {
  return `${exchangeId}/${side}`;
}

/** What legs come to: bought coins are owed to the company, sold ones to the platform. */
export function netOf(legs: readonly Leg[]): { direction: SettlementDirection; amountMinor: bigint } {
  const owedMinor = legs.reduce(
    (sum, { side, amountMinor }) => sum + (side === 'bought' ? amountMinor : -amountMinor),
    0n,
  );
  if (owedMinor === 0n) return { direction: 'none', amountMinor: 0n };
  return owedMinor > 0n ? { direction: 'in', amountMinor: owedMinor } : { direction: 'out', amountMinor: -owedMinor };
}

/** The type of the transaction that moves the coins. */
export const settlementTypes = { in: 'fx_settlement_in', out: 'fx_settlement_out' } as const;
export type SettlementType = (typeof settlementTypes)[keyof typeof settlementTypes];

export function isSettlementType(type: string): type is SettlementType {
  return type === settlementTypes.in || type === settlementTypes.out;
}
