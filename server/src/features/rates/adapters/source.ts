import type { PriceFault } from '../mids/domain.ts';

/** A source of prices, as the poller knows it. */
export interface RateSource {
  /** As it is kept with what it says: `kraken`. */
  name: string;
  /** `band`: reference rates that other sources are held against. */
  role: 'price' | 'band';
  /** Its prices also value what is not exchanged: totals, shares, rules by value. */
  values: boolean;
  pollMs: number;
  /** Until when after its own time a price of it is used. */
  maxAgeMs: number;
  /** What it says now. @throws SourceFailure when it cannot be asked */
  ask(): Promise<Said[]>;
}

/** What a source says of one asset: US dollars per whole unit, plain decimals, at most one an asset. */
export interface Said {
  asset: string;
  bid: string;
  ask: string;
  at: Date;
  fault: PriceFault | null;
}
