/** The port to a venue at which the platform hedges. Quantities and prices are plain decimals in whole units, never doubles. */

/** What is known of a request that failed: as with banks (`banks/api/client.ts`). */
export type VenueOutcome = 'notSent' | 'refused' | 'unknown';

export class VenueError extends Error {
  /** notSent: it was not carried out. refused: the venue says that it does not carry it out. unknown: it may have been. */
  readonly outcome: VenueOutcome;

  constructor(outcome: VenueOutcome, message: string) {
    super(message.slice(0, 500));
    this.name = 'VenueError';
    this.outcome = outcome;
  }
}

/** A pair that a venue trades now. */
export interface Market {
  pair: string;
  asset: string;
  counter: string;
  /** Decimal places of quantities. */
  quantityDecimals: number;
  /** Decimal places of prices; null: the venue takes any price. */
  priceDecimals: number | null;
  /** The least quantity of an order, and the least that it may cost. */
  leastQuantity: string;
  leastCost: string;
}

export interface OrderToPlace {
  /** Ours; the venue keeps it. */
  id: string;
  pair: string;
  asset: string;
  counter: string;
  side: 'buy' | 'sell';
  quantity: string;
  limitPrice: string;
  /** The venue does not place it later. */
  deadline: Date;
}

export interface Fill {
  /** The venue's own. */
  tradeId: string;
  quantity: string;
  price: string;
  cost: string;
  fee: string;
  feeAsset: string;
  at: Date;
}

/** An order as the venue knows it. */
export interface VenueOrder {
  /** The venue's own id. */
  venueId: string;
  isOpen: boolean;
  filled: string;
  /** All fills so far; fewer than `filled` while the venue has not written them all. */
  fills: readonly Fill[];
  /** Why it ended, in the venue's words. */
  reason: string | null;
}

export interface Venue {
  readonly id: string;
  readonly assets: readonly string[];
  /** Milliseconds after an order's deadline from which on one that the venue does not have never arrived: for its own delays, and clocks that differ. */
  readonly settleMs: number;
  /** The market of an asset; null: it is not traded there now. @throws VenueError */
  marketOf(asset: string): Promise<Market | null>;
  /** Sends an order, once; returns the venue's id. @throws VenueError */
  place(order: OrderToPlace): Promise<string>;
  /**
   * Asks for an order by our id, and by the venue's where it is known. Null: the venue does not have it at the moment at which it is asked. An order that is on
   * its way can then still arrive, until its deadline. @throws VenueError
   */
  find(order: {
    id: string;
    venueId: string | null;
    asset: string;
    counter: string;
    sentAt: Date;
  }): Promise<VenueOrder | null>;
  /** Cancels what is not filled; one that has ended meanwhile stays as it is. Null: an order there is not cancelled by us. @throws VenueError */
  readonly cancel: ((order: { id: string; venueId: string }) => Promise<void>) | null;
  /** Whole units by asset, of those that it hedges with. @throws VenueError */
  balances(): Promise<Record<string, string>>;
}
