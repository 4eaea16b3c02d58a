export type MiningSettings = {
  /** Off: blocks come by request only, so that a test controls the depth. */
  auto: boolean;
  /** Blocks that are mined on top of the newest block with a transaction; then the chain rests. */
  depth: number;
  blockIntervalMs: number;
};

export type Miner = {
  settings(): MiningSettings;
  change(settings: Partial<MiningSettings>): void;
  /** A transaction came in: a block follows at once. */
  wake(): void;
  stop(): void;
};

/** What the miner asks of a chain. */
export type Minable = {
  tip(): { height: number; lastTransactionHeight: number };
  mine(blocks: number): Promise<unknown>;
};

/** Transactions that come in together share a block. */
const GATHER_MS = 20;

/**
 * Mines on demand: a block as soon as a transaction is there (or after `gatherMs`), then one every interval until the newest
 * transaction is deep enough. Nothing is mined by the clock alone, so an idle chain does not grow.
 */
export function createMiner(
  engine: () => Minable | undefined,
  initial: MiningSettings,
  gatherMs: (settings: MiningSettings) => number = () => GATHER_MS,
): Miner {
  let settings = initial;
  let isFresh = false;
  let isMining = false;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = 0;

  function schedule(delayMs: number): void {
    const due = Date.now() + delayMs;
    // One block at a time: whether another is wanted is not known before this one is there.
    if (isMining) return;
    if (timer !== undefined && dueAt <= due) return;
    clearTimeout(timer);
    dueAt = due;
    timer = setTimeout(step, delayMs);
  }

  function isWanted(chain: Minable): boolean {
    const { height, lastTransactionHeight } = chain.tip();
    return isFresh || (lastTransactionHeight > 0 && height - lastTransactionHeight < settings.depth);
  }

  async function step(): Promise<void> {
    timer = undefined;
    const chain = engine();
    if (!settings.auto || chain === undefined || !isWanted(chain)) return;
    isFresh = false;
    isMining = true;
    try {
      await chain.mine(1);
    } catch {
      // The chain is being rebuilt or closed; whether a block is still wanted shows at the next step.
    }
    isMining = false;
    if (isWanted(chain)) schedule(isFresh ? gatherMs(settings) : settings.blockIntervalMs);
  }

  return {
    settings: () => ({ ...settings }),
    change(changed) {
      settings = { ...settings, ...changed };
      if (settings.auto) schedule(0);
    },
    wake() {
      isFresh = true;
      schedule(gatherMs(settings));
    },
    stop() {
      settings = { ...settings, auto: false };
      clearTimeout(timer);
    },
  };
}
